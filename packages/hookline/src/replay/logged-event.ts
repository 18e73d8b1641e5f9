import type { EventInput } from '../protocol/event-input.ts'
import { type RecordedEvent, subjectOf } from './recorded-event.ts'
import { isJson, type Json } from './transcript-line.ts'

/** The event of a line `{record, input}` of our own log; null for any other line. */
export function loggedEvent(
  { record, input }: Json,
  place: { readonly file: string; readonly line: number },
): RecordedEvent | null {
  if (!isJson(record) || !isJson(record.decision) || !isJson(input)) return null
  const name = input.hook_event_name ?? record.event
  if (typeof name !== 'string') return null
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
