import type { EventName } from 'hookline/protocol'
import { formatBlockedPrompt, openTurn, type Turn } from 'hookline/tools'
import { callTools } from '../call/tool-batch.ts'
import { fire, fireIfKnown, hasEvent } from '../hooks/fire.ts'
import { deliverLateResults } from '../hooks/late-results.ts'
import { describeHalt, isObjection, isPromptHidden } from '../hooks/words.ts'
import { type Message, makeUserMessage, readMessageText, type ToolUse } from '../output/messages.ts'
import type { DeferredEnd, EarlyEnd, TurnEnd } from '../output/result.ts'
import { EXIT_PLAN_MODE, PLAN_NOTE } from '../tools/exit-plan-mode.ts'
import { addMessage, inject } from '../transcript/conversation.ts'
import { askModel } from './ask-model.ts'
import { compactIfFull } from './compaction.ts'
import type { Loop } from './loop-state.ts'
import { readMentionedFiles } from './mentions.ts'
import { waitForQuota } from './quota.ts'
import { makeTitleField, setTitle } from './title.ts'

/** Expansion of what the user typed, when it stands for a longer text. */
export interface Expansion {
  readonly typed: string
  /** Fields for hooks besides what was typed. */
  readonly fields: {
    readonly expansion_type: 'slash_command' | 'mcp_prompt'
    readonly command_name: string
    readonly command_args: string
    readonly command_source: string
  }
}

/** Prompt for the model: a text, or what makes one once hooks have agreed to what was typed. */
type Prompt = string | (() => Promise<string>)

/** Beginning of a turn. */
interface TurnStart {
  readonly signal: AbortSignal
  /** null: the prompt stands for itself. */
  readonly expansion?: Expansion | null
}

/** A user's turn and everything that follows from it, until the model is done and no hook sends it on. */
export async function runTurn(loop: Loop, prompt: Prompt, { signal, expansion = null }: TurnStart): Promise<TurnEnd> {
  const stillOpen = await resumeDeferredCalls(loop, signal)
  if (stillOpen) return stillOpen
  const refused = await submit(loop, prompt, { signal, expansion })
  return refused ?? (await goOnConversing(loop, signal))
}

/** Makes the calls that hooks had put off; hooks are asked about them anew. */
async function resumeDeferredCalls(loop: Loop, signal: AbortSignal): Promise<TurnEnd | null> {
  const { open } = loop
  if (open.length === 0) return null
  loop.open = []
  const early = await callTools(loop, open, signal)
  return early === null ? null : endTurnAtCalls(loop, early)
}

/** The end of a turn at its calls. Those that hooks put off are kept for the next turn. */
function endTurnAtCalls(loop: Loop, end: EarlyEnd | DeferredEnd, text = ''): TurnEnd {
  if (end.ended !== 'deferred') return noteInterrupt(loop, end)
  loop.open = end.calls
  return { ...end, text }
}

/** Goes on with a conversation whose last word is not the model's. */
export async function goOnConversing(loop: Loop, signal: AbortSignal): Promise<TurnEnd> {
  const { maxTurns } = loop.session.limits
  const turn = makeTurn(loop, signal)
  for (let turns = 0; turns < maxTurns; turns++) {
    const unfit = await compactIfFull(loop, signal)
    if (unfit) return fireStopFailure(loop, unfit)
    deliverLateResults(loop)
    for (const text of loop.inbox.splice(0)) inject(loop, text)
    const answer = await askModel(loop, signal)
    if ('ended' in answer) {
      if (answer.ended === 'model-error' && (await waitForQuota(loop, answer, signal))) continue
      return fireStopFailure(loop, noteInterrupt(loop, answer))
    }

    const { message, text } = answer
    const calls = listCalls(message)
    if (calls.length > 0) {
      const early = await callTools(loop, calls, signal)
      if (early) return endTurnAtCalls(loop, early, text)
      turn.noteCall()
      continue
    }

    if (await hasTeamMessages(loop)) continue
    if (signal.aborted) return noteInterrupt(loop, { ended: 'interrupted' })
    const stop = await turn.mayStop(collectEndFacts(loop, message, signal))
    const isCutOff = signal.aborted && stop.ended !== 'halted'
    if (!isCutOff) for (const said of stop.texts) addMessage(loop, makeUserMessage(said), { origin: 'injected' })
    if (stop.ended === 'halted') return { ended: 'halted', reason: stop.reason }
    if (isCutOff) return noteInterrupt(loop, { ended: 'interrupted' })
    if (stop.ended === 'continued') continue
    if (stop.notice !== null) loop.session.emit({ type: 'told', to: 'user', text: stop.notice })
    return { ended: 'answered', text }
  }
  return { ended: 'max-turns', turns: maxTurns }
}

/** Hands the prompt over, unless a hook keeps it: then no trace of it stays, neither in the conversation nor in the result. */
async function submit(
  loop: Loop,
  prompt: Prompt,
  { signal, expansion }: Required<TurnStart>,
): Promise<EarlyEnd | null> {
  const expands = expansion !== null && hasEvent(loop.session, 'UserPromptExpansion')
  const waitForTold = async (): Promise<string> => (typeof prompt === 'string' ? prompt : prompt())
  const typed = { prompt: expands ? expansion.typed : await waitForTold(), ...makeTitleField(loop.session) }
  const submitted = await firePromptEvent(loop, 'UserPromptSubmit', typed, signal)
  if ('ended' in submitted) return submitted
  setTitle(loop, submitted.title)
  const expanded = expands
    ? await firePromptEvent(loop, 'UserPromptExpansion', { ...expansion.fields, prompt: expansion.typed }, signal)
    : { contexts: [] }
  if ('ended' in expanded) return expanded
  const text = await waitForTold()
  const isTyped = loop.agent === null && loop.session.dialog !== null // a text from elsewhere names no files for the user
  const files = isTyped ? await readMentionedFiles(loop, text, signal) : []
  const read = files.flatMap(({ text }) => text ?? [])
  const plans = loop.session.permissions.mode === 'plan' && loop.tools.has(EXIT_PLAN_MODE) ? [PLAN_NOTE] : []
  for (const context of [...submitted.contexts, ...expanded.contexts, ...read, ...plans]) inject(loop, context)
  addMessage(loop, makeUserMessage(text), { origin: 'user' })
  for (const { note } of files) loop.session.emit({ type: 'told', to: 'user', text: note })
  return null
}

/** Shows hooks what the user typed; resolves with what they add to it, or with the end of the turn. */
async function firePromptEvent(
  loop: Loop,
  event: 'UserPromptSubmit' | 'UserPromptExpansion',
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<EarlyEnd | { readonly contexts: readonly string[]; readonly title: string | null }> {
  const { record, decision, contexts } = await fire(loop, event, fields, { signal, retold: isObjection })
  if (decision.halt) {
    for (const text of contexts.slice(decision.context.length)) inject(loop, text) // the reason, where the model is to know it
    return { ended: 'halted', reason: describeHalt(record) }
  }
  if (decision.blocked)
    return { ended: 'prompt-blocked', text: formatBlockedPrompt(record), hidesPrompt: isPromptHidden(record) }
  return signal.aborted ? { ended: 'interrupted' } : { contexts, title: decision.sessionTitle ?? null }
}

/** A turn whose events are fired as all others of the loop. */
function makeTurn(loop: Loop, signal: AbortSignal): Turn {
  const { engine, limits } = loop.session
  return openTurn(engine, {
    ...(loop.agent === null ? {} : { agent: loop.agent }),
    maxStopBlocks: limits.maxStopBlocks,
    dispatch: async ({ hook_event_name: event, ...fields }) =>
      (await fire(loop, event as EventName, fields, { signal })).record, // the turn fires no others
    onNotice: () => {}, // `fire` tells them
  })
}

/** Collects what hooks may be told of an agent that is about to stop. */
function collectEndFacts(loop: Loop, answer: Message, signal: AbortSignal): Readonly<Record<string, unknown>> {
  const running = loop.session
    .toolContext(loop.agent, signal)
    .background.list()
    .filter(({ state }) => state.status === 'running')
  return {
    last_assistant_message: readMessageText(answer),
    background_tasks: running.map(({ id, command }) => ({
      ...{ id, type: 'shell', status: 'running', description: command, command },
    })),
    session_crons: [],
  }
}

function listCalls({ content }: Message): ToolUse[] {
  return content.filter((block) => block.type === 'tool_use')
}

/** Tells hooks of a turn that ended by an error of the provider: they hear of it in place of a stop. */
async function fireStopFailure(loop: Loop, end: EarlyEnd): Promise<EarlyEnd> {
  if (end.ended !== 'model-error' || loop.agent !== null) return end
  const { kind: error, message } = end
  const details = error === 'invalid_request' ? { error_details: message } : {}
  const signal = AbortSignal.any([loop.session.closing, AbortSignal.timeout(loop.session.limits.endWithinMs)])
  const fields = { error, ...details, last_assistant_message: `API Error: ${message}` }
  await fireIfKnown(loop, 'StopFailure', fields, { signal })
  return end
}

/** Says in the conversation that the user interrupted it, so that a resumed one makes sense. */
function noteInterrupt(loop: Loop, end: EarlyEnd): EarlyEnd {
  if (end.ended === 'interrupted')
    addMessage(loop, makeUserMessage('[Request interrupted by user]'), { origin: 'injected' })
  return end
}

/**
 * True if an agent that is about to end its turn has messages to read. The lead waits for it as long as
 * teammates work, within its time: a turn of the lead is over when all are idle.
 */
async function hasTeamMessages({ agent, inbox, session }: Loop): Promise<boolean> {
  if (agent !== null) return inbox.length > 0
  const { emit, limits, team } = session
  const still = await team.listen(limits.teamWaitMs)
  if (still.length > 0) {
    const text = `The turn does not wait any longer for ${still.join(', ')}: no word for ${limits.teamWaitMs / 1000} s.`
    emit({ type: 'told', to: 'user', text })
  }
  return inbox.length > 0
}
