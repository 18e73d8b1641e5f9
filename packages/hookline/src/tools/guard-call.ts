import type { Engine } from '../engine/engine.ts'
import { afterCall, type Outcome } from './after-call.ts'
import { beforeCall } from './before-call.ts'
import type { CallEnd, GuardOptions, ToolCall } from './tool-call.ts'

/**
 * Makes one call of a tool between its hooks: PreToolUse, the tool, PostToolUse or PostToolUseFailure.
 *
 * A tool that throws is a call that failed. Rejects when the signal is aborted before the tool runs.
 *
 * ```ts
 * const end = await guardCall(engine, { name, input, id, run: (input) => tools[name](input) })
 * if (end.halt !== null) return end.halt
 * ```
 */
export async function guardCall(
  engine: Engine,
  { run, ...call }: ToolCall & { readonly run: (input: unknown) => unknown },
  options: GuardOptions = {},
): Promise<CallEnd> {
  const clearance = await beforeCall(engine, call, options)
  if (clearance.ended === 'refused') return clearance
  const { input, texts } = clearance
  const outcome = await outcomeOf(() => run(input))
  const { replaced: _, ...after } = await afterCall(engine, { ...call, input }, { ...options, outcome })
  return { ...after, texts: [...texts, ...after.texts] }
}

/** What a tool does is the tool's affair: whatever it throws is a value here. */
export async function outcomeOf(act: () => unknown): Promise<Outcome> {
  try {
    return { output: await act() }
  } catch (error) {
    return { error }
  }
}
