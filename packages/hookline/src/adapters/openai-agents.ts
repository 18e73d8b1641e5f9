import type { AnyEngine } from '../engine/engine-interface.ts'
import type { Verdict } from '../tools/before-call.ts'
import { HaltedByHook, RefusedByHook } from '../tools/hook-errors.ts'
import { assertFramework } from './framework-version.ts'
import { type EndedByHook, HookedLoop, type HookOptions } from './hooked-loop.ts'

export type { ClearanceShelf, HookOptions } from './hooked-loop.ts'

/** As much of what `tool()` of `@openai/agents` takes as hooks need. */
export interface ToolParts {
  readonly name?: string | undefined
  readonly parameters?: unknown
  // The SDK infers what these take from `parameters`; a method is taken with any input.
  execute(input: never, context?: never, details?: never): unknown
  readonly needsApproval?: boolean | ((context: never, input: never, callId?: string) => Promise<boolean>) | undefined
  readonly errorFunction?: ((context: never, error: unknown) => unknown) | null | undefined
}

/** What is known of a call when it is made. */
interface CallDetails {
  readonly toolCall?: { readonly callId: string } | undefined
  readonly signal?: AbortSignal | undefined
}

/** As much of the result of a run as hooks need. */
export interface RunEnd {
  readonly finalOutput?: unknown
  readonly history: readonly object[]
  readonly interruptions?: readonly object[] | undefined
}

/** How a turn ended. Calls that wait are `result.interruptions`: approve or reject them in `result.state`, and `resume` it. */
export type TurnEnd<Result> =
  | { readonly ended: 'answered'; readonly text: string; readonly result: Result }
  | { readonly ended: 'waiting'; readonly result: Result }
  | EndedByHook

/** Runs the agent with what `run` of the SDK takes for an input: a conversation, or the state of a run. */
export type Generate<Result> = (input: never) => PromiseLike<Result>

/** The hooks of one loop. */
export interface OpenAIAgentsHooks {
  /** The same tool with hooks: `tool(hooks.guard({ name, description, parameters, execute }))`. */
  readonly guard: <Parts extends ToolParts>(parts: Parts) => Parts
  /**
   * Runs a turn: the prompt, `generate` as often as hooks send the agent on, its stop. `generate` is
   * `(input) => run(agent, input)`; the third parameter is the conversation so far, the `history` of the result before.
   */
  readonly run: <Result extends RunEnd>(
    prompt: string,
    generate: Generate<Result>,
    history?: readonly object[],
  ) => Promise<TurnEnd<Result>>
  /** Goes on with the state of a run whose calls the user has approved or rejected. */
  readonly resume: <Result extends RunEnd>(state: object, generate: Generate<Result>) => Promise<TurnEnd<Result>>
}

/**
 * Hooks for agents on the OpenAI Agents SDK: around every call, at the prompt, and before the agent stops.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const agent = new Agent({ name: 'Lamps', tools: [tool(hooks.guard({ name, description, parameters, execute }))] })
 * const end = await hooks.run(prompt, (input) => run(agent, input))
 * ```
 */
export function withHooks(engine: AnyEngine, options: HookOptions = {}): OpenAIAgentsHooks {
  assertFramework('openai-agents')
  const loop = new HookedLoop(engine, options)
  const judged = new Map<string, Verdict>()
  const resume: OpenAIAgentsHooks['resume'] = async (input, generate) => {
    const result = await settled(loop, generate(input as never))
    if ('ended' in result) return result
    if ((result.interruptions?.length ?? 0) > 0) return { ended: 'waiting', result }
    const text = typeof result.finalOutput === 'string' ? result.finalOutput : JSON.stringify(result.finalOutput ?? '')
    const next = await loop.next(text)
    if (next.ended === 'goes-on') return resume([...result.history, said(next.text)], generate)
    return next.ended === 'answered' ? { ...next, text, result } : next
  }
  return {
    guard: (parts) => guarded(loop, judged, parts),
    run: async (prompt, generate, history = []) => {
      const begun = await loop.begin(prompt)
      if (begun.ended !== 'begun') return begun
      return resume([...history, said(begun.text)], generate)
    },
    resume,
  }
}

/** What a run came to; a halt ends it with an error, which is no error of the host. */
async function settled<Result>(loop: HookedLoop, running: PromiseLike<Result>): Promise<Result | EndedByHook> {
  try {
    return await running
  } catch (error) {
    if (loop.turn.halted === null) throw error
    return { ended: 'halted', reason: loop.turn.halted }
  }
}

const said = (content: string): object => ({ role: 'user', content })

/** The SDK asks about all calls of an answer side by side whether they need approval, so hooks are asked there. */
function guarded<Parts extends ToolParts>(loop: HookedLoop, judged: Map<string, Verdict>, parts: Parts): Parts {
  const { name = 'tool', parameters: schema, needsApproval: own, errorFunction } = parts
  const run = parts.execute as (input: unknown, context: unknown, details: unknown) => unknown // called as the SDK calls it
  const added = {
    needsApproval: async (context: never, input: never, id = '') => {
      const verdict = await loop.judge({ name, input, id, schema })
      judged.set(id, verdict)
      if (verdict.ended === 'waiting') return true
      return typeof own === 'function' ? own(context, input, id) : own === true
    },
    execute: async (input: unknown, context: unknown, details: CallDetails = {}) => {
      const id = details.toolCall?.callId ?? ''
      const call = {
        name,
        input,
        id,
        schema,
        signal: details.signal,
        run: (final: unknown) => run(final, context, details),
      }
      const known = judged.get(id)
      judged.delete(id)
      const isKnown = known !== undefined && known.ended !== 'waiting'
      return loop.make(call, isKnown ? known : await loop.judgeAnswered(call, { allow: true })) // a rejected call is not made
    },
    errorFunction: (context: never, error: unknown) => {
      if (error instanceof HaltedByHook || errorFunction === null) throw error
      if (error instanceof RefusedByHook) return error.message
      return errorFunction?.(context, error) ?? `An error occurred while running the tool. Error: ${String(error)}`
    },
  }
  return { ...parts, ...added }
}
