import type { DispatchRecord, HookLine } from 'hookline'
import { readRuns } from 'hookline/internal'
import { listObjections } from 'hookline/tools'
import { estimateCost } from '../../models/prices.ts'
import type { AgentEvent } from '../../output/events.ts'
import { type Message, replaceShownText, type ToolResult, type Usage } from '../../output/messages.ts'
import type { Hunk } from '../../tools/patch.ts'
import { isHostText } from '../../transcript/conversation.ts'
import { foldToOneLine } from '../text/call-text.ts'
import { readHunks } from '../text/hunks.ts'
import { isPlayedByUser } from './exchangeable-model.ts'
import { joinWork, readHookWork } from './hook-work.ts'
import type { Item } from './item.ts'
import { formatResumed } from './resume-text.ts'
import type { HookRun, OpenCall, State } from './state.ts'

/** Runs of a hook that are remembered. */
const MAX_RUNS_KEPT = 5

/** Facts about the happening besides the event itself. */
export interface ShownWith {
  readonly model: string
  readonly now: Date
}

/** The state after something happened. */
export function showEvent(state: State, event: AgentEvent, shownWith: ShownWith): State {
  switch (event.type) {
    case 'session': {
      const { sessionId: id, transcriptPath, cwd, permissionMode: mode } = event
      return { ...state, session: { id, transcriptPath, cwd, mode, title: event.title } }
    }
    case 'mode':
      return state.session === null ? state : { ...state, session: { ...state.session, mode: event.mode } }
    case 'title':
      return state.session === null ? state : { ...state, session: { ...state.session, title: event.title } }
    case 'terminal':
      return state // the event is for the terminal itself
    case 'text':
      return event.agent === null ? { ...state, streaming: state.streaming + event.text } : state
    case 'usage':
      return {
        ...state,
        ...addSpending(state, event.usage, shownWith.model),
        lastUsage: event.agent === null ? event.usage : state.lastUsage,
      }
    case 'message':
      if (event.injected) return isPlayedByUser({ name: shownWith.model }) ? withInjected(state, event.message) : state
      return addMessageItem(state, replaceShownText(event.message, event.shown), event.agent?.type ?? null)
    case 'restored':
      return addMessageItem(addResponses(state, event), event.message, null)
    case 'resumed':
      return addItems(state, { kind: 'note', text: formatResumed(event), tone: 'plain' })
    case 'agent_started':
      return addItems(state, { kind: 'hook', text: `${event.name ?? event.agent.type} started: ${event.description}` })
    case 'agent_ended':
      return addItems(state, { kind: 'hook', text: `${event.agent.type} ended` })
    case 'tool_started':
      return changeCall(state, event.id, { input: event.input, running: true, startedAt: shownWith.now.getTime() })
    case 'tool_output':
      return addOutput(state, event.id, event.text)
    case 'tool_ended':
      return addChange(state, event.id, readHunks(event.response))
    case 'tool_refused':
      return state // the result says so
    case 'hook':
      return addProgress(state, event, shownWith.now)
    case 'told':
      return addNotice(state, event)
    case 'compacted':
      return addCompaction({ ...state, lastUsage: null }, event.trigger)
  }
}

/** The state with more items. */
export function addItems(state: State, ...items: readonly Item[]): State {
  return { ...state, items: [...state.items, ...items] }
}

/** Texts of hooks and the host for the model beside the conversation. */
function withInjected(state: State, message: Message): State {
  const texts = message.content.flatMap((block) => (block.type === 'text' ? [stripMarks(block.text)] : []))
  return addItems(state, ...texts.map((text): Item => ({ kind: 'read', text })))
}

/** A text for the model without the marks around it. */
function stripMarks(text: string): string {
  return /^<system-reminder>\n([\s\S]*)\n<\/system-reminder>$/.exec(text)?.[1] ?? text
}

function addNotice(state: State, { to, text }: Extract<AgentEvent, { type: 'told' }>): State {
  const isHeld = state.objections.includes(text)
  if (isHeld && to === 'user') return state // until the results of the calls are there
  const objections = isHeld ? state.objections.filter((each) => each !== text) : state.objections
  return addItems({ ...state, objections }, { kind: 'told', text, verbose: to === 'verbose' })
}

/** The state with all that was held back while calls were under way; what one of these results says stands in the verbose view alone. */
export function releaseObjections(state: State, results: readonly string[] = []): State {
  if (state.objections.length === 0) return state
  const told = state.objections.map((text): Item => {
    return { kind: 'told', text, verbose: results.some((result) => result.includes(text)) }
  })
  return addItems({ ...state, objections: [] }, ...told)
}

/** Adds a compaction; the command that asks for one tells who did. */
function addCompaction(state: State, trigger: string): State {
  if (trigger === 'manual') return state
  return addItems(state, { kind: 'note', text: 'Conversation compacted.', tone: 'plain' })
}

function addSpending(state: State, usage: Usage, model: string): Pick<State, 'usage' | 'cost'> {
  const cost = estimateCost(model, usage)
  return {
    usage: {
      inputTokens: state.usage.inputTokens + usage.inputTokens,
      outputTokens: state.usage.outputTokens + usage.outputTokens,
    },
    cost: cost === null ? state.cost : (state.cost ?? 0) + cost,
  }
}

function addMessageItem(state: State, { role, content }: Message, agent: string | null): State {
  let now = role === 'assistant' && agent === null ? { ...state, streaming: '' } : state
  for (const block of content) {
    if (block.type === 'tool_use') now = { ...now, calls: now.calls.concat({ ...block, ...NOT_STARTED, agent }) }
    if (block.type === 'tool_result') now = addResult(now, block)
    if (block.type !== 'text' || block.text.trim() === '') continue
    const { text } = block
    if (role === 'assistant') now = addItems(now, { kind: 'model', text, agent })
    else if (agent === null && !isHostText(text)) now = addItems(now, { kind: 'user', text })
  }
  const results = content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : []))
  return results.length === 0 ? now : releaseObjections(now, results)
}

function addResult(state: State, { tool_use_id, content, is_error = false }: ToolResult): State {
  const call = state.calls.find(({ id }) => id === tool_use_id)
  if (call === undefined) return state
  const { name, input, hunks, agent, work } = call
  const rest = { ...state, calls: state.calls.filter((each) => each !== call) }
  return addItems(rest, { kind: 'call', name, input, hunks, agent, work, result: content, failed: is_error })
}

/** Calls of an earlier session with what they changed. */
function addResponses(state: State, { message, responses }: Extract<AgentEvent, { type: 'restored' }>): State {
  const ended = message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
  return ended.reduce((now, id) => changeCall(now, id, { hunks: readHunks(responses.get(id)) }), state)
}

/** Characters of what a call prints that are kept while it runs. */
const MAX_SHOWN_OUTPUT_CHARS = 4000

function addOutput(state: State, id: string, text: string): State {
  const call = state.calls.find((each) => each.id === id)
  return call === undefined
    ? state
    : changeCall(state, id, { output: `${call.output}${text}`.slice(-MAX_SHOWN_OUTPUT_CHARS) })
}

const NOT_STARTED = { running: false, hunks: [], work: null, output: '', startedAt: null } as const

function changeCall(state: State, id: string, change: Partial<OpenCall>): State {
  return { ...state, calls: state.calls.map((call) => (call.id === id ? { ...call, ...change } : call)) }
}

function addChange(state: State, id: string, hunks: readonly Hunk[]): State {
  const signs = hunks.flatMap(({ lines }) => lines.map((line) => line.charAt(0)))
  const countLines = (sign: string): number => signs.filter((each) => each === sign).length
  const { added, removed } = state.lines
  const lines = { added: added + countLines('+'), removed: removed + countLines('-') }
  return changeCall({ ...state, lines }, id, { hunks })
}

function addProgress(state: State, { event, progress, call }: Extract<AgentEvent, { type: 'hook' }>, now: Date): State {
  switch (progress.type) {
    case 'hook_started': {
      const hooks = [...state.hooks, { id: progress.hook, event, statusMessage: null }]
      return addItems({ ...state, hooks }, { kind: 'hook', text: `${event} hook ${progress.hook} started` })
    }
    case 'hook_progress': {
      const { hook, statusMessage } = progress
      const hooks = state.hooks.map((each) => (each.id === hook ? { ...each, statusMessage } : each))
      return { ...state, hooks }
    }
    case 'hook_result': {
      const { hook, line } = progress
      const hooks = state.hooks.filter(({ id }) => id !== hook)
      const runs = new Map(state.runs).set(hook, keepLastRuns(state.runs.get(hook) ?? [], { at: now, line }))
      return addItems({ ...state, hooks, runs }, { kind: 'hook', text: describeHookEnd(event, line) })
    }
    case 'decision':
      return addWork(state, progress.record, call)
  }
}

/** Adds what hooks did beside the call that it is about, else by itself. */
function addWork(state: State, record: DispatchRecord, id: string | null): State {
  const call = state.calls.find((each) => each.id === id)
  const work = readHookWork(record, call?.input)
  if (work === null) return state
  const isHeld = record.decision.blocked && state.calls.length > 0
  const now = isHeld ? { ...state, objections: [...state.objections, ...listObjections(record)] } : state
  return call === undefined
    ? addItems(now, { kind: 'work', work })
    : changeCall(now, call.id, { work: joinWork(call.work, work) })
}

const keepLastRuns = (runs: readonly HookRun[], run: HookRun): HookRun[] => [run, ...runs].slice(0, MAX_RUNS_KEPT)

function describeHookEnd(event: string, line: HookLine): string {
  return `${event} hook ${line.id} ${formatRun(line)}  ${foldToOneLine(readRuns(line) ?? '')}`.trimEnd()
}

/** Formats how a run of a hook ended, in few words. */
export function formatRun({ verdict, outcome, exitCode, signal, timedOut, durationMs }: HookLine): string {
  if (verdict !== 'ran') return verdict
  const code = exitCode === null || exitCode === undefined ? (signal ?? '') : `exit ${exitCode}`
  const how = timedOut ? 'timed out' : code
  return [`ended: ${outcome ?? 'unknown'}`, how, durationMs === undefined ? '' : `${Math.round(durationMs)} ms`]
    .filter((part) => part !== '')
    .join(', ')
}
