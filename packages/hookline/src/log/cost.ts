import type { PastRecord } from '../protocol/record/record.ts'
import { describeReasons } from './describe-outcome.ts'
import { measureWait, nameHook } from './event-summary.ts'
import { type LogSource, readEntries } from './log.ts'
import type { ReadOptions } from './record-store.ts'
import { addRecord, findPercentile, type HookStatistics, summariseHooks, type Tallies, toTokens } from './statistics.ts'

/** Costs of hooks, as far as they were recorded. */
export interface Cost {
  /** Number of events that were read. */
  readonly events: number
  /** The same as `readStatistics` has. */
  readonly hooks: readonly HookStatistics[]
  readonly series: CostSeries
  /** Reasons of refusals, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
  /** Events at which hooks put something before the model, those with most first. */
  readonly tokensByEvent: readonly { readonly event: string; readonly tokens: number; readonly count: number }[]
  /** Milliseconds that calls waited for hooks, in all. */
  readonly waitedMs: number
}

/** Medians of the slowest hooks, by bucket of time. */
export interface CostSeries {
  /** Beginnings of the buckets, in seconds since 1970. */
  readonly times: readonly number[]
  readonly hooks: readonly { readonly name: string; readonly p50: readonly (number | null)[] }[]
}

const MAX_BUCKETS = 120
const MAX_SERIES = 6
const MAX_REASONS = 50
/** Reasons that are told apart; further ones are not counted. */
const MAX_COUNTED_REASONS = 10_000

/** A run of a hook, for the series. */
interface TimedRun {
  readonly at: number
  readonly durationMs: number
}

/** Adds up what hooks cost: by hook, over time, by reason and by event. */
export async function measureCost(source: LogSource, options: ReadOptions = {}): Promise<Cost> {
  const tallies: Tallies = new Map()
  const runs = new Map<string, { name: string; runs: TimedRun[] }>()
  const reasons = new Map<string, number>()
  const injected = new Map<string, { characters: number; count: number }>()
  let events = 0
  let waitedMs = 0
  for await (const entries of readEntries(source, options)) {
    events += entries.length
    for (const { record } of entries) {
      const characters = addRecord(tallies, record)
      waitedMs += measureWait(record)
      addRuns(runs, record)
      addReason(reasons, record)
      if (characters === 0) continue
      const known = injected.get(record.event) ?? { characters: 0, count: 0 }
      injected.set(record.event, { characters: known.characters + characters, count: known.count + 1 })
    }
  }
  return {
    events,
    hooks: summariseHooks(tallies),
    series: drawSeries([...runs.values()]),
    reasons: [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, MAX_REASONS),
    tokensByEvent: [...injected]
      .map(([event, { characters, count }]) => ({ event, tokens: toTokens(characters), count }))
      .sort((a, b) => b.tokens - a.tokens),
    waitedMs,
  }
}

function addRuns(runs: Map<string, { name: string; runs: TimedRun[] }>, { at, hooks }: PastRecord): void {
  for (const line of hooks) {
    if (line.durationMs === undefined) continue
    const name = nameHook(line)
    const known = runs.get(name) ?? { name, runs: [] }
    runs.set(name, known)
    known.runs.push({ at: Date.parse(at), durationMs: line.durationMs })
  }
}

function addReason(reasons: Map<string, number>, record: PastRecord): void {
  if (!record.decision.blocked && !record.decision.halt) return
  const reason = describeReasons(record) || 'no reason given'
  if (reasons.has(reason) || reasons.size < MAX_COUNTED_REASONS) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
}

/** Medians of the hooks that took most time, in buckets of equal length. */
function drawSeries(hooks: readonly { readonly name: string; readonly runs: readonly TimedRun[] }[]): CostSeries {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { runs } of hooks) {
    for (const { at } of runs) {
      from = Math.min(from, at)
      to = Math.max(to, at)
    }
  }
  if (from > to) return { times: [], hooks: [] }
  const count = Math.min(MAX_BUCKETS, Math.max(1, Math.ceil((to - from) / 1000)))
  const length = (to - from + 1) / count
  const addUp = (runs: readonly TimedRun[]): number => runs.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const shown = [...hooks].sort((a, b) => addUp(b.runs) - addUp(a.runs)).slice(0, MAX_SERIES)
  return {
    times: Array.from({ length: count }, (_, nth) => (from + nth * length) / 1000),
    hooks: shown.map(({ name, runs }) => {
      const buckets: number[][] = Array.from({ length: count }, () => [])
      for (const { at, durationMs } of runs) buckets[Math.floor((at - from) / length)]?.push(durationMs)
      return { name, p50: buckets.map((bucket) => findPercentile(Float64Array.from(bucket).sort(), 50)) }
    }),
  }
}
