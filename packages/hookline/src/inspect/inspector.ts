import { HooklineError } from '../files/error.ts'
import { compareSessions } from '../log/compare-sessions.ts'
import type { LogEntry } from '../log/record-store.ts'
import type { SessionSummary } from '../log/sessions.ts'
import { makeTapReader } from '../log/tapped-record.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { isObject } from '../text/json.ts'
import { VERSION } from '../text/version.ts'
import type {
  CompareAnswer,
  EventAnswer,
  ExcerptAnswer,
  FiguresAnswer,
  FindingsAnswer,
  HooksAnswer,
  SessionAnswer,
  SessionsAnswer,
  StateAnswer,
  TodayAnswer,
} from './api.ts'
import { compareWithToday, type PlannedLine, showEvent } from './event-view.ts'
import { EVENT_CHOICES, filterSessions, layOutSession } from './list-views.ts'
import { type FoundEvent, Logs } from './logs.ts'
import { loadPage } from './page.ts'
import { RefusedQuestion, type Route, type Routes, type RunningServer, startServer } from './server.ts'

/** Questions about the configuration as it stands, which the command line answers too. */
export interface Configuration {
  /** Folder of the project. */
  readonly project: string
  /** Explains an event as `hookline explain --json` does. */
  readonly explain: (input: EventInput) => Promise<{ readonly hooks: readonly PlannedLine[] }>
  /** Lists hooks with their states. */
  readonly list: () => Promise<HooksAnswer>
  /** The findings of `hookline validate`, at the hooks that they are about. */
  readonly check: () => Promise<FindingsAnswer>
  /** The lines of a file around a hook; null where it stands in none. */
  readonly excerpt: (id: string) => Promise<ExcerptAnswer | null>
}

/** Options of an inspector. */
export interface InspectorOptions {
  /** Finds the logs. */
  readonly findLogs: () => Promise<readonly string[]>
  /** Places in which they are looked for, in words. */
  readonly places: string
  readonly configuration: Configuration
  /** True where the log was made of transcripts, with today's plan of each event. */
  readonly transcripts?: boolean
  readonly port: number
  readonly idleMs: number
  readonly onIdle: () => void
  /** Folder with the files of the page. */
  readonly pageFolder: URL
}

/** An inspector that runs. */
export interface RunningInspector extends Omit<RunningServer, 'send'> {
  /** State of the logs, once they were read. */
  readonly readState: () => Promise<StateAnswer>
  /** Finds a session by its id or the beginning of it. */
  readonly findSession: (id: string) => Promise<string | null>
  /** The session with the newest event. */
  readonly findNewestSession: () => Promise<string | null>
}

/** Milliseconds between two looks at the logs while a page is open. */
const LOOK_MS = 100
/** Rows that are sent at once. */
const MAX_ROWS = 500

/** Starts the inspector: reads logs in the background, and serves the page. */
export async function startInspector(options: InspectorOptions): Promise<RunningInspector> {
  const page = await loadPage(options.pageFolder)
  const logs = new Logs(options.findLogs, await makeTapReader())
  const first = readFirst(logs)
  let look: NodeJS.Timeout | null = null
  const server = await startServer({
    page,
    routes: makeRoutes(logs, options),
    port: options.port,
    idleMs: options.idleMs,
    onIdle: options.onIdle,
    onWatched: (isWatched) => {
      if (look !== null) clearInterval(look)
      look = isWatched ? setInterval(() => void lookForNews(logs, server), LOOK_MS) : null
      if (isWatched) void first.then(() => options.configuration.list()).catch(() => {}) // told to the one who asks
    },
  })
  return {
    port: server.port,
    address: server.address,
    token: server.token,
    makeLink: server.makeLink,
    readState: async () => {
      await first
      return describeState(logs, options)
    },
    findSession: async (id) => {
      await first
      return logs.findSession(id)?.id ?? null
    },
    findNewestSession: async () => {
      await first
      return logs.listSessions()[0]?.id ?? null
    },
    close: async () => {
      if (look !== null) clearInterval(look)
      await server.close()
      await first
      await logs.close()
    },
  }
}

/** Reads all logs, and keeps what was learnt. Never rejects: what cannot be read is told on the page. */
async function readFirst(logs: Logs): Promise<void> {
  await logs.update().catch(() => {}) // each log says what is wrong with it
  void logs.save()
}

async function lookForNews(logs: Logs, server: RunningServer): Promise<void> {
  const changed = await logs.update().catch(() => new Set<string>()) // each log says what is wrong with it
  if (changed.size > 0) server.send({ changed: [...changed] })
}

function makeRoutes(logs: Logs, options: InspectorOptions): Routes {
  const get = (answer: (query: URLSearchParams) => Promise<unknown>): Route => ({
    method: 'GET',
    answer: async ({ query }) => {
      await logs.update()
      return answer(query)
    },
  })
  const { configuration } = options
  return {
    state: { method: 'GET', answer: async () => describeState(logs, options) },
    sessions: get(async (query) => listSessions(logs, query)),
    session: get((query) => listEvents(logs, query)),
    event: get((query) => answerEvent(logs, query, configuration)),
    today: get((query) => answerToday(logs, query, configuration)),
    explain: { method: 'POST', answer: ({ body }) => answerExplain(body, configuration) },
    hooks: { method: 'GET', answer: () => configuration.list() },
    findings: { method: 'GET', answer: () => configuration.check() },
    excerpt: { method: 'GET', answer: ({ query }) => configuration.excerpt(query.get('id') ?? '') },
    figures: get(async (): Promise<FiguresAnswer> => ({ hooks: (await logs.measureCost('')).hooks })),
    cost: get((query) => logs.measureCost(query.get('session') ?? '')),
    compare: get((query) => answerCompare(logs, query)),
  }
}

function describeState(logs: Logs, { configuration, places, transcripts = false }: InspectorOptions): StateAnswer {
  const { torn, foreign, partial } = logs.skipped
  const states = logs.states
  return {
    version: VERSION,
    project: configuration.project,
    logs: states,
    places,
    events: logs.events,
    sessions: logs.listSessions().length,
    notes: [
      ...(transcripts ? [TRANSCRIPTS_NOTE] : []),
      ...states.flatMap(({ problem }) => (problem === null ? [] : [problem])),
      ...(torn + foreign === 0 ? [] : [describeSkipped(torn + foreign)]),
      ...(partial === 0 ? [] : [`${count(partial, 'record lacks', 'records lack')} the hooks that did not run.`]),
    ],
    reading: logs.isReading,
    transcripts,
  }
}

const TRANSCRIPTS_NOTE =
  "From transcripts: outcomes are those of then, hooks are what today's settings would run. Nothing was run."

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

function describeSkipped(lines: number): string {
  return `${lines === 1 ? '1 line is not a record and was' : `${lines} lines are not records and were`} skipped.`
}

function listSessions(logs: Logs, query: URLSearchParams): SessionsAnswer {
  return filterSessions(logs.listSessions(), {
    ...readRange(query),
    text: query.get('q') ?? '',
    project: query.get('project') ?? '',
    agent: query.get('agent') ?? '',
    since: Number(query.get('since') ?? 0) || 0,
  })
}

function readRange(query: URLSearchParams): { offset: number; limit: number } {
  const readWhole = (name: string, otherwise: number): number => {
    const value = Number(query.get(name) ?? otherwise)
    return Number.isSafeInteger(value) && value >= 0 ? value : otherwise
  }
  return { offset: readWhole('offset', 0), limit: Math.min(MAX_ROWS, readWhole('limit', 100)) }
}

async function listEvents(logs: Logs, query: URLSearchParams): Promise<SessionAnswer> {
  const session = requireSession(logs, query.get('id') ?? '')
  const events = await logs.readSession(session.id)
  const only = EVENT_CHOICES.find((one) => one === query.get('only')) ?? 'all'
  return layOutSession(
    session,
    events.map(({ event }) => event.summary),
    {
      ...readRange(query),
      text: query.get('q') ?? '',
      only,
      lane: query.get('lane') ?? '',
      fold: query.get('fold') !== '0',
      open: new Set(query.getAll('open')),
    },
  )
}

function requireSession(logs: Logs, id: string): SessionSummary {
  const session = logs.findSession(id)
  if (session === null) throw new RefusedQuestion(404, `No recorded session has the id "${id}".`)
  return session
}

interface Found {
  readonly found: FoundEvent
  readonly previous: string | null
  readonly next: string | null
}

async function findEvent(logs: Logs, query: URLSearchParams): Promise<Found> {
  const session = requireSession(logs, query.get('session') ?? '')
  const id = query.get('id') ?? ''
  const events = await logs.readSession(session.id)
  const at = events.findIndex(({ event }) => event.summary.id === id)
  const found = events[at]
  if (found === undefined) throw new RefusedQuestion(404, `The session has no event with the id "${id}".`)
  return {
    found,
    previous: events[at - 1]?.event.summary.id ?? null,
    next: events[at + 1]?.event.summary.id ?? null,
  }
}

/** Reads the event that a question is about; where an index led to another one, once more without it. */
async function readAsked(logs: Logs, query: URLSearchParams): Promise<Found & { readonly entry: LogEntry }> {
  const first = await findEvent(logs, query)
  const entry = await logs.readEvent(first.found)
  if (entry !== null) return { ...first, entry }
  await logs.update()
  const second = await findEvent(logs, query)
  return { ...second, entry: await readFound(logs, second.found) }
}

async function readFound(logs: Logs, found: FoundEvent): Promise<LogEntry> {
  const entry = await logs.readEvent(found)
  if (entry === null)
    throw new RefusedQuestion(
      410,
      `The event is not in ${found.log.file} any more: the file was moved away or deleted.`,
    )
  return entry
}

async function answerEvent(logs: Logs, query: URLSearchParams, { project }: Configuration): Promise<EventAnswer> {
  const { entry, previous, next } = await readAsked(logs, query)
  return showEvent(entry, { previous, next, project })
}

async function answerToday(logs: Logs, query: URLSearchParams, { explain }: Configuration): Promise<TodayAnswer> {
  const { record, input } = (await readAsked(logs, query)).entry
  if (input === null) return { lines: [], problem: 'The input of this event was not kept.' }
  try {
    const { hooks } = await explain({ ...input, hook_event_name: record.event })
    return { lines: compareWithToday(record.hooks, hooks), problem: null }
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    return { lines: [], problem: error.message }
  }
}

async function answerCompare(logs: Logs, query: URLSearchParams): Promise<CompareAnswer> {
  const [a, b] = ['a', 'b'].map((name) => requireSession(logs, query.get(name) ?? ''))
  if (a === undefined || b === undefined) throw new TypeError('two sessions were asked for')
  const entries = await Promise.all([a, b].map((session) => logs.readEntries(session.id)))
  return { a, b, ...compareSessions(entries[0] ?? [], entries[1] ?? []), problem: null }
}

async function answerExplain(body: unknown, { explain }: Configuration): Promise<object> {
  if (!isObject(body) || typeof body.hook_event_name !== 'string')
    throw new RefusedQuestion(400, 'Send an event as JSON: {"hook_event_name": "…", …}.')
  return explain({ ...body, hook_event_name: body.hook_event_name })
}
