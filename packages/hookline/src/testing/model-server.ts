import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ANTHROPIC } from './anthropic-wire.ts'
import { GEMINI } from './gemini-wire.ts'
import type { ModelAnswer } from './model-answer.ts'
import {
  hasKey,
  isStructured,
  type ModelRequest,
  maskHeaders,
  type RequestBody,
  type RequestEnd,
  type WireFormat,
} from './model-request.ts'
import { OPENAI_RESPONSES } from './openai-responses-wire.ts'
import { OPENAI } from './openai-wire.ts'
import { JSON_TYPE, refuse, respond, send } from './respond.ts'
import type { Wire } from './wire.ts'

/** Makes an answer of a request. */
export type ModelScriptFunction = (request: ModelRequest) => ModelAnswer | Promise<ModelAnswer>

/** Answers of the server: one answer per request in this order, or what a function makes of the request. */
export type ModelScript = readonly ModelAnswer[] | ModelScriptFunction

/** Options of a server, besides its script. */
export interface ModelServerOptions {
  /** False: a request that holds the model to a schema is refused with a 400 and uses up no answer. Default: true. */
  readonly structuredOutput?: boolean | undefined
  /**
   * Answer for a client that asks for something else than an answer (settings, telemetry, a login): an error, or `{}` with
   * status 200, so that agents start. Default: `refused`.
   */
  readonly otherPaths?: 'refused' | 'empty' | undefined
}

/** The variables that lead clients to the server, with a key that is worth nothing. */
export type ModelServerEnvironment = {
  readonly ANTHROPIC_BASE_URL: string
  readonly ANTHROPIC_API_KEY: string
  readonly OPENAI_BASE_URL: string
  readonly OPENAI_API_KEY: string
  readonly GOOGLE_GEMINI_BASE_URL: string
  readonly GEMINI_API_KEY: string
}

const KEY = 'sk-scripted-model-server'

const WIRES: Readonly<Record<WireFormat, Wire>> = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  'openai-responses': OPENAI_RESPONSES,
  gemini: GEMINI,
}

const MODELS_PATH = /^\/v1(?:beta)?\/models$/

/** The models that there are, in the shapes of all protocols at once. */
const MODELS = {
  object: 'list',
  data: [{ id: 'scripted', type: 'model', object: 'model', created: 1_700_000_000, owned_by: 'script' }],
  models: [{ name: 'models/scripted', supportedGenerationMethods: ['generateContent'] }],
}

/**
 * Starts a server on loopback that speaks the protocols of Anthropic (Messages), OpenAI (chat completions, Responses) and
 * Gemini, streams included, and says what a script tells it. Requests that the real ones would refuse are refused.
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

  /** Address, without a path: `http://127.0.0.1:…`. */
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
      GOOGLE_GEMINI_BASE_URL: this.url,
      GEMINI_API_KEY: KEY,
    }
  }

  /** Every request so far, in the order of arrival. */
  get requests(): readonly ModelRequest[] {
    return this.#requests
  }

  /** Resolves when the request with this index (from 0) has arrived. */
  waitForRequest(index: number): Promise<ModelRequest> {
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
    const format = findWireFormat(path)
    if (format === null || incoming.method !== 'POST') return this.#giveOther(incoming, response, path)
    const wire = WIRES[format]
    const sent = await text(incoming).catch(() => null) // the client left before it had said everything
    if (sent === null) return
    const body = requestBody(sent)
    if (body === null) return refuse({ response, wire }, 400, 'The body is not a JSON object.')
    const closing = new AbortController()
    const request = this.#record(incoming, {
      ...wire.asked(body, path),
      format,
      path,
      body,
      ended: waitForClose(response, closing),
    })
    const line = { request, response, wire, signal: closing.signal }
    const fault = wire.fault(body)
    if (fault !== null) return refuse(line, 400, fault)
    if (this.#options.structuredOutput === false && isStructured(body))
      return refuse(line, 400, 'Structured output is not supported by this server.')
    return respond(line, await this.#answerTo(request))
  }

  #giveOther({ method }: IncomingMessage, response: ServerResponse, path: string): void {
    if (method === 'GET' && MODELS_PATH.test(path)) send({ response }, 200, JSON_TYPE, JSON.stringify(MODELS))
    else if (this.#options.otherPaths === 'empty') send({ response }, 200, JSON_TYPE, '{}')
    else refuse({ response, wire: OPENAI }, 404, `There is no ${method} ${path} here.`)
  }

  #record({ headers }: IncomingMessage, asked: Omit<ModelRequest, 'index' | 'headers' | 'hasKey'>): ModelRequest {
    const request: ModelRequest = {
      ...asked,
      index: this.#requests.length,
      headers: maskHeaders(headers),
      hasKey: hasKey(headers, KEY),
    }
    this.#requests.push(request)
    for (const { index, resolve } of this.#awaiting) if (index === request.index) resolve(request)
    return request
  }

  async #answerTo(request: ModelRequest): Promise<ModelAnswer> {
    if (typeof this.#script === 'function') return runScript(this.#script, request)
    const answer = this.#script[this.#answered++]
    return (
      answer ?? { status: 400, message: `The script has ${this.#script.length} answers, and this is one request more.` }
    )
  }
}

function findWireFormat(path: string): WireFormat | null {
  const formats = Object.entries(WIRES) as [WireFormat, Wire][] // Object.entries widens the names of a Record
  return formats.find(([, wire]) => wire.path.test(path))?.[0] ?? null
}

function waitForClose(response: ServerResponse, closing: AbortController): Promise<RequestEnd> {
  return new Promise((resolve) => {
    response.once('close', () => {
      closing.abort()
      resolve(response.writableFinished ? 'answered' : 'broken-off')
    })
  })
}

/** A script that throws, for example from an assertion, is seen by the client as a refusal with its message. */
async function runScript(script: ModelScriptFunction, request: ModelRequest): Promise<ModelAnswer> {
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
