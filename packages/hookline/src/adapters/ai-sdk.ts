import type { ModelMessage, ToolSet } from 'ai'
import type { AnyEngine } from '../engine/engine-interface.ts'
import { isHalted } from '../tools/hook-errors.ts'
import type { SdkCall } from '../tools/sdk-tool.ts'
import { guardTools, type SaidOfCall } from '../tools/with-hooks.ts'
import { assertFramework } from './framework-version.ts'
import { type EndedByHook, type EngineFor, HookedLoops, type HookOptions, type ThreadHooks } from './hooked-loop.ts'

export type { EngineFor, HookOptions, PendingClearances, ThreadHooks } from './hooked-loop.ts'

/** Result of a run of the SDK: `generateText`, `streamText` and agents give it. */
export interface SdkResult {
  readonly text: Late<string>
  readonly response: Late<{ readonly messages: readonly ModelMessage[] }>
  /** Of version 7, where `response` has those of the last step alone. */
  readonly responseMessages?: Late<readonly ModelMessage[]> | undefined
  readonly steps: Late<readonly SdkStep[]>
}

type Late<Value> = Value | PromiseLike<Value>
type SdkStep = { readonly content: readonly MessagePart[] }

/** As much of a part of a step or a message as approvals need. */
interface MessagePart {
  readonly type: string
  readonly toolCallId?: string | undefined
  readonly approvalId?: string | undefined
  readonly approved?: boolean | undefined
  readonly isAutomatic?: boolean | undefined // of version 7: the program has answered it itself
  readonly error?: unknown
}

/** End of a turn. `messages` is the conversation with it; `approvals` are what the user is to answer. */
export type TurnEnd<Result> = { readonly messages: ModelMessage[] } & (
  | { readonly ended: 'answered'; readonly text: string; readonly result: Result }
  | { readonly ended: 'waiting'; readonly approvals: readonly string[]; readonly result: Result }
  | EndedByHook
)

/** Asks the model with this conversation, and makes its calls: `generateText`, `streamText`, or an agent. */
export type Generate<Result> = (messages: ModelMessage[]) => PromiseLike<Result> | Result

/** Parts that an agent is made with. */
export interface AiSdkParts {
  /** Ends a run after a halt: `stopWhen: [stepCountIs(20), hooks.isHalted]`. */
  readonly isHalted: (run: { readonly steps: readonly SdkStep[] }) => boolean
  /** The same tools with hooks. Calls that a hook wants asked about need approval, unless there is an `onAsk`. */
  readonly tools: <Tools extends ToolSet>(tools: Tools) => Tools
  /** For a `toolApproval` of your own in version 7, which asks that in place of the tools: hooks are asked first. */
  readonly toolApproval: <Call extends ApprovalCall, Status>(
    own: (call: Call) => Late<Status>,
  ) => (call: Call) => Promise<Status | 'user-approval'>
  /**
   * For `toUIMessageStream({ messageMetadata: hooks.messageMetadata })`: what hooks said about a call goes along with the message,
   * since the parts of a UI message have no place for it.
   */
  readonly messageMetadata: (event: { readonly part: object }) => SaidMetadata | undefined
  /**
   * Takes what hooks said about calls from UI messages that a client has sent back, before `convertToModelMessages(messages, { tools:
   * hooks.tools(tools) })`.
   */
  readonly recall: (messages: readonly { readonly metadata?: unknown }[]) => void
}

/** Words of hooks about calls, by their ids, as UI messages carry it. */
export interface SaidMetadata {
  readonly hookline: Readonly<Record<string, SaidOfCall>>
}

/** The turns of one loop. */
export interface AiSdkTurns {
  /** Runs a turn: the prompt, `generate` as often as hooks send the agent on, its stop. */
  readonly run: <Result extends SdkResult>(
    prompt: string,
    generate: Generate<Result>,
    options?: { readonly messages?: readonly ModelMessage[] | undefined },
  ) => Promise<TurnEnd<Result>>
  /** Goes on with a conversation that hooks have seen, such as one with the user's answers to approvals. */
  readonly resume: <Result extends SdkResult>(
    messages: readonly ModelMessage[],
    generate: Generate<Result>,
  ) => Promise<TurnEnd<Result>>
}

/** The hooks of one loop. */
export type AiSdkHooks = AiSdkParts & AiSdkTurns

/** The hooks of an agent that serves many threads or requests, each with an engine of its own. */
export type AiSdkThreads<Key> = AiSdkParts & ThreadHooks<Key, AiSdkTurns>

/**
 * Hooks for agents on the AI SDK, version 6 or 7: around every call, at the prompt, and before the agent stops.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const stopWhen = [stepCountIs(20), hooks.isHalted]
 * const end = await hooks.run(prompt, (messages) => generateText({ model, messages, tools: hooks.tools(tools), stopWhen }))
 * ```
 *
 * For an agent that serves many threads, `withHooks(engineFor)` asks for the engine of one, and `hooks.thread(key).run(…)` runs a
 * turn of it.
 */
export function withHooks(engine: AnyEngine, options?: HookOptions): AiSdkHooks
export function withHooks<Key>(engineFor: EngineFor<Key>, options?: HookOptions): AiSdkThreads<Key>
export function withHooks<Key>(
  engine: AnyEngine | EngineFor<Key>,
  options: HookOptions = {},
): AiSdkHooks | AiSdkThreads<Key> {
  assertFramework('ai-sdk')
  const loops = new HookedLoops(engine, options)
  const said = new Map<string, SaidOfCall>()
  const resume: AiSdkTurns['resume'] = async (messages, generate) => {
    const loop = loops.current
    const result = await generate([...messages])
    const [text, response, steps] = await Promise.all([result.text, result.response, result.steps])
    const so = [...messages, ...((await result.responseMessages) ?? response.messages)]
    const approvals = (steps.at(-1)?.content ?? []).flatMap(({ type, approvalId, isAutomatic }) =>
      type === 'tool-approval-request' && approvalId !== undefined && !isAutomatic ? [approvalId] : [],
    )
    if (approvals.length > 0 && loop.turn.halted === null) return { ended: 'waiting', approvals, result, messages: so }
    const next = await loop.settleNext(text)
    if (next.ended === 'continued') return resume([...so, { role: 'user', content: next.text }], generate)
    return next.ended === 'answered' ? { ...next, text, result, messages: so } : { ...next, messages: so }
  }
  const run: AiSdkTurns['run'] = async (prompt, generate, { messages = [] } = {}) => {
    const begun = await loops.current.begin(prompt)
    if (begun.ended !== 'begun') return { ...begun, messages: [...messages] }
    return resume([...messages, { role: 'user', content: begun.text }], generate)
  }
  const parts: AiSdkParts = {
    isHalted: ({ steps }) => loops.current.turn.halted !== null || isHalted({ steps }),
    tools: (tools) => guardSdkTools(loops, said, tools),
    toolApproval: (own) => async (call) => {
      const { toolName, input, ...rest } = { ...call, ...call.toolCall }
      const asks = call.tools?.[toolName]?.needsApproval // the setting of the tool with hooks
      const isAsked = typeof asks === 'function' ? await asks(input as never, rest as never) : asks === true
      const status = await own(call)
      return isAsked && (Object(status).type ?? status) !== 'denied' ? 'user-approval' : status
    },
    messageMetadata: ({ part }) => {
      const { type, toolCallId: id } = part as MessagePart
      const ofCall = type === 'tool-result' && id !== undefined ? said.get(id) : undefined
      return id === undefined || ofCall === undefined ? undefined : { hookline: { [id]: ofCall } }
    },
    recall: (messages) => {
      const all = messages.flatMap(({ metadata }) => Object.entries(Object(Object(metadata).hookline)))
      for (const [id, ofCall] of all) said.set(id, parseCallTexts(Object(ofCall)))
    },
  }
  if (typeof engine !== 'function') return { ...parts, run, resume }
  return {
    ...parts,
    thread: (key) => ({
      run: (...turn) => loops.runWithin(key, () => run(...turn)),
      resume: (...turn) => loops.runWithin(key, () => resume(...turn)),
    }),
  }
}

/** Picks what was said of a call, without anything else; a client may have sent it. */
function parseCallTexts({ texts, replaced }: { readonly texts?: unknown; readonly replaced?: unknown }): SaidOfCall {
  const all: unknown[] = Array.isArray(texts) ? texts : []
  return { texts: all.filter((text) => typeof text === 'string'), replaced: replaced === true }
}

/** Hooks are asked where the SDK asks for approval: about all calls of a step, before the first of them is made. */
function guardSdkTools<Key, Tools extends ToolSet>(
  loops: HookedLoops<Key>,
  said: Map<string, SaidOfCall>,
  tools: Tools,
): Tools {
  const asking = Object.entries(tools).map(([name, tool]) => {
    const { needsApproval: own, inputSchema: schema } = tool
    const askForApproval = async (input: unknown, call: SdkCall) => {
      if (isApproved(call)) return true
      const loop = loops.current
      const verdict = await loop.judge({ name, input, id: call.toolCallId, schema })
      loop.judged.set(call.toolCallId, verdict)
      if (verdict.ended === 'waiting') return true
      return typeof own === 'function' ? own(input as never, call as never) : own === true // each version passes its own
    }
    return [name, tool.execute === undefined ? tool : { ...tool, needsApproval: askForApproval }]
  })
  return guardTools(Object.fromEntries(asking), {
    get engine() {
      return loops.current.engine
    },
    get options() {
      return loops.current.guard
    },
    said,
    judge: (call, { toolCallId: id }) => loops.current.takeJudged({ ...call, id }), // the SDK makes no call that was denied
  }) as Tools // each takes and gives what it did
}

/** A call that version 7 asks a `toolApproval` about. */
interface ApprovalCall {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown }
  readonly tools: ToolSet | undefined
  readonly messages: readonly unknown[]
}

/** True if the user has approved the call. */
function isApproved({ toolCallId, messages }: SdkCall): boolean {
  const contents = (messages as readonly ModelMessage[]).map(({ content }) => content) // as the SDK passes them
  const parts = contents.flatMap((content) => (typeof content === 'string' ? [] : (content as readonly MessagePart[])))
  const asked = parts.find((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId)
  return parts.some(
    (part) => part.type === 'tool-approval-response' && part.approvalId === asked?.approvalId && part.approved === true,
  )
}
