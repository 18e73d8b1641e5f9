import type { DispatchRecord } from 'hookline'
import { escapeReminder } from 'hookline/tools'
import { fire, fireIfKnown } from '../hooks/fire.ts'
import { describeHalt, formatBlockedCompaction, formatCompactionLines, isObjection, isPrinted } from '../hooks/words.ts'
import { hearModel } from '../models/hear-model.ts'
import { COMPACTION, FULL_CONTEXT } from '../models/model.ts'
import { type Message, makeUserMessage } from '../output/messages.ts'
import type { EarlyEnd } from '../output/result.ts'
import { addMessage } from '../transcript/conversation.ts'
import { mergeSides } from './ask-model.ts'
import type { Loop } from './loop-state.ts'
import { startSession } from './session-start.ts'

const INSTRUCTIONS =
  'Sum up this conversation so that you can go on with it from your summary alone: what was asked, what was done and ' +
  'found, which files matter and why, what is left to do, and the next step. Answer with the summary only.'

/** Request for a compaction. */
export interface Compaction {
  readonly trigger: 'manual' | 'auto'
  /** Instructions that the user typed; empty when nothing. */
  readonly instructions: string
  readonly signal: AbortSignal
}

/** Sums the conversation up when the next request might not fit. */
export function compactIfFull(loop: Loop, signal: AbortSignal): Promise<EarlyEnd | null> {
  const full = loop.contextTokens > loop.model.contextWindow * FULL_CONTEXT
  return full ? compact(loop, { trigger: 'auto', instructions: '', signal }) : Promise.resolve(null)
}

/** Replaces the conversation by a summary of it; a prompt without an answer stays as it is. */
export async function compact(loop: Loop, { trigger, instructions, signal }: Compaction): Promise<EarlyEnd | null> {
  closeOpenCalls(loop)
  const { record, decision } = await fire(loop, 'PreCompact', makeCompactionFields(loop, { trigger, instructions }), {
    signal,
    retold: (line, text) => isPrinted(line) || isObjection(line, text),
  })
  if (decision.blocked) return endBlockedCompaction(loop, record, trigger)
  for (const text of formatCompactionLines(record)) loop.session.emit({ type: 'told', to: 'user', text })
  if (decision.halt) return { ended: 'halted', reason: describeHalt(record) }
  const open = listUnanswered(loop.messages)
  const told = loop.messages.slice(0, loop.messages.length - open.length)
  const additional = [instructions, escapeReminder(decision.instructions ?? '')].filter((text) => text !== '')
  const summary = await askForSummary(loop, told, { additional, signal })
  if (typeof summary !== 'string') return summary
  replaceBySummary(loop, summary, { trigger, open })
  await fireIfKnown(loop, 'PostCompact', { trigger, compact_summary: summary }, { signal })
  return loop.agent === null ? startAnew(loop, signal) : null
}

/** Says of no instructions what the profile says of them. */
function makeCompactionFields(
  { session }: Loop,
  { trigger, instructions }: Omit<Compaction, 'signal'>,
): Record<string, unknown> {
  const without = { trigger, custom_instructions: null }
  const row = session.engine.profile.events.get('PreCompact')
  const takesNull = row?.checkInput({ hook_event_name: 'PreCompact', ...without }).length === 0
  return instructions === '' && takesNull ? without : { trigger, custom_instructions: instructions }
}

/** A compaction that hooks blocked: the user who asked for it is told as its result, and otherwise the turn goes on. */
function endBlockedCompaction(
  { session }: Loop,
  record: DispatchRecord,
  trigger: Compaction['trigger'],
): EarlyEnd | null {
  const text = formatBlockedCompaction(record)
  if (trigger === 'manual') return { ended: 'halted', reason: text, untold: true }
  session.emit({ type: 'told', to: 'user', text })
  return null
}

/** Calls that hooks put off cannot be made any more when what led to them is only a summary. */
function closeOpenCalls(loop: Loop): void {
  const content = 'Not run: a hook put the call off, and the conversation was compacted.'
  for (const { id } of loop.open) {
    const result = { type: 'tool_result', tool_use_id: id, content, is_error: true } as const
    addMessage(loop, { role: 'user', content: [result] }, { origin: 'tool' })
  }
  loop.open = []
}

/** The prompt at the end and what hooks put beside it, when the model has not seen them yet. */
function listUnanswered(messages: readonly Message[]): Message[] {
  const answered = messages.findLastIndex(
    ({ role, content }) => role === 'assistant' || content.some(({ type }) => type === 'tool_result'),
  )
  return messages.slice(answered + 1)
}

async function askForSummary(
  loop: Loop,
  told: readonly Message[],
  { additional, signal }: { additional: readonly string[]; signal: AbortSignal },
): Promise<string | EarlyEnd> {
  const additions = additional.length === 0 ? '' : `\n\nAdditional Instructions:\n${additional.join('\n\n')}`
  const messages = mergeSides([...told, makeUserMessage(INSTRUCTIONS + additions)])
  const request = { system: loop.system, messages, tools: [], agentType: COMPACTION, signal }
  const said: string[] = []
  const early = await hearModel(loop, request, (piece) => {
    if (piece.type === 'text') said.push(piece.text)
  })
  return early ?? said.join('')
}

function replaceBySummary(
  loop: Loop,
  summary: string,
  { trigger, open }: { trigger: 'manual' | 'auto'; open: Message[] },
): void {
  loop.transcript.append({ kind: 'compacted', trigger, tokensBefore: loop.contextTokens })
  loop.messages = []
  loop.contextTokens = 0
  const text = `This session goes on from an earlier conversation, which this summary stands for:\n\n${summary}`
  addMessage(loop, makeUserMessage(text), { origin: 'summary' })
  for (const message of open) addMessage(loop, message, { origin: 'injected' }) // the first line is the user's
  loop.session.emit({ type: 'compacted', trigger })
}

/** A compacted session starts again, as far as hooks are concerned. */
async function startAnew(loop: Loop, signal: AbortSignal): Promise<EarlyEnd | null> {
  const { halted } = await startSession(loop, { source: 'compact' }, signal)
  await loop.session.instructions.tell(loop, 'compact')
  return halted === null ? null : { ended: 'halted', reason: halted }
}
