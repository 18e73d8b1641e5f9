import type { IncomingHttpHeaders } from 'node:http'

/** The protocols that the server speaks. */
export type WireFormat = 'anthropic' | 'openai' | 'openai-responses' | 'gemini'

/** The body of a request, as parsed. */
export type RequestBody = Readonly<Record<string, unknown>>

/** End of a request: answered to its end, or broken off, by the client unless the script or `close` did it. */
export type RequestEnd = 'answered' | 'broken-off'

/** Request, whatever its protocol. */
export interface RequestFacts {
  readonly model: string
  readonly streaming: boolean
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[]
  /** Number of results of tools the conversation holds so far. */
  readonly toolResults: number
}

/** A request that the server got. */
export interface ModelRequest extends RequestFacts {
  /** Counted from 0. */
  readonly index: number
  readonly format: WireFormat
  readonly path: string
  /** With every key masked. */
  readonly headers: IncomingHttpHeaders
  /** True if it carried the key of the server's `env`. */
  readonly hasKey: boolean
  readonly body: RequestBody
  /** Resolves when it is over, and never rejects. */
  readonly ended: Promise<RequestEnd>
}

const SECRET_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'proxy-authorization', 'cookie']

/** Headers that can be kept and printed. */
export function maskHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const masked = Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '***' : value])
  return Object.fromEntries(masked)
}

/** True if a request carries a key, in the header of its protocol. */
export function hasKey(headers: IncomingHttpHeaders, key: string): boolean {
  const given = [headers['x-api-key'], headers['x-goog-api-key'], headers.authorization?.replace(/^Bearer /, '')]
  return given.includes(key)
}

/** True if a request holds the model to a schema, in any of the ways of its protocol. */
export function isStructured(body: RequestBody): boolean {
  const { response_format, output_config, output_format, text, generationConfig } = body
  const { responseSchema, responseJsonSchema = responseSchema }: RequestBody = Object(generationConfig)
  if ([response_format, output_format, responseJsonSchema].some((format) => format !== undefined)) return true
  return 'format' in Object(output_config) || Object(Object(text).format).type === 'json_schema'
}
