import { isObject } from '../text/json.ts'
import { isFeedback, isInterrupt } from './refusal.ts'

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Owner of a line and when it was written; null: the line does not say. */
export interface Origin {
  readonly session: string | null
  readonly cwd: string | null
  readonly permissionMode: string | null
  readonly time: number
  /** The loop that wrote it: a subagent's, or the session's own. */
  readonly loop: { readonly agent: string | null; readonly agentType: string | null } | null
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

export interface ToolResult {
  readonly id: string
  readonly failed: boolean
  readonly text: string
  readonly content: unknown
}

/** Content of a line of a transcript. */
export type TranscriptFact =
  | { readonly told: 'prompt'; readonly text: string }
  | { readonly told: 'dropped-prompt'; readonly text: string }
  | {
      readonly told: 'results'
      readonly results: readonly ToolResult[]
      /** The tool's own response; undefined: only what the model read is known. */
      readonly response: unknown
      readonly decision: unknown
      readonly beside: string
    }
  | {
      readonly told: 'answer'
      /** Several lines may hold parts of one message. */
      readonly message: string | null
      readonly calls: readonly ToolCall[]
      /** True if the turn may be over with it: the next line can tell. */
      readonly mayEnd: boolean
    }
  /** A hook spoke against a call, before or after it was made; null: the last one that has a result. */
  | { readonly told: 'objection'; readonly call: string | null; readonly made: boolean }
  /** A hook was started: for a call, or for something else. */
  | { readonly told: 'hook-ran'; readonly event: string; readonly call: string | null }
  /** Stop hooks have run; `halted`: one of them ended everything. */
  | { readonly told: 'stop-hooks'; readonly halted: boolean }
  | { readonly told: 'went-on' }
  | { readonly told: 'interrupt' }
  | { readonly told: 'nothing'; readonly type: string }

/** Name under which lines are counted that have no type: those of no client. */
export const UNTYPED_LINE = 'untyped'

/** Reads what a line of the shape that clients write tells. Kinds that it does not know tell nothing. */
export function readTranscriptLine(line: JsonObject): TranscriptFact {
  if (line.type === 'user') return readUserLine(line)
  if (line.type === 'assistant') return readAssistantLine(line)
  if (line.type === 'system') return readSystemLine(line)
  if (line.type === 'attachment') return readAttachmentLine(line)
  if (line.type === 'progress') return readProgressLine(line)
  return { told: 'nothing', type: typeof line.type === 'string' ? line.type : UNTYPED_LINE }
}

/** Reads whose line it is. */
export function readLineOrigin(line: JsonObject): Origin {
  const parent = readBlockText(line.parent_tool_use_id)
  const side = line.isSidechain === true || parent !== null
  return {
    session: readBlockText(line.sessionId) ?? readBlockText(line.session_id),
    cwd: readBlockText(line.cwd),
    permissionMode: readBlockText(line.permissionMode),
    time: Date.parse(String(line.timestamp)) || 0,
    loop: side
      ? { agent: readBlockText(line.agentId) ?? parent, agentType: readBlockText(line.attributionAgent) }
      : null,
  }
}

const DROPPED = /^UserPromptSubmit operation blocked by hook:[\s\S]*\n\nOriginal prompt: (?<prompt>[\s\S]*)$/
const OBJECTING: ReadonlySet<string> = new Set(['hook_blocking_error', 'hook_permission_decision'])

function readProgressLine({ data, toolUseID }: JsonObject): TranscriptFact {
  if (!isObject(data) || data.type !== 'hook_progress') return { told: 'nothing', type: 'progress' }
  return { told: 'hook-ran', event: String(data.hookEvent), call: readBlockText(toolUseID) }
}

function readSystemLine(line: JsonObject): TranscriptFact {
  if (line.subtype === 'stop_hook_summary') return { told: 'stop-hooks', halted: line.preventedContinuation === true }
  const prompt = DROPPED.exec(readBlockText(line.content) ?? '')?.groups?.prompt
  return prompt === undefined ? { told: 'nothing', type: 'system' } : { told: 'dropped-prompt', text: prompt }
}

function readAttachmentLine({ attachment }: JsonObject): TranscriptFact {
  const nothing = { told: 'nothing', type: 'attachment' } as const
  if (!isObject(attachment) || !OBJECTING.has(String(attachment.type))) return nothing
  const call = readBlockText(attachment.toolUseID)
  const event = String(attachment.hookEvent ?? attachment.hookName ?? '')
  const objects = attachment.decision === undefined || attachment.decision === 'deny'
  if (call === null || !objects || !/^(?:Pre|Post)ToolUse/.test(event)) return nothing
  return { told: 'objection', call, made: event.startsWith('Post') }
}

function readAssistantLine(line: JsonObject): TranscriptFact {
  const message = isObject(line.message) ? line.message : {}
  const blocks = toBlocks(message.content)
  const calls = blocks.flatMap((block): ToolCall[] => {
    const id = readBlockText(block.id)
    const name = readBlockText(block.name)
    if (block.type !== 'tool_use' || id === null || name === null) return []
    return [{ id, name, input: isObject(block.input) ? block.input : {} }]
  })
  const mayEnd = calls.length === 0 && canEndTurn(line, message.stop_reason, blocks)
  return { told: 'answer', message: readBlockText(message.id), calls, mayEnd }
}

function canEndTurn({ isApiErrorMessage }: JsonObject, stopReason: unknown, blocks: readonly JsonObject[]): boolean {
  if (isApiErrorMessage === true || stopReason === 'tool_use' || stopReason === 'pause_turn') return false
  return typeof stopReason === 'string' || blocks.some(({ type }) => type === 'text')
}

function readUserLine(line: JsonObject): TranscriptFact {
  const message = isObject(line.message) ? line.message : {}
  const blocks = toBlocks(message.content)
  const texts = blocks.flatMap((block) => (block.type === 'text' ? (readBlockText(block.text) ?? []) : []))
  const results = blocks.flatMap(readToolResult)
  if (results.length > 0) {
    const response = results.length === 1 ? (line.toolUseResult ?? line.tool_use_result) : undefined
    return { told: 'results', results, response, decision: line.permissionDecision, beside: texts.join('\n') }
  }
  if (isFeedback(texts.join('\n'))) return { told: 'objection', call: null, made: true }
  const said = texts.filter((text) => !ASIDE.test(text)).join('\n')
  if (isInterrupt(said)) return { told: 'interrupt' }
  if (said.startsWith('Stop hook feedback:')) return { told: 'went-on' }
  if (said.trim() === '' || isInjected(line) || NOT_TYPED.test(said))
    return { told: 'nothing', type: 'user (injected)' }
  return { told: 'prompt', text: said }
}

/** Blocks that clients put beside a prompt. */
const ASIDE = /^\s*<(?:system-reminder|ide_\w+)>/

/** Text in the place of a prompt that was not typed. */
const NOT_TYPED =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-\w+|bash-(?:input|stdout|stderr)|task-notification|teammate-message|user-memory-input)\b|Caveat: The messages below were generated|This session is being continued from a previous conversation)/

function isInjected({
  isMeta,
  isCompactSummary,
  isVisibleInTranscriptOnly,
  promptSource,
  origin,
}: JsonObject): boolean {
  const byMachine = isObject(origin) && typeof origin.kind === 'string' && !/human|user|person/i.test(origin.kind)
  return [isMeta, isCompactSummary, isVisibleInTranscriptOnly].includes(true) || promptSource === 'system' || byMachine
}

function readToolResult(block: JsonObject): ToolResult[] {
  const id = readBlockText(block.tool_use_id)
  if (block.type !== 'tool_result' || id === null) return []
  const texts = toBlocks(block.content).flatMap(({ text }) => readBlockText(text) ?? [])
  return [{ id, failed: block.is_error === true, text: texts.join('\n'), content: block.content }]
}

/** Content as blocks; a text is one block. */
function toBlocks(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

const readBlockText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
