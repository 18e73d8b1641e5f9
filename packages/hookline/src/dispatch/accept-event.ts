import { HooklineError } from '../files/error.ts'
import { formatMisfit } from '../protocol/check.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { describeUnknownEvent } from '../protocol/other-profiles.ts'
import { carryWriting, findDoubledKey } from '../text/written-json.ts'
import { refuseDoubledKey } from './doubled-key.ts'
import { makeErasure } from './erasure.ts'
import type { FiredEvent, Following, Session } from './pipe.ts'
import { findStages } from './stages.ts'

/** Checks what a host fires, and finds the stages that it takes. Throws a HooklineError for what is not an event. */
export function acceptEvent(session: Session, given: unknown, following: Following): FiredEvent {
  const began = Date.now()
  const { row, input } = acceptInput(session, given)
  const doubled = findDoubledKey(input)
  const standing = findStages(session, row, following)
  const stages = doubled === null ? standing : [refuseDoubledKey(doubled), ...standing]
  const erasure = row.erases === null ? null : makeErasure(row, input)
  const id = session.origin.nextId()
  return { row, input, id, began, started: null, following, stages, erasure, early: [] }
}

/** An event as hooks will see it, with its row. */
interface AcceptedInput {
  readonly row: EventRow
  readonly input: EventInput
}

/** Checks an input and fills in the common fields that the host left out. Throws a HooklineError for what is not an event. */
export function acceptInput({ options, common, snapshot }: Session, given: unknown): AcceptedInput {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HooklineError('An event must be a JSON object with a "hook_event_name".')
  }
  const fields = given as Record<string, unknown> // an object
  const { hook_event_name: name } = fields
  if (typeof name !== 'string') throw new HooklineError('An event needs a "hook_event_name".')
  const row = findRow(snapshot, name)
  if (row === undefined) throw new HooklineError(describeUnknownEvent(name, snapshot.profile, { isOfProfile: true }))
  const { permission_mode, transcript_path, session_id } = common
  const transcript = transcript_path === undefined ? undefined : { transcript_path }
  const mode = row.permissionMode && permission_mode !== undefined ? { permission_mode } : undefined
  const input = { session_id, ...transcript, cwd: options.places.project, ...mode, hook_event_name: name, ...fields }
  carryWriting(input, given)
  const misfits = row.checkInput(input)
  if (misfits.length > 0)
    throw new HooklineError(`${name}: ${misfits.map((misfit) => formatMisfit(misfit, 'the event')).join('; ')}.`)
  return { row, input: Object.freeze(input) }
}

/** The row of an event. An untrusted project may have events that the profile in force has not: none of its hooks runs, and the record says so. */
export function findRow({ profile, profiles }: Session['snapshot'], name: string): EventRow | undefined {
  return profile.events.get(name) ?? profiles.project.events.get(name)
}
