import { commonAnswer } from '../src/protocol/answer.ts'
import { answerFieldsOf, factsOf } from '../src/protocol/compile.ts'
import type { EventTable } from '../src/protocol/tables.ts'

/** The source of a profile's `generated/rows.ts`: its table of events without the schemas. */
export function rowsModule(profile: string, events: EventTable): string {
  const rows = Object.fromEntries(
    Object.entries(events).map(([name, row]) => [name, { ...factsOf(row), answerFields: answerFieldsOf(row) }]),
  )
  return [
    `// Generated from src/protocol/${profile}/events.ts by \`npm run generate\`.`,
    "import type { EventRow } from '../../event-row.ts'",
    '',
    "export const rows: Record<string, Omit<EventRow, 'name' | 'rules' | 'checkInput' | 'checkAnswer'>> =",
    `  ${JSON.stringify(rows, null, 2)}`,
    '',
    '/** The fields any event may answer with, at the top level. */',
    `export const commonAnswerFields: readonly string[] = ${JSON.stringify([...Object.keys(commonAnswer.shape), 'hookSpecificOutput'])}`,
    '',
  ].join('\n')
}
