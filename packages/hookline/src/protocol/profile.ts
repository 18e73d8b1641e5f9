import type { EventRow } from './event-row.ts'
import type { ProtocolRules } from './rules.ts'

/** A version of the protocol. */
export interface Profile {
  readonly name: string
  /** What holds for all its events. */
  readonly rules: ProtocolRules
  /** The names of its hook types, those that only hosts register included. */
  readonly hookTypes: readonly string[]
  /** Its events, by name. */
  readonly events: ReadonlyMap<string, EventRow>
}

/** A profile with what its rows share filled in. */
export function profileOf(
  { name, rules, hookTypes }: Omit<Profile, 'events'>,
  rows: readonly Omit<EventRow, 'rules'>[],
): Profile {
  return { name, rules, hookTypes, events: new Map(rows.map((row) => [row.name, { ...row, rules }])) }
}
