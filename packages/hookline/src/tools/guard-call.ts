import type { Engine } from '../engine/open-engine.ts'
import { afterCall, type CallOutcome } from './after-call.ts'
import { beforeCall, notRun } from './before-call.ts'
import type { CallEnd, GuardOptions, ToolCall } from './tool-call.ts'
import { turnOf } from './turn.ts'

/** A call with the tool that makes it. */
export type RunnableCall = ToolCall & {
  /** Gets the input that hooks leave. */
  readonly run: (input: unknown) => unknown
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
export async function guardCall(
  engine: Engine,
  { run, ...call }: RunnableCall,
  options: GuardOptions = {},
): Promise<CallEnd> {
  const turn = turnOf(engine, options)
  const clearance = await beforeCall(engine, turn, call, options)
  if (clearance.ended === 'refused') return clearance
  const { input, texts } = clearance
  if (turn.halt !== null) return notRun(turn.halt, texts) // a call that ended meanwhile ended the turn
  const outcome = await callOutcome(() => run(input))
  const { replaced: _, ...after } = await afterCall(engine, { ...call, input }, { ...options, outcome })
  return { ...after, texts: [...texts, ...after.texts] }
}

/**
 * Makes the calls of one answer side by side: hooks see all of them before the first tool runs, and a halt stops every
 * call that has not started. The ends stand in the order of the calls. Rejects when one call does, after all have ended.
 *
 * ```ts
 * const ends = await guardBatch(engine, calls.map(({ id, name, input }) => ({ id, name, input, run: tools[name] })))
 * const halt = ends.find(({ halt }) => halt !== null)?.halt
 * ```
 */
export async function guardBatch(
  engine: Engine,
  calls: readonly RunnableCall[],
  { turn = {}, ...options }: GuardOptions = {},
): Promise<CallEnd[]> {
  const ends = await Promise.allSettled(calls.map((call) => guardCall(engine, call, { ...options, turn })))
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}

/** Runs the tool; what it throws becomes a value. */
export async function callOutcome(act: () => unknown): Promise<CallOutcome> {
  try {
    return { output: await act() }
  } catch (error) {
    return { error }
  }
}
