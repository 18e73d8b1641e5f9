import { randomUUID } from 'node:crypto'
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { BatchError, takeBatch } from './ingest.ts'
import { hashKey, isSameKey, makeKey } from './keys.ts'
import { Quotas } from './quotas.ts'
import type { FleetStore } from './store/store.ts'

/** Settings of a server. */
export interface ServerOptions {
  readonly store: FleetStore
  readonly host: string
  readonly port: number
  /** Secret of the administrator's link. */
  readonly adminKey: string
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Told of every answer, for a log. */
  readonly note: (line: Readonly<Record<string, unknown>>) => void
}

/** A server that runs. */
export interface RunningServer {
  readonly url: string
  /** Takes no more, finishes what it has, and closes. */
  readonly stop: () => Promise<void>
}

const MAX_BODY_BYTES = 4 * 1024 * 1024
const TOKEN_HOURS = 24
const MAX_BATCHES_PER_MINUTE = 600
const MAX_PAGE_ROWS = 1000
const REQUEST_TIMEOUT_MS = 60_000

/** An answer, as JSON unless it is a text. */
interface Answer {
  readonly status: number
  readonly json?: unknown
  readonly text?: string
  readonly lines?: AsyncIterable<string>
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that cannot be served. */
class RequestError extends Error {
  readonly answer: Answer

  constructor(status: number, error: string, headers: Readonly<Record<string, string>> = {}) {
    super(error)
    this.answer = { status, json: { error }, headers }
  }
}

interface Call {
  readonly request: IncomingMessage
  readonly url: URL
  readonly fleet: Fleet
}

interface Fleet extends ServerOptions {
  readonly quotas: Quotas
  readonly counts: { batches: number; records: number; refused: number; errors: number }
}

/** Routes by method and path. Who may ask stands in each. */
const ROUTES: Readonly<Record<string, (call: Call) => Promise<Answer>>> = {
  'GET /healthz': async () => ({ status: 200, text: 'ok\n' }),
  'GET /readyz': async ({ fleet: { store } }) => {
    await store.countRecords()
    return { status: 200, text: 'ready\n' }
  },
  'GET /metrics': async (call) => {
    requireAdmin(call)
    return {
      status: 200,
      text: await formatMetrics(call.fleet),
      headers: { 'content-type': 'text/plain; version=0.0.4' },
    }
  },
  'POST /v1/enrol': enrolMachine,
  'POST /v1/records': takeRecords,
  'POST /v1/tokens': async (call) => {
    requireAdmin(call)
    return { status: 201, json: await makeToken(call.fleet.store) }
  },
  'GET /v1/status': async (call) => {
    const machine = await requireMachine(call)
    const epoch = call.url.searchParams.get('epoch') ?? ''
    return { status: 200, json: { machine, head: await call.fleet.store.readHead(machine, epoch) } }
  },
  'GET /v1/machines': async (call) => {
    requireAdmin(call)
    const { store } = call.fleet
    return { status: 200, json: { machines: await store.listMachines(), gaps: await store.listGaps() } }
  },
  'GET /v1/hooks': async (call) => {
    requireAdmin(call)
    const since = readSince(call.url, 30)
    return { status: 200, json: { since, hooks: await call.fleet.store.listHooks(since) } }
  },
  'GET /v1/sessions': async (call) => {
    requireAdmin(call)
    return { status: 200, json: { sessions: await call.fleet.store.listSessions(readLimit(call.url)) } }
  },
  'GET /v1/events': async (call) => {
    requireAdmin(call)
    return { status: 200, json: await listEvents(call) }
  },
  'GET /v1/export': async (call) => {
    requireAdmin(call)
    return { status: 200, lines: exportEvents(call.fleet.store), headers: { 'content-type': 'application/x-ndjson' } }
  },
}

/** Starts a server. Rejects with the system's error where the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const fleet: Fleet = {
    ...options,
    quotas: new Quotas(MAX_BATCHES_PER_MINUTE),
    counts: { batches: 0, records: 0, refused: 0, errors: 0 },
  }
  const serve = (request: IncomingMessage, response: ServerResponse): void =>
    void answerRequest(request, response, fleet)
  const server: Server = options.tls ? createTlsServer(options.tls, serve) : createPlainServer(serve)
  server.requestTimeout = REQUEST_TIMEOUT_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, fleet: Fleet): Promise<void> {
  const began = performance.now()
  const url = new URL(request.url ?? '/', 'http://fleet')
  const answer = await findAnswer({ request, url, fleet })
  const { status, json, text, lines, headers } = answer
  response.writeHead(status, {
    'content-type': json === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  if (lines === undefined) response.end(text ?? `${JSON.stringify(json)}\n`)
  else {
    for await (const line of lines) if (!response.write(line)) await waitForDrain(response)
    response.end()
  }
  fleet.note({
    at: new Date().toISOString(),
    method: request.method,
    path: url.pathname,
    status,
    ms: Math.round(performance.now() - began),
  })
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}

async function findAnswer(call: Call): Promise<Answer> {
  const { request, url, fleet } = call
  const route = ROUTES[`${request.method} ${url.pathname}`]
  if (!route) return { status: 404, json: { error: `there is no ${request.method} ${url.pathname}` } }
  try {
    return await route(call)
  } catch (error) {
    if (error instanceof RequestError) return error.answer
    if (error instanceof BatchError) return { status: error.status, json: { error: error.message } }
    fleet.counts.errors++
    const because = error instanceof Error ? error.message : String(error)
    fleet.note({ at: new Date().toISOString(), level: 'error', path: url.pathname, because })
    // Nothing is acknowledged that is not stored: the machine keeps it, and sends it again.
    return { status: 503, json: { error: 'the store has not taken it' }, headers: { 'retry-after': '5' } }
  }
}

function readBearer({ request, url }: Call): string {
  const [, key = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
  return key === '' ? (url.searchParams.get('key') ?? '') : key
}

function requireAdmin(call: Call): void {
  if (!isSameKey(readBearer(call), call.fleet.adminKey))
    throw new RequestError(401, 'this needs the key of an administrator', { 'www-authenticate': 'Bearer' })
}

/** The machine comes from its credential, never from what it says. */
async function requireMachine(call: Call): Promise<string> {
  const machine = await call.fleet.store.findMachine(hashKey(readBearer(call)))
  if (machine === null) throw new RequestError(401, 'this machine is not enrolled', { 'www-authenticate': 'Bearer' })
  return machine
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) throw new RequestError(413, `a request has at most ${MAX_BODY_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function takeRecords(call: Call): Promise<Answer> {
  const { fleet, request } = call
  const machine = await requireMachine(call)
  const wait = fleet.quotas.take(machine, Date.now())
  if (wait !== null) throw new RequestError(429, 'too many batches of this machine', { 'retry-after': String(wait) })
  const answer = await takeBatch(fleet.store, machine, await readBody(request), new Date())
  fleet.counts.batches++
  fleet.counts.records += answer.stored
  fleet.counts.refused += answer.refused.length
  return { status: 200, json: answer }
}

async function enrolMachine({ request, fleet: { store } }: Call): Promise<Answer> {
  const { token, name } = parseObject(await readBody(request))
  if (typeof token !== 'string') throw new RequestError(400, 'an enrolment has a "token"')
  const now = new Date().toISOString()
  if (!(await store.takeToken(hashKey(token), now)))
    throw new RequestError(403, 'the token is unknown, was used, or has expired: ask for a new one')
  const machine = { id: randomUUID(), key: makeKey() }
  const shown = typeof name === 'string' ? name.slice(0, 256) : machine.id
  await store.addMachine({ id: machine.id, name: shown, keyHash: hashKey(machine.key), enrolledAt: now })
  return { status: 201, json: { machine: machine.id, key: machine.key } }
}

/** Makes a token that enrols one machine. */
export async function makeToken(store: FleetStore): Promise<{ token: string; expiresAt: string }> {
  const token = makeKey()
  const expiresAt = new Date(Date.now() + TOKEN_HOURS * 3_600_000).toISOString()
  await store.addToken(hashKey(token), expiresAt)
  return { token, expiresAt }
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {} // told below
  throw new RequestError(400, 'the body is not a JSON object')
}

function readLimit(url: URL): number {
  const limit = Number(url.searchParams.get('limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_ROWS)
    throw new RequestError(400, `limit must be a whole number from 1 to ${MAX_PAGE_ROWS}`)
  return limit
}

function readSince(url: URL, days: number): string {
  const given = url.searchParams.get('since')
  const since = given === null ? new Date(Date.now() - days * 86_400_000) : new Date(given)
  if (Number.isNaN(since.getTime())) throw new RequestError(400, 'since must be a time, such as 2026-01-31T00:00:00Z')
  return since.toISOString()
}

async function listEvents({ url, fleet: { store } }: Call): Promise<object> {
  const limit = readLimit(url)
  const read = (name: string): string | undefined => url.searchParams.get(name) ?? undefined
  const since = url.searchParams.has('since') ? readSince(url, 0) : undefined
  const events = await store.listEvents({
    machine: read('machine'),
    session: read('session'),
    outcome: read('outcome'),
    cursor: read('cursor'),
    since,
    limit,
  })
  const last = events.at(-1)
  return { events, cursor: last && events.length === limit ? nameCursor(last) : null }
}

function nameCursor({ at, machine, epoch, seq }: { at: string; machine: string; epoch: string; seq: number }): string {
  return `${at} ${machine} ${epoch} ${String(seq).padStart(12, '0')}`
}

async function* exportEvents(store: FleetStore): AsyncGenerator<string> {
  for (let cursor: string | undefined; ; ) {
    const events = await store.listEvents({ limit: MAX_PAGE_ROWS, cursor })
    for (const event of events) yield `${JSON.stringify(event)}\n`
    const last = events.at(-1)
    if (!last || events.length < MAX_PAGE_ROWS) return
    cursor = nameCursor(last)
  }
}

async function formatMetrics({ store, counts }: Fleet): Promise<string> {
  const figures = {
    hookline_fleet_batches_total: counts.batches,
    hookline_fleet_taken_records_total: counts.records,
    hookline_fleet_refused_records_total: counts.refused,
    hookline_fleet_errors_total: counts.errors,
    hookline_fleet_records: await store.countRecords(),
    hookline_fleet_machines: (await store.listMachines()).length,
    hookline_fleet_gaps: (await store.listGaps()).length,
  }
  return Object.entries(figures)
    .map(([name, value]) => `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n${name} ${value}\n`)
    .join('')
}
