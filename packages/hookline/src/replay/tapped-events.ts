import type { LogLine, TapReader } from '../log/log-line.ts'
import { isRepeatable, isSameEvent } from '../log/tapped-record.ts'
import type { TapLine } from '../record/tap-line.ts'
import type { Draft, Reading } from './reading.ts'
import { type Before, subjectOf } from './recorded-event.ts'

/** So many events wait for what other hooks said about them. */
const MOST_WAITING = 64

/** Makes events of the lines of `hookline tap`: one of all that saw the same. */
export interface TappedEvents {
  /** Whether the event was kept as hooks got it. */
  readonly take: (line: TapLine) => boolean
  /** Nothing more is said about what was taken. */
  readonly end: () => void
}

/** Begins to read a file that may have such lines. */
export function tappedEvents({ waiting, file }: Reading, readTap: TapReader, lineNumber: () => number): TappedEvents {
  const known: { line: LogLine; readonly draft: Draft }[] = []
  const settleFirst = (count: number): void => {
    for (const { draft } of known.splice(0, count)) draft.settled = true
  }
  return {
    take: (tapped) => {
      const line = readTap([tapped])
      if (!isRepeatable(line)) return false
      const same = known.find((one) => isSameEvent(one.line, line))
      if (same !== undefined) {
        same.line = readTap([tapped, ...(same.line.tapped ?? [])])
        same.draft.event.before = beforeOf(same.line)
        return true
      }
      const { input, at } = tapped
      const place = { file, line: lineNumber(), time: Date.parse(at) }
      const event = { ...place, input, subject: subjectOf(input.hook_event_name), before: beforeOf(line) }
      const draft: Draft = { event, settled: false, dropped: false }
      waiting.push(draft)
      known.push({ line, draft })
      settleFirst(known.length - MOST_WAITING)
      return true
    },
    end: () => settleFirst(known.length),
  }
}

/** What became of an event, as far as hooks were seen: the others may have said something else. */
function beforeOf({ record: { decision, hooks } }: LogLine): Before {
  if (decision.blocked || decision.halt) return { was: 'refused', by: 'hook' }
  if (decision.permission === 'defer') return { was: 'deferred' }
  if (decision.permission === 'ask') return { was: 'asked' }
  return { was: hooks.length === 0 ? 'unknown' : 'passed' }
}
