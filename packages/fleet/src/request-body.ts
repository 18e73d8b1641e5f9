import type { IncomingMessage } from 'node:http'
import { RequestError } from './request-error.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Reads the bytes of a request, up to a limit. */
export async function readPackedBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) throw new RequestError(413, `a request has at most ${MAX_BODY_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Reads the JSON of a request. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const body = await readPackedBody(request)
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new RequestError(400, 'the body is not JSON')
  }
}
