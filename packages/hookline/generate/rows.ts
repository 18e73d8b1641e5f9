import { isDeepStrictEqual } from 'node:util'
import type { EventFacts } from '../src/protocol/event-row.ts'
import { listAnswerFields, omitSchemas } from '../src/protocol/schemas/compile.ts'
import type { EventDefinition, EventTable } from '../src/protocol/schemas/event-definition.ts'
import { usual } from '../src/protocol/usual.ts'
import { jsonSchema } from './shapes.ts'

/** The facts that are not as on most events. */
function unusual(facts: EventFacts): object {
  const given = Object.entries(facts).filter(([fact, value]) => !isDeepStrictEqual(value, { ...usual }[fact]))
  return Object.fromEntries(given)
}

/** The source of a profile's `generated/rows.ts`: its table of events without the schemas. Each row is made when it is asked for. */
export function rowsModule(profile: string, events: EventTable): string {
  const entries = Object.entries(events)
  const rows = entries.map(([name, row]) => {
    const facts = { ...unusual(omitSchemas(row)), answerFields: listAnswerFields(row), ...permissionWords(row) }
    return `  get ${JSON.stringify(name)}(): GeneratedRow { return ${JSON.stringify(facts, null, 2)} },`
  })
  const effects = entries.flatMap(([, row]) => Object.entries(row.effects).map(([name, { merge }]) => [name, merge]))
  const shared = {
    effects: Object.fromEntries(effects),
    answerFields: [...new Set(entries.flatMap(([, row]) => listAnswerFields(row)))],
  }
  return [
    `// Generated from src/protocol/schemas/events/${profile}.ts by \`npm run generate\`.`,
    "import type { GeneratedRow, SharedFacts } from '../../usual.ts'",
    '',
    'export const rows: Readonly<Record<string, GeneratedRow>> = {',
    ...rows,
    '}',
    '',
    `export const shared: SharedFacts = ${JSON.stringify(shared)}`,
    '',
    '/** What replies to each event depend on, as types. */',
    'export interface RowTypes {',
    ...Object.entries(events).map(([name, row]) => `  readonly ${name}: { ${typesOf(row).join('; ')} }`),
    '}',
    '',
  ].join('\n')
}

/** What the permission may be decided to be, where it can be. */
function permissionWords({ answer }: EventDefinition): { permissionWords?: readonly unknown[] } {
  const { enum: words } = jsonSchema(answer).properties?.permissionDecision ?? {}
  return words ? { permissionWords: words } : {}
}

function typesOf(row: EventDefinition): string[] {
  const facts = ['merges', 'plainStdout', 'canHalt', 'systemMessageTo'] as const
  const names = (list: readonly unknown[]): string => list.map((name) => `'${name}'`).join(' | ') || 'never'
  return [
    ...facts.map((fact) => `${fact}: ${typeof row[fact] === 'string' ? `'${row[fact]}'` : row[fact]}`),
    `answerFields: ${names(listAnswerFields(row))}`,
    `permissionWords: ${names(permissionWords(row).permissionWords ?? [])}`,
  ]
}
