import { isDeepStrictEqual } from 'node:util'
import { answerFieldsOf, factsOf } from '../src/protocol/compile.ts'
import type { EventFacts } from '../src/protocol/event-row.ts'
import type { EventTable } from '../src/protocol/tables.ts'
import { usual } from '../src/protocol/usual.ts'

/** The facts that are not as on most events. */
function unusual(facts: EventFacts): object {
  const given = Object.entries(facts).filter(([fact, value]) => !isDeepStrictEqual(value, { ...usual }[fact]))
  return Object.fromEntries(given)
}

/** The source of a profile's `generated/rows.ts`: its table of events without the schemas. */
export function rowsModule(profile: string, events: EventTable): string {
  const rows = Object.fromEntries(
    Object.entries(events).map(([name, row]) => [
      name,
      { ...unusual(factsOf(row)), answerFields: answerFieldsOf(row) },
    ]),
  )
  return [
    `// Generated from src/protocol/${profile}/events.ts by \`npm run generate\`.`,
    "import type { GeneratedRow } from '../../usual.ts'",
    '',
    'export const rows: Readonly<Record<string, GeneratedRow>> =',
    `  ${JSON.stringify(rows, null, 2)}`,
    '',
  ].join('\n')
}
