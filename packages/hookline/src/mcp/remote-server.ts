import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { redactAddress } from '../text/address.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'
import { type Line, readStreamLines } from '../text/lines.ts'
import { FAULTS, type Id, isId, makeErrorAnswer, makeStatelessHeaders, toIdKey } from './message.ts'
import type { McpServer } from './server-process.ts'

/** A server over streamable HTTP. */
interface Remote {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Bytes of a message; a longer one ends the connection. */
  readonly longest: number
  /** Says a sentence to the user. */
  readonly tell: (sentence: string) => void
}

/** Number of times that a stream which breaks off is opened again before anything more has come. */
const MAX_STREAM_TRIES = 5
const RETRY_MS = 1000
/** A server is told for so long that its session is over. */
const GOODBYE_MS = 1000
const MAX_REFUSAL_BYTES = 64 * 1024

/** A message on its way to the server. */
interface SentMessage {
  /** The requests in it that have no answer yet. */
  readonly open: Map<string, Id>
  readonly isInitialize: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Called when all of it is answered. */
  answered: () => void
}

/**
 * A server over streamable HTTP: every message is a request of its own, and what comes back is JSON or a stream of events. Each
 * request has a connection of its own: on one that was kept, a call might be sent twice.
 */
export class RemoteServer implements McpServer {
  readonly #remote: Remote
  readonly #closing = new AbortController()
  readonly #lines: Line[] = []
  #wake = (): void => {}
  #session: Readonly<Record<string, string>> = {}
  #isListening = false
  /** Settles when the server has taken what later messages rely on. */
  #taken: Promise<unknown> = Promise.resolve()

  constructor(remote: Remote) {
    this.#remote = remote
  }

  async *readLines(): AsyncGenerator<Line> {
    while (!this.#closing.signal.aborted) {
      yield* this.#lines.splice(0)
      if (this.#lines.length > 0) continue
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Notifications and `initialize` are taken before anything later is sent; other requests wait for no answer but that. */
  send(line: Buffer): boolean {
    const sent = readSent(line)
    const isAwaited = sent.isInitialize || sent.open.size === 0
    const answered = new Promise<void>((resolve) => {
      sent.answered = resolve
    })
    const posted = this.#taken.then(() => this.#post(line, sent))
    if (isAwaited) this.#taken = Promise.race([posted, answered])
    return true
  }

  async waitUntilCaughtUp(): Promise<void> {}

  async end(): Promise<string> {
    return 'closed the connection'
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake()
    if (this.#session['mcp-session-id'] === undefined) return
    const goodbye = this.#ask('DELETE', { signal: AbortSignal.timeout(GOODBYE_MS) })
    const response = await goodbye.catch(() => null) // the server has ended, or ends its sessions itself
    response?.resume()
  }

  /** Sends a message, and reads what comes of it. Never rejects. */
  async #post(line: Buffer, sent: SentMessage): Promise<void> {
    const { headers } = sent
    try {
      const response = await this.#ask('POST', { headers: { ...CONTENT, ...headers }, body: line })
      if (!isFine(response)) throw new Error(await readRefusalText(response))
      const { 'mcp-session-id': session } = response.headers
      if (sent.isInitialize && typeof session === 'string') this.#session = { 'mcp-session-id': session }
      await this.#read(response, sent)
      if (sent.open.size > 0) throw new Error('ended its answer too early')
      if (line.includes(INITIALIZED)) void this.#listen()
    } catch (error) {
      this.#giveUp(sent, error)
    }
  }

  /** Answers in the server's place what it did not answer. */
  #giveUp({ open }: SentMessage, error: unknown): void {
    if (this.#closing.signal.aborted) return
    const reason = `The MCP server at ${redactAddress(this.#remote.url.href)} ${describeFetchError(error)}.`
    if (open.size === 0) this.#remote.tell(reason)
    for (const id of open.values()) this.#push(makeErrorAnswer(id, FAULTS.closed, reason))
    open.clear()
  }

  async #read(response: IncomingMessage, sent: SentMessage): Promise<void> {
    if (isStream(response)) return this.#follow(response, sent)
    const body = await readBody(response, this.#remote.longest)
    if (!Buffer.isBuffer(body) || body.length > 0) this.#take(body, sent)
  }

  /** Reads a stream of events. One that breaks off is opened again behind the last event that came. */
  async #follow(first: IncomingMessage, sent: SentMessage | null): Promise<void> {
    let response = first
    let last: Readonly<Record<string, string>> = {}
    let retryMs = RETRY_MS
    for (let tries = 0; tries < MAX_STREAM_TRIES; tries++) {
      for await (const { data, id, retry } of readStreamEvents(response, this.#remote.longest)) {
        tries = 0
        if (id !== null) last = { 'last-event-id': id }
        retryMs = retry ?? retryMs
        if (data !== null) this.#take(data, sent)
      }
      const isOver = sent !== null && (sent.open.size === 0 || last['last-event-id'] === undefined)
      if (isOver || this.#closing.signal.aborted) return
      await pause(retryMs, null, { signal: this.#closing.signal })
      response = await this.#ask('GET', { headers: last })
      if (!isFine(response) || !isStream(response)) throw new Error(await readRefusalText(response))
    }
  }

  /** Listens to what the server says by itself, where it does. Never rejects. */
  async #listen(): Promise<void> {
    if (this.#isListening) return
    this.#isListening = true
    try {
      const response = await this.#ask('GET', {})
      if (isFine(response) && isStream(response)) await this.#follow(response, null)
      else response.resume() // most servers have nothing to say by themselves
    } catch (error) {
      if (!this.#closing.signal.aborted)
        this.#remote.tell(`What the MCP server says by itself is not heard any more: it ${describeFetchError(error)}.`)
    }
  }

  /** A message that came. */
  #take(line: Line, sent: SentMessage | null): void {
    const message = Buffer.isBuffer(line) && sent !== null ? parseJsonOrNull(line.toString()) : null
    for (const one of [message].flat()) {
      if (!isObject(one) || one.method !== undefined || !isId(one.id)) continue
      sent?.open.delete(toIdKey(one.id))
      const { protocolVersion } = isObject(one.result) ? one.result : {}
      if (sent?.isInitialize && typeof protocolVersion === 'string')
        this.#session = { ...this.#session, 'mcp-protocol-version': protocolVersion }
    }
    this.#push(line)
    if (sent?.open.size === 0) sent.answered()
  }

  #push(line: Line): void {
    this.#lines.push(Buffer.isBuffer(line) ? joinLine(line) : line)
    this.#wake()
  }

  #ask(method: string, { headers = {}, body, signal = this.#closing.signal }: SentRequest): Promise<IncomingMessage> {
    const { url, headers: own } = this.#remote
    const request = url.protocol === 'https:' ? requestSecure : requestPlain
    const all = { ...own, accept: ACCEPTED[method] ?? '*/*', ...this.#session, ...headers }
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, signal, agent: false, headers: { ...all, ...length } })
      asked.on('response', resolve).on('error', reject).end(body)
    })
  }
}

interface SentRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  readonly signal?: AbortSignal
}

const STREAM = 'text/event-stream'
const CONTENT = { 'content-type': 'application/json' }
const ACCEPTED: Readonly<Record<string, string>> = { POST: `application/json, ${STREAM}`, GET: STREAM }
const INITIALIZED = '"notifications/initialized"'

function readSent(line: Buffer): SentMessage {
  const messages = [parseJsonOrNull(line.toString())].flat().filter(isObject)
  const requests = messages.flatMap(({ id, method }) => (method !== undefined && isId(id) ? [id] : []))
  return {
    open: new Map(requests.map((id) => [toIdKey(id), id])),
    isInitialize: messages.some(({ method }) => method === 'initialize'),
    headers: messages.length === 1 ? makeStatelessHeaders(messages[0] ?? {}) : {},
    answered: () => {},
  }
}

const isFine = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode <= 299
const isStream = ({ headers }: IncomingMessage): boolean => headers['content-type']?.startsWith(STREAM) === true

/** Reason why a server did not take a message. */
async function readRefusalText(response: IncomingMessage): Promise<string> {
  const { statusCode = 0 } = response
  const body = await readBody(response, MAX_REFUSAL_BYTES)
  const message = Buffer.isBuffer(body) ? parseJsonOrNull(body.toString()) : null
  const { error } = isObject(message) ? message : {}
  const said = isObject(error) && typeof error.message === 'string' ? `: ${error.message}` : ''
  if (statusCode >= 300 && statusCode <= 399) return `answered ${statusCode}, and redirects are not followed`
  return statusCode === 401 ? `answered 401${said}; pass credentials with --header` : `answered ${statusCode}${said}`
}

function describeFetchError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException // errors of Node have one
  return code === undefined ? error.message : `could not be reached (${code})`
}

async function readBody(response: IncomingMessage, longest: number): Promise<Line> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > longest) return { tooLong: length }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** JSON has line ends between its parts alone. */
function joinLine(line: Buffer): Buffer {
  return line.includes('\n') || line.includes('\r') ? Buffer.from(line.toString().replaceAll(/[\r\n]+/g, ' ')) : line
}

/** An event of a stream. */
interface StreamEvent {
  readonly data: Line | null
  readonly id: string | null
  /** Milliseconds after which the stream is to be opened again. */
  readonly retry: number | null
}

async function* readStreamEvents(stream: AsyncIterable<Buffer>, longest: number): AsyncGenerator<StreamEvent> {
  let data: Buffer[] = []
  let id: string | null = null
  let retry: number | null = null
  for await (const line of readStreamLines(stream, longest, { blank: true })) {
    if (!Buffer.isBuffer(line)) {
      yield { data: line, id: null, retry: null }
      continue
    }
    const text = line.at(-1) === RETURN ? line.subarray(0, -1) : line
    if (text.length === 0) {
      if (data.length > 0 || id !== null || retry !== null)
        yield { data: data.some(({ length }) => length > 0) ? Buffer.concat(data) : null, id, retry }
      data = []
      id = null
      retry = null
      continue
    }
    const colon = text.indexOf(COLON)
    const field = text.subarray(0, colon === -1 ? text.length : colon).toString()
    const start = colon === -1 ? text.length : colon + 1
    const value = text.subarray(text[start] === SPACE ? start + 1 : start)
    if (field === 'data') data.push(value)
    else if (field === 'id') id = value.toString()
    else if (field === 'retry' && /^\d+$/.test(value.toString())) retry = Number(value.toString())
  }
}

const RETURN = 0x0d
const COLON = 0x3a
const SPACE = 0x20
