import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { z } from 'zod'
import { type Gate, readKey, requireMachine, requirePerson, requireTenant } from './access.ts'
import { BusyError, Ingest } from './ingest.ts'
import type { ReadToken } from './oidc.ts'
import { type FleetPage, makeFleetPage } from './page/fleet-page.ts'
import { Quotas } from './quotas.ts'
import { readJsonBody } from './request-body.ts'
import { RequestError } from './request-error.ts'
import { type Answer, type Call, type Fleet, ROUTES, type Route } from './routes.ts'
import { NewerStoreError, StoreError, type Tenant } from './store/database.ts'
import { CursorError } from './store/queries.ts'
import type { FleetStore } from './store/store.ts'
import type { StreamedBatch } from './stream/message.ts'
import type { RecordStream } from './stream/record-stream.ts'

/** Settings of a server. */
export interface ServerOptions {
  readonly store: FleetStore
  /** Stream in front of the store. */
  readonly stream?: RecordStream | undefined
  readonly host: string
  readonly port: number
  /** Secret of the owner's link. */
  readonly adminKey: string
  /** Reader of tokens of an issuer, which people may show in place of a key. */
  readonly readToken?: ReadToken | undefined
  /** Batches that a machine may send in a minute. */
  readonly maxBatchesPerMinute: number
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

const REQUEST_TIMEOUT_MS = 60_000
/** Time for requests that are under way when the server stops. */
const STOP_TIMEOUT_MS = 10_000
const RETENTION_INTERVAL_MS = 3_600_000

/** True for an address of this machine alone: there a link may have a key in it. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host)
}

/** Routes by method and path. */
const ROUTE_BY_PATH: ReadonlyMap<string, Route> = new Map(ROUTES.map((route) => [route.path, route]))

interface Serving {
  readonly fleet: Fleet
  readonly gate: Gate
  readonly page: FleetPage
  readonly note: ServerOptions['note']
}

/** Starts a server. Rejects with the system's error where the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, stream = null, host, port, adminKey, readToken = null, tls, note } = options
  const fleet: Fleet = {
    ...{ store, stream },
    quotas: new Quotas(options.maxBatchesPerMinute),
    ingest: new Ingest(store, stream),
    counts: { batches: 0, records: 0, refused: 0, errors: 0 },
  }
  const page = makeFleetPage({ store })
  const serving: Serving = { fleet, gate: { store, adminKey, readToken, isLoopback: isLoopback(host) }, page, note }
  const serve = (request: IncomingMessage, response: ServerResponse): void =>
    void answerRequest(request, response, serving)
  const server: Server = tls ? createTlsServer(tls, serve) : createPlainServer(serve)
  server.requestTimeout = REQUEST_TIMEOUT_MS
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  stream?.startStoring((streamed) => storeStreamed(fleet, streamed), note)
  const sweep = setInterval(() => void dropOldDays(serving), RETENTION_INTERVAL_MS)
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/`, // a server that listens on a port
    stop: async () => {
      clearInterval(sweep)
      page.stop()
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy() // browsers open some to have them
      await closeServer(server)
      await stream?.stop()
      await fleet.ingest.finish()
    },
  }
}

/** Stores a batch of the stream, of a machine of this database alone: two databases behind one stream would mix their tenants. */
async function storeStreamed({ store, ingest }: Fleet, { tenant, batch }: StreamedBatch): Promise<void> {
  if (!(await store.hasMachine(tenant, batch.machine)))
    throw new StoreError(`no machine ${batch.machine} is enrolled in this database`)
  await ingest.store(tenant, batch)
}

async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(timer)
}

/** Drops what tenants do not keep any more. Of several servers each tries, and the second finds nothing. */
async function dropOldDays({ fleet: { store, counts }, note }: Serving): Promise<void> {
  try {
    for (const tenant of await store.listTenants()) {
      await store.database.addTenant(tenant)
      const dropped = await store.dropOldDays(tenant, Date.now())
      if (dropped.length > 0) note({ at: new Date().toISOString(), tenant: tenant.name, dropped })
    }
  } catch (error) {
    counts.errors++
    note({ at: new Date().toISOString(), level: 'error', because: describeError(error) })
  }
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const began = performance.now()
  const [path = '/'] = (request.url ?? '/').split('?', 1)
  const found = await findAnswer(request, serving).catch((error: unknown) => describeFailure(error, path, serving))
  const { status, headers } = found
  try {
    if (!request.complete) response.setHeader('connection', 'close') // the rest of it is not read
    response.writeHead(status, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers })
    await send(response, found.content)
  } catch (error) {
    response.destroy() // half an answer is told as such
    serving.note({ at: new Date().toISOString(), level: 'error', path, because: describeError(error) })
  }
  const ms = Math.round(performance.now() - began)
  serving.note({ at: new Date().toISOString(), method: request.method, path, status, ms })
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | AsyncIterable<string>
}

const JSON_TYPE = 'application/json; charset=utf-8'

function toReply(answer: Answer): Reply {
  if ('text' in answer) return { status: 200, headers: { 'content-type': answer.type }, content: answer.text }
  const { status = 200, json } = answer
  return { status, headers: { 'content-type': JSON_TYPE }, content: `${JSON.stringify(json)}\n` }
}

async function send(response: ServerResponse, content: Reply['content']): Promise<void> {
  if (typeof content === 'string') return void response.end(content)
  for await (const line of content) {
    if (response.destroyed) return
    if (!response.write(line)) await waitForDrain(response)
  }
  response.end()
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const resume = (): void => {
      response.off('drain', resume)
      response.off('close', resume)
      resolve()
    }
    response.once('drain', resume)
    response.once('close', resume)
  })
}

async function findAnswer(request: IncomingMessage, { fleet, gate, page }: Serving): Promise<Reply> {
  const url = parseAddress(request)
  if (page.isOwn(url.pathname)) return page.answer(request, url, gate)
  const route = ROUTE_BY_PATH.get(`${request.method} ${url.pathname}`)
  if (!route) throw new RequestError(404, `there is no ${request.method} ${url.pathname}`)
  const caller = await findCaller(request, url, { route, gate })
  url.searchParams.delete('key')
  url.searchParams.delete('tenant')
  const query = parseWithSchema(route.query, Object.fromEntries(url.searchParams))
  const body = route.body === undefined ? undefined : parseWithSchema(route.body, await readJsonBody(request))
  return toReply(await route.answer({ fleet, query, body, request, ...caller }))
}

function parseAddress({ url = '/' }: IncomingMessage): URL {
  const address = `http://fleet${url}`
  if (!url.startsWith('/') || !URL.canParse(address)) throw new RequestError(400, 'the address is not valid')
  return new URL(address)
}

const NOBODY: Pick<Call, 'tenant' | 'machine' | 'isOwner'> = {
  tenant: { id: 0, name: '' },
  machine: '',
  isOwner: false,
}

/** The one who asks, and the tenant that is asked about. */
async function findCaller(
  request: IncomingMessage,
  url: URL,
  { route, gate }: { readonly route: Route; readonly gate: Gate },
): Promise<Pick<Call, 'tenant' | 'machine' | 'isOwner'>> {
  if (route.audience === 'anyone') return NOBODY
  const key = readKey(request, url, gate)
  if (route.audience === 'machine') return { ...NOBODY, ...(await requireMachine(key, gate)) }
  const name = url.searchParams.get('tenant')
  const person = await requirePerson(key, route.audience, { gate, wanted: name })
  const isOwner = person.tenant === null
  if (isOwner && route.makesTenant && name !== null) return { ...NOBODY, isOwner, tenant: await addTenant(gate, name) }
  return { ...NOBODY, isOwner, tenant: await requireTenant(person, name, gate.store) }
}

async function addTenant({ store }: Gate, name: string): Promise<Tenant> {
  try {
    return await store.addTenant(name)
  } catch (error) {
    if (error instanceof RangeError) throw new RequestError(400, error.message)
    throw error
  }
}

function parseWithSchema(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  throw new RequestError(400, `${place}${issue?.message ?? 'it is not valid'}`)
}

function describeFailure(error: unknown, path: string, { fleet: { counts }, note }: Serving): Reply {
  const refuse = (status: number, because: string, headers: Readonly<Record<string, string>> = {}): Reply => {
    const { content, headers: own } = toReply({ json: { error: because } })
    return { status, content, headers: { ...own, ...headers } }
  }
  if (error instanceof RequestError) return refuse(error.status, error.message, error.headers)
  if (error instanceof CursorError) return refuse(400, error.message)
  counts.errors++
  if (error instanceof BusyError) return refuse(429, error.message, { 'retry-after': '2' })
  note({ at: new Date().toISOString(), level: 'error', path, because: describeError(error) })
  if (error instanceof NewerStoreError) return refuse(503, error.message, { 'retry-after': '60' })
  // Nothing is acknowledged that is not stored: the machine keeps it, and sends it again.
  return refuse(503, 'the store has not taken it, or does not answer', { 'retry-after': '5' })
}

const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error))
