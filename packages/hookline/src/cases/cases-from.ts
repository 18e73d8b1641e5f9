import { type LogSource, readEntries } from '../log/log.ts'
import type { LogEntry, ReadOptions } from '../log/record-store.ts'
import { isRepeatable } from '../log/tapped-record.ts'
import type { HookCase } from '../protocol/schemas/hook-test.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { ERASED } from '../text/erase.ts'
import { makeCase } from './case-of.ts'

/** Cases made of recorded events. */
export interface RecordedCases {
  /** One case per distinct input and outcome, in the order of the log. */
  readonly cases: readonly HookCase[]
  /** Number of events that gave none: they were the same as another one, or not kept whole. */
  readonly left: number
}

/** Makes cases for `hookline test` of recorded events: each expects what happened. */
export async function makeCases(source: LogSource, project: string, options: ReadOptions = {}): Promise<RecordedCases> {
  const cases = new Map<string, HookCase>()
  let events = 0
  for await (const entries of readEntries(source, options)) {
    events += entries.length
    for (const entry of entries) {
      const made = toCase(entry, project)
      const key = made === null ? '' : toCanonicalJson({ ...made, name: '' })
      if (made !== null && !cases.has(key)) cases.set(key, made)
    }
  }
  return { cases: withDistinctNames([...cases.values()]), left: events - cases.size }
}

/** The case of an entry; null where not all of the event was kept, or it is unknown what hooks said. */
export function toCase(entry: LogEntry, project: string): HookCase | null {
  const { record, input } = entry
  if (input === null || input.prompt === ERASED || !isRepeatable(entry)) return null
  if (entry.tapped !== undefined && record.hooks.length === 0) return null
  if (record.lateOf !== undefined) return null // the later end of a hook decides nothing
  return makeCase({ record, input }, project)
}

/** Numbers cases whose names are the same, so that a report tells them apart. */
function withDistinctNames(cases: readonly HookCase[]): HookCase[] {
  const met = new Map<string, number>()
  return cases.map((one) => {
    const count = (met.get(one.name) ?? 0) + 1
    met.set(one.name, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` }
  })
}
