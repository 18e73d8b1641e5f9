import type { Message, ToolUse, Usage } from '../output/messages.ts'

/** Entry that a session keeps. */
export type TranscriptEntry =
  | {
      readonly kind: 'init'
      readonly model: string
      readonly tools: readonly string[]
      readonly permissionMode: string
    }
  | UserEntry
  | {
      readonly kind: 'assistant'
      readonly message: Message
      readonly model: string
      readonly usage: Usage
      readonly cutShort: boolean
    }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'compacted'; readonly trigger: 'manual' | 'auto'; readonly tokensBefore: number }
  /** The conversation goes on from an earlier point: what it consists of follows. */
  | { readonly kind: 'rewound' }
  | {
      readonly kind: 'result'
      /** `success`, or what went wrong. */
      readonly subtype: string
      /** The final answer, or the words for what went wrong. */
      readonly result: string
      readonly durationMs: number
      readonly turns: number
      readonly usage: Usage
      /** The calls that hooks put off, where that ended the turn. */
      readonly deferred?: readonly ToolUse[] | undefined
    }

/** Message that a model reads: a prompt, a tool's result, or what was put beside them. */
export interface UserEntry {
  readonly kind: 'user'
  readonly message: Message
  /** `injected`: said by a hook or the host; `summary`: what a compaction left. */
  readonly origin: 'user' | 'tool' | 'injected' | 'summary'
  /** The tool's own response, beside its result. */
  readonly toolUseResult?: unknown
}

/** Fields of every line. */
export interface Envelope {
  readonly uuid: string
  /** The line before; null: there is none. */
  readonly parentUuid: string | null
  readonly timestamp: string
  readonly sessionId: string
  readonly cwd: string
  /** The subagent whose transcript it is; null: the session's own. */
  readonly agentId: string | null
}

/** A line of a transcript, before it is text. */
export type TranscriptLine = Readonly<Record<string, unknown>>

/** An entry as a line, in the shape that other readers of transcripts know. */
export function toLine(entry: TranscriptEntry, envelope: Envelope): TranscriptLine {
  if (entry.kind === 'init')
    return { type: 'system', subtype: 'init', ...makePlainEnvelope(envelope), ...makeInitFields(entry) }
  if (entry.kind === 'result')
    return { type: 'result', subtype: entry.subtype, ...makePlainEnvelope(envelope), ...makeResultFields(entry) }
  if (entry.kind === 'title') return { type: 'custom-title', ...makePlainEnvelope(envelope), customTitle: entry.title }
  return { ...makeLinkedEnvelope(envelope), ...makeConversationFields(entry, envelope) }
}

/** The envelope of a line about the session as a whole. */
function makePlainEnvelope({ uuid, timestamp, sessionId, cwd }: Envelope): TranscriptLine {
  return { uuid, timestamp, session_id: sessionId, cwd }
}

/** The envelope of a line of the conversation. */
function makeLinkedEnvelope({ uuid, parentUuid, timestamp, sessionId, cwd, agentId }: Envelope): TranscriptLine {
  const sidechain = agentId === null ? { isSidechain: false } : { isSidechain: true, agentId }
  return { parentUuid, ...sidechain, cwd, sessionId, uuid, timestamp }
}

function makeInitFields({ model, tools, permissionMode }: TranscriptEntry & { kind: 'init' }): TranscriptLine {
  return { model, tools, permissionMode }
}

function makeResultFields({
  subtype,
  result,
  durationMs,
  turns,
  usage,
  deferred,
}: TranscriptEntry & { kind: 'result' }): TranscriptLine {
  return {
    is_error: subtype !== 'success',
    result,
    ...makeDeferredFields(deferred),
    duration_ms: durationMs,
    num_turns: turns,
    usage: makeUsageFields(usage),
  }
}

/** Makes the fields of a run that ended with calls left open, in results and transcripts alike. Readers expect one of them. */
export function makeDeferredFields([first]: readonly ToolUse[] = []): TranscriptLine {
  if (first === undefined) return {}
  const { id, name, input } = first
  return { stop_reason: 'tool_deferred', deferred_tool_use: { id, name, input } }
}

function makeConversationFields(
  entry: Exclude<TranscriptEntry, { kind: 'init' | 'result' | 'title' }>,
  { uuid }: Envelope,
): TranscriptLine {
  switch (entry.kind) {
    case 'user':
      return makeUserFields(entry)
    case 'assistant':
      return { type: 'assistant', message: makeAssistantMessage(entry, uuid) }
    case 'rewound':
      return { type: 'system', subtype: 'rewind_boundary', content: 'Conversation rewound' }
    case 'compacted': {
      const compactMetadata = { trigger: entry.trigger, preTokens: entry.tokensBefore }
      return { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata }
    }
  }
}

function makeUserFields({ message, origin, toolUseResult }: UserEntry): TranscriptLine {
  const [only, ...rest] = message.content
  // Readers expect a prompt to be a string.
  const content = only?.type === 'text' && rest.length === 0 ? only.text : message.content
  return {
    type: 'user',
    message: { role: 'user', content },
    ...(origin === 'injected' ? { isMeta: true } : {}),
    ...(origin === 'summary' ? { isCompactSummary: true } : {}),
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
  }
}

function makeAssistantMessage(
  { message, model, usage, cutShort }: TranscriptEntry & { kind: 'assistant' },
  uuid: string,
): TranscriptLine {
  const calls = message.content.some(({ type }) => type === 'tool_use')
  const ended = calls ? 'tool_use' : 'end_turn'
  return {
    id: `msg_${uuid}`,
    type: 'message',
    role: 'assistant',
    model,
    content: message.content,
    stop_reason: cutShort ? 'max_tokens' : ended,
    stop_sequence: null,
    usage: makeUsageFields(usage),
  }
}

/** Usage as readers that count costs expect it: what the cache took part in is counted by itself. */
function makeUsageFields({
  inputTokens,
  outputTokens,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: Usage): TranscriptLine {
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}
