import { decide } from '../decide/decision.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { makeUnknownRow } from '../protocol/profile.ts'
import type { DispatchRecord, HookLine } from '../protocol/record/record.ts'
import { findRow } from './accept-event.ts'
import type { FiredEvent, Session } from './pipe.ts'
import { listConfigured, recordEvent } from './record.ts'
import { findListeners } from './session.ts'

/** Reason why no hook could be asked about an event, and whether it was refused for that. */
export interface Unread {
  readonly why: string
  readonly refused: boolean
}

/** Records an event that no hook was asked about: its payload cannot be read, or the profile does not have the event. */
export function recordUnread(session: Session, name: string, { why, refused }: Unread): DispatchRecord {
  const { snapshot, common, options, origin, notices } = session
  const row = findRow(snapshot, name) ?? makeUnknownRow(snapshot.profile, name)
  const input = Object.freeze({
    session_id: common.session_id,
    cwd: options.places.project,
    hook_event_name: name,
  }) as EventInput // the rest of the input could not be read
  const configured = listConfigured(session, row, findListeners(session, row, input))
  const lines = configured.lines.map(
    (line): HookLine => (line.verdict === 'matcher-miss' ? { ...line, verdict: 'not-reached', because: why } : line),
  )
  notices.push(why)
  const none = decide(row, [])
  const decision = refused && row.blocksOn !== 'never' ? { ...none, blocked: true, reason: why } : none
  const event: FiredEvent = { ...NOT_RUN, row, input, id: origin.nextId(), began: Date.now(), early: [] }
  const plan = { lines, runs: [], absent: [], configured, closed: [] }
  return recordEvent(session, event, { plan, runs: [], decision })
}

/** Parts of an event that none of its hooks and stages was asked about. */
const NOT_RUN = { started: null, following: { signal: undefined, emit: null }, stages: [], erasure: null }
