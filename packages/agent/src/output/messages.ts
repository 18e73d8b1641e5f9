/** Part of a message, in the shape that transcripts hold. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | ToolUse
  | ToolResult

/** A call that the model wants made. */
export interface ToolUse {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  /** As the model wrote it; not checked yet. */
  readonly input: unknown
}

/** Stands for an input that is nested deeper than programs can read or write. */
export const NESTED_TOO_DEEPLY: unknown = Object.freeze({})

/** Result of a call, as the model reads it. */
export interface ToolResult {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error?: boolean
}

/** One turn of one side. */
export interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

/** Tokens of one request; what the provider does not say is 0. */
export interface Usage {
  /** All that was sent, what the provider's cache held included. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of the input that came from the provider's cache. */
  readonly cacheReadTokens?: number
  /** The part of the input that was put into the provider's cache. */
  readonly cacheWriteTokens?: number
}

/** The text of a message, without what is not text. */
export function readMessageText({ content }: Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** Text that the model is told. */
export function makeUserMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** A message with another text, as a hook wants it shown; undefined: its own. */
export function replaceShownText(message: Message, text: string | undefined): Message {
  if (text === undefined) return message
  const rest = message.content.filter(({ type }) => type !== 'text')
  return { ...message, content: [{ type: 'text', text }, ...rest] }
}
