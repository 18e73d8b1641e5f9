import type { EventInput } from '../protocol/event-input.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'

/**
 * The hooks that are configured for an event, each with its line of the record of an event that it does not match. A line
 * of the log has only the lines that differ, and all of them once.
 */
export interface ConfiguredLines {
  /** The `snapshot` of the records that they stand behind. */
  readonly digest: string
  readonly lines: readonly HookLine[]
  /** Name of the profile that the event is of. */
  readonly profile: string
}

/** Parts of a line of a log. */
export interface LoggedEvent {
  readonly record: PastRecord
  /** Places of the hooks of the record among the configured ones; missing when it has all of them. */
  readonly places?: readonly number[]
  readonly input: EventInput
}

/** An event as the log has it: without the hooks of which there is nothing to tell. */
export function toLoggedEvent(record: PastRecord, input: EventInput, { lines }: ConfiguredLines): LoggedEvent {
  const places = record.hooks.flatMap((line, at) => (line === lines[at] ? [] : [at]))
  if (places.length === record.hooks.length) return { record, input }
  const hooks = record.hooks.filter((line, at) => line !== lines[at])
  return { record: { ...record, hooks }, places, input }
}
