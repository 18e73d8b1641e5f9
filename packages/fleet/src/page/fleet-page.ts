import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type EventAnswer, loadInspectorPage, type RecordSource, type StateAnswer } from 'hookline/internal'
import { type Gate, readKey } from '../access.ts'
import { readPackedBody } from '../request-body.ts'
import { RequestError } from '../request-error.ts'
import type { Tenant } from '../store/database.ts'
import { countFleet, listSessions } from '../store/queries.ts'
import { showAlarms, showMachines } from './machine-views.ts'
import { makeFleetSource } from './record-source.ts'
import { admitVisitor, refuseForeign, requireVisitor } from './visitor.ts'

/** An answer of the page. */
export interface PageReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | AsyncIterable<string>
}

/** The page of a fleet: the inspector's views over its store. */
export interface FleetPage {
  /** True for addresses that the page answers. */
  readonly isOwn: (path: string) => boolean
  /** Answers a request. Rejects with what the store rejects with. */
  readonly answer: (request: IncomingMessage, url: URL, gate: Gate) => Promise<PageReply>
  /** Ends the streams of pages that look. */
  readonly stop: () => void
}

const BASE = '/page'
/** Milliseconds between two looks for news while a page looks. */
const LOOK_MS = 1000
/** Pages that may look at the same time. */
const MAX_WATCHERS = 100
const HEADERS: Readonly<Record<string, string>> = {
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"
const SIGN_IN_POLICY = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const NOTHING_SENT =
  'No machine has sent a record yet. hookline-fleet serve prints a command that enrols one; its hooks then send records with hookline ship.'

type Inspector = Awaited<ReturnType<typeof loadInspectorPage>>

/** Answers a question of the page about a tenant. */
type Question = (tenant: Tenant, query: URLSearchParams) => Promise<unknown>

/** Makes the page. Its files are read when it is first looked at. */
export function makeFleetPage({ store }: Pick<Gate, 'store'>): FleetPage {
  const stopping = new AbortController()
  let loaded: Promise<Inspector> | null = null
  let watchers = 0
  const sources = new Map<number, RecordSource>()
  const load = (): Promise<Inspector> => {
    loaded ??= loadInspectorPage(BASE)
    loaded.catch(() => {
      loaded = null // told to the one who asked
    })
    return loaded
  }
  const findSource = async (tenant: Tenant): Promise<RecordSource> => {
    const known = sources.get(tenant.id) ?? makeFleetSource(store, tenant, await load())
    sources.set(tenant.id, known)
    return known
  }
  const findQuestion = async (name: string, tenant: Tenant): Promise<Question | null> => {
    if (name === 'state') return async () => describeState(store, tenant)
    if (name === 'machines') return () => showMachines(store, tenant)
    if (name === 'alarms') return () => showAlarms(store, tenant)
    const routes = (await load()).makeRecordRoutes(await findSource(tenant), { project: '' })
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined
    if (route === undefined) return null
    return async (_tenant, query) => {
      const answer = await route.answer({ query, body: null })
      return name === 'event' ? removeInput(answer as EventAnswer) : answer // the type of this route's answers
    }
  }
  const watch = async function* (tenant: Tenant): AsyncGenerator<string> {
    watchers++
    try {
      yield ': hello\n\n'
      for (let last = await countForChanges(store, tenant); !stopping.signal.aborted; ) {
        await pause(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => {}) // the server stops
        const now = await countForChanges(store, tenant)
        yield now === last ? ': here\n\n' : 'data: {"changed":[]}\n\n'
        last = now
      }
    } finally {
      watchers--
    }
  }

  const answerApi = async (request: IncomingMessage, url: URL, gate: Gate): Promise<PageReply> => {
    refuseForeign(request, 'api')
    const tenant = await requireVisitor(request, gate)
    const name = url.pathname.slice(`${BASE}/api/`.length)
    if (name === 'live') {
      if (watchers >= MAX_WATCHERS) throw new RequestError(429, 'Too many pages look at once. Close some.')
      const stream = makeReply(200, 'text/event-stream', watch(tenant))
      return { ...stream, headers: { ...stream.headers, connection: 'close' } } // a server that stops need not wait for it to be used again
    }
    const question = await findQuestion(name, tenant)
    if (question === null) throw new RequestError(404, 'There is no such question.')
    return makeReply(200, 'application/json; charset=utf-8', JSON.stringify(await question(tenant, url.searchParams)))
  }

  const answerPage = async (request: IncomingMessage, gate: Gate): Promise<PageReply> => {
    refuseForeign(request, 'page')
    try {
      await requireVisitor(request, gate)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return makeReply(error.status, HTML, makeSignInPage(error.message), { policy: SIGN_IN_POLICY })
    }
    const { page } = await load()
    return makeReply(200, HTML, page.html, { policy: page.policy })
  }

  const answer = async (request: IncomingMessage, url: URL, gate: Gate): Promise<PageReply> => {
    if (url.pathname === `${BASE}/open`) return admitBrowser(request, url, gate)
    if (request.method !== 'GET') throw new RequestError(405, 'Only GET.')
    if (url.pathname.startsWith(`${BASE}/api/`)) return answerApi(request, url, gate)
    return answerPage(request, gate)
  }

  return {
    isOwn: (path) => path === BASE || path.startsWith(`${BASE}/`),
    answer: async (request, url, gate) => {
      try {
        return await answer(request, url, gate)
      } catch (error) {
        const refusal = readRefusal(error)
        if (refusal === null) throw error
        return makeReply(refusal.status, HTML, makePlainPage(refusal.message), { refused: refusal.message })
      }
    },
    stop: () => stopping.abort(),
  }
}

/** An event of which facts alone are stored cannot be fired again: its input holds the name of the tool, and no more. */
function removeInput(answer: EventAnswer): EventAnswer {
  return answer.partial ? { ...answer, input: null, fire: null, testCase: null } : answer
}

const HTML = 'text/html; charset=utf-8'

function makeReply(
  status: number,
  type: string,
  content: PageReply['content'],
  { policy = NO_CONTENT_POLICY, refused }: { readonly policy?: string; readonly refused?: string } = {},
): PageReply {
  const told = refused === undefined ? {} : { 'x-hookline-refused': encodeURIComponent(refused) }
  return { status, content, headers: { ...HEADERS, 'content-type': type, 'content-security-policy': policy, ...told } }
}

/** A sentence for the one who asks: of this server, or of a view that has nothing to show. */
function readRefusal(error: unknown): { readonly status: number; readonly message: string } | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null
  return { status: error.status, message: error.message }
}

/** Lets a browser in: by the link of the owner on loopback, or by the form that takes a key. */
async function admitBrowser(request: IncomingMessage, url: URL, gate: Gate): Promise<PageReply> {
  refuseForeign(request, 'key')
  const form = request.method === 'POST' ? new URLSearchParams((await readPackedBody(request)).toString('utf8')) : null
  const key = form?.get('key') ?? readKey(request, url, gate)
  const tenant = form?.get('tenant') || url.searchParams.get('tenant')
  const isSecure = 'encrypted' in request.socket && request.socket.encrypted === true
  try {
    const cookie = await admitVisitor(key, tenant, { gate, isSecure })
    const reply = makeReply(303, HTML, '')
    return { ...reply, headers: { ...reply.headers, location: `${BASE}/`, 'set-cookie': cookie } }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return makeReply(error.status, HTML, makeSignInPage(error.message), { policy: SIGN_IN_POLICY })
  }
}

function makeSignInPage(sentence: string): string {
  return makePlainPage(
    sentence,
    `<form method="post" action="${BASE}/open">
<p><label>Key or token <input name="key" type="password" autocomplete="off" required></label></p>
<p><label>Tenant, where you may look at several <input name="tenant"></label></p>
<p><button>Look</button></p>
</form>`,
  )
}

function makePlainPage(sentence: string, more = ''): string {
  const text = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Hookline fleet</title><main><h1>Hookline fleet</h1><p>${text}</p>${more}</main></html>\n`
}

/** Changes whenever a machine sends something. */
async function countForChanges({ database }: Gate['store'], tenant: Tenant): Promise<string> {
  const { records, machines, gaps } = await countFleet(database, tenant)
  return [records, machines, gaps].join(' ')
}

async function describeState({ database }: Gate['store'], tenant: Tenant): Promise<StateAnswer> {
  const { records, machines } = await countFleet(database, tenant)
  const { total } = await listSessions(database, tenant, { offset: 0, limit: 1 })
  return {
    version: '',
    project: `fleet of ${tenant.name}, ${machines} ${machines === 1 ? 'machine' : 'machines'}`,
    views: ['sessions', 'machines', 'alarms', 'cost', 'compare'],
    logs: [],
    places: 'the store of the fleet',
    events: records,
    sessions: total,
    notes: [],
    reading: false,
    transcripts: false,
    advice: NOTHING_SENT,
  }
}
