import type { Example, Rule } from '../rule.ts'
import { fileRules } from './files.ts'
import { hookRules } from './hooks.ts'
import { matcherRules } from './matchers.ts'
import { pairRules } from './pairs.ts'
import { programRules } from './programs.ts'
import { quotingRule } from './quoting.ts'
import { scriptRules } from './scripts.ts'

/** All rules, in the order of their numbers. */
export const RULES: readonly Rule[] = [
  ...fileRules,
  ...hookRules,
  ...matcherRules,
  ...programRules,
  quotingRule,
  ...scriptRules,
  ...pairRules,
].toSorted((one, other) => one.id.localeCompare(other.id))

/** A rule's page as markdown, without its heading. */
export function pageText({ severity, page: { why, bad, good } }: Rule): string {
  const grave = severity === 'error' ? 'An error: the check fails.' : 'A warning.'
  return [`${why} ${grave}`, '', 'Bad:', '', ...blocks(bad), 'Good:', '', ...blocks(good)].join('\n')
}

function blocks(example: Example): string[] {
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
