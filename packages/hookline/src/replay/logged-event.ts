import type { EventInput } from '../protocol/event-input.ts'
import { ERASED } from '../text/erase.ts'
import { type RecordedEvent, subjectOf } from './recorded-event.ts'
import { isJson, type Json } from './transcript-line.ts'

/** The event of a line `{record, input}` of our own log, `erased` where nothing of it was kept; null for any other line. */
export function loggedEvent(
  { record, input }: Json,
  place: { readonly file: string; readonly line: number },
): RecordedEvent | 'erased' | null {
  if (!isJson(record) || !isJson(record.decision) || !isJson(input)) return null
  const name = input.hook_event_name ?? record.event
  if (typeof name !== 'string') return null
  if (input.prompt === ERASED) return 'erased'
  const event: EventInput = { session_id: record.sessionId, ...input, hook_event_name: name }
  const { blocked, halt } = record.decision
  return {
    ...place,
    input: event,
    subject: subjectOf(name),
    before: blocked === true || halt === true ? { was: 'refused', by: 'hook' } : { was: 'passed' },
    time: Date.parse(String(record.at)) || 0,
  }
}
