import { lineRuns } from '../protocol/hook-line.ts'
import type { HookLine, PastRecord } from '../protocol/record.ts'

/** What a hook did in the records that were read. */
export interface HookStatistics {
  readonly id: string
  /** Its command or prompt; null when it has none. */
  readonly runs: string | null
  /** Events that found it configured. */
  readonly seen: number
  /** Events that its matcher matched. */
  readonly matched: number
  /** Runs, those in the background included. */
  readonly ran: number
  readonly blocked: number
  /** Runs that ended without an answer, timeouts not included. */
  readonly failed: number
  readonly timedOut: number
  /** Milliseconds; null when no run was timed. */
  readonly p50: number | null
  readonly p95: number | null
  readonly max: number | null
  readonly total: number
  /** Characters that it put before the model. */
  readonly characters: number
  /** About as many tokens. */
  readonly tokens: number
}

/** Verdicts of hooks whose matcher matched. */
const MATCHED: ReadonlySet<HookLine['verdict']> = new Set([
  'ran',
  'backgrounded',
  'once-spent',
  'duplicate',
  'not-reached',
])
const CHARACTERS_PER_TOKEN = 4

interface Tally {
  readonly id: string
  readonly runs: string | null
  readonly durations: number[]
  seen: number
  matched: number
  ran: number
  blocked: number
  failed: number
  timedOut: number
  characters: number
}

/** What is added up, by hook. */
export type Tallies = Map<string, Tally>

/** Adds a record. A hook that was edited to run something else counts as another one. */
export function addRecord(tallies: Tallies, { hooks, decision }: PastRecord): void {
  const characters = injected(decision)
  for (const line of hooks) {
    const tally = tallyOf(tallies, line)
    count(tally, line)
    tally.characters += characters.get(line.id) ?? 0
  }
}

/** What the records add up to, the hooks that took most time first. */
export function statisticsOf(tallies: Tallies): HookStatistics[] {
  return [...tallies.values()].map(summary).sort((a, b) => b.total - a.total || b.ran - a.ran)
}

function tallyOf(tallies: Tallies, { id, ...line }: HookLine): Tally {
  const runs = lineRuns(line)
  const key = JSON.stringify([id, runs])
  const known = tallies.get(key)
  if (known) return known
  const none = { seen: 0, matched: 0, ran: 0, blocked: 0, failed: 0, timedOut: 0, characters: 0 }
  const made = { id, runs, durations: [], ...none }
  tallies.set(key, made)
  return made
}

function count(tally: Tally, { verdict, outcome, failed, timedOut, durationMs }: HookLine): void {
  tally.seen++
  if (MATCHED.has(verdict)) tally.matched++
  if (verdict === 'ran' || verdict === 'backgrounded') tally.ran++
  if (durationMs !== undefined) tally.durations.push(durationMs)
  if (timedOut) tally.timedOut++
  else if (outcome === 'non_blocking_error' || failed !== undefined) tally.failed++
  else if (outcome === 'blocking') tally.blocked++
}

/** How much each hook put before the model: contexts, and what it was told about a refusal. */
function injected({ context, contextFrom, messages }: PastRecord['decision']): Map<string, number> {
  const texts = [
    ...context.map((text, at) => ({ hook: contextFrom[at]?.hook ?? '', text })),
    ...messages.filter(({ to }) => to === 'model'),
  ]
  const characters = new Map<string, number>()
  for (const { hook, text } of texts) characters.set(hook, (characters.get(hook) ?? 0) + text.length)
  return characters
}

function summary({ durations, ...counts }: Tally): HookStatistics {
  const sorted = Float64Array.from(durations).sort()
  return {
    ...counts,
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    max: sorted.at(-1) ?? null,
    total: sorted.reduce((sum, duration) => sum + duration, 0),
    tokens: Math.ceil(counts.characters / CHARACTERS_PER_TOKEN),
  }
}

/** The smallest value that so many of a hundred do not exceed. */
function percentile(sorted: Float64Array, share: number): number | null {
  return sorted[Math.ceil((share / 100) * sorted.length) - 1] ?? null
}
