import { setTimeout as pause } from 'node:timers/promises'
import type { DispatchOptions, Engine } from '../../engine/engine-interface.ts'
import { findStartShortage } from '../../engine/faults.ts'
import type { EventInput } from '../../protocol/event-input.ts'
import type { DispatchRecord, HookLine } from '../../protocol/record/record.ts'
import type { JsonObject } from '../bridge.ts'
import type { DecidedPart } from '../call/fold.ts'
import type { Alternatives, TranslatedPart, TranslatedPayload } from '../call/payload.ts'
import type { SessionMemory } from '../memory.ts'

/** Surroundings in which hooks are asked about the parts of a call. */
interface QuestionContext {
  readonly engine: Engine
  /** The event in Claude Code. */
  readonly event: string
  readonly memory: SessionMemory
  /** `performance.now()` when the host waits no longer; null: it waits. */
  readonly until: number | null
  /** The host calls one hook by itself: true if it gives it less time than Claude Code. Null: all hooks are asked. */
  readonly isCutShort: boolean | null
}

/** Decisions of hooks about every part of a call. */
interface DecidedParts {
  readonly decided: readonly DecidedPart[]
  /** Events that hooks have yet to see which the host does not wait for. */
  readonly left: readonly (readonly JsonObject[])[]
  /** A hook had less time than it is given in Claude Code, where it might have objected. */
  readonly isCutShort: boolean
  /** Shortage of the system for which a hook was not started; null: there was none. */
  readonly shortage: string | null
}

/** Shows all parts to the hooks, side by side: the host waits for all of them no longer than for one. */
export async function decideParts(parts: TranslatedPayload['parts'], asking: QuestionContext): Promise<DecidedParts> {
  const { engine, event } = asking
  // At the end of a session nothing is left that could wait for a late answer.
  const late = new Set<string>()
  if (event !== 'SessionEnd') for (const { id, waits } of engine.hooks) if (!waits) late.add(id)
  const dispatching: Promise<DispatchRecord[]>[] = []
  for (const part of parts) dispatching.push(dispatchPart(engine, part, late))
  const asked = await Promise.all(dispatching)
  const decided: DecidedPart[] = []
  const left: (readonly JsonObject[])[] = []
  const troubled: DispatchRecord[] = []
  let isOpen = false
  let shortage: string | null = null
  for (const [at, { label, inputs, also = [] }] of parts.entries()) {
    const decisions: DispatchRecord['decision'][] = []
    let isLeft = false
    for (const record of asked[at] ?? []) {
      decisions.push(record.decision)
      let isTroubled = false
      for (const { id, verdict, outcome, timedOut } of record.hooks) {
        isOpen ||= verdict === 'backgrounded'
        isLeft ||= verdict === 'not-reached' && late.has(id)
        isTroubled ||= timedOut === true || outcome === 'non_blocking_error'
      }
      if (isTroubled) troubled.push(record)
    }
    decided.push({ label, isUnclear: also.length > 0, decisions })
    if (isLeft) left.push([...inputs, ...also.flat()])
  }
  if (event !== 'SessionEnd' && isOpen) await waitForOpen(asking)
  let isCutShort = false
  for (const record of troubled) {
    shortage ??= findStartShortage(record)
    isCutShort ||= wasCutShort(record, asking)
  }
  return { decided, left, isCutShort, shortage }
}

/** The part of its own time after which a hook counts as one that took too long by itself. */
const MAX_SHARE_OF_TIME = 0.9

/** True if a hook was ended, or never started, since the host waits no longer. */
function wasCutShort({ hooks }: DispatchRecord, { engine, isCutShort, until }: QuestionContext): boolean {
  const late: HookLine[] = []
  for (const hook of hooks) if (hook.timedOut === true) late.push(hook)
  if (late.length === 0) return false
  if (isCutShort !== null) return isCutShort
  if (until === null || performance.now() < until) return false
  return late.some(({ id, durationMs = 0 }) => {
    const seconds = findLongestTimeout(engine, id)
    return seconds === null || durationMs < seconds * 1000 * MAX_SHARE_OF_TIME
  })
}

/** The seconds of a hook or of a copy of it, whichever has more; null: what the protocol gives it. */
function findLongestTimeout({ hooks }: Engine, id: string): number | null {
  const own = hooks.find((hook) => hook.id === id)
  const copies = hooks.filter(({ event, identity }) => event === own?.event && identity === own.identity)
  const timeouts = copies.flatMap(({ timeout }) => (timeout === null ? [] : [timeout]))
  return own === undefined || timeouts.length < copies.length ? null : Math.max(...timeouts)
}

/** A hook that went to the background by its answer runs in this process, which ends with the event: the host waits for it, as long as it waits. */
async function waitForOpen({ memory, engine, until }: QuestionContext): Promise<void> {
  const { splitTexts } = await import('./late.ts')
  const ended = engine.drain()
  const giveUp = new AbortController()
  const tooLate = until === null ? ended : pause(Math.max(0, until - performance.now()), [], { signal: giveUp.signal })
  memory.queue(splitTexts(await Promise.race([ended, tooLate.catch(() => [])])))
  giveUp.abort()
}

/** Dispatches all readings of a part: a hook sees one event of each, unless it has seen the call under its own name. */
async function dispatchPart(
  engine: Engine,
  { inputs, also = [], alsoTo }: TranslatedPart,
  late: ReadonlySet<string>,
): Promise<DispatchRecord[]> {
  const only = late.size === 0 ? undefined : 'awaited'
  const records = await dispatchAll(engine, inputs, { only })
  if (also.length === 0) return records
  const seen = records.flatMap(({ hooks }) => hooks.flatMap((one) => (one.verdict === 'matcher-miss' ? [] : [one.id])))
  const except = new Set(alsoTo === 'all' ? [] : seen)
  for (const reading of also)
    if (reading.some((input) => isMatched(engine, input)))
      records.push(...(await dispatchAll(engine, reading, { except, only })))
  return records
}

/** True where a hook would run for an event: others leave no record. */
const isMatched = (engine: Engine, input: JsonObject): boolean => engine.listensTo(input as EventInput)

/** A hook sees the first of the events that it matches, and that one alone. */
async function dispatchAll(
  engine: Engine,
  [first, ...others]: Alternatives,
  { except, only }: Pick<DispatchOptions, 'except' | 'only'>,
): Promise<DispatchRecord[]> {
  const options = except === undefined && only === undefined ? {} : { except, only }
  const records = [await engine.dispatch(first as EventInput, options)] // checked by the engine
  const seen = new Set(except)
  for (const other of others) {
    for (const { id, verdict } of records.at(-1)?.hooks ?? []) if (verdict !== 'matcher-miss') seen.add(id)
    if (isMatched(engine, other)) records.push(await engine.dispatch(other as EventInput, { except: seen, only }))
  }
  return records
}
