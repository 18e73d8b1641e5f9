import { commonAnswer } from '../src/protocol/answer.ts'
import { classic } from '../src/protocol/classic/events.ts'
import { answerFieldsOf, factsOf } from '../src/protocol/compile.ts'

/** The source of `classic/generated/rows.ts`: the table without its schemas. */
export function classicRowsModule(): string {
  const rows = Object.fromEntries(
    Object.entries(classic).map(([name, row]) => [name, { ...factsOf(row), answerFields: answerFieldsOf(row) }]),
  )
  return [
    '// Generated from src/protocol/classic/events.ts by `npm run generate`.',
    "import type { EventRow } from '../../event-row.ts'",
    '',
    "export const classicRows: Record<string, Omit<EventRow, 'name' | 'checkInput' | 'checkAnswer'>> =",
    `  ${JSON.stringify(rows, null, 2)}`,
    '',
    '/** The fields any event may answer with, at the top level. */',
    `export const commonAnswerFields: readonly string[] = ${JSON.stringify([...Object.keys(commonAnswer.shape), 'hookSpecificOutput'])}`,
    '',
  ].join('\n')
}
