import type { AgentMiddleware, createMiddleware } from 'langchain'
import type { AnyEngine } from '../engine/engine-interface.ts'
import type { Verdict } from '../tools/before-call.ts'
import { checkInput } from '../tools/check-input.ts'
import { RefusedByHook } from '../tools/hook-errors.ts'
import { assertFramework } from './framework-version.ts'
import { type EndedByHook, HookedLoop, type HookOptions } from './hooked-loop.ts'

export type { ClearanceShelf, HookOptions } from './hooked-loop.ts'

/** What an interrupt asks the user; resume with `new Command({ resume: { allow: true } })`, or an answer for each call by its id. */
export interface AskedCalls {
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[]
}

/** As much of what an agent comes to as hooks need. */
export interface AgentState {
  readonly messages: readonly { readonly content: unknown; readonly text?: unknown }[]
  readonly __interrupt__?: readonly unknown[] | undefined
}

/** How a turn ended. Calls that wait are in `result.__interrupt__`: go on with `resume(new Command({ resume }), generate)`. */
export type TurnEnd<Result> =
  | { readonly ended: 'answered'; readonly text: string; readonly result: Result }
  | { readonly ended: 'waiting'; readonly result: Result }
  | EndedByHook

/** `(input) => agent.invoke(input, config)`. */
export type Generate<Result> = (input: never) => PromiseLike<Result>

/** The hooks of one loop. */
export interface LangChainHooks {
  /** For `createAgent({ middleware: [hooks.middleware] })`. */
  readonly middleware: AgentMiddleware
  /** Runs a turn: the prompt, `generate` as often as hooks send the agent on, its stop. */
  readonly run: <Result extends AgentState>(prompt: string, generate: Generate<Result>) => Promise<TurnEnd<Result>>
  /** Goes on after an interrupt. */
  readonly resume: <Result extends AgentState>(input: object, generate: Generate<Result>) => Promise<TurnEnd<Result>>
}

/**
 * Hooks for agents of LangChain: around every call, at the prompt, and before the agent stops. Calls that a hook wants asked
 * about are interrupts, which need a checkpointer.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * const agent = createAgent({ model, tools, checkpointer, middleware: [hooks.middleware] })
 * const end = await hooks.run(prompt, (input) => agent.invoke(input, config))
 * ```
 */
export function withHooks(engine: AnyEngine, options: HookOptions = {}): LangChainHooks {
  assertFramework('langchain')
  const loop = new HookedLoop(engine, options)
  const resume: LangChainHooks['resume'] = async (input, generate) => {
    const result = await generate(input as never)
    if ((result.__interrupt__?.length ?? 0) > 0) return { ended: 'waiting', result }
    const last = result.messages.at(-1)
    const text = typeof last?.content === 'string' ? last.content : String(last?.text ?? '')
    const next = await loop.next(text)
    if (next.ended === 'goes-on') return resume({ messages: [...result.messages, said(next.text)] }, generate)
    return next.ended === 'answered' ? { ...next, text, result } : next
  }
  return {
    middleware: middlewareOf(loop),
    run: async (prompt, generate) => {
      const begun = await loop.begin(prompt)
      return begun.ended === 'begun' ? resume({ messages: [said(begun.text)] }, generate) : begun
    },
    resume,
  }
}

const said = (content: string): object => ({ role: 'user', content })

/** The model's calls are shown to hooks when it has answered, all of them before the first tool runs. */
function middlewareOf(loop: HookedLoop): AgentMiddleware {
  const judged = new Map<string, Verdict>()
  const parts: Parameters<typeof createMiddleware>[0] = {
    name: 'Hookline',
    beforeModel: { canJumpTo: ['end'], hook: () => (loop.turn.halted === null ? undefined : { jumpTo: 'end' }) },
    afterModel: {
      canJumpTo: ['end'],
      hook: async ({ messages }) => {
        const calls = (messages.at(-1)?.tool_calls ?? []).map(({ id = '', name, args }) => ({ id, name, input: args }))
        await Promise.all(
          calls.map(async (call) => judged.set(call.id, judged.get(call.id) ?? (await loop.judgeOnce(call)))),
        )
        if (loop.turn.halted !== null) {
          const ended = await Promise.all(calls.map((call) => answer(call, 'Not run: a hook ended the turn.', 'error')))
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
      },
    },
    wrapToolCall: async (request, handler) => {
      const { id = '', name, args: input } = request.toolCall
      const { signal } = request.runtime
      const verdict = judged.get(id) ?? (await loop.judge({ id, name, input }))
      judged.delete(id)
      let command: object | null = null
      const run = async (final: unknown) => {
        await throwIfUnfit(request.tool?.schema, { name, final, input })
        const given = await handler({ ...request, toolCall: { ...request.toolCall, args: final } })
        if (!('content' in given)) command = given
        return 'content' in given ? given.content : ''
      }
      try {
        const output = await loop.make({ id, name, input, signal, run }, verdict)
        return command ?? answer({ id, name }, output, 'success')
      } catch (error) {
        if (signal?.aborted || loop.options.signal?.aborted) throw error
        return answer({ id, name }, error instanceof Error ? error.message : String(error), 'error')
      }
    },
  }
  return { ...parts, [Symbol.for('AgentMiddleware')]: true } // all that `createMiddleware` adds
}

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

/** The framework is loaded when it is needed: another major, which may lack what is asked of it, is refused before. */
async function answer(
  call: { readonly id: string; readonly name: string },
  content: unknown,
  status: 'success' | 'error',
) {
  const { ToolMessage } = await import('langchain')
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return new ToolMessage({ content: text, tool_call_id: call.id, name: call.name, status })
}
