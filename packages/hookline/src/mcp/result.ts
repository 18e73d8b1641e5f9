import { isObject } from '../text/json.ts'
import type { CallOutcome } from '../tools/after-call.ts'
import type { Message } from './message.ts'

/** The result of a call, in the shape of the protocol. */
type McpResult = Readonly<Record<string, unknown>>

/** A result that the model reads as an error. */
export function makeErrorResult(texts: readonly string[], { stateless }: { readonly stateless: boolean }): McpResult {
  return { ...(stateless ? { resultType: 'complete' } : {}), content: texts.map(makeTextBlock), isError: true }
}

/** Reads what a server's answer means: the call ran or failed, it has not ended yet, or its result is to be fetched later. */
export function readAnswerEnd({
  result,
  error,
}: Message): DistributiveOmit<CallOutcome, 'durationMs'> | 'open' | 'later' {
  if (!isObject(result)) return { error: new Error(readErrorMessage(error)) }
  const { resultType = 'complete', task, isError, content, structuredContent, _meta } = result
  if (resultType === 'input_required') return 'open'
  if (resultType !== 'complete' || task !== undefined) return 'later'
  if (isError === true) return { error: new Error(joinContent(content) || 'The tool failed and does not say why.') }
  const beside = { structuredContent, _meta }
  return {
    output: { content, ...Object.fromEntries(Object.entries(beside).filter(([, value]) => value !== undefined)) },
  }
}

type DistributiveOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never

function readErrorMessage(error: unknown): string {
  return isObject(error) && typeof error.message === 'string'
    ? error.message
    : 'The server did not say what went wrong.'
}

function joinContent(content: unknown): string {
  const blocks: unknown[] = Array.isArray(content) ? content : []
  return blocks.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : [])).join('\n')
}

/**
 * A result with what hooks put in its place. Nothing of the server's own stays: neither its structured content nor its
 * `_meta`. Clients refuse a result without structured content from a tool that promises some, unless it is an error.
 */
export function makeReplacedResult(original: unknown, output: unknown): McpResult {
  const { structuredContent: structured, resultType } = isObject(original) ? original : {}
  const kind = resultType === undefined ? {} : { resultType }
  const given = isObject(output) ? output : {}
  const hasContent = Array.isArray(given.content) && given.content.every(isContentBlock)
  const isShaped = hasContent || isObject(given.structuredContent)
  if (!isShaped)
    return { ...kind, content: toContentBlocks(output), ...(structured === undefined ? {} : { isError: true }) }
  const { structuredContent, isError } = given
  const isBare = structured !== undefined && !isObject(structuredContent)
  return {
    ...kind,
    content: hasContent ? given.content : toContentBlocks(structuredContent),
    ...(isObject(structuredContent) ? { structuredContent } : {}),
    ...(isError === true || isBare ? { isError: true } : {}),
  }
}

function toContentBlocks(output: unknown): unknown[] {
  if (Array.isArray(output) && output.length > 0 && output.every(isContentBlock)) return output
  return [makeTextBlock(typeof output === 'string' ? output : JSON.stringify(output ?? null))]
}

function isContentBlock(block: unknown): boolean {
  return isObject(block) && typeof block.type === 'string' && (block.type !== 'text' || typeof block.text === 'string')
}

const makeTextBlock = (text: string) => ({ type: 'text', text })

/** An answer with what hooks say beside it. */
export function appendTexts(answer: Message, texts: readonly string[]): Message {
  const { result, error } = answer
  if (texts.length === 0) return answer
  if (!isObject(result)) {
    const { message = '', ...rest } = isObject(error) ? error : {}
    return { ...answer, error: { ...rest, message: [message, ...texts].join('\n\n') } }
  }
  const content: unknown[] = Array.isArray(result.content) ? result.content : []
  return { ...answer, result: { ...result, content: [...content, ...texts.map(makeTextBlock)] } }
}
