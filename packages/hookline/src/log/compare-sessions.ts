import { isDeepStrictEqual } from 'node:util'
import { readRuns } from '../protocol/record/hook-line.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { describeEvent } from './describe-event.ts'
import { describeReasons, nameOutcome } from './describe-outcome.ts'
import { nameHook, readEntryId } from './event-summary.ts'
import { hasRun } from './query.ts'
import type { LogEntry } from './record-store.ts'

/** A difference between an event of one session and the same event of another. */
export interface SessionDifference {
  readonly kind: 'decision' | 'reason' | 'order' | 'hook' | 'slower' | 'faster' | 'context' | 'input' | 'event'
  /** The event in words. */
  readonly event: string
  /** The hook that it is about, in words; null where it is about the event. */
  readonly hook: string | null
  readonly a: string
  readonly b: string
  /** Ids of the two events; null where a session has none. */
  readonly ids: readonly [string | null, string | null]
}

/** Comparison of two sessions: the differences alone. */
export interface SessionComparison {
  /** Number of events that both have. */
  readonly paired: number
  readonly differences: readonly SessionDifference[]
}

/** A hook counts as slower where it took this many times as long, and so many milliseconds more. */
const SLOWER_FACTOR = 1.5
const SLOWER_MS = 20

/** Compares two sessions, event by event. Events are the same that have the same name and are about the same call. */
export function compareSessions(a: readonly LogEntry[], b: readonly LogEntry[]): SessionComparison {
  const { pairs, onlyA, onlyB, moved } = pairEvents(a, b)
  const differences = [
    ...pairs.flatMap(([one, other]) => compareEvents(one, other)),
    ...moved.flatMap(([one, other]): SessionDifference[] => [
      { ...describeEvents(one, other), kind: 'order', hook: null, a: 'earlier or later', b: 'at another place' },
      ...compareEvents(one, other),
    ]),
    ...onlyA.map(
      (one): SessionDifference => ({
        ...describeEvents(one, null),
        kind: 'event',
        hook: null,
        a: nameOutcome(one.record),
        b: 'not there',
      }),
    ),
    ...onlyB.map(
      (one): SessionDifference => ({
        ...describeEvents(null, one),
        kind: 'event',
        hook: null,
        a: 'not there',
        b: nameOutcome(one.record),
      }),
    ),
  ]
  return { paired: pairs.length + moved.length, differences }
}

function describeEvents(a: LogEntry | null, b: LogEntry | null): Pick<SessionDifference, 'event' | 'ids'> {
  const entry = a ?? b
  const { label, call } = entry === null ? { label: '', call: '' } : describeEvent(entry.record.event, entry.input)
  return { event: `${label} ${call}`.trim(), ids: [a && readEntryId(a), b && readEntryId(b)] }
}

/** Name of an event by what it is about, the same in both sessions. */
function makeEventKey({ record, input }: LogEntry): string {
  const loop = record.agentId === undefined ? 'main' : 'subagent'
  const toolInput = input?.tool_input
  if (typeof toolInput === 'object' && toolInput !== null)
    return `${record.event}\n${loop}\n${input?.tool_name}\n${toCanonicalJson(toolInput)}`
  const { label, call } = describeEvent(record.event, input)
  return `${record.event}\n${loop}\n${label}\n${call}\n${toCanonicalJson(toolInput ?? null)}`
}

type Pair = readonly [LogEntry, LogEntry]

interface Paired {
  readonly pairs: readonly Pair[]
  /** Events that both have, in another order. */
  readonly moved: readonly Pair[]
  readonly onlyA: readonly LogEntry[]
  readonly onlyB: readonly LogEntry[]
}

/** Finds the events that both sessions have in the same order, then those that only moved. */
function pairEvents(a: readonly LogEntry[], b: readonly LogEntry[]): Paired {
  const names = new Map<string, number>()
  const toNumbers = (entries: readonly LogEntry[]): number[] =>
    entries.map((entry) => {
      const key = makeEventKey(entry)
      const known = names.get(key) ?? names.size
      names.set(key, known)
      return known
    })
  const [keysA, keysB] = [toNumbers(a), toNumbers(b)]
  const common = findCommonOrder(keysA, keysB)
  const [inA, inB] = [new Set(common.map(([at]) => at)), new Set(common.map(([, at]) => at))]
  const leftB = new Map<number, LogEntry[]>()
  for (const [at, entry] of b.entries()) {
    const key = keysB[at] ?? -1
    if (!inB.has(at)) leftB.set(key, [...(leftB.get(key) ?? []), entry])
  }
  const moved: Pair[] = []
  const onlyA: LogEntry[] = []
  for (const [at, entry] of a.entries()) {
    if (inA.has(at)) continue
    const other = leftB.get(keysA[at] ?? -1)?.shift()
    if (other === undefined) onlyA.push(entry)
    else moved.push([entry, other])
  }
  const pairs = common.flatMap(([one, other]): Pair[] => {
    const [entryA, entryB] = [a[one], b[other]]
    return entryA === undefined || entryB === undefined ? [] : [[entryA, entryB]]
  })
  return { pairs, moved, onlyA, onlyB: [...leftB.values()].flat() }
}

/** Edits beyond which two sessions are not aligned any further: they have little in common. */
const MAX_EDITS = 4000

/**
 * The longest part that two sequences have in common, in order, as pairs of places: the algorithm of Myers, which takes as long as there
 * are differences.
 */
function findCommonOrder(a: readonly number[], b: readonly number[]): [number, number][] {
  const most = Math.min(a.length + b.length, MAX_EDITS)
  const ends = new Int32Array(2 * most + 2)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(ends.slice(most - edits, most + edits + 2))
    for (let line = -edits; line <= edits; line += 2) {
      const goesDown =
        line === -edits || (line !== edits && (ends[most + line - 1] ?? 0) < (ends[most + line + 1] ?? 0))
      let x = goesDown ? (ends[most + line + 1] ?? 0) : (ends[most + line - 1] ?? 0) + 1
      while (x < a.length && x - line < b.length && a[x] === b[x - line]) x++
      ends[most + line] = x
      if (x >= a.length && x - line >= b.length) return walkBack(a, b, trace)
    }
  }
  return []
}

function walkBack(a: readonly number[], b: readonly number[], trace: readonly Int32Array[]): [number, number][] {
  const pairs: [number, number][] = []
  let [x, y] = [a.length, b.length]
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const ends = trace[edits]
    const endAt = (line: number): number => ends?.[line + edits] ?? 0
    const line = x - y
    const goesDown = line === -edits || (line !== edits && endAt(line - 1) < endAt(line + 1))
    const before = goesDown ? line + 1 : line - 1
    const beforeX = edits === 0 ? 0 : endAt(before)
    const beforeY = edits === 0 ? 0 : beforeX - before
    while (x > beforeX && y > beforeY && x > 0 && y > 0) pairs.push([--x, --y])
    ;[x, y] = [beforeX, beforeY]
  }
  return pairs.reverse()
}

function compareEvents(a: LogEntry, b: LogEntry): SessionDifference[] {
  const [before, after] = [a.record, b.record]
  const [decidedBefore, decidedAfter] = [nameDecided(before), nameDecided(after)]
  const decided = [
    ...differ('decision', decidedBefore, decidedAfter),
    ...(decidedBefore === decidedAfter ? differ('reason', describeReasons(before), describeReasons(after)) : []),
    ...differ('context', before.decision.context.join('\n'), after.decision.context.join('\n')),
    ...compareRewrites(before.decision.updatedInput ?? null, after.decision.updatedInput ?? null),
  ]
  const hooks = compareHooks(before.hooks, after.hooks)
  if (decided.length === 0 && hooks.length === 0) return [] // most events: nothing is put into words for them
  const about = describeEvents(a, b)
  const hook = decided.length === 0 ? null : (findSpeaker(b) ?? findSpeaker(a))
  return [...decided.map((one) => ({ ...about, hook, ...one })), ...hooks.map((one) => ({ ...about, ...one }))]
}

type DecidedDifference = Pick<SessionDifference, 'kind' | 'a' | 'b'>

function differ(kind: SessionDifference['kind'], a: string, b: string): DecidedDifference[] {
  return a === b ? [] : [{ kind, a, b }]
}

function compareRewrites(a: unknown, b: unknown): DecidedDifference[] {
  if (a === b || isDeepStrictEqual(a, b)) return []
  return [{ kind: 'input', a: JSON.stringify(a), b: JSON.stringify(b) }]
}

/** Outcome of an event; where no hook ran, it passed as well. */
function nameDecided(record: PastRecord): string {
  const outcome = nameOutcome(record)
  return outcome === '-' ? 'passed' : outcome
}

/** The hook that stands behind a decision. */
function findSpeaker({ record }: LogEntry): string | null {
  const line = record.hooks.find(
    ({ outcome, answer }) => outcome === 'blocking' || (answer !== null && answer !== undefined),
  )
  return line === undefined ? null : nameHook(line)
}

const makeHookKey = (line: HookLine): string => `${line.scope}\n${line.matcher}\n${readRuns(line) ?? line.id}`

function compareHooks(a: readonly HookLine[], b: readonly HookLine[]): Omit<SessionDifference, 'event' | 'ids'>[] {
  const [keysA, keysB] = [a.map(makeHookKey), b.map(makeHookKey)]
  const places = new Map(keysB.map((key, at) => [key, at]))
  const gone = a.filter((_, at) => !places.has(keysA[at] ?? ''))
  const added = b.filter((_, at) => !keysA.includes(keysB[at] ?? ''))
  const common = a.flatMap((line, at): [HookLine, HookLine, number][] => {
    const place = places.get(keysA[at] ?? '')
    const other = place === undefined ? undefined : b[place]
    return place === undefined || other === undefined ? [] : [[line, other, place]]
  })
  const isOutOfOrder = common.findIndex(([, , place], at) => at > 0 && place < (common[at - 1]?.[2] ?? 0))
  const outOfOrder = common[isOutOfOrder]?.[0]
  return [
    ...gone.map((line) => ({ kind: 'hook' as const, hook: nameHook(line), a: line.verdict, b: 'not configured' })),
    ...added.map((line) => ({ kind: 'hook' as const, hook: nameHook(line), a: 'not configured', b: line.verdict })),
    ...(outOfOrder === undefined
      ? []
      : [
          {
            kind: 'order' as const,
            hook: nameHook(outOfOrder),
            a: a.map(nameHook).join(', '),
            b: b.map(nameHook).join(', '),
          },
        ]),
    ...common.flatMap(([line, other]) => compareRuns(line, other)),
  ]
}

function compareRuns(a: HookLine, b: HookLine): Omit<SessionDifference, 'event' | 'ids'>[] {
  if (hasRun(a) !== hasRun(b)) return [{ kind: 'hook', hook: nameHook(b), a: a.verdict, b: b.verdict }]
  const [before, after] = [a.durationMs, b.durationMs]
  if (before === undefined || after === undefined) return []
  const kind = isSlower(after, before) ? 'slower' : 'faster'
  if (kind === 'faster' && !isSlower(before, after)) return []
  const [from, to] = [Math.round(before), Math.round(after)]
  return [{ kind, hook: nameHook(b), a: `${from} ms`, b: `${to} ms (${to > from ? '+' : ''}${to - from})` }]
}

function isSlower(ms: number, than: number): boolean {
  return ms >= than * SLOWER_FACTOR && ms - than >= SLOWER_MS
}
