import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HooklineError } from '../files/error.ts'
import { readErrorCode } from '../files/read.ts'
import { type AccessKeys, isSame, nameCookie, type RequestedKind, refuseAccess } from './access.ts'
import { makePlainPage, type Page } from './page.ts'

/** Answers to questions of the page, by the last part of their address. */
export type Routes = Readonly<Record<string, Route>>

/** An answer to a question, as JSON. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly answer: (question: InspectorRequest) => Promise<unknown>
}

/** A question of the page. */
export interface InspectorRequest {
  readonly query: URLSearchParams
  /** The value that was sent with it; null for a GET. */
  readonly body: unknown
}

/** A sentence for the page in place of an answer. */
export class RefusedQuestion extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Options of a server. */
export interface ServerOptions {
  readonly page: Page
  readonly routes: Routes
  /** The address of this machine to listen on. */
  readonly host?: LoopbackHost | undefined
  /** 0 chooses a free one. */
  readonly port: number
  /** Milliseconds without a page after which `onIdle` is called. */
  readonly idleMs: number
  readonly onIdle: () => void
  /** Called when the first page looks, and when the last one has gone. */
  readonly onWatched: (isWatched: boolean) => void
}

/** A server that runs. */
export interface RunningServer {
  readonly port: number
  /** The address of the page. */
  readonly address: string
  readonly token: string
  /** Makes a link that opens the page once. */
  readonly makeLink: (path?: string) => string
  /** Sends a message to every page that looks. */
  readonly send: (message: object) => void
  readonly close: () => Promise<void>
}

/** Addresses that only this machine reaches. */
export const LOOPBACK_HOSTS = ['127.0.0.1', '::1'] as const
type LoopbackHost = (typeof LOOPBACK_HOSTS)[number]

const MAX_BODY_BYTES = 1024 * 1024
const MAX_ADDRESS_LENGTH = 16 * 1024
/** Milliseconds between two signs of life to pages that wait. */
const PING_MS = 20_000
/** One-time links that are valid at the same time. */
const MAX_LINKS = 20
/** Pages that may look at the same time. */
const MAX_WATCHERS = 32

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Addresses of this host: two slashes would name another one. */
const OWN_ADDRESS = /^\/(?![/\\])/
/** Addresses of views; each is the same document. */
const VIEWS = /^\/(?:$|(?:sessions|session|hooks|cost|compare)(?:\/|$))/

/** Starts a server for one user on this machine. Rejects with a HooklineError where the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 30_000 })
  const { host = '127.0.0.1' } = options
  await listen(server, { host, port: options.port })
  const { port } = server.address() as AddressInfo // the server listens on a port
  const keys: AccessKeys = {
    host: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    cookie: makeKey(),
    page: makeKey(),
    token: makeKey(),
  }
  const links = new Map<string, string>()
  const watchers = new Set<ServerResponse>()
  let lastSeen = Date.now()

  const watch = (response: ServerResponse): void => {
    response.writeHead(200, {
      ...HEADERS,
      'content-type': 'text/event-stream',
      'content-security-policy': NO_CONTENT_POLICY,
    })
    response.write(': hello\n\n')
    watchers.add(response)
    if (watchers.size === 1) options.onWatched(true)
    response.on('close', () => {
      watchers.delete(response)
      lastSeen = Date.now()
      if (watchers.size === 0) options.onWatched(false)
    })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '/' } = request
    if (url.length > MAX_ADDRESS_LENGTH || !OWN_ADDRESS.test(url))
      throw new RefusedQuestion(400, 'The address is not valid.')
    const { pathname, searchParams: query } = new URL(url, `http://${keys.host}`)
    const asked = findKind(pathname)
    const { method = '', headers, rawHeaders } = request
    const refusal = refuseAccess(asked, { method, headers, rawHeaders, pageKey: query.get('page') }, keys)
    if (refusal !== null) throw new RefusedQuestion(403, refusal)
    lastSeen = Date.now()
    if (asked === 'key') return openLink(response, pathname, { links, keys })
    if (asked === 'page') return sendPage(request, response, { page: options.page, pathname })
    if (pathname === '/api/live') {
      if (watchers.size >= MAX_WATCHERS) throw new RefusedQuestion(429, 'Too many pages look at once. Close some.')
      if (request.method !== 'GET') throw new RefusedQuestion(405, 'Only GET.')
      return watch(response)
    }
    await answerQuestion(request, response, { route: findRoute(options.routes, pathname), query })
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const [status, sentence] = describeFailure(error)
      refuse(response, status, sentence)
    })
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
    else socket.destroy()
  })
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n'))

  const ping = setInterval(
    () => {
      for (const one of watchers) one.write(': here\n\n')
      if (watchers.size === 0 && Date.now() - lastSeen >= options.idleMs) options.onIdle()
    },
    Math.min(PING_MS, options.idleMs),
  )

  return {
    port,
    address: `http://${keys.host}/`,
    token: keys.token,
    makeLink: (path = '/') => {
      const key = makeKey()
      const [oldest] = links.keys()
      if (links.size >= MAX_LINKS && oldest !== undefined) links.delete(oldest)
      links.set(key, path)
      return `http://${keys.host}/open/${key}`
    },
    send: (message) => {
      for (const one of watchers) one.write(`data: ${JSON.stringify(message)}\n\n`)
    },
    close: () =>
      new Promise((done) => {
        clearInterval(ping)
        for (const one of watchers) one.end()
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const makeKey = (): string => randomBytes(24).toString('base64url')

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error) => {
      const code = readErrorCode(error)
      fail(new HooklineError(describeListenFailure(code, { host, port })))
    })
    server.listen(port, host, () => done())
  })
}

function describeListenFailure(code: string | undefined, { host, port }: { host: string; port: number }): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Leave --port out, or name another one.`
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
    return `This machine has no address ${host} (${code}). Leave --host out.`
  return `No page can be served on port ${port} (${code}). Leave --port out, or name another one.`
}

function findKind(pathname: string): RequestedKind {
  if (pathname.startsWith('/api/')) return 'api'
  return pathname.startsWith('/open/') ? 'key' : 'page'
}

/** Lets a browser in that was given a link, once. */
function openLink(
  response: ServerResponse,
  pathname: string,
  { links, keys }: { readonly links: Map<string, string>; readonly keys: AccessKeys },
): void {
  const given = pathname.slice('/open/'.length)
  const [key, path] = [...links].find(([one]) => isSame(given, one)) ?? []
  if (key === undefined || path === undefined)
    throw new RefusedQuestion(
      403,
      'This link was used already. hookline inspect prints a new one when you press Enter in its terminal.',
    )
  links.delete(key)
  response.writeHead(303, {
    ...HEADERS,
    location: `${path}#page=${keys.page}`,
    'content-security-policy': NO_CONTENT_POLICY,
    'set-cookie': `${nameCookie(keys.host)}=${keys.cookie}; Path=/; HttpOnly; SameSite=Strict`,
  })
  response.end()
}

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { page, pathname }: { readonly page: Page; readonly pathname: string },
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new RefusedQuestion(405, 'Only GET.')
  if (!VIEWS.test(pathname)) throw new RefusedQuestion(404, 'There is no such view. Sessions are at /.')
  response.writeHead(200, {
    ...HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': page.policy,
  })
  response.end(request.method === 'HEAD' ? undefined : page.html)
}

function findRoute(routes: Routes, pathname: string): Route {
  const name = pathname.slice('/api/'.length)
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined
  if (route === undefined) throw new RefusedQuestion(404, 'There is no such question.')
  return route
}

async function answerQuestion(
  request: IncomingMessage,
  response: ServerResponse,
  { route, query }: { readonly route: Route; readonly query: URLSearchParams },
): Promise<void> {
  if (request.method !== route.method) throw new RefusedQuestion(405, `Only ${route.method}.`)
  const body = route.method === 'POST' ? await readBody(request) : null
  sendJson(response, 200, await route.answer({ query, body }))
}

/** Reads the JSON of a request. Throws a RefusedQuestion for anything else. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const [type] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type?.trim().toLowerCase() !== 'application/json') throw new RefusedQuestion(415, 'Only JSON is read.')
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) throw new RefusedQuestion(413, 'At most 1 MiB is read.')
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    throw new RefusedQuestion(400, 'The text is not JSON.') // cut off, or something else
  }
}

function describeFailure(error: unknown): [number, string] {
  if (error instanceof RefusedQuestion) return [error.status, error.message]
  if (error instanceof HooklineError) return [422, error.message]
  return [500, `Hookline failed: ${error instanceof Error ? error.message : String(error)}`]
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  if (response.headersSent) return void response.end()
  response.writeHead(status, {
    ...HEADERS,
    connection: 'close',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': NO_CONTENT_POLICY,
    'x-hookline-refused': encodeURIComponent(sentence),
  })
  response.end(makePlainPage(sentence))
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    ...HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-security-policy': NO_CONTENT_POLICY,
  })
  response.end(JSON.stringify(value))
}
