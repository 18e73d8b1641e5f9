import type { LogEntry, RecordStore } from '../log/record-store.ts'
import { isRepeatable } from '../log/tapped-record.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { findEventSubject } from '../protocol/event-subject.ts'
import { ERASED } from '../text/erase.ts'
import { countLeftover, type Leftovers, type PastEvent, type PastOutcome } from './past-event.ts'

/** Name under which lines of a log are counted that another program wrote. */
export const FOREIGN_LINE_NAME = 'not a record'

/** The events of a log of ours, some at a time. */
export async function* readLogEvents(
  store: RecordStore,
  leftovers: Leftovers,
): AsyncGenerator<PastEvent[], void, undefined> {
  const batches = store.read({
    onSkipped: ({ is }) => {
      if (is === 'torn') leftovers.torn++
      if (is === 'foreign') countLeftover(leftovers, FOREIGN_LINE_NAME)
    },
  })
  for await (const entries of batches) yield entries.flatMap((entry) => toEvent(entry, store.name, leftovers))
}

/** The event of an entry; none where it was not kept as hooks got it. */
function toEvent(entry: LogEntry, name: string, leftovers: Leftovers): PastEvent[] {
  const { record, input, place = { file: name, line: 0 } } = entry
  if (record.lateOf !== undefined) return [] // end of a hook of an earlier event in the background
  const left = explainUnrepeatable(entry)
  if (left !== null || input === null) {
    countLeftover(leftovers, left ?? 'record without its event')
    return []
  }
  const event: EventInput = { session_id: record.sessionId, ...input, hook_event_name: record.event }
  return [
    {
      ...place,
      input: event,
      subject: findEventSubject(record.event),
      before: toPastOutcome(entry),
      time: Date.parse(record.at),
    },
  ]
}

function explainUnrepeatable(entry: LogEntry): string | null {
  if (entry.input?.prompt === ERASED) return 'erased prompt'
  return entry.input !== null && !isRepeatable(entry) ? 'text that was not kept' : null
}

/** Reads what became of an event. Of what taps saw only as far as they saw it: other hooks may have said something else. */
function toPastOutcome({ record: { decision, hooks }, tapped }: LogEntry): PastOutcome {
  if (decision.blocked || decision.halt) return { was: 'refused', by: 'hook' }
  if (decision.permission === 'defer') return { was: 'deferred' }
  if (decision.permission === 'ask') return { was: 'asked' }
  return { was: tapped !== undefined && hooks.length === 0 ? 'unknown' : 'passed' }
}
