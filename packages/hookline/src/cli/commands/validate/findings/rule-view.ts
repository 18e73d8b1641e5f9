import { PAGES } from '../../../../check/pages/all.ts'
import type { Example } from '../../../../check/pages/page.ts'
import { RULES, type RuleId } from '../../../../config/rules.ts'
import { indented } from '../../../view/layout.ts'
import type { Terminal } from '../../../view/terminal.ts'

/** A rule's page for the terminal. */
export function ruleView(rule: RuleId, { width, paint }: Terminal): string {
  const { title, why, bad, good } = PAGES[rule]
  const colour = RULES[rule] === 'error' ? paint.red : paint.yellow
  return [
    `${paint.bold(rule)}  ${colour(RULES[rule])}`,
    '',
    indented(`${title}.`, '  ', width),
    '',
    indented(why, '  ', width),
    '',
    ...exampleLines('Bad', bad),
    ...exampleLines('Good', good),
  ].join('\n')
}

function exampleLines(word: string, example: Example): string[] {
  return Object.entries(example).flatMap(([file, text]) => [
    `  ${word}: ${file}`,
    '',
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`.trimEnd()),
    '',
  ])
}
