import { inspect } from 'node:util'
import { isObject } from '../text/json.ts'

/** Output of a call for the model, in the words of the AI SDK. */
export type ModelOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: unknown }
  | { readonly type: 'content'; readonly value: readonly object[] }
  | { readonly type: 'execution-denied' }

/** Makes what the SDK makes of an output for which the tool has no words of its own. */
export function toPlainOutput(output: unknown): ModelOutput {
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: toModelJson(output) }
}

/** The value that JSON makes of an output, as the model reads it; what JSON cannot write stays, for the SDK to complain about. */
function toModelJson(output: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(output) ?? 'null')
  } catch {
    return output
  }
}

/** Makes what the model gets of an output that a hook wrote in the shape of MCP, blocks alone or in an object; null: it is another. */
export function toMcpOutput(output: unknown): ModelOutput | null {
  const blocks = isObject(output) ? output.content : output
  if (!Array.isArray(blocks) || blocks.length === 0 || !blocks.every(isBlock)) return null
  return { type: 'content', value: blocks.map((block) => ({ type: 'text', text: readBlock(block) })) }
}

type OutputFields = Readonly<Record<string, unknown>>
type OutputBlock = OutputFields & { readonly type: string }

function isBlock(value: unknown): value is OutputBlock {
  if (!isObject(value) || typeof value.type !== 'string') return false
  return value.type !== 'text' || typeof value.text === 'string'
}

function readBlock({ type, text, resource, uri, mimeType }: OutputBlock): string {
  if (typeof text === 'string') return text
  if (isObject(resource) && typeof resource.text === 'string') return resource.text
  return `[${[type, mimeType ?? uri].filter((word) => typeof word === 'string').join(', ')}: not shown]`
}

/** The same with what hooks say beside it. */
export function addTexts(output: ModelOutput, texts: readonly string[]): ModelOutput {
  if (texts.length === 0 || output.type === 'execution-denied') return output
  if (output.type === 'content')
    return { type: 'content', value: [...output.value, ...texts.map((text) => ({ type: 'text', text }))] }
  const isJson = output.type === 'json' || output.type === 'error-json'
  const written = isJson ? (JSON.stringify(toJsonValue(output.value)) ?? 'null') : output.value // as the SDK writes it
  const type = output.type.startsWith('error') ? 'error-text' : 'text'
  return { type, value: joinBeside(written, texts) }
}

/** A result as text, with what hooks say beside it. */
export function joinBeside(result: unknown, texts: readonly string[]): string {
  const written = toJsonValue(result ?? null)
  return [typeof written === 'string' ? written : JSON.stringify(written), ...texts].join('\n\n')
}

/**
 * Makes the error of a tool with what hooks say beside its message: an Error of the same class with the same fields. `write` gives the
 * message of a value that is not an Error, as the framework does.
 */
export function joinErrorBeside(
  error: unknown,
  texts: readonly string[],
  write: (thrown: unknown) => string = String,
): Error {
  if (!(error instanceof Error)) return new Error([write(error), ...texts].join('\n\n'), { cause: error })
  const said = new Error([error.message, ...texts].join('\n\n'), { cause: error })
  const { message: _, stack: __, cause: ___, ...fields } = Object.getOwnPropertyDescriptors(error)
  return Object.defineProperties(Object.setPrototypeOf(said, Object.getPrototypeOf(error)), fields)
}

/** Tools may give anything: what JSON cannot write becomes text. */
export function toJsonValue(output: unknown): unknown {
  try {
    JSON.stringify(output)
    return output
  } catch {
    return inspect(output) // the output refers to itself, or holds what JSON has no word for
  }
}
