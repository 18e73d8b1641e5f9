import { reminder } from 'hookline/tools'
import type { AgentEvent, AgentName } from '../output/events.ts'
import { type Message, type ToolResult, userText } from '../output/messages.ts'
import type { UserEntry } from './entry.ts'
import type { Transcript } from './transcript.ts'

/** What was said to a model and by it: in memory for the next request, in the transcript for later. */
export interface Conversation {
  /** null: the session's own. */
  readonly agent: AgentName | null
  readonly transcript: Transcript
  /** What was said so far; compaction replaces it. */
  messages: Message[]
  readonly session: { readonly emit: (event: AgentEvent) => void }
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
  addMessage(conversation, userText(reminder(text)), { origin: 'injected' })
}

/** The result of a call as the transcript keeps it, with the tool's own response where there is one. */
export function resultEntry(result: ToolResult, response: unknown): UserEntry {
  const own = response === undefined ? {} : { toolUseResult: response }
  return { kind: 'user', message: { role: 'user', content: [result] }, origin: 'tool', ...own }
}
