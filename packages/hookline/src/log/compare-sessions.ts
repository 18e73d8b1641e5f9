import { isDeepStrictEqual } from 'node:util'
import { readRuns } from '../protocol/record/hook-line.ts'
import type { HookLine } from '../protocol/record/record.ts'
import { isRecorderCommand } from '../protocol/wrapped-command.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { describeEvent } from './describe-event.ts'
import { describeReasons, nameOutcome, type OutcomeWord } from './describe-outcome.ts'
import { nameHook, readEntryId } from './event-summary.ts'
import { hasFailed, hasRun } from './query.ts'
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
  /** Reason why events alone are compared; null where everything is. */
  readonly problem: string | null
}

/** A hook counts as slower where it took this many times as long, and so many milliseconds more. */
const SLOWER_FACTOR = 1.5
const SLOWER_MS = 20

/** Facts of an event that a comparison needs: few, so that two long sessions are read without keeping them whole. */
export interface ComparedEvent {
  readonly id: string
  /** The event in words. */
  readonly about: string
  /** Number of the call that it is about: the same in both sessions. */
  readonly call: number
  readonly outcome: OutcomeWord
  readonly decided: OutcomeWord
  readonly reason: string
  readonly context: string
  readonly rewrite: unknown
  /** The hook that stands behind the outcome. */
  readonly speaker: KnownHook | null
  /** Hooks that put something into the context. */
  readonly contextHooks: readonly KnownHook[]
  readonly hooks: readonly ComparedHook[]
  /** True if taps saw it: those that wrap no hook see none. */
  readonly isTapped: boolean
}

/** A hook at an event. */
interface ComparedHook {
  readonly hook: KnownHook
  readonly verdict: HookLine['verdict']
  readonly hasRun: boolean
  readonly durationMs: number | undefined
}

/** A hook as one object in both sessions, by the first line that told of it. */
interface KnownHook {
  readonly line: HookLine
}

/** Compares two sessions, event by event. Events are the same that have the same name and are about the same call. */
export function compareSessions(a: readonly LogEntry[], b: readonly LogEntry[]): SessionComparison {
  const toCompared = makeEventReader()
  return compareEvents(a.map(toCompared), b.map(toCompared))
}

/** Makes a function that keeps of an entry what a comparison needs. Both sessions go through the same one. */
export function makeEventReader(): (entry: LogEntry) => ComparedEvent {
  const calls = new Map<string, number>()
  const findHook = makeHookFinder()
  return (entry) => {
    const { record, input } = entry
    const { label, call } = describeEvent(record.event, input)
    const key = makeEventKey(entry, `${label}\n${call}`)
    const known = calls.get(key) ?? calls.size
    calls.set(key, known)
    const outcome = nameOutcome(record)
    const lines = record.hooks.filter((line) => !isRecorderCommand(line.command ?? '')) // a recorder decides nothing
    const hooks = lines.map(
      (line): ComparedHook => ({
        hook: findHook(line, record.snapshot),
        verdict: line.verdict,
        hasRun: hasRun(line),
        durationMs: line.durationMs,
      }),
    )
    return {
      id: readEntryId(entry),
      about: `${label} ${call}`.trim(),
      call: known,
      outcome,
      decided: outcome === '-' ? 'passed' : outcome, // an event without a run of a hook passed as well
      reason: describeReasons(record),
      context: record.decision.context.join('\n'),
      rewrite: record.decision.updatedInput ?? null,
      speaker: hooks[findSpeaker(lines)]?.hook ?? null,
      contextHooks: findContextHooks(record.decision, lines, hooks),
      hooks,
      isTapped: entry.tapped !== undefined,
    }
  }
}

/** Place of the hook that stands behind an outcome: it refused, or failed, or answered; -1 for none. */
function findSpeaker(lines: readonly HookLine[]): number {
  const refused = lines.findIndex(({ outcome }) => outcome === 'blocking')
  if (refused !== -1) return refused
  const failed = lines.findIndex(hasFailed)
  return failed === -1 ? lines.findIndex(({ answer }) => answer !== null && answer !== undefined) : failed
}

function findContextHooks(
  decision: LogEntry['record']['decision'],
  lines: readonly HookLine[],
  hooks: readonly ComparedHook[],
): KnownHook[] {
  if (decision.contextFrom.length === 0) return []
  const ids = new Set(decision.contextFrom.map(({ hook }) => hook))
  return hooks.flatMap(({ hook }, at) => (ids.has(lines[at]?.id ?? '') ? [hook] : []))
}

/** Name of an event by what it is about, the same in both sessions. */
function makeEventKey({ record, input }: LogEntry, words: string): string {
  const loop = record.agentId === undefined ? 'main' : 'subagent'
  const toolInput = input?.tool_input
  if (typeof toolInput === 'object' && toolInput !== null)
    return `${record.event}\n${loop}\n${input?.tool_name}\n${toCanonicalJson(toolInput)}`
  return `${record.event}\n${loop}\n${words}\n${toCanonicalJson(toolInput ?? null)}`
}

/** Makes a function that finds the hook of a line. A snapshot names what is configured, so that each id in it is put into words once. */
function makeHookFinder(): (line: HookLine, snapshot: string | undefined) => KnownHook {
  const hooks = new Map<string, KnownHook>()
  const snapshots = new Map<string, Map<string, { readonly line: HookLine; readonly hook: KnownHook }>>()
  const findByWords = (line: HookLine): KnownHook => {
    const key = `${line.scope}\n${line.matcher}\n${readRuns(line) ?? line.id}`
    const known = hooks.get(key) ?? { line }
    hooks.set(key, known)
    return known
  }
  return (line, snapshot) => {
    if (snapshot === undefined) return findByWords(line)
    const ids = snapshots.get(snapshot) ?? new Map<string, { line: HookLine; hook: KnownHook }>()
    snapshots.set(snapshot, ids)
    const known = ids.get(line.id)
    if (known !== undefined && isSameHook(known.line, line)) return known.hook
    const hook = findByWords(line)
    ids.set(line.id, { line, hook })
    return hook
  }
}

function isSameHook(a: HookLine, b: HookLine): boolean {
  return a.scope === b.scope && a.matcher === b.matcher && a.command === b.command
}

/** Compares the events of two sessions that one reader has read. */
export function compareEvents(a: readonly ComparedEvent[], b: readonly ComparedEvent[]): SessionComparison {
  const { pairs, onlyA, onlyB, moved } = pairEvents(a, b)
  const problem = describeUnseen(a, b)
  const compare = problem === null ? comparePair : () => []
  const differences = [
    ...pairs.flatMap(([one, other]) => compare(one, other)),
    ...moved.flatMap(({ pair: [one, other], at }): SessionDifference[] => [
      {
        ...nameEvents(one, other),
        kind: 'order',
        hook: null,
        a: `event ${at[0] + 1} of ${a.length}`,
        b: `event ${at[1] + 1} of ${b.length}`,
      },
      ...compare(one, other),
    ]),
    ...onlyA.map(
      (one): SessionDifference => ({
        ...nameEvents(one, null),
        kind: 'event',
        hook: null,
        a: one.outcome,
        b: 'not there',
      }),
    ),
    ...onlyB.map(
      (one): SessionDifference => ({
        ...nameEvents(null, one),
        kind: 'event',
        hook: null,
        a: 'not there',
        b: one.outcome,
      }),
    ),
  ]
  return { paired: pairs.length + moved.length, differences, problem }
}

/** Explains that the hooks of one session are not known, while those of the other are; null otherwise. */
function describeUnseen(a: readonly ComparedEvent[], b: readonly ComparedEvent[]): string | null {
  const [isUnseenA, isUnseenB] = [isUnseen(a), isUnseen(b)]
  if (isUnseenA === isUnseenB) return null
  return `Session ${isUnseenA ? 'A' : 'B'} was seen by a tap without wrapped hooks: what ran in it is not known, so events alone are compared.`
}

/** True of a session of which taps saw the events and no hook. */
function isUnseen(events: readonly ComparedEvent[]): boolean {
  return events.length > 0 && events.every(({ isTapped, hooks }) => isTapped && hooks.length === 0)
}

function nameEvents(a: ComparedEvent | null, b: ComparedEvent | null): Pick<SessionDifference, 'event' | 'ids'> {
  return { event: (a ?? b)?.about ?? '', ids: [a?.id ?? null, b?.id ?? null] }
}

type Pair = readonly [ComparedEvent, ComparedEvent]

interface Paired {
  readonly pairs: readonly Pair[]
  /** Events that both have, in another order, and their places. */
  readonly moved: readonly { readonly pair: Pair; readonly at: readonly [number, number] }[]
  readonly onlyA: readonly ComparedEvent[]
  readonly onlyB: readonly ComparedEvent[]
}

/** Finds the events that both sessions have in the same order, then those that only moved. */
function pairEvents(a: readonly ComparedEvent[], b: readonly ComparedEvent[]): Paired {
  const [keysA, keysB] = [a, b].map((events) => events.map(({ call }) => call)) as [number[], number[]] // two, as given
  const common = findCommonOrder(keysA, keysB)
  const [inA, inB] = [new Set(common.map(([at]) => at)), new Set(common.map(([, at]) => at))]
  const leftB = new Map<number, (readonly [ComparedEvent, number])[]>()
  for (const [at, entry] of b.entries()) {
    const key = keysB[at] ?? -1
    if (!inB.has(at)) leftB.set(key, [...(leftB.get(key) ?? []), [entry, at]])
  }
  const moved: Paired['moved'][number][] = []
  const onlyA: ComparedEvent[] = []
  for (const [at, entry] of a.entries()) {
    if (inA.has(at)) continue
    const [other, place] = leftB.get(keysA[at] ?? -1)?.shift() ?? []
    if (other === undefined || place === undefined) onlyA.push(entry)
    else moved.push({ pair: [entry, other], at: [at, place] })
  }
  const pairs = common.flatMap(([one, other]): Pair[] => {
    const [entryA, entryB] = [a[one], b[other]]
    return entryA === undefined || entryB === undefined ? [] : [[entryA, entryB]]
  })
  return { pairs, moved, onlyA, onlyB: [...leftB.values()].flat().map(([entry]) => entry) }
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
    const findFurthest = (line: number): number => ends?.[line + edits] ?? 0
    const line = x - y
    const goesDown = line === -edits || (line !== edits && findFurthest(line - 1) < findFurthest(line + 1))
    const before = goesDown ? line + 1 : line - 1
    const beforeX = edits === 0 ? 0 : findFurthest(before)
    const beforeY = edits === 0 ? 0 : beforeX - before
    while (x > beforeX && y > beforeY && x > 0 && y > 0) pairs.push([--x, --y])
    ;[x, y] = [beforeX, beforeY]
  }
  return pairs.reverse()
}

function comparePair(a: ComparedEvent, b: ComparedEvent): SessionDifference[] {
  const decided = [
    ...differ('decision', a.decided, b.decided),
    ...(a.decided === b.decided ? differ('reason', a.reason, b.reason) : []),
    ...compareRewrites(a.rewrite, b.rewrite),
  ]
  const context = differ('context', a.context, b.context)
  const hooks = compareHooks(a.hooks, b.hooks)
  if (decided.length + context.length + hooks.length === 0) return [] // most events
  const about = nameEvents(a, b)
  return [
    ...decided.map((one) => ({ ...about, hook: nameDecider(a, b), ...one })),
    ...context.map((one) => ({ ...about, hook: nameContextHooks(a, b), ...one })),
    ...hooks.map((one) => ({ ...about, ...one })),
  ]
}

/** The hook behind the later outcome; behind the earlier one where the later is none. */
function nameDecider(a: ComparedEvent, b: ComparedEvent): string | null {
  const [first, second] = b.decided === 'passed' ? [a, b] : [b, a]
  return nameKnown(first.speaker ?? second.speaker)
}

function nameContextHooks(a: ComparedEvent, b: ComparedEvent): string | null {
  const hooks = new Set([...a.contextHooks, ...b.contextHooks])
  return hooks.size === 0 ? null : [...hooks].map(({ line }) => nameHook(line)).join(', ')
}

type DecidedDifference = Pick<SessionDifference, 'kind' | 'a' | 'b'>

function differ(kind: SessionDifference['kind'], a: string, b: string): DecidedDifference[] {
  return a === b ? [] : [{ kind, a, b }]
}

function compareRewrites(a: unknown, b: unknown): DecidedDifference[] {
  if (a === b || isDeepStrictEqual(a, b)) return []
  return [{ kind: 'input', a: JSON.stringify(a), b: JSON.stringify(b) }]
}

const nameKnown = (hook: KnownHook | null): string | null => hook && nameHook(hook.line)

type HookDifference = Omit<SessionDifference, 'event' | 'ids'>

function compareHooks(a: readonly ComparedHook[], b: readonly ComparedHook[]): HookDifference[] {
  if (a.length === b.length && a.every(({ hook }, at) => hook === b[at]?.hook))
    return a.flatMap((one, at) => compareRuns(one, b[at] ?? one))
  const places = new Map(b.map(({ hook }, at) => [hook, at]))
  const inA = new Set(a.map(({ hook }) => hook))
  const gone = a.filter(({ hook }) => !places.has(hook))
  const added = b.filter(({ hook }) => !inA.has(hook))
  const common = a.flatMap((one): [ComparedHook, ComparedHook, number][] => {
    const place = places.get(one.hook)
    const other = place === undefined ? undefined : b[place]
    return place === undefined || other === undefined ? [] : [[one, other, place]]
  })
  const outOfOrder = common.find(([, , place], at) => at > 0 && place < (common[at - 1]?.[2] ?? 0))?.[0]
  return [
    ...gone.map(({ hook, verdict }) => differInHook(hook, verdict, 'not configured')),
    ...added.map(({ hook, verdict }) => differInHook(hook, 'not configured', verdict)),
    ...(outOfOrder === undefined
      ? []
      : [{ kind: 'order' as const, hook: nameKnown(outOfOrder.hook), a: nameAll(a), b: nameAll(b) }]),
    ...common.flatMap(([one, other]) => compareRuns(one, other)),
  ]
}

const nameAll = (hooks: readonly ComparedHook[]): string => hooks.map(({ hook }) => nameHook(hook.line)).join(', ')

function differInHook(hook: KnownHook, a: string, b: string): HookDifference {
  return { kind: 'hook', hook: nameKnown(hook), a, b }
}

function compareRuns(a: ComparedHook, b: ComparedHook): HookDifference[] {
  if (a.hasRun !== b.hasRun) return [differInHook(b.hook, a.verdict, b.verdict)]
  const [before, after] = [a.durationMs, b.durationMs]
  if (before === undefined || after === undefined) return []
  const kind = isSlower(after, before) ? 'slower' : 'faster'
  if (kind === 'faster' && !isSlower(before, after)) return []
  const [from, to] = [Math.round(before), Math.round(after)]
  return [{ kind, hook: nameKnown(b.hook), a: `${from} ms`, b: `${to} ms (${to > from ? '+' : ''}${to - from})` }]
}

function isSlower(ms: number, than: number): boolean {
  return ms >= than * SLOWER_FACTOR && ms - than >= SLOWER_MS
}
