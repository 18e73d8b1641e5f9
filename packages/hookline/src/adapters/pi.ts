import type { AnyEngine } from '../engine/engine-interface.ts'
import type { Verdict } from '../tools/before-call.ts'
import type { RunnableCall } from '../tools/guard-call.ts'
import { joinBeside } from '../tools/model-output.ts'
import { toFrameworkOutput, toVerdictError } from '../tools/with-hooks.ts'
import { assertFramework } from './framework-version.ts'
import { type EndedByHook, HookedLoop, type HookOptions } from './hooked-loop.ts'

export type { HookOptions, PendingClearances } from './hooked-loop.ts'

/** As much of a tool of pi as hooks need. */
export interface PiTool {
  readonly name: string
  readonly parameters: unknown
  // pi infers what these take from `parameters`; a method is taken with any input.
  execute(id: string, input: never, signal?: AbortSignal, onUpdate?: never): Promise<{ content: object[] }>
}

/** As much of an `Agent` of pi as hooks need. */
export interface PiAgent {
  readonly state: { messages: object[]; readonly errorMessage?: string | undefined }
  prompt(text: string): Promise<void>
  continue(): Promise<void>
  abort(): void
}

/** End of a turn. `calls` wait for the user: go on with `resume`. */
export type TurnEnd =
  | { readonly ended: 'answered'; readonly text: string }
  | { readonly ended: 'waiting'; readonly calls: readonly WaitingCall[] }
  | EndedByHook

/** A call that waits for the user. */
export type WaitingCall = { readonly id: string; readonly tool: string; readonly input: unknown }

/** The hooks of one loop. */
export interface PiHooks {
  /** For `new Agent({ …, ...hooks.agent })`. */
  readonly agent: {
    beforeToolCall(context: CallContext, signal?: AbortSignal): Promise<{ block: true; reason: string } | undefined>
    finishTurn(): { action: 'end' } | undefined
  }
  /** The same tools with hooks, for `initialState.tools`. */
  readonly tools: <Tool extends PiTool>(tools: readonly Tool[]) => Tool[]
  /** Runs a turn: the prompt, the agent as often as hooks send it on, its stop. */
  readonly run: (agent: PiAgent, prompt: string) => Promise<TurnEnd>
  /** Makes the calls that the user allows, and goes on. */
  readonly resume: (agent: PiAgent, answer: (call: WaitingCall) => boolean) => Promise<TurnEnd>
}

type CallContext = { readonly toolCall: { readonly id: string; readonly name: string }; readonly args: unknown }

/**
 * Hooks for agents on `@earendil-works/pi-agent-core`: around every call, at the prompt, and before the agent stops.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const agent = new Agent({ streamFn, initialState: { model, tools: hooks.tools(tools) }, ...hooks.agent })
 * const end = await hooks.run(agent, prompt)
 * ```
 */
export function withHooks(engine: AnyEngine, options: HookOptions = {}): PiHooks {
  assertFramework('pi')
  const loop = new HookedLoop(engine, options)
  const judged = new Map<string, Verdict>()
  const own = new Map<string, PiTool>()
  let waiting: WaitingCall[] = []
  const go = async (agent: PiAgent, act: () => Promise<void>): Promise<TurnEnd> => {
    const stop = () => agent.abort()
    options.signal?.addEventListener('abort', stop, { once: true })
    await act().finally(() => options.signal?.removeEventListener('abort', stop))
    options.signal?.throwIfAborted()
    if (loop.turn.halted === null && waiting.length > 0) return { ended: 'waiting', calls: waiting }
    if (loop.turn.halted === null && agent.state.errorMessage !== undefined) throw new Error(agent.state.errorMessage)
    const makeTextContent = readMessageText(agent.state.messages.at(-1))
    const next = await loop.settleNext(makeTextContent)
    if (next.ended === 'continued') return go(agent, () => agent.prompt(next.text))
    return next.ended === 'answered' ? { ...next, text: makeTextContent } : next
  }
  return {
    agent: {
      beforeToolCall: async ({ toolCall: { id, name }, args: input }, signal) => {
        const verdict = await loop.judge({ id, name, input, schema: own.get(name)?.parameters, signal })
        judged.set(id, verdict)
        if (verdict.ended === 'waiting') waiting.push({ id, tool: name, input })
        return verdict.ended === 'cleared' ? undefined : { block: true, reason: toVerdictError(verdict, name).message }
      },
      finishTurn: () => (loop.turn.halted !== null || waiting.length > 0 ? { action: 'end' } : undefined),
    },
    tools: (tools) => {
      for (const tool of tools) own.set(tool.name, tool)
      return tools.map((tool) => ({
        ...tool,
        execute: async (id: string, input: never, signal?: AbortSignal, onUpdate?: never) => {
          const run = (final: unknown) => tool.execute(id, final as never, signal, onUpdate)
          const call = { id, name: tool.name, input, schema: tool.parameters, signal, run }
          const verdict = judged.get(id) ?? (await loop.judge(call))
          judged.delete(id)
          return makePiCall(loop, call, verdict)
        },
      }))
    },
    run: async (agent, prompt) => {
      waiting = []
      const begun = await loop.begin(prompt)
      return begun.ended === 'begun' ? go(agent, () => agent.prompt(begun.text)) : begun
    },
    resume: async (agent, answer) => {
      const results = new Map<unknown, object>()
      for (const asked of waiting.splice(0)) {
        const { id, tool: name, input } = asked
        const tool = own.get(name)
        const run = (final: unknown) => tool?.execute(id, final as never, options.signal)
        const call = { id, name, input, schema: tool?.parameters, signal: options.signal, run }
        const verdict = await loop.judgeAnswered(call, { allow: answer(asked) })
        const made = makePiCall(loop, call, verdict).then((result) => ({ ...result, isError: false }))
        results.set(id, await made.catch((error) => ({ content: [makeTextContent(error.message)], isError: true })))
      }
      agent.state.messages = agent.state.messages.map((one) => ({ ...one, ...results.get(Object(one).toolCallId) }))
      return go(agent, async () => (loop.turn.halted === null ? agent.continue() : undefined))
    },
  }
}

/** Makes a call between its hooks: what they say stands beside what the tool gave. Throws what the model reads of a failure. */
async function makePiCall(loop: HookedLoop, call: RunnableCall, verdict: Verdict): Promise<{ content: object[] }> {
  const { after } = await loop.make(call, verdict)
  const output = toFrameworkOutput(after)
  const given = after.replaced ? { details: {}, content: [makeTextContent(joinBeside(output, []))] } : Object(output)
  return after.texts.length === 0
    ? given
    : { ...given, content: [...given.content, ...after.texts.map(makeTextContent)] }
}

const makeTextContent = (words: string): object => ({ type: 'text', text: words })

const readMessageText = (message: object | undefined): string =>
  [Object(message).content ?? []]
    .flat()
    .map((part: object) => Object(part).text ?? '')
    .join('')
