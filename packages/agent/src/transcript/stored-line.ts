import { parseJsonOrNull } from 'hookline/internal'
import * as z from 'zod'
import type { Block, Message } from '../output/messages.ts'

const TextBlock = z.object({ type: z.literal('text'), text: z.string() })

const ResultContent = z.union([
  z.string(),
  z.array(z.unknown()).transform((parts) => parts.map(readPartText).join('\n')),
  z.undefined().transform(() => ''),
])

const KnownBlock = z.discriminatedUnion('type', [
  TextBlock,
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().optional() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: ResultContent,
    is_error: z.boolean().optional(),
  }),
])

const ConversationLine = z.object({
  type: z.enum(['user', 'assistant']),
  message: z.object({
    content: z.union([z.string(), z.array(z.unknown())]),
    usage: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
  isMeta: z.boolean().optional(),
  isSidechain: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  isApiErrorMessage: z.boolean().optional(),
})

const AnyLine = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  uuid: z.string().optional(),
  cwd: z.string().optional(),
  timestamp: z.string().optional(),
})

/** A line as it was found. */
export type StoredLine =
  | {
      readonly kind: 'message'
      readonly message: Message
      /** Said by the user, not by a tool, a hook or the host. */
      readonly prompt: boolean
      readonly sidechain: boolean
      readonly uuid: string | null
      readonly cwd: string | null
      /** Time at which it was said; null: the line does not tell. */
      readonly at: Date | null
      /** Tokens of the request that it answers, and of itself; 0 when it does not say. */
      readonly tokens: number
      /** Response of a tool, beside the result that the model read; undefined: the line does not say. */
      readonly response: unknown
    }
  | { readonly kind: 'boundary'; readonly uuid: string | null }
  /** A turn ended with calls left open. */
  | { readonly kind: 'deferred'; readonly cwd: string | null }
  /** Title that hooks gave the session. */
  | { readonly kind: 'title'; readonly title: string; readonly cwd: string | null }
  /** About the session, or of a kind that is not ours. */
  | { readonly kind: 'other'; readonly cwd: string | null }
  | { readonly kind: 'broken' }

/** Subtypes of lines behind which a conversation begins anew. */
const BOUNDARIES = ['compact_boundary', 'rewind_boundary']

/** Reads one line; never throws. Blocks of unknown kinds are left out of a message. */
export function readLine(text: string): StoredLine {
  const line = AnyLine.safeParse(parseJsonOrNull(text))
  if (!line.success) return { kind: 'broken' }
  const { type, subtype, uuid = null, cwd = null } = line.data
  if (type === 'system' && BOUNDARIES.includes(subtype ?? '')) return { kind: 'boundary', uuid }
  if (type === 'result' && line.data.stop_reason === 'tool_deferred') return { kind: 'deferred', cwd }
  if (type === 'custom-title' && typeof line.data.customTitle === 'string')
    return { kind: 'title', title: line.data.customTitle, cwd }
  if (type !== 'user' && type !== 'assistant') return { kind: 'other', cwd }
  const conversation = ConversationLine.safeParse(line.data)
  if (!conversation.success) return { kind: 'broken' }
  const { message, isMeta, isSidechain, isCompactSummary, isApiErrorMessage } = conversation.data
  if (isApiErrorMessage) return { kind: 'other', cwd } // the client's words, not the model's
  const content =
    typeof message.content === 'string' ? [makeTextBlock(message.content)] : message.content.flatMap(readBlock)
  return {
    kind: 'message',
    message: { role: type, content },
    prompt: type === 'user' && !isMeta && !isCompactSummary && content.some((block) => block.type === 'text'),
    sidechain: isSidechain ?? false,
    uuid,
    cwd,
    at: parseDate(line.data.timestamp),
    tokens: sumTokens(message.usage),
    response: line.data.toolUseResult,
  }
}

function parseDate(timestamp = ''): Date | null {
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? null : date
}

/** All tokens that a provider counted, whatever its cache had to do with them. */
function sumTokens(usage: Readonly<Record<string, unknown>> = {}): number {
  const counts = Object.entries(usage).map(([name, count]) =>
    name.endsWith('_tokens') && typeof count === 'number' ? count : 0,
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

function makeTextBlock(text: string): Block {
  return { type: 'text', text }
}

function readBlock(value: unknown): Block[] {
  const { data } = KnownBlock.safeParse(value)
  if (!data) return []
  if (data.type === 'thinking') {
    const { signature, ...thinking } = data
    return [signature === undefined ? thinking : { ...thinking, signature }]
  }
  if (data.type === 'tool_result') {
    const { is_error, ...result } = data
    return [is_error === undefined ? result : { ...result, is_error }]
  }
  return [data]
}

/** A part of a tool's result; only text can be kept. */
function readPartText(part: unknown): string {
  const text = TextBlock.safeParse(part)
  return text.success ? text.data.text : '[not text]'
}
