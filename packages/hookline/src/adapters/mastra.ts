import type { AnyEngine } from '../engine/engine-interface.ts'
import { toCanonicalJson } from '../text/digest.ts'
import {
  addTexts,
  joinBeside,
  type ModelOutput,
  toJsonValue,
  toMcpOutput,
  toPlainOutput,
} from '../tools/model-output.ts'
import { type SaidOfCall, toFrameworkOutput } from '../tools/with-hooks.ts'
import { assertFramework } from './framework-version.ts'
import { type EndedByHook, type EngineFor, HookedLoops, type HookOptions, type ThreadHooks } from './hooked-loop.ts'

export type { EngineFor, HookOptions, PendingClearances, ThreadHooks } from './hooked-loop.ts'

/** As much of what `createTool` of `@mastra/core` gives as hooks need. */
export interface MastraTool {
  readonly id: string
  readonly inputSchema?: unknown
  execute?: ((input: never, context: never) => Promise<unknown>) | undefined
  toModelOutput?: ((output: never) => unknown) | undefined
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
export interface AgentOutput {
  readonly text: string
  readonly finishReason?: string | undefined
  readonly error?: unknown
  readonly response: { readonly messages?: readonly object[] | undefined }
}

/** As much of what `stream` of an agent comes to as hooks need; it is read to its end, whether or not the host does. */
export interface AgentStream {
  getFullOutput(): PromiseLike<AgentOutput>
}

/** Result of an agent: `generate` or `stream`. */
export type AgentResult = AgentOutput | AgentStream

/** End of a turn. `messages` is the conversation with it. A call that waits is `result.suspendPayload`. */
export type TurnEnd<Result> = { readonly messages: readonly object[] } & (
  | { readonly ended: 'answered'; readonly text: string; readonly result: Result }
  | { readonly ended: 'waiting'; readonly result: Result }
  | EndedByHook
)

/** `(messages) => agent.generate(messages, { stopWhen: [hooks.isHalted] })`, or `agent.stream`. */
export type Generate<Result> = (messages: never) => PromiseLike<Result>

/** Parts that an agent is made with. */
export interface MastraParts {
  /** The same tools with hooks, for `new Agent({ tools: hooks.tools({ … }) })`. */
  readonly tools: <Tools extends Readonly<Record<string, MastraTool>>>(tools: Tools) => Tools
  /** Ends a run after a halt: `stopWhen: [hooks.isHalted]`. */
  readonly isHalted: () => boolean
}

/** The turns of one loop. */
export interface MastraTurns {
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

/** The hooks of one loop. */
export type MastraHooks = MastraParts & MastraTurns

/** The hooks of an agent that serves many threads or requests, each with an engine of its own. */
export type MastraThreads<Key> = MastraParts & ThreadHooks<Key, MastraTurns>

/**
 * Hooks for agents of Mastra: around every call, at the prompt, and before the agent stops. A call that a hook wants asked about
 * is suspended, which needs a `Mastra` with a storage.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const agent = new Agent({ id, name, instructions, model, tools: hooks.tools({ light }) })
 * const end = await hooks.run(prompt, (messages) => agent.generate(messages, { stopWhen: [hooks.isHalted] }))
 * ```
 *
 * For an agent that serves many threads, `withHooks(engineFor)` asks for the engine of one, and `hooks.thread(key).run(…)` runs a
 * turn of it.
 */
export function withHooks(engine: AnyEngine, options?: HookOptions): MastraHooks
export function withHooks<Key>(engineFor: EngineFor<Key>, options?: HookOptions): MastraThreads<Key>
export function withHooks<Key>(
  engine: AnyEngine | EngineFor<Key>,
  options: HookOptions = {},
): MastraHooks | MastraThreads<Key> {
  assertFramework('mastra')
  const loops = new HookedLoops(engine, options)
  const go = async <Result extends AgentResult>(
    messages: readonly object[],
    running: PromiseLike<Result>,
    generate: Generate<Result>,
  ): Promise<TurnEnd<Result>> => {
    const loop = loops.current
    const result = await running
    const output: AgentOutput = 'getFullOutput' in result ? await result.getFullOutput() : result
    loop.options.signal?.throwIfAborted() // Mastra resolves all the same
    const so = [...messages, ...(output.response.messages ?? [])]
    if (output.finishReason === 'suspended' && loop.turn.halted === null)
      return { ended: 'waiting', result, messages: so }
    if (output.error !== undefined && loop.turn.halted === null) throw output.error
    const next = await loop.settleNext(output.text)
    if (next.ended === 'answered') return { ...next, text: output.text, result, messages: so }
    if (next.ended !== 'continued') return { ...next, messages: so }
    const on = [...so, makeMastraMessage(next.text)]
    return go(on, generate(on as never), generate)
  }
  const run: MastraTurns['run'] = async (prompt, generate, messages = []) => {
    const begun = await loops.current.begin(prompt)
    if (begun.ended !== 'begun') return { ...begun, messages }
    const asked = [...messages, makeMastraMessage(begun.text)]
    return go(asked, generate(asked as never), generate)
  }
  const parts: MastraParts = {
    tools: (tools) => {
      const guarded = Object.entries(tools).map(([name, tool]) => [name, guardMastraTool(loops, name, tool)])
      return Object.fromEntries(guarded) as typeof tools // each takes and gives what it did
    },
    isHalted: () => loops.current.turn.halted !== null,
  }
  if (typeof engine !== 'function') return { ...parts, run, resume: (end, ...rest) => go(end.messages, ...rest) }
  return {
    ...parts,
    thread: (key) => ({
      run: (...turn) => loops.runWithin(key, () => run(...turn)),
      resume: (end, ...rest) => loops.runWithin(key, () => go(end.messages, ...rest)),
    }),
  }
}

const makeMastraMessage = (content: string): object => ({ role: 'user', content })

function guardMastraTool<Key>(loops: HookedLoops<Key>, name: string, tool: MastraTool): MastraTool {
  const own = tool.execute?.bind(tool) as ((input: unknown, context: CallContext) => Promise<unknown>) | undefined // called as Mastra does
  if (own === undefined) return tool
  const told = new ToldOutputs()
  const execute = async (input: unknown, context: CallContext = {}): Promise<unknown> => {
    const loop = loops.current
    const { agent, abortSignal: signal } = context
    const id = agent?.toolCallId ?? ''
    let isSuspended = false
    const run = (final: unknown) =>
      own(
        final,
        watchSuspend(context, () => (isSuspended = true)),
      )
    const call = { name, input, id, schema: tool.inputSchema, signal, run }
    const isAnswered = agent?.resumeData !== undefined && (await loop.waiting.get(id)) !== undefined
    const allow = Object(agent?.resumeData).allow === true
    const verdict = await (isAnswered ? loop.judgeAnswered(call, { allow }) : loop.judge(call))
    if (verdict.ended === 'waiting' && agent !== undefined) return agent.suspend(verdict.question)
    const { after } = await loop.make(call, verdict, { isInterrupted: () => isSuspended })
    const output = toFrameworkOutput(after)
    if (after.texts.length === 0 && !after.replaced) return output
    if (output === null || output === undefined) return joinBeside(output, after.texts) // Mastra has no words for it
    told.add(output, after)
    return output
  }
  const toModelOutput = async (output: never): Promise<unknown> => {
    const words = told.take(output)
    if (words === null) return tool.toModelOutput?.(output) // without a value Mastra writes the output itself
    const written = words.replaced
      ? toMcpOutput(output)
      : ((await tool.toModelOutput?.(output)) as ModelOutput | undefined)
    return addTexts(written ?? toPlainOutput(output), words.texts)
  }
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute, toModelOutput })
}

/** A tool may suspend its call by itself: it has not ended then. */
function watchSuspend(context: CallContext, notice: () => void): CallContext {
  const { agent } = context
  if (agent === undefined) return context
  const suspend = (question: unknown): Promise<unknown> => {
    notice()
    return agent.suspend(question)
  }
  return { ...context, agent: { ...agent, suspend } }
}

/** Words of hooks about outputs until Mastra asks what the model is to read of one, which it does without naming the call. */
class ToldOutputs {
  readonly #said = new Map<string, SaidOfCall[]>()

  add(output: unknown, said: SaidOfCall): void {
    const key = toCanonicalJson(toJsonValue(output))
    this.#said.set(key, [...(this.#said.get(key) ?? []), said])
  }

  take(output: unknown): SaidOfCall | null {
    const key = toCanonicalJson(toJsonValue(output))
    const [first, ...rest] = this.#said.get(key) ?? []
    if (rest.length > 0) this.#said.set(key, rest)
    else this.#said.delete(key)
    return first ?? null
  }
}
