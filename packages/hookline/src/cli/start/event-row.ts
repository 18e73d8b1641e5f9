import type { EventRow } from '../../protocol/event-row.ts'
import type { Profile } from '../../protocol/profile.ts'
import { suggestion } from '../../text/nearest.ts'
import { UsageError } from './flags.ts'

/** The row of an event that somebody named. */
export function eventRow(name: string | undefined, { events }: Profile): EventRow {
  if (name === undefined) throw new UsageError('for which event? hookline events lists them.')
  const row = events.get(name)
  if (!row) throw new UsageError(`"${name}" is not an event.${suggestion(name, events.keys())}`)
  return row
}
