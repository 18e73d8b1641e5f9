import { Buffer } from 'node:buffer'
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from 'node:http'
import { type AgentOptions, request as requestSecure, Agent as SecureAgent } from 'node:https'
import { BlockList, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'
import type { CapturedStream } from '../process/process-run.ts'

/** Body of a request, and how far it goes. */
interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Environment that may name a proxy. */
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** Bytes of the answer that are read; past it nothing is. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** A server's answer, whatever its status, or why there is none. No header, credential or query stands in a reason. */
export type Reply = { readonly status: number; readonly body: CapturedStream } | { readonly reason: string }

const KEPT_OPEN = { keepAlive: true, scheduling: 'lifo' } as const satisfies AgentOptions

/** Sends requests, and keeps connections open for the next ones. An idle connection keeps no process alive. */
export class HttpClient {
  readonly #plain = new Agent(KEPT_OPEN)
  readonly #secure = new SecureAgent(KEPT_OPEN)
  readonly #tunnels = new Map<string, TunnelAgent>()

  /** Never rejects. A connection that was kept and turns out to be closed is no failure: it is tried on another. */
  async post(url: URL, post: Post): Promise<Reply> {
    const proxy = findProxy(url, post.env)
    if (typeof proxy === 'string') return { reason: proxy }
    for (;;) {
      const reply = await send(this.#requestTo(url, proxy, post), post, describeServer(url, proxy))
      if (reply !== 'stale') return reply
    }
  }

  /** Ends all connections. */
  close(): void {
    for (const agent of [this.#plain, this.#secure, ...this.#tunnels.values()]) agent.destroy()
  }

  #requestTo(url: URL, proxy: URL | null, { headers, body, signal }: Post): ClientRequest {
    const method = 'POST'
    const all = { ...headers, 'content-length': String(body.length) }
    if (proxy === null) {
      return url.protocol === 'https:'
        ? requestSecure(url, { method, headers: all, agent: this.#secure })
        : requestPlain(url, { method, headers: all, agent: this.#plain })
    }
    if (url.protocol === 'https:') {
      const options: TunnelOptions = { method, headers: all, agent: this.#openTunnel(proxy), tunnelSignal: signal }
      return requestSecure(url, options)
    }
    const isSecure = proxy.protocol === 'https:'
    const options: RequestOptions = {
      ...toServerOptions(proxy),
      method,
      path: url.href.slice(0, url.href.length - url.hash.length),
      headers: { ...all, host: url.host, ...makeProxyHeaders(proxy) },
    }
    return isSecure
      ? requestSecure({ ...options, agent: this.#secure })
      : requestPlain({ ...options, agent: this.#plain })
  }

  #openTunnel(proxy: URL): TunnelAgent {
    const known = this.#tunnels.get(proxy.href)
    if (known) return known
    const made = new TunnelAgent(proxy)
    this.#tunnels.set(proxy.href, made)
    return made
  }
}

/** Sends a request and reads the answer; `stale`: the server had closed the connection before the request was on it. */
function send(request: ClientRequest, { body, limit, signal }: Post, where: string): Promise<Reply | 'stale'> {
  return new Promise((resolve) => {
    const abort = (): void => void request.destroy()
    const settle = (reply: Reply | 'stale'): void => {
      signal.removeEventListener('abort', abort)
      resolve(reply)
    }
    signal.addEventListener('abort', abort, { once: true })
    let isAnswered = false
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && !isAnswered && CUT_OFF.has(error.code ?? '') && !signal.aborted
      settle(isStale ? 'stale' : { reason: describeConnectionError(error, where) })
    })
    request.on('response', (response) => {
      isAnswered = true
      void read(response, limit, where).then(settle)
    })
    if (signal.aborted) abort()
    request.end(body)
  })
}

/** Reads as much of an answer as may be; of one that is longer nothing more is waited for. */
function read(response: IncomingMessage, limit: number, where: string): Promise<Reply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const reply = (): Reply => {
      const kept = Buffer.concat(chunks)
      return { status: response.statusCode ?? 0, body: { kept: kept.subarray(0, limit), bytes } }
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= limit) return
      resolve(reply())
      response.destroy()
    })
    response.on('error', () => {}) // told by its closing
    response.on('close', () => resolve(response.complete ? reply() : { reason: `${where} ended its answer midway` }))
  })
}

interface TunnelOptions extends RequestOptions {
  /** Ends the wait for the proxy too. */
  readonly tunnelSignal: AbortSignal
}

/** Connects to secure servers through a proxy that passes on what it cannot read. */
class TunnelAgent extends SecureAgent {
  readonly #proxy: URL

  constructor(proxy: URL) {
    super(KEPT_OPEN)
    this.#proxy = proxy
  }

  override createConnection(
    options: RequestOptions & Partial<TunnelOptions>,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const { host, port, servername, tunnelSignal } = options as TunnelOptions & { servername?: string } // of our requests alone
    const target = `${host?.includes(':') ? `[${host}]` : host}:${port ?? 443}`
    const fail = (error: Error): void => callback?.(error, undefined as unknown as Duplex) // the error is not looked at then
    const asked = (this.#proxy.protocol === 'https:' ? requestSecure : requestPlain)({
      ...toServerOptions(this.#proxy),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...makeProxyHeaders(this.#proxy) },
      agent: false,
    })
    const abort = (): void => void asked.destroy()
    tunnelSignal.addEventListener('abort', abort, { once: true })
    asked.on('error', fail)
    asked.on('connect', (response: IncomingMessage, socket: Socket) => {
      tunnelSignal.removeEventListener('abort', abort)
      if (response.statusCode !== 200) {
        socket.destroy()
        fail(Object.assign(new Error('refused'), { code: REFUSED_BY_PROXY, status: response.statusCode }))
        return
      }
      callback?.(null, connectSecurely({ socket, ALPNProtocols: ['http/1.1'], ...(servername ? { servername } : {}) }))
    })
    asked.on('response', (response) => {
      response.resume()
      fail(Object.assign(new Error('refused'), { code: REFUSED_BY_PROXY, status: response.statusCode }))
    })
    asked.end()
    return undefined
  }
}

const REFUSED_BY_PROXY = 'HOOKLINE_PROXY'

function toServerOptions({ hostname, port, protocol }: URL): RequestOptions {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port || (protocol === 'https:' ? 443 : 80) }
}

function makeProxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = [username, password].map((part) => decodePart(part)).join(':')
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a percent sign that is meant as such
  }
}

/** The proxy that the environment names for an address; null: none; a text: why the one that it names cannot be used. */
function findProxy({ protocol, hostname, port }: URL, env: Readonly<NodeJS.ProcessEnv>): URL | null | string {
  const scheme = protocol.slice(0, -1)
  const named = readProxyVariable(env, `${scheme}_proxy`) ?? readProxyVariable(env, 'all_proxy')
  if (named === undefined || isExcepted(hostname, port || (scheme === 'https' ? '443' : '80'), env)) return null
  const address = named.includes('://') ? named : `http://${named}`
  if (!URL.canParse(address)) return 'the proxy that the environment names is no address'
  const proxy = new URL(address)
  return ['http:', 'https:'].includes(proxy.protocol)
    ? proxy
    : `the environment names a proxy by "${proxy.protocol}"; only http and https proxies can be used`
}

/** A variable in small letters, else in capitals; one that is empty counts as not there. */
function readProxyVariable(env: Readonly<NodeJS.ProcessEnv>, name: string): string | undefined {
  return env[name] || env[name.toUpperCase()] || undefined
}

/** True if NO_PROXY names a server: by its name, a domain that it is in, its address or its network, with a port or without. */
function isExcepted(hostname: string, port: string, env: Readonly<NodeJS.ProcessEnv>): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const entries = (readProxyVariable(env, 'no_proxy') ?? '').toLowerCase().split(/[\s,]+/)
  return entries.some((entry) => {
    if (entry === '*') return true
    if (entry.includes('/')) return isInNetwork(host, entry)
    const [, name = entry, ofPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? []
    const bare = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '')
    if (bare === '' || (ofPort !== undefined && ofPort !== port)) return false
    return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`))
  })
}

function isInNetwork(host: string, entry: string): boolean {
  const [network = '', bits = ''] = entry.split('/')
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  list.addSubnet(network, Number(bits), type)
  return list.check(host, type)
}

/** The server as sentences name it, and the proxy that stands before it. */
function describeServer(url: URL, proxy: URL | null): string {
  return proxy === null ? url.host : `${url.host} (through the proxy ${proxy.host})`
}

/** Codes of a connection that was cut off. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** Sentences about failures, by the code of the system, of DNS or of TLS. */
const REASONS: Readonly<Record<string, (where: string) => string>> = {
  ECONNREFUSED: (where) => `${where} refused the connection`,
  ECONNRESET: (where) => `${where} cut the connection off`,
  ECONNABORTED: (where) => `${where} cut the connection off`,
  EPIPE: (where) => `${where} cut the connection off`,
  ENOTFOUND: (where) => `the name of ${where} is not known to DNS`,
  EAI_AGAIN: (where) => `DNS did not answer when it was asked for ${where}`,
  ETIMEDOUT: (where) => `${where} does not answer`,
  EHOSTUNREACH: (where) => `there is no way to ${where}`,
  ENETUNREACH: (where) => `there is no way to ${where}`,
  EADDRNOTAVAIL: (where) => `there is no way to ${where}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (where) => `${where} has a self-signed certificate, which is not trusted`,
  SELF_SIGNED_CERT_IN_CHAIN: (where) => `${where} has a certificate of an authority that is not trusted`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (where) => `${where} has a certificate of an authority that is not trusted`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: (where) => `${where} has a certificate of an authority that is not trusted`,
  CERT_HAS_EXPIRED: (where) => `the certificate of ${where} has expired`,
  CERT_NOT_YET_VALID: (where) => `the certificate of ${where} is not valid yet`,
  ERR_TLS_CERT_ALTNAME_INVALID: (where) => `the certificate of ${where} is for another server`,
  EPROTO: (where) => `${where} does not speak TLS as it should; is it an http address?`,
}

/** A failed connection in one sentence. The system's own words stay out: they may quote anything. */
function describeConnectionError(
  error: NodeJS.ErrnoException & { readonly status?: number | undefined },
  where: string,
): string {
  const { code = '' } = error
  if (code === REFUSED_BY_PROXY) return `the proxy answered ${error.status} when it was asked for ${where}`
  if (code.startsWith('HPE_')) return `${where} does not answer in HTTP as it should`
  if (Object.hasOwn(REASONS, code) && REASONS[code]) return REASONS[code](where)
  if (code.startsWith('ERR_SSL_')) return `${where} does not speak TLS as it should; is it an http address?`
  return `${where} could not be asked${/^[A-Z][A-Z\d_]*$/.test(code) ? ` (${code})` : ''}`
}
