import type { IncomingHttpHeaders } from 'node:http'

/** The protocols that the server speaks. */
export type WireFormat = 'anthropic' | 'openai'

/** The body of a request, as parsed. */
export type RequestBody = Readonly<Record<string, unknown>>

/** How a request ended: answered to its end, or broken off, by the client unless the script or `close` did it. */
export type RequestEnd = 'answered' | 'broken-off'

/** A request that the server got. */
export interface ModelRequest {
  /** Counted from 0. */
  readonly index: number
  readonly format: WireFormat
  readonly path: string
  /** With every key masked. */
  readonly headers: IncomingHttpHeaders
  /** Whether it carried the key of the server's `env`. */
  readonly hasKey: boolean
  readonly body: RequestBody
  readonly streaming: boolean
  /** Resolves when it is over, and never rejects. */
  readonly ended: Promise<RequestEnd>
}

const SECRET_HEADERS = ['authorization', 'x-api-key', 'api-key', 'proxy-authorization', 'cookie']

/** Headers that can be kept and printed. */
export function maskedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const masked = Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '***' : value])
  return Object.fromEntries(masked)
}

/** Whether a request carries a key, in the header of its protocol. */
export function carriesKey(headers: IncomingHttpHeaders, key: string): boolean {
  return headers['x-api-key'] === key || headers.authorization === `Bearer ${key}`
}

/** Whether a request holds the model to a schema, in any of the ways of its protocol. */
export function wantsStructuredOutput({ response_format, output_config, output_format }: RequestBody): boolean {
  return response_format !== undefined || output_format !== undefined || 'format' in Object(output_config)
}
