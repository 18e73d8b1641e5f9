import { HooklineError } from '../files/error.ts'
import { sentence } from '../protocol/check.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { notAnEvent } from '../protocol/other-profiles.ts'
import type { Session } from './session.ts'

/** An event as hooks will see it, with its row. */
export interface Accepted {
  readonly row: EventRow
  readonly input: EventInput
}

/** Checks what a host passes and fills in the common fields it left out. Throws a HooklineError for what is not an event. */
export function acceptInput({ options, common, snapshot }: Session, given: unknown): Accepted {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HooklineError('An event must be a JSON object with a "hook_event_name".')
  }
  const fields = given as Record<string, unknown> // an object
  const { hook_event_name: name } = fields
  if (typeof name !== 'string') throw new HooklineError('An event needs a "hook_event_name".')
  const row = eventRow(snapshot, name)
  const { permission_mode, transcript_path, session_id } = common
  const transcript = transcript_path === undefined ? undefined : { transcript_path }
  const mode = row.permissionMode && permission_mode !== undefined ? { permission_mode } : undefined
  const input = { session_id, ...transcript, cwd: options.places.project, ...mode, hook_event_name: name, ...fields }
  const misfits = row.checkInput(input)
  if (misfits.length > 0)
    throw new HooklineError(`${name}: ${misfits.map((misfit) => sentence(misfit, 'the event')).join('; ')}.`)
  return { row, input: Object.freeze(input) }
}

/** The row of an event. An untrusted project may have events that the profile in force has not: none of its hooks runs, and the record says so. */
function eventRow({ profile, profiles }: Session['snapshot'], name: string): EventRow {
  const row = profile.events.get(name) ?? profiles.project.events.get(name)
  if (row) return row
  throw new HooklineError(notAnEvent(name, profile, { isOfProfile: true }))
}
