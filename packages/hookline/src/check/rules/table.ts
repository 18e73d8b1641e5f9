import type { Severity } from '../finding.ts'
import type { Example, Rule } from '../rule.ts'
import { addressRules } from './addresses.ts'
import { answerRules } from './answers.ts'
import { clientRules } from './clients.ts'
import { effectRules } from './effects.ts'
import { fileRules } from './files.ts'
import { hookRules } from './hooks.ts'
import { inputRules } from './inputs.ts'
import { lossRules } from './losses.ts'
import { matcherRules } from './matchers.ts'
import { pairRules } from './pairs.ts'
import { programRules } from './programs.ts'
import { quotingRule } from './quoting.ts'
import { scriptRules } from './scripts.ts'
import { shellRule } from './shell.ts'

/** All rules, in the order of their numbers. */
export const RULES: readonly Rule[] = [
  ...fileRules,
  ...effectRules,
  ...hookRules,
  ...matcherRules,
  ...programRules,
  quotingRule,
  ...scriptRules,
  ...pairRules,
  ...clientRules,
  ...addressRules,
  ...inputRules,
  ...answerRules,
  ...lossRules,
  shellRule,
].toSorted((one, other) => one.id.localeCompare(other.id))

/** A rule's page as markdown, without its heading. */
export function formatRulePage({ severity, page: { why, bad, good, profile } }: Rule): string {
  const examples = profile === undefined ? '' : ` The examples are for the profile \`${profile}\`.`
  return [
    `${why} ${GRAVE[severity]}${examples}`,
    '',
    'Bad:',
    '',
    ...formatExampleBlocks(bad),
    'Good:',
    '',
    ...formatExampleBlocks(good),
  ].join('\n')
}

const GRAVE: Readonly<Record<Severity, string>> = {
  error: 'An error: the check fails.',
  warning: 'A warning.',
  note: 'A note: nothing has to be done.',
}

function formatExampleBlocks(example: Example): string[] {
  return Object.entries(example).flatMap(([file, text]) => [
    `\`${file}\``,
    '',
    `\`\`\`${LANGUAGES[file.split('.').at(-1) ?? ''] ?? ''}`,
    text.trimEnd(),
    '```',
    '',
  ])
}

const LANGUAGES: Readonly<Record<string, string>> = { json: 'json', md: 'markdown', sh: 'sh', mjs: 'js' }
