import { RULES, type RuleId } from '../../config/rules.ts'
import { commandPages } from '../pages/commands.ts'
import { filePages } from '../pages/files.ts'
import { hookPages } from '../pages/hooks.ts'
import { matcherPages } from '../pages/matchers.ts'
import type { Example, RulePage } from './example.ts'

/** The page of every rule. */
export const PAGES: Readonly<Record<RuleId, RulePage>> = {
  ...filePages,
  ...hookPages,
  ...matcherPages,
  ...commandPages,
}

/** All rules, in the order of their numbers. */
export const RULE_IDS = Object.keys(RULES) as RuleId[] // its own keys

/** A rule's page as markdown, without its heading. */
export function pageText(rule: RuleId): string {
  const { why, bad, good } = PAGES[rule]
  const grave = RULES[rule] === 'error' ? 'An error: the check fails.' : 'A warning.'
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
