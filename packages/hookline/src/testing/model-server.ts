import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ANTHROPIC } from './anthropic-wire.ts'
import type { ModelAnswer } from './model-answer.ts'
import {
  carriesKey,
  type ModelRequest,
  maskedHeaders,
  type RequestBody,
  type RequestEnd,
  type WireFormat,
  wantsStructuredOutput,
} from './model-request.ts'
import { OPENAI } from './openai-wire.ts'
import { refuse, respond } from './respond.ts'
import type { Wire } from './wire.ts'

/** Makes an answer of a request. */
export type ModelScriptFunction = (request: ModelRequest) => ModelAnswer | Promise<ModelAnswer>

/** What the server says: one answer per request in this order, or what a function makes of the request. */
export type ModelScript = readonly ModelAnswer[] | ModelScriptFunction

/** What a server is like, besides its script. */
export interface ModelServerOptions {
  /** False: a request that holds the model to a schema is refused with a 400 and uses up no answer. Default: true. */
  readonly structuredOutput?: boolean
}

/** The variables that lead clients to the server, with a key that is worth nothing. */
export type ModelServerEnvironment = {
  readonly ANTHROPIC_BASE_URL: string
  readonly ANTHROPIC_API_KEY: string
  readonly OPENAI_BASE_URL: string
  readonly OPENAI_API_KEY: string
}

const KEY = 'sk-scripted-model-server'

const PATHS: Readonly<Record<string, { format: WireFormat; wire: Wire }>> = {
  '/v1/messages': { format: 'anthropic', wire: ANTHROPIC },
  '/v1/chat/completions': { format: 'openai', wire: OPENAI },
}

/**
 * Starts a server on loopback that speaks the protocols of Anthropic (Messages) and OpenAI (chat completions), streams
 * included, and says what a script tells it. Requests that the real ones would refuse are refused.
 *
 * ```ts
 * const server = await startModelServer([{ text: '{"ok": false, "reason": "no tests"}' }])
 * const models = openModels({ env: server.env })
 * // … then look at server.requests
 * await server.close()
 * ```
 */
export async function startModelServer(script: ModelScript, options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new ModelServer(server, script, options)
}

/** A scripted server that runs until it is closed. */
export class ModelServer {
  readonly #server: Server
  readonly #script: ModelScript
  readonly #options: ModelServerOptions
  readonly #requests: ModelRequest[] = []
  readonly #awaiting: { readonly index: number; readonly resolve: (request: ModelRequest) => void }[] = []
  #answered = 0
  #closing = false

  /** Use `startModelServer`. */
  constructor(server: Server, script: ModelScript, options: ModelServerOptions) {
    this.#server = server
    this.#script = script
    this.#options = options
    server.on('request', (incoming, response) => void this.#take(incoming, response))
  }

  /** Where it is, without a path: `http://127.0.0.1:…`. */
  get url(): string {
    // The compiler cannot know that a server which listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The environment with which clients find it. */
  get env(): ModelServerEnvironment {
    return {
      ANTHROPIC_BASE_URL: this.url,
      ANTHROPIC_API_KEY: KEY,
      OPENAI_BASE_URL: `${this.url}/v1`,
      OPENAI_API_KEY: KEY,
    }
  }

  /** Every request so far, in the order of arrival. */
  get requests(): readonly ModelRequest[] {
    return this.#requests
  }

  /** Resolves when the request with this index (from 0) has arrived. */
  received(index: number): Promise<ModelRequest> {
    const there = this.#requests[index]
    if (there) return Promise.resolve(there)
    return new Promise((resolve) => this.#awaiting.push({ index, resolve }))
  }

  /** Ends every connection and stops listening. */
  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url?.split('?', 1)[0] ?? ''
    const known = PATHS[path]
    if (known === undefined || incoming.method !== 'POST')
      return refuse({ response, wire: OPENAI }, 404, `There is no ${incoming.method} ${path} here.`)
    const sent = await text(incoming).catch(() => null) // the client left before it had said everything
    if (sent === null) return
    const body = requestBody(sent)
    if (body === null) return refuse({ response, wire: known.wire }, 400, 'The body is not a JSON object.')
    const closing = new AbortController()
    const request = this.#record(incoming, { path, body, format: known.format, ended: endOf(response, closing) })
    const line = { request, response, wire: known.wire, signal: closing.signal }
    const fault = known.wire.fault(body)
    if (fault !== null) return refuse(line, 400, fault)
    if (this.#options.structuredOutput === false && wantsStructuredOutput(body))
      return refuse(line, 400, 'Structured output is not supported by this server.')
    return respond(line, await this.#answerTo(request))
  }

  #record(
    { headers }: IncomingMessage,
    { path, body, format, ended }: Pick<ModelRequest, 'path' | 'body' | 'format' | 'ended'>,
  ): ModelRequest {
    const request: ModelRequest = {
      index: this.#requests.length,
      format,
      path,
      headers: maskedHeaders(headers),
      hasKey: carriesKey(headers, KEY),
      body,
      streaming: body.stream === true,
      ended,
    }
    this.#requests.push(request)
    for (const { index, resolve } of this.#awaiting) if (index === request.index) resolve(request)
    return request
  }

  async #answerTo(request: ModelRequest): Promise<ModelAnswer> {
    if (typeof this.#script === 'function') return scripted(this.#script, request)
    const answer = this.#script[this.#answered++]
    return (
      answer ?? { status: 400, message: `The script has ${this.#script.length} answers, and this is one request more.` }
    )
  }
}

function endOf(response: ServerResponse, closing: AbortController): Promise<RequestEnd> {
  return new Promise((resolve) => {
    response.once('close', () => {
      closing.abort()
      resolve(response.writableFinished ? 'answered' : 'broken-off')
    })
  })
}

/** A script that throws, for example from an assertion, is seen by the client as a refusal with its message. */
async function scripted(script: ModelScriptFunction, request: ModelRequest): Promise<ModelAnswer> {
  try {
    return await script(request)
  } catch (error) {
    return { status: 400, message: `The script failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function requestBody(text: string): RequestBody | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null // not JSON
  }
}
