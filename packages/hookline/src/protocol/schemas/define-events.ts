import type { Effect } from '../effect.ts'
import type { MergeName } from '../event-row.ts'
import type { EventDefinition, EventTable } from './event-definition.ts'

/** The fields under `hookSpecificOutput` that decide, by how the answers are merged; `read/opinion.ts` reads no others. */
export const DECIDING_FIELDS = {
  permission: ['permissionDecision', 'permissionDecisionReason', 'updatedInput'],
  dialog: ['decision'],
  block: ['decision', 'reason'],
  'exit-code': [],
  nothing: [],
} as const satisfies Readonly<Record<MergeName, readonly string[]>>

/** Read wherever a row takes it. */
const CONTEXT = 'additionalContext'

/** The table of a profile's events. A field of an answer that its row takes and nothing reads does not compile. */
export function defineEvents<const Events extends EventTable>(
  events: Events & { readonly [Name in keyof Events]: FullyReadRow<Events[Name]> },
): Events {
  return events
}

/** The fields that a row takes and nothing reads, for tables whose types are not known. */
export function listUnreadFields({ answer, merges, effects }: EventDefinition): string[] {
  const read = new Set<string>([
    CONTEXT,
    ...DECIDING_FIELDS[merges],
    ...Object.values(effects).flatMap(({ fields, mcpFields = [] }) => [...fields, ...mcpFields]),
  ])
  return Object.keys(answer.shape).filter((field) => !read.has(field))
}

type ReadFields<Row extends EventDefinition> =
  | typeof CONTEXT
  | (typeof DECIDING_FIELDS)[Row['merges']][number]
  | EffectFields<Row['effects']>

type EffectFields<Effects> =
  Effects extends Readonly<Record<string, Effect>>
    ? Effects[keyof Effects]['fields'][number] | McpFields<Effects[keyof Effects]>
    : never

type McpFields<One> = One extends { readonly mcpFields: readonly (infer Field)[] } ? Field : never

type UnreadFields<Row extends EventDefinition> = Exclude<keyof Row['answer']['shape'] & string, ReadFields<Row>>

type FullyReadRow<Row extends EventDefinition> = [UnreadFields<Row>] extends [never]
  ? unknown
  : { readonly answer: `nothing reads ${UnreadFields<Row>}` }
