import type { AnyEngine } from '../engine/engine-interface.ts'
import { assertFramework } from './framework-version.ts'
import { type EndedByHook, HookedLoop, type HookOptions } from './hooked-loop.ts'

export type { ClearanceShelf, HookOptions } from './hooked-loop.ts'

/** As much of what `createTool` of `@mastra/core` gives as hooks need. */
export interface MastraTool {
  readonly id: string
  readonly inputSchema?: unknown
  execute?: ((input: never, context: never) => Promise<unknown>) | undefined
}

/** As much of what a tool is told as hooks need. */
interface CallContext {
  readonly abortSignal?: AbortSignal | undefined
  readonly agent?: {
    readonly toolCallId: string
    readonly suspend: (question: unknown) => Promise<unknown>
    readonly resumeData?: unknown
  }
}

/** As much of what `generate` of an agent comes to as hooks need. */
export interface AgentResult {
  readonly text: string
  readonly finishReason?: string | undefined
  readonly error?: unknown
  readonly response: { readonly messages?: readonly object[] | undefined }
}

/** How a turn ended. `messages` is the conversation with it. A call that waits is `result.suspendPayload`. */
export type TurnEnd<Result> = { readonly messages: readonly object[] } & (
  | { readonly ended: 'answered'; readonly text: string; readonly result: Result }
  | { readonly ended: 'waiting'; readonly result: Result }
  | EndedByHook
)

/** `(messages) => agent.generate(messages, { stopWhen: [hooks.isHalted] })`. */
export type Generate<Result> = (messages: never) => PromiseLike<Result>

/** The hooks of one loop. */
export interface MastraHooks {
  /** The same tools with hooks, for `new Agent({ tools: hooks.tools({ … }) })`. */
  readonly tools: <Tools extends Readonly<Record<string, MastraTool>>>(tools: Tools) => Tools
  /** Ends a run after a halt: `stopWhen: [hooks.isHalted]`. */
  readonly isHalted: () => boolean
  /** Runs a turn: the prompt, `generate` as often as hooks send the agent on, its stop. `messages` is the conversation so far. */
  readonly run: <Result extends AgentResult>(
    prompt: string,
    generate: Generate<Result>,
    messages?: readonly object[],
  ) => Promise<TurnEnd<Result>>
  /** Goes on after the user answered: `resumed` is `agent.resumeGenerate({ allow }, { runId, toolCallId })`. */
  readonly resume: <Result extends AgentResult>(
    end: TurnEnd<Result>,
    resumed: PromiseLike<Result>,
    generate: Generate<Result>,
  ) => Promise<TurnEnd<Result>>
}

/**
 * Hooks for agents of Mastra: around every call, at the prompt, and before the agent stops. A call that a hook wants asked about
 * is suspended, which needs a `Mastra` with a storage.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const agent = new Agent({ id, name, instructions, model, tools: hooks.tools({ light }) })
 * const end = await hooks.run(prompt, (messages) => agent.generate(messages, { stopWhen: [hooks.isHalted] }))
 * ```
 */
export function withHooks(engine: AnyEngine, options: HookOptions = {}): MastraHooks {
  assertFramework('mastra')
  const loop = new HookedLoop(engine, options)
  const go = async <Result extends AgentResult>(
    messages: readonly object[],
    running: PromiseLike<Result>,
    generate: Generate<Result>,
  ): Promise<TurnEnd<Result>> => {
    const result = await running
    loop.options.signal?.throwIfAborted() // Mastra resolves all the same
    const so = [...messages, ...(result.response.messages ?? [])]
    if (result.finishReason === 'suspended' && loop.turn.halted === null)
      return { ended: 'waiting', result, messages: so }
    if (result.error !== undefined && loop.turn.halted === null) throw result.error
    const next = await loop.next(result.text)
    if (next.ended === 'answered') return { ...next, text: result.text, result, messages: so }
    if (next.ended !== 'goes-on') return { ...next, messages: so }
    const on = [...so, said(next.text)]
    return go(on, generate(on as never), generate)
  }
  return {
    tools: (tools) => {
      const guarded = Object.entries(tools).map(([name, tool]) => [name, guardedTool(loop, name, tool)])
      return Object.fromEntries(guarded) as typeof tools // each takes and gives what it did
    },
    isHalted: () => loop.turn.halted !== null,
    run: async (prompt, generate, messages = []) => {
      const begun = await loop.begin(prompt)
      if (begun.ended !== 'begun') return { ...begun, messages }
      const asked = [...messages, said(begun.text)]
      return go(asked, generate(asked as never), generate)
    },
    resume: (end, resumed, generate) => go(end.messages, resumed, generate),
  }
}

const said = (content: string): object => ({ role: 'user', content })

function guardedTool(loop: HookedLoop, name: string, tool: MastraTool): MastraTool {
  const own = tool.execute?.bind(tool) as ((input: unknown, context: CallContext) => Promise<unknown>) | undefined // called as Mastra does
  if (own === undefined) return tool
  const execute = async (input: unknown, context: CallContext = {}): Promise<unknown> => {
    const { agent, abortSignal: signal } = context
    const id = agent?.toolCallId ?? ''
    const call = { name, input, id, schema: tool.inputSchema, signal, run: (final: unknown) => own(final, context) }
    const isAnswered = agent?.resumeData !== undefined && (await loop.waiting.get(id)) !== undefined
    const allow = Object(agent?.resumeData).allow === true
    const verdict = await (isAnswered ? loop.judgeAnswered(call, { allow }) : loop.judge(call))
    if (verdict.ended === 'waiting' && agent !== undefined) return agent.suspend(verdict.question)
    return loop.make(call, verdict)
  }
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute })
}
