import { readRuns } from '../protocol/record/hook-line.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'
import { REDACTED } from '../record/secret-flags.ts'
import { type LogSource, readEntries } from './log.ts'
import { hasFailed } from './query.ts'
import type { LogEntry, ReadOptions } from './record-store.ts'

/** Sums of recorded events. */
export interface Statistics {
  /** Number of events that were read. */
  readonly events: number
  /** The hooks, those that took most time first. */
  readonly hooks: readonly HookStatistics[]
  /** The events by day, project or session, in the order in which they were met; empty where nothing else than `hook` was asked for. */
  readonly groups: readonly GroupStatistics[]
}

/** Figures of a hook in the records that were read. */
export interface HookStatistics {
  readonly id: string
  /** Command or prompt; null when it has none. */
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
  /** The medians of the first and the second half of its runs, where it got slower; null where it did not. */
  readonly slower: { readonly before: number; readonly after: number } | null
}

/** Sums of a day, in a project or in a session. */
export interface GroupStatistics {
  /** The day as 2026-11-17, the name of the project, or the id of the session; empty where the records do not say. */
  readonly name: string
  /** Beginnings of its first and its last event, as ISO dates. */
  readonly from: string
  readonly to: string
  readonly events: number
  /** Events that were blocked, denied or halted. */
  readonly blocked: number
  /** Events at which a hook failed or timed out. */
  readonly failed: number
  /** Runs of hooks. */
  readonly ran: number
  /** Milliseconds that hooks took together. */
  readonly total: number
  /** The run that took longest; null when none was timed. */
  readonly slowest: { readonly hook: string; readonly durationMs: number } | null
  /** About as many tokens as hooks put before the model. */
  readonly tokens: number
}

/** Groups by which events can be added up; by `hook` they always are. */
export const GROUPINGS = ['hook', 'day', 'project', 'session'] as const

/** By what events are added up. */
export type StatisticsGroup = (typeof GROUPINGS)[number]

/** Adds recorded events up: by hook, and by day, project or session where that is asked for. */
export async function readStatistics(
  source: LogSource,
  { by = 'hook', ...options }: ReadOptions & { readonly by?: StatisticsGroup | undefined } = {},
): Promise<Statistics> {
  const tallies: Tallies = new Map()
  const groups: Groups = new Map()
  let events = 0
  for await (const entries of readEntries(source, options)) {
    events += entries.length
    for (const { record } of entries) {
      const characters = addRecord(tallies, record)
      if (by !== 'hook') addToGroup(findGroup(groups, by, record), record, characters)
    }
  }
  return { events, hooks: summariseHooks(tallies), groups: [...groups.values()].map(groupStatistics) }
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

/** Sums by hook. A hook that was edited to run something else counts as another one. */
export type Tallies = Map<string, Tally>

/** Adds a record. Gives the characters that its hooks put before the model. */
export function addRecord(tallies: Tallies, { hooks, decision }: PastRecord): number {
  const characters = countInjectedCharacters(decision)
  for (const line of hooks) {
    const tally = findTally(tallies, line)
    count(tally, line)
    tally.characters += characters.get(line.id) ?? 0
  }
  return [...characters.values()].reduce((sum, one) => sum + one, 0)
}

/** Figures of hooks, those that took most time first. */
export function summariseHooks(tallies: Tallies): HookStatistics[] {
  return [...tallies.values()].map(summariseTally).sort((a, b) => b.total - a.total || b.ran - a.ran)
}

function findTally(tallies: Tallies, line: HookLine): Tally {
  const runs = readRuns(line)
  const key = `${line.id}\n${runs}`
  const found = tallies.get(key)
  if (found) return found
  const none = { seen: 0, matched: 0, ran: 0, blocked: 0, failed: 0, timedOut: 0, characters: 0 }
  const made = { id: line.id, runs, durations: [], ...none }
  tallies.set(key, made)
  return made
}

function count(tally: Tally, { verdict, planned, outcome, failed, timedOut, durationMs }: HookLine): void {
  tally.seen++
  if (MATCHED.has(verdict)) tally.matched++
  if (!planned && (verdict === 'ran' || verdict === 'backgrounded')) tally.ran++
  if (durationMs !== undefined) tally.durations.push(durationMs)
  if (timedOut) tally.timedOut++
  else if (outcome === 'non_blocking_error' || failed !== undefined) tally.failed++
  else if (outcome === 'blocking') tally.blocked++
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map()

/** Counts how much each hook put before the model: contexts, and what it was told about a refusal. */
export function countInjectedCharacters({
  context,
  contextFrom,
  messages,
}: PastRecord['decision']): ReadonlyMap<string, number> {
  if (context.length === 0 && messages.length === 0) return NO_COUNTS
  const texts = [
    ...context.map((text, at) => ({ hook: contextFrom[at]?.hook ?? '', text })),
    ...messages.filter(({ to }) => to === 'model'),
  ]
  const characters = new Map<string, number>()
  for (const { hook, text } of texts) characters.set(hook, (characters.get(hook) ?? 0) + text.length)
  return characters
}

function summariseTally({ durations, ...counts }: Tally): HookStatistics {
  const sorted = Float64Array.from(durations).sort()
  return {
    ...counts,
    p50: findPercentile(sorted, 50),
    p95: findPercentile(sorted, 95),
    max: sorted.at(-1) ?? null,
    total: sorted.reduce((sum, duration) => sum + duration, 0),
    tokens: toTokens(counts.characters),
    slower: measureSlowdown(durations),
  }
}

/** Fewer runs on either side say nothing about a trend. */
const MIN_RUNS = 10
/** A hook got slower where its median grew by this factor, and by so many milliseconds. */
const SLOWER_FACTOR = 1.5
const SLOWER_MS = 20

/** Compares the first half of a hook's runs with the second. */
function measureSlowdown(durations: readonly number[]): HookStatistics['slower'] {
  const half = Math.floor(durations.length / 2)
  if (half < MIN_RUNS) return null
  const before = findMedian(durations.slice(0, half))
  const after = findMedian(durations.slice(half))
  return after >= before * SLOWER_FACTOR && after - before >= SLOWER_MS ? { before, after } : null
}

function findMedian(durations: readonly number[]): number {
  return findPercentile(Float64Array.from(durations).sort(), 50) ?? 0
}

/** The smallest value that so many of a hundred do not exceed. */
export function findPercentile(sorted: Float64Array, share: number): number | null {
  return sorted[Math.ceil((share / 100) * sorted.length) - 1] ?? null
}

/** Sums of a group while its events are read. Plain data. */
export interface Group extends Omit<GroupStatistics, 'tokens'> {
  from: string
  to: string
  events: number
  blocked: number
  failed: number
  ran: number
  total: number
  slowest: GroupStatistics['slowest']
  characters: number
}

type Groups = Map<string, Group>

const GROUP_NAMES: Readonly<Record<Exclude<StatisticsGroup, 'hook'>, (record: LogEntry['record']) => string>> = {
  day: ({ at }) => formatLocalDay(at),
  project: ({ project }) => project?.name ?? '',
  session: ({ sessionId }) => sessionId,
}

/** The local day of a moment: 2026-11-17. */
function formatLocalDay(at: string): string {
  const date = new Date(at)
  const padToTwo = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${padToTwo(date.getMonth() + 1)}-${padToTwo(date.getDate())}`
}

function findGroup(groups: Groups, by: Exclude<StatisticsGroup, 'hook'>, record: PastRecord): Group {
  const name = GROUP_NAMES[by](record)
  const key = by === 'project' ? `${name}\n${record.project?.pathHash}` : name // two projects may be called the same
  const group = groups.get(key) ?? makeGroup(name, record.at)
  groups.set(key, group)
  return group
}

/** Makes the sums of a group before its first event, which began then. */
export function makeGroup(name: string, at: string): Group {
  return { name, from: at, to: at, events: 0, blocked: 0, failed: 0, ran: 0, total: 0, slowest: null, characters: 0 }
}

/** Adds an event to the sums of its group. */
export function addToGroup(group: Group, { at, decision, hooks }: PastRecord, characters: number): void {
  if (at < group.from) group.from = at
  if (at > group.to) group.to = at
  group.events++
  if (decision.blocked || decision.halt) group.blocked++
  if (hooks.some(hasFailed)) group.failed++
  group.characters += characters
  for (const line of hooks) addRun(group, line)
}

function addRun(group: Group, line: HookLine): void {
  const { verdict, planned, durationMs } = line
  if (!planned && (verdict === 'ran' || verdict === 'backgrounded')) group.ran++
  if (durationMs === undefined) return
  group.total += durationMs
  if (durationMs > (group.slowest?.durationMs ?? -1)) group.slowest = { hook: readRuns(line) ?? line.id, durationMs }
}

/** Figures of a group. */
export function groupStatistics({ characters, ...group }: Group): GroupStatistics {
  return { ...group, tokens: toTokens(characters) }
}

/** True if a recorded command, without its secrets, is the same as one that has them. */
export function isSameRedacted(recorded: string | null, runs: string | null): boolean {
  if (recorded === null || runs === null || !recorded.includes(REDACTED)) return false
  let at = 0
  return recorded.split(REDACTED).every((part) => {
    const found = runs.indexOf(part, at)
    at = found + part.length
    return found !== -1
  })
}

/** Guesses how many tokens so many characters are. */
export function toTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}
