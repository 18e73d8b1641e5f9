import type { AnyEngine } from '../engine/engine-interface.ts'
import { HaltedByHook, RefusedByHook } from '../tools/hook-errors.ts'
import { joinBeside, toMcpOutput } from '../tools/model-output.ts'
import { toFrameworkOutput } from '../tools/with-hooks.ts'
import { assertFramework } from './framework-version.ts'
import {
  type EndedByHook,
  type EngineFor,
  type HookedLoop,
  HookedLoops,
  type HookOptions,
  type MadeCall,
  type ThreadHooks,
} from './hooked-loop.ts'

export type { EngineFor, HookOptions, PendingClearances, ThreadHooks } from './hooked-loop.ts'

/** As much of what `tool()` of `@openai/agents` takes as hooks need. */
export interface ToolParts {
  readonly name?: string | undefined
  readonly parameters?: unknown
  // The SDK infers what these take from `parameters`; a method is taken with any input.
  execute(input: never, context?: never, details?: never): unknown
  readonly needsApproval?: boolean | ((context: never, input: never, callId?: string) => Promise<boolean>) | undefined
  readonly errorFunction?: ((context: never, error: unknown, details?: never) => unknown) | null | undefined
  readonly outputSchema?: unknown
}

/** Facts about a call when it is made. */
interface CallDetails {
  readonly toolCall?: { readonly callId: string } | undefined
  readonly signal?: AbortSignal | undefined
}

/** As much of the result of a run as hooks need. */
export interface RunEnd {
  readonly finalOutput?: unknown
  readonly history: readonly object[]
  readonly interruptions?: readonly object[] | undefined
  /** Of a run with `stream: true`: settles when it has ended, whether or not its events are read. */
  readonly completed?: PromiseLike<void> | undefined
}

/** End of a turn. Calls that wait are `result.interruptions`: approve or reject them in `result.state`, and `resume` it. */
export type TurnEnd<Result> =
  | { readonly ended: 'answered'; readonly text: string; readonly result: Result }
  | { readonly ended: 'waiting'; readonly result: Result }
  | EndedByHook

/** Runs the agent with what `run` of the SDK takes for an input: a conversation, or the state of a run. */
export type Generate<Result> = (input: never) => PromiseLike<Result>

/** Parts that an agent is made with. */
export interface OpenAIAgentsParts {
  /** The same tool with hooks: `tool(hooks.guard({ name, description, parameters, execute }))`. */
  readonly guard: <Parts extends ToolParts>(parts: Parts) => Parts
}

/** The turns of one loop. */
export interface OpenAIAgentsTurns {
  /**
   * Runs a turn: the prompt, `generate` as often as hooks send the agent on, its stop. `generate` is
   * `(input) => run(agent, input)`, with `stream: true` or without; the third parameter is the conversation so far, the `history` of the result before.
   */
  readonly run: <Result extends RunEnd>(
    prompt: string,
    generate: Generate<Result>,
    history?: readonly object[],
  ) => Promise<TurnEnd<Result>>
  /** Goes on with the state of a run whose calls the user has approved or rejected. */
  readonly resume: <Result extends RunEnd>(state: object, generate: Generate<Result>) => Promise<TurnEnd<Result>>
}

/** The hooks of one loop. */
export type OpenAIAgentsHooks = OpenAIAgentsParts & OpenAIAgentsTurns

/** The hooks of an agent that serves many threads or requests, each with an engine of its own. */
export type OpenAIAgentsThreads<Key> = OpenAIAgentsParts & ThreadHooks<Key, OpenAIAgentsTurns>

/**
 * Hooks for agents on the OpenAI Agents SDK: around every call, at the prompt, and before the agent stops.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const agent = new Agent({ name: 'Lamps', tools: [tool(hooks.guard({ name, description, parameters, execute }))] })
 * const end = await hooks.run(prompt, (input) => run(agent, input))
 * ```
 *
 * For an agent that serves many threads, `withHooks(engineFor)` asks for the engine of one, and `hooks.thread(key).run(…)` runs a
 * turn of it.
 */
export function withHooks(engine: AnyEngine, options?: HookOptions): OpenAIAgentsHooks
export function withHooks<Key>(engineFor: EngineFor<Key>, options?: HookOptions): OpenAIAgentsThreads<Key>
export function withHooks<Key>(
  engine: AnyEngine | EngineFor<Key>,
  options: HookOptions = {},
): OpenAIAgentsHooks | OpenAIAgentsThreads<Key> {
  assertFramework('openai-agents')
  const loops = new HookedLoops(engine, options)
  const resume: OpenAIAgentsTurns['resume'] = async (input, generate) => {
    const loop = loops.current
    const result = await settleRun(loop, generate(input as never))
    if ('ended' in result) return result
    if ((result.interruptions?.length ?? 0) > 0) return { ended: 'waiting', result }
    const text = typeof result.finalOutput === 'string' ? result.finalOutput : JSON.stringify(result.finalOutput ?? '')
    const next = await loop.settleNext(text)
    if (next.ended === 'continued') return resume([...result.history, makeOpenAIMessage(next.text)], generate)
    return next.ended === 'answered' ? { ...next, text, result } : next
  }
  const run: OpenAIAgentsTurns['run'] = async (prompt, generate, history = []) => {
    const begun = await loops.current.begin(prompt)
    return begun.ended === 'begun' ? resume([...history, makeOpenAIMessage(begun.text)], generate) : begun
  }
  const guard: OpenAIAgentsParts['guard'] = (parts) => guardAgentParts(loops, parts)
  if (typeof engine !== 'function') return { guard, run, resume }
  return {
    guard,
    thread: (key) => ({
      run: (...turn) => loops.runWithin(key, () => run(...turn)),
      resume: (...turn) => loops.runWithin(key, () => resume(...turn)),
    }),
  }
}

/** Settles what a run came to, when it has ended; a halt ends it with an error, which is no error of the host. */
async function settleRun<Result extends RunEnd>(
  loop: HookedLoop,
  running: PromiseLike<Result>,
): Promise<Result | EndedByHook> {
  try {
    const result = await running
    await result.completed
    if (!Array.isArray(result.history))
      throw new TypeError('generate must resolve with what run(agent, input) resolves with')
    return result
  } catch (error) {
    if (loop.turn.halted === null) throw error
    return { ended: 'halted', reason: loop.turn.halted }
  }
}

const makeOpenAIMessage = (content: string): object => ({ role: 'user', content })

/** The SDK asks about all calls of an answer side by side whether they need approval, so hooks are asked there. */
function guardAgentParts<Key, Parts extends ToolParts>(loops: HookedLoops<Key>, parts: Parts): Parts {
  const { name = 'tool', parameters: schema, needsApproval: own } = parts
  const run = parts.execute as (input: unknown, context: unknown, details: unknown) => unknown // called as the SDK calls it
  const failures = new WeakMap<Error, Failure>()
  const added = {
    needsApproval: async (context: never, input: never, id = '') => {
      const loop = loops.current
      const verdict = await loop.judge({ name, input, id, schema })
      loop.judged.set(id, verdict)
      if (verdict.ended === 'waiting') return true
      return typeof own === 'function' ? own(context, input, id) : own === true
    },
    execute: async (input: unknown, context: unknown, details: CallDetails = {}) => {
      const loop = loops.current
      const id = details.toolCall?.callId ?? ''
      const { signal } = details
      const call = { name, input, id, schema, signal, run: (final: unknown) => run(final, context, details) }
      const { after, outcome } = await loop.make(call, await loop.takeJudged(call)) // a rejected call is not made
      const { texts, halt } = after
      if (halt !== null || (texts.length === 0 && !after.replaced)) return toFrameworkOutput(after)
      if (after.ended === 'ran' && parts.outputSchema !== undefined && texts.length > 0)
        loop.options.onNotice?.(`The model does not read what hooks said about ${name}: ${texts.join('\n')}`)
      if (after.ended === 'ran') return joinBesideOutput(after, parts)
      const failure = new Error(String(after.error), { cause: outcome })
      failures.set(failure, { error: after.error, texts })
      throw failure
    },
    errorFunction: async (context: never, thrown: unknown, details: never) => {
      if (thrown instanceof HaltedByHook) throw thrown
      if (thrown instanceof RefusedByHook) return thrown.message
      const { error, texts }: Failure = failures.get(Object(thrown)) ?? { error: thrown, texts: [] }
      const written = await makeErrorOutput(parts, error, [context, details])
      return texts.length === 0 ? written : joinBeside(written, texts)
    },
  }
  return { ...parts, ...added }
}

/** Error that a tool threw, with what hooks say about it. */
interface Failure {
  readonly error: unknown
  readonly texts: readonly string[]
}

/** Makes what the SDK makes of what a tool threw: the tool's own words, else those of the SDK. */
async function makeErrorOutput(
  { errorFunction, outputSchema }: ToolParts,
  error: unknown,
  [context, details]: readonly [never, never],
): Promise<unknown> {
  if (errorFunction === null || (errorFunction === undefined && outputSchema !== undefined)) throw error
  if (errorFunction !== undefined) return errorFunction(context, error, details)
  const { tool } = await import('@openai/agents')
  const execute = () => {
    throw error
  }
  const parameters = { type: 'object', properties: {}, required: [], additionalProperties: true } as const
  return tool({ name: 'failing', description: '', parameters, strict: false, execute }).invoke(context, '{}')
}

/** Makes what the SDK gets of an output with texts beside it: text stays text, and images and files stay what they are. */
function joinBesideOutput(
  { output, texts, replaced }: MadeCall['after'] & { readonly ended: 'ran' },
  parts: ToolParts,
): unknown {
  if (parts.outputSchema !== undefined) return output // no room for a text
  const blocks = replaced ? toMcpOutput(output) : null
  const items = blocks?.type === 'content' ? blocks.value : readItems(output)
  if (items === null)
    return texts.length === 0 ? output : joinBeside(output === undefined ? 'undefined' : output, texts) // the SDK's word for it
  return [...items, ...texts.map((text) => ({ type: 'text', text }))]
}

/** The items of an output that the SDK passes on as such; null: it is written as text. */
function readItems(output: unknown): readonly object[] | null {
  const items: unknown[] = Array.isArray(output) ? output : [output]
  const isItem = (item: unknown): item is object => ['text', 'image', 'file'].includes(Object(item).type)
  return items.length > 0 && items.every(isItem) ? items : null
}
