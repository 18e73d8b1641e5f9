import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyEngine } from '../engine/engine-interface.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import { guardAfterCall } from '../tools/after-call.ts'
import { toClaudeAnswer } from '../tools/answer-of.ts'
import { fire } from '../tools/fire.ts'
import type { ToolCall } from '../tools/tool-call.ts'
import { readHaltReason } from '../tools/words.ts'
import { assertFramework } from './framework-version.ts'
import { type EndedByHook, HookedLoop, type HookOptions } from './hooked-loop.ts'

export type { HookOptions, PendingClearances } from './hooked-loop.ts'

/** A hook callback of the SDK. */
export type SdkCallback = (input: object, id: unknown, options: { readonly signal: AbortSignal }) => Promise<object>

/** The hooks of one loop. */
export interface ClaudeAgentHooks {
  /** For `query({ options: { hooks } })`: one callback that shows the engine every event. */
  readonly hooks: { [event: string]: { hooks: SdkCallback[]; timeout: number }[] }
  /** End of the last turn by hooks: a blocked prompt, or a halt; null: they did not. */
  readonly ended: EndedByHook | null
  /** Answers the call in `result.deferred_tool_use`. The session goes on with `query({ prompt: '', options: { resume } })`. */
  readonly answer: (callId: string, answer: { readonly allow: boolean }) => void
}

/** Events that the adapter has to see, besides those with configured hooks. */
const NEEDED_EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop']

/** Fields of every event of the SDK, whatever it is about. */
const COMMON = ['session_id', 'transcript_path', 'cwd', 'permission_mode', 'agent_id', 'agent_type']

/** The event that the SDK waits with, and what hooks said to it. */
const current = new AsyncLocalStorage<{ readonly event: EventInput; readonly records: DispatchRecord[] }>()

/**
 * Hooks for agents on the Claude Agent SDK: what the engine reads from settings files works there. With `onAsk` the user is asked
 * at once; with `waiting` the SDK defers a call that a hook wants asked about; without both its `canUseTool` is asked.
 *
 * ```ts
 * const hooks = withHooks(engine, { onNotice })
 * for await (const message of query({ prompt, options: { hooks: hooks.hooks, settingSources: [] } })) show(message)
 * ```
 */
export function withHooks(engine: AnyEngine, options: HookOptions = {}): ClaudeAgentHooks {
  assertFramework('claude-agent-sdk')
  const loop = openLoop(engine, options)
  const answers = new Map<string, boolean>()
  let ended: EndedByHook | null = null
  const answer = async (event: EventInput, signal: AbortSignal): Promise<object> => {
    const { hook_event_name: name, tool_name: tool, tool_input: input, tool_use_id: id } = event
    const call = { name: String(tool), input, id: String(id), signal }
    if (name === 'PreToolUse')
      return fireBefore(loop, call, (await loop.waiting.get(call.id)) === undefined ? undefined : answers.get(call.id))
    if (name === 'PostToolUse' || name === 'PostToolUseFailure') return fireAfter(loop, call, event)
    if (name === 'Stop') {
      const next = await loop.settleNext(String(event.last_assistant_message ?? ''))
      return next.ended === 'continued' ? { decision: 'block', reason: next.text } : {}
    }
    if (name !== 'UserPromptSubmit') return toClaudeAnswer(await fire(engine, event, { ...loop.guard, signal }))
    const prompt = String(event.prompt ?? '')
    if (prompt === '') return {} // the session goes on with a call that waited
    const begun = await loop.begin(prompt)
    ended = begun.ended === 'begun' ? null : begun
    if (begun.ended !== 'begun') return { decision: 'block', reason: begun.reason }
    return makeSpecific({ additionalContext: begun.text.slice(0, -prompt.length).trim() || undefined })
  }
  const answerSdk: SdkCallback = async (input, _, { signal: ofSdk }) => {
    const event = input as EventInput // as the SDK documents it
    const signal = options.signal === undefined ? ofSdk : AbortSignal.any([ofSdk, options.signal])
    const records: DispatchRecord[] = []
    return current.run({ event, records }, async () => {
      const said = await answer(event, signal).catch((error: unknown) => ({ error }))
      const halting = records.find(({ decision }) => decision.halt)
      if (halting === undefined && !('error' in said)) return said
      const reason = halting === undefined ? `hookline: ${String(Object(said).error)}` : readHaltReason(halting)
      ended = { ended: 'halted', reason }
      const isCall = event.hook_event_name === 'PreToolUse' // hooks that could not be asked have agreed to nothing
      return { ...(isCall ? makeSpecific(makeDenial(reason)) : said), continue: false, stopReason: reason }
    })
  }
  const isNamed = (name: string): boolean => NEEDED_EVENTS.includes(name) || engine.listListeners(name).length > 0
  // SessionStart comes with the first prompt.
  const known = [...engine.profile.events.keys()].filter((name) => name !== 'SessionStart' && isNamed(name))
  return {
    hooks: Object.fromEntries(known.map((name) => [name, [{ hooks: [answerSdk], timeout: 86_400 }]])), // a day: the engine ends hooks in time
    get ended() {
      return ended
    },
    answer: (callId, { allow }) => answers.set(callId, allow),
  }
}

/** A loop whose events carry what the SDK says of them. */
function openLoop(engine: AnyEngine, options: HookOptions): HookedLoop {
  const { onRecord, onAsk, waiting } = options
  const sdkAsks = onAsk === undefined && waiting === undefined
  return new HookedLoop(engine, {
    ...options,
    ...(sdkAsks ? { permit: ({ input }) => ({ behavior: 'allow', input }) } : {}),
    dispatch: (event, how) => engine.dispatch({ ...listSdkFields(event.hook_event_name), ...event }, how),
    onRecord: (record) => {
      current.getStore()?.records.push(record)
      onRecord?.(record)
    },
  })
}

/** Lists what the SDK says of its own event, or of one that is fired with it. */
function listSdkFields(name: string): object {
  const { event } = current.getStore() ?? {}
  if (event === undefined || event.hook_event_name === name) return event ?? {}
  return Object.fromEntries(Object.entries(event).filter(([field]) => COMMON.includes(field)))
}

/** `allow` is what the user has answered. */
async function fireBefore(loop: HookedLoop, call: SdkToolCall, allow: boolean | undefined): Promise<object> {
  const verdict = await (allow === undefined ? loop.judge(call) : loop.judgeAnswered(call, { allow }))
  const additionalContext = verdict.texts.join('\n\n') || undefined
  if (verdict.ended === 'refused') return makeSpecific({ ...makeDenial(verdict.reason), additionalContext })
  if (verdict.ended !== 'cleared') return makeSpecific({ permissionDecision: 'defer', additionalContext })
  const said = current.getStore()?.records.find(({ event }) => event === 'PreToolUse')?.decision.permission
  const isAsked = allow !== undefined || (said === 'ask' && loop.options.permit === undefined)
  const updatedInput = verdict.input === call.input ? undefined : verdict.input
  return makeSpecific({ permissionDecision: isAsked ? 'allow' : (said ?? undefined), updatedInput, additionalContext })
}

async function fireAfter(loop: HookedLoop, call: SdkToolCall, event: EventInput): Promise<object> {
  const { is_interrupt, error, tool_response: output, duration_ms: durationMs = 0 } = event
  const signal = is_interrupt === true ? AbortSignal.abort() : call.signal
  const came = event.hook_event_name === 'PostToolUseFailure' ? { error } : { output }
  const outcome = { ...came, durationMs: Number(durationMs) }
  const end = await guardAfterCall(loop.engine, { ...call, signal }, { ...loop.guard, outcome })
  const written = end.ended === 'ran' && end.replaced ? end.output : undefined
  const additionalContext = end.texts.join('\n\n') || undefined
  return makeSpecific({ additionalContext, updatedToolOutput: written, updatedMCPToolOutput: written })
}

type SdkToolCall = ToolCall & { readonly id: string }

const makeDenial = (permissionDecisionReason: string) => ({ permissionDecision: 'deny', permissionDecisionReason })

/** An answer with fields of the event that the SDK waits with. */
function makeSpecific(fields: object): object {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined)
  const hookEventName = current.getStore()?.event.hook_event_name
  return said.length === 0 ? {} : { hookSpecificOutput: { hookEventName, ...Object.fromEntries(said) } }
}
