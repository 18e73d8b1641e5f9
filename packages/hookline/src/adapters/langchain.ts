import type { AgentMiddleware, createMiddleware, Message, Request, Runtime, ToolMessage, Update } from 'langchain'
import type { AnyEngine } from '../engine/engine-interface.ts'
import { checkInput } from '../tools/check-input.ts'
import { RefusedByHook } from '../tools/hook-errors.ts'
import { joinBeside, toMcpOutput } from '../tools/model-output.ts'
import { assertFramework, hasFrameworkFrom } from './framework-version.ts'
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

/** Question of an interrupt to the user; resume with `new Command({ resume: { allow: true } })`, or an answer for each call by its id. */
export interface AskedCalls {
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[]
}

/** As much of what an agent comes to as hooks need. */
export interface AgentState {
  readonly messages: readonly { readonly content: unknown; readonly text?: unknown }[]
  readonly __interrupt__?: readonly unknown[] | undefined
}

/** End of a turn. Calls that wait are in `result.__interrupt__`: go on with `resume(new Command({ resume }), generate)`. */
export type TurnEnd<Result> =
  | { readonly ended: 'answered'; readonly text: string; readonly result: Result }
  | { readonly ended: 'waiting'; readonly result: Result }
  | EndedByHook

/** `(input) => agent.invoke(input, config)`. */
export type Generate<Result> = (input: never) => PromiseLike<Result>

/** Parts that an agent is made with. */
export interface LangChainParts {
  /** For `createAgent({ middleware: [hooks.middleware] })`. */
  readonly middleware: AgentMiddleware
}

/** The turns of one loop. */
export interface LangChainTurns {
  /** Runs a turn: the prompt, `generate` as often as hooks send the agent on, its stop. */
  readonly run: <Result extends AgentState>(prompt: string, generate: Generate<Result>) => Promise<TurnEnd<Result>>
  /** Goes on after an interrupt. */
  readonly resume: <Result extends AgentState>(input: object, generate: Generate<Result>) => Promise<TurnEnd<Result>>
}

/** The hooks of one loop. */
export type LangChainHooks = LangChainParts & LangChainTurns

/** The hooks of an agent that serves many threads, each with an engine of its own. */
export type LangChainThreads = LangChainParts & ThreadHooks<string, LangChainTurns>

/**
 * Hooks for agents of LangChain: around every call, at the prompt, and before the agent stops. Calls that a hook wants asked
 * about are interrupts, which need a checkpointer.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const agent = createAgent({ model, tools, checkpointer, middleware: [hooks.middleware] })
 * const end = await hooks.run(prompt, (input) => agent.invoke(input, config))
 * ```
 *
 * For an agent that serves many threads, `withHooks(engineFor)` asks for the engine of a `thread_id`, and
 * `hooks.thread(thread_id).run(…)` runs a turn of it.
 */
export function withHooks(engine: AnyEngine, options?: HookOptions): LangChainHooks
export function withHooks(engineFor: EngineFor<string>, options?: HookOptions): LangChainThreads
export function withHooks(
  engine: AnyEngine | EngineFor<string>,
  options: HookOptions = {},
): LangChainHooks | LangChainThreads {
  assertFramework('langchain')
  const loops = new HookedLoops(engine, options)
  const resume: LangChainTurns['resume'] = async (input, generate) => {
    const result = await generate(input as never)
    if ((result.__interrupt__?.length ?? 0) > 0) return { ended: 'waiting', result }
    const last = result.messages.at(-1)
    const text = typeof last?.content === 'string' ? last.content : String(last?.text ?? '')
    const next = await loops.current.settleNext(text)
    if (next.ended === 'continued') return resume({ messages: [...result.messages, makeMessage(next.text)] }, generate)
    return next.ended === 'answered' ? { ...next, text, result } : next
  }
  const run: LangChainTurns['run'] = async (prompt, generate) => {
    const begun = await loops.current.begin(prompt)
    return begun.ended === 'begun' ? resume({ messages: [makeMessage(begun.text)] }, generate) : begun
  }
  const middleware = makeMiddleware(loops)
  if (typeof engine !== 'function') return { middleware, run, resume }
  return {
    middleware,
    thread: (id) => ({
      run: (...turn) => loops.runWithin(id, () => run(...turn)),
      resume: (...turn) => loops.runWithin(id, () => resume(...turn)),
    }),
  }
}

const makeMessage = (content: string): object => ({ role: 'user', content })

/** The model's calls are shown to hooks when it has answered, all of them before the first tool runs. */
function makeMiddleware(loops: HookedLoops<string>): AgentMiddleware {
  const parts: Parameters<typeof createMiddleware>[0] = {
    name: 'Hookline',
    beforeModel: {
      canJumpTo: ['end'],
      hook: (_, runtime) =>
        runInThread(loops, runtime, async ({ turn }) => (turn.halted === null ? undefined : { jumpTo: 'end' })),
    },
    afterModel: {
      canJumpTo: ['end'],
      hook: ({ messages }, runtime) => runInThread(loops, runtime, (loop) => showCalls(loop, messages.at(-1))),
    },
    wrapToolCall: (request, handler) => runInThread(loops, request.runtime, (loop) => makeCall(loop, request, handler)),
  }
  return { ...parts, [Symbol.for('AgentMiddleware')]: true } // all that `createMiddleware` adds
}

/** Runs code in the loop of the turn, else in that of the thread that LangGraph names: an agent may be invoked without `run`. */
function runInThread<Result>(
  loops: HookedLoops<string>,
  { configurable }: Runtime,
  act: (loop: HookedLoop) => Promise<Result>,
): Promise<Result> {
  if (loops.isKnown) return act(loops.current)
  return loops.runWithin(String(configurable?.thread_id ?? ''), () => act(loops.current))
}

/** Shows hooks the calls of an answer; an interrupt asks about those that wait for the user. */
async function showCalls(loop: HookedLoop, message: Message | undefined): Promise<Update | undefined> {
  const { judged } = loop
  const calls = (message?.tool_calls ?? []).map(({ id = '', name, args }) => ({ id, name, input: args }))
  await Promise.all(calls.map(async (call) => judged.set(call.id, judged.get(call.id) ?? (await loop.judgeOnce(call)))))
  if (loop.turn.halted !== null) {
    const ended = await Promise.all(calls.map((call) => makeToolMessage(call, 'Not run: a hook ended the turn.')))
    return { jumpTo: 'end', messages: ended } // every call of a conversation has a result
  }
  const waiting = calls.filter(({ id }) => judged.get(id)?.ended === 'waiting')
  if (waiting.length === 0) return undefined
  const asked: AskedCalls = { calls: waiting.map(({ id, name: tool, input }) => ({ id, tool, input })) }
  const { interrupt } = await import('@langchain/langgraph')
  const answers = interrupt(asked) // ends this node, which runs again with the answers
  for (const call of waiting)
    judged.set(call.id, await loop.judgeAnswered(call, { allow: isAllowed(answers, call.id) }))
  return undefined
}

/** Makes a call between its hooks: the framework gets what the tool gave, with what hooks say beside it. */
async function makeCall(loop: HookedLoop, request: Request, handler: Handler): Promise<object> {
  const { id = '', name, args: input } = request.toolCall
  const { signal } = request.runtime
  const verdict = loop.judged.get(id) ?? (await loop.judge({ id, name, input }))
  loop.judged.set(id, verdict) // for a tool that is interrupted, and runs again
  const run = (final: unknown) => handler({ ...request, toolCall: { ...request.toolCall, args: final } })
  const read = (given: unknown) => readResult(findMessage(id, Object(given)))
  const isInterrupted = (outcome: object) => 'error' in outcome && isBubbling(outcome.error)
  try {
    if (verdict.ended === 'cleared') await throwIfUnfit(request.tool?.schema, { name, final: verdict.input, input })
    const made = await loop.make({ id, name, input, signal, run }, verdict, { read, isInterrupted })
    loop.judged.delete(id)
    return await makeResult(made, { ...request.toolCall, id })
  } catch (error) {
    if (isToolError(error)) {
      loop.judged.delete(id)
      throw error // for middleware around this one
    }
    if (isBubbling(error)) throw error // hooks have judged the call when the tool runs again
    loop.judged.delete(id)
    if (signal?.aborted || loop.options.signal?.aborted) throw error
    return makeToolMessage({ id, name }, error instanceof Error ? error.message : String(error))
  }
}

type Handler = (request: Request) => Promise<object>
type Call = { readonly id: string; readonly name: string }

/** An interrupt of a tool, or a command to another graph, which is not an error. */
const isBubbling = (error: unknown): boolean => Object(error).is_bubble_up === true

const isAllowed = (answers: unknown, id: string): boolean => (Object(answers)[id] ?? Object(answers).allow) === true

/** A rewritten input has to fit the tool, which is known only when it is called. */
async function throwIfUnfit(
  schema: unknown,
  { name, final, input }: { readonly name: string; readonly final: unknown; readonly input: unknown },
): Promise<void> {
  if (schema === undefined || final === input) return
  const checked = await checkInput(schema, final)
  if ('fault' in checked)
    throw new RefusedByHook(`A hook rewrote the input, and ${name} cannot be called so: ${checked.fault}`)
}

/** The message that answers a call: what a tool gave, or a part of the command that it gave; undefined: there is none. */
function findMessage(id: string, given: ToolReturn): ToolMessage | undefined {
  if ('content' in given) return given as ToolMessage // the framework checks it
  return listUpdates(given)
    .flat()
    .find((one) => Object(one).tool_call_id === id) as ToolMessage | undefined
}

/** Result of a tool for the framework: a message, or a command with an update. */
type ToolReturn = object & { readonly update?: unknown }

/** The messages that a command adds; its update is an object, or pairs of a name and a value. */
function listUpdates({ update }: ToolReturn): unknown[] {
  const pairs: unknown[] = Array.isArray(update) ? update : Object.entries(Object(update))
  return pairs.map((pair) => (Array.isArray(pair) && pair[0] === 'messages' ? pair[1] : []))
}

function readResult(message: ToolMessage | undefined): { readonly output: unknown } | { readonly error: unknown } {
  const content = message?.content ?? ''
  return message?.status === 'error' ? { error: joinContent(content) } : { output: content }
}

const joinContent = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((block) => Object(block).text ?? JSON.stringify(block)).join('\n')
    : String(content)

/** Makes what the framework gets of a call that was made. */
async function makeResult({ outcome, after }: MadeCall, call: Call): Promise<object> {
  const texts = after.halt === null ? after.texts : [...after.texts, 'A hook ended the turn after this call.']
  if ('error' in outcome) return failWith(outcome.error, { call, texts })
  const given: ToolReturn = Object(outcome.output)
  const message = findMessage(call.id, given)
  if (message === undefined || (texts.length === 0 && !after.replaced)) return given
  const written = after.ended === 'ran' && after.replaced ? replaceContent(message, after.output) : message
  const makeMessage = withTexts(written, texts)
  return given === message
    ? makeMessage
    : copyWith(given, { update: replaceInUpdate(given.update, message, makeMessage) })
}

/** The first version that makes a result of an error of a tool which came through middleware; before, the run failed. */
const FIRST_WITH_TOOL_ERRORS = '1.5.4'
const TOOL_ERROR = 'ToolInvocationError'

/** Throws the error of a tool, which middleware around this one may catch, and else the framework; or makes what that makes of it. */
async function failWith(
  error: unknown,
  { call, texts }: { readonly call: Call; readonly texts: readonly string[] },
): Promise<ToolMessage> {
  const words = [describeError(error), ...texts].join('\n\n')
  if (!hasFrameworkFrom('langchain', FIRST_WITH_TOOL_ERRORS)) return makeToolMessage(call, words)
  const { name } = error instanceof Error ? error : new Error()
  throw Object.assign(new Error(words, { cause: error }), { name, '~brand': TOOL_ERROR })
}

const isToolError = (error: unknown): boolean => Object(error)['~brand'] === TOOL_ERROR

/** Writes what the framework does for what a tool threw; it does not export that. */
function describeError(error: unknown): string {
  return isToolError(error) ? String(Object(error).message) : `${error}\n Please fix your mistakes.`
}

/** A result whose content a hook wrote; what the tool meant for the program goes with the content. */
function replaceContent(message: ToolMessage, output: unknown): ToolMessage {
  const blocks = toMcpOutput(output)
  return copyMessage(message, {
    content: blocks?.type === 'content' ? blocks.value : joinBeside(output, []),
    artifact: undefined,
  })
}

/** The same message with texts beside its content. */
function withTexts(message: ToolMessage, texts: readonly string[]): ToolMessage {
  if (texts.length === 0) return message
  const { content } = message
  const blocks = texts.map((text) => ({ type: 'text', text }))
  return copyMessage(message, {
    content: Array.isArray(content) ? [...content, ...blocks] : [content, ...texts].join('\n\n'),
  })
}

function copyMessage(message: ToolMessage, fields: object): ToolMessage {
  return copyWith(message, { ...fields, lc_kwargs: { ...message.lc_kwargs, ...fields } }) // of which checkpoints are made
}

const copyWith = <Copied extends object>(value: Copied, fields: object): Copied =>
  Object.assign(Object.create(Object.getPrototypeOf(value)), value, fields)

/** The update of a command with another message in the place of one. */
function replaceInUpdate(update: unknown, message: object, other: object): unknown {
  const swap = (value: unknown): unknown => {
    if (value === message) return other
    return Array.isArray(value) ? value.map(swap) : value
  }
  if (Array.isArray(update)) return swap(update)
  return Object.fromEntries(Object.entries(Object(update)).map(([name, value]) => [name, swap(value)]))
}

/** The framework is loaded when it is needed: another major, which may lack what is asked of it, is refused before. */
async function makeToolMessage({ id, name }: Call, content: string): Promise<ToolMessage> {
  const { ToolMessage } = await import('langchain')
  return new ToolMessage({ content, tool_call_id: id, name, status: 'error' })
}
