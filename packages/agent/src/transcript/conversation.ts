import { wrapReminder } from 'hookline/tools'
import type { AgentEvent, AgentName } from '../output/events.ts'
import { type Message, makeUserMessage, type ToolResult } from '../output/messages.ts'
import type { UserEntry } from './entry.ts'
import type { Transcript } from './transcript.ts'

/** Conversation with a model: in memory for the next request, in the transcript for later. */
export interface Conversation {
  /** null: the session's own. */
  readonly agent: AgentName | null
  readonly transcript: Transcript
  /** Messages so far; compaction replaces it. */
  messages: Message[]
  readonly session: { readonly emit: (event: AgentEvent) => void }
}

/** Beginnings of what the host says in the user's place. */
const OF_HOST = [
  '<system-reminder>',
  'Stop hook feedback:',
  '[Request interrupted',
  'This session goes on from an earlier',
]

/** True if a text of the user's side was said by the host. */
export function isHostText(text: string): boolean {
  return OF_HOST.some((beginning) => text.startsWith(beginning))
}

/** A prompt of the user in a conversation. */
export interface SaidPrompt {
  readonly text: string
  /** Number of messages stand before it, and before what the host put beside it. */
  readonly at: number
}

/** The prompts of a conversation, the oldest first. */
export function listPrompts(messages: readonly Message[]): SaidPrompt[] {
  let at = 0
  return messages.flatMap(({ role, content }, index): SaidPrompt[] => {
    const isReply = role === 'assistant' || content.some(({ type }) => type === 'tool_result')
    const own = content.flatMap((block) => (block.type === 'text' && !isHostText(block.text) ? [block.text] : []))
    const before = at
    if (isReply || own.length > 0) at = index + 1
    return isReply || own.length === 0 ? [] : [{ text: own.join('\n'), at: before }]
  })
}

/** Adds a message for the model. */
export function addMessage(conversation: Conversation, message: Message, { origin }: Pick<UserEntry, 'origin'>): void {
  conversation.transcript.append({ kind: 'user', message, origin })
  addKeptMessage(conversation, message, { injected: origin === 'injected' })
}

/** The same for a message that the transcript has already. */
export function addKeptMessage(
  { messages, session, agent }: Conversation,
  message: Message,
  { injected, shown = null }: { readonly injected: boolean; readonly shown?: string | null },
): void {
  messages.push(message)
  session.emit({ type: 'message', message, injected, agent, ...(shown === null ? {} : { shown }) })
}

/** Adds a text of a hook, marked as such. */
export function inject(conversation: Conversation, text: string): void {
  addMessage(conversation, makeUserMessage(wrapReminder(text)), { origin: 'injected' })
}

/** The result of a call as the transcript keeps it, with the tool's own response where there is one. */
export function makeResultEntry(result: ToolResult, response: unknown): UserEntry {
  const own = response === undefined ? {} : { toolUseResult: response }
  return { kind: 'user', message: { role: 'user', content: [result] }, origin: 'tool', ...own }
}
