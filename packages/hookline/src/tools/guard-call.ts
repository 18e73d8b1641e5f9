import type { AnyEngine } from '../engine/engine-interface.ts'
import { type CallOutcome, guardAfterCall } from './after-call.ts'
import { judgeCall, makeNotRun, type Verdict } from './before-call.ts'
import { fire } from './fire.ts'
import { joinBeside } from './model-output.ts'
import { toShownCall } from './names.ts'
import type { CallEnd, GuardOptions, ToolCall } from './tool-call.ts'
import { endTurn, findTurn, type TurnCalls } from './turn-calls.ts'
import { listFeedback, listReminders, wrapReminder } from './words.ts'

/** A call with the tool that makes it. */
export type RunnableCall = ToolCall & {
  /** Gets the input that hooks leave. */
  readonly run: (input: unknown) => unknown
  /** Of a batch: no other call runs beside it. Those before it end first, and those after it wait. */
  readonly alone?: boolean | undefined
}

/**
 * Makes one call of a tool between its hooks: PreToolUse, the tool, PostToolUse or PostToolUseFailure.
 *
 * A tool that throws is a call that failed. Rejects when the signal is aborted before the tool runs. Calls that are made side by
 * side are a batch: none starts before hooks have seen those that were begun before, nor after a halt.
 *
 * ```ts
 * const end = await guardCall(engine, { name, input, id, run: (input) => tools[name](input) })
 * if (end.halt !== null) return end.halt
 * ```
 */
export async function guardCall(engine: AnyEngine, call: RunnableCall, options: GuardOptions = {}): Promise<CallEnd> {
  const turn = findTurn(engine, options)
  return makeCall(engine, call, { ...options, calls: turn, verdict: judgeCall(engine, turn, call, options) })
}

/** A call that hooks look at. */
interface JudgedCall extends GuardOptions {
  /** Calls of its turn. */
  readonly calls: TurnCalls
  readonly verdict: Promise<Verdict>
  /** Settles when the tool may start. */
  readonly gate?: Promise<unknown>
}

async function makeCall(
  engine: AnyEngine,
  { run, ...call }: RunnableCall,
  { calls, verdict: judging, gate, ...options }: JudgedCall,
): Promise<CallEnd> {
  const verdict = await judging
  if (verdict.ended !== 'cleared') return verdict
  const { input, texts } = verdict
  if (gate !== undefined) {
    await gate
    call.signal?.throwIfAborted()
  }
  if (calls.halt !== null) return makeNotRun(calls.halt, texts) // a call that ended meanwhile ended the turn
  const outcome = await runForCallOutcome(() => run(input))
  const { replaced: _, ...after } = await guardAfterCall(engine, { ...call, input }, { ...options, outcome })
  return { ...after, texts: [...texts, ...after.texts] }
}

/**
 * Makes the calls of one answer, side by side but for those that are to be `alone`: hooks see all of them before the first tool
 * runs, and a halt stops every call that has not started. The ends stand in the order of the calls; what PostToolBatch hooks say of all of them stands with
 * the last. Rejects when one call does, after all have ended.
 *
 * ```ts
 * const ends = await guardBatch(engine, calls.map(({ id, name, input }) => ({ id, name, input, run: tools[name] })))
 * const halt = ends.find(({ halt }) => halt !== null)?.halt
 * ```
 */
export async function guardBatch(
  engine: AnyEngine,
  calls: readonly RunnableCall[],
  { turn = {}, ...options }: GuardOptions = {},
): Promise<CallEnd[]> {
  const settled = await Promise.allSettled(makeCalls(engine, calls, { ...options, turn }))
  const ends = settled.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
  const last = ends.at(-1)
  if (
    last === undefined ||
    last.ended === 'deferred' ||
    last.ended === 'waiting' ||
    ends.some(({ halt }) => halt !== null)
  )
    return ends
  const made = calls.map(({ id, name, input }, at) => ({ id, name, input, response: readResponse(ends[at]) }))
  const { texts, halt } = await fireAfterBatch(engine, made, { ...options, turn, signal: calls[0]?.signal }) // the calls share one event
  return [...ends.slice(0, -1), { ...last, texts: [...last.texts, ...texts], halt }]
}

/** Hooks are shown all calls at once; each tool waits for those that it must not run beside. */
function makeCalls(engine: AnyEngine, calls: readonly RunnableCall[], options: GuardOptions): Promise<CallEnd>[] {
  const turn = findTurn(engine, options)
  const judged = calls.map((call) => ({ call, verdict: judgeCall(engine, turn, call, options) }))
  const making: Promise<CallEnd>[] = []
  let gate: Promise<unknown> = Promise.resolve()
  for (const [at, { call, verdict }] of judged.entries()) {
    if (call.alone === true || calls[at - 1]?.alone === true) gate = Promise.allSettled([...making])
    making.push(makeCall(engine, call, { ...options, calls: turn, verdict, gate }))
  }
  return making
}

/** Reads what the model reads of a call. */
function readResponse(end: CallEnd | undefined): string {
  if (end?.ended === 'ran') return joinBeside(end.output, [])
  if (end?.ended === 'failed') return end.error instanceof Error ? end.error.message : String(end.error)
  return end?.ended === 'waiting' ? '' : (end?.reason ?? '')
}

/** A call of an answer, with what the model reads of it. */
export type AnsweredCall = Pick<ToolCall, 'id' | 'name' | 'input'> & { readonly response: string }

/**
 * Shows hooks all calls of one answer when they are done, before the next request: PostToolBatch. For a host that makes its
 * calls one by one; `guardBatch` does it by itself. Where the profile has no such event nothing happens.
 */
export async function fireAfterBatch(
  engine: AnyEngine,
  calls: readonly AnsweredCall[],
  options: GuardOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Pick<CallEnd, 'texts' | 'halt'>> {
  if (calls.length === 0 || !engine.profile.events.has('PostToolBatch')) return { texts: [], halt: null }
  const tool_calls = calls.map(({ id, response, ...call }) => {
    const { name, input } = toShownCall(call, options.names)
    return {
      ...{ tool_name: name, tool_input: input },
      ...(id === undefined ? {} : { tool_use_id: id }),
      tool_response: response,
    }
  })
  const record = await fire(
    engine,
    { hook_event_name: 'PostToolBatch', tool_calls },
    { ...options, signal: options.signal },
  )
  const { halt, stopReason, blocked, reason } = record.decision
  const objections = blocked ? listFeedback(record).map(wrapReminder) : []
  const texts = [...listReminders(record), ...objections]
  if (!halt && !blocked) return { texts, halt: null }
  const why = (halt ? stopReason : reason) ?? 'Stopped by hook'
  endTurn(engine, options, why)
  return { texts, halt: why }
}

/** Runs the tool; what it throws becomes a value. */
export async function runForCallOutcome(act: () => unknown): Promise<CallOutcome> {
  const started = performance.now()
  try {
    return { output: await act(), durationMs: countMsSince(started) }
  } catch (error) {
    return { error, durationMs: countMsSince(started) }
  }
}

/** Whole milliseconds. */
export const countMsSince = (started: number): number => Math.round(performance.now() - started)
