import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { serve } from '../tools/server.ts'

/** A server over HTTP on this machine. */
export interface RemoteServer {
  readonly url: string
  /** What stood in `Authorization`, request by request. */
  readonly authorizations: readonly (string | undefined)[]
  /** From now on it answers 503. */
  readonly breakDown: () => void
}

/** Starts one that adds numbers, and asks which to add when it is given none; gone when the test is over. */
export async function remoteServer(): Promise<RemoteServer> {
  const server = new McpServer({ name: 'remote', version: '1.0.0' })
  server.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number().optional(), b: z.number() }) },
    async ({ a, b }, context) => {
      const requestedSchema = { type: 'object', properties: { a: { type: 'number' } } } as const
      const asked = a ?? (await context.mcpReq.elicitInput({ message: 'Which number?', requestedSchema })).content?.a
      return { content: [{ type: 'text', text: String(Number(asked) + b) }] }
    },
  )
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() })
  await server.connect(transport)
  const authorizations: (string | undefined)[] = []
  let broken = false
  const url = await serve(async (request, response) => {
    authorizations.push(request.headers.authorization)
    if (broken) return void response.writeHead(503).end('out of order')
    const answer = await transport.handleRequest(await asRequest(request))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) return void response.end()
    response.flushHeaders()
    Readable.fromWeb(answer.body as ReadableStream).pipe(response) // the same class under two names
  })
  const breakDown = (): void => {
    broken = true
  }
  return { url, authorizations, breakDown }
}

async function asRequest(request: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/' } = request
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  const body = method === 'POST' ? { body: await text(request) } : {}
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers, ...body })
}
