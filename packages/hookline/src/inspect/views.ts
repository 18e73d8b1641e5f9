import { HooklineError } from '../files/error.ts'
import { compareEvents, makeEventReader } from '../log/compare-sessions.ts'
import type { LogEntry } from '../log/record-store.ts'
import type { SessionSummary } from '../log/sessions.ts'
import type { HookStatistics } from '../log/statistics.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { isObject } from '../text/json.ts'
import type {
  CompareAnswer,
  EventAnswer,
  ExcerptAnswer,
  FiguresAnswer,
  FindingsAnswer,
  HooksAnswer,
  SessionAnswer,
  SessionsAnswer,
  TodayAnswer,
} from './api.ts'
import { compareWithToday, type PlannedLine, showEvent } from './event-view.ts'
import { EVENT_CHOICES, type ListRange, layOutSession } from './list-views.ts'
import { RefusedQuestion, type Route, type Routes } from './server.ts'
import type { CostFilter, RecordSource } from './source.ts'

/** Questions about the configuration as it stands, which the command line answers too. */
export interface Configuration {
  /** Folder of the project. */
  readonly project: string
  /** Explains an event as `hookline explain --json` does. */
  readonly explain: (input: EventInput) => Promise<{ readonly hooks: readonly PlannedLine[] }>
  /** Lists hooks with their states. */
  readonly list: () => Promise<HooksAnswer>
  /** Puts the figures of recorded hooks at those that are configured. */
  readonly placeFigures: (figures: readonly HookStatistics[]) => Promise<FiguresAnswer>
  /** The findings of `hookline validate`, at the hooks that they are about. */
  readonly check: () => Promise<FindingsAnswer>
  /** The lines of a file around a hook; null where it stands in none. */
  readonly excerpt: (id: string) => Promise<ExcerptAnswer | null>
  /** Calls a listener when hooks are not as they were told to be any more. */
  readonly watch: (listener: () => void) => void
}

/** Rows that are sent at once. */
const MAX_ROWS = 500

/** Words of a question that are no filters of its source. */
const OWN_WORDS: ReadonlySet<string> = new Set(['q', 'since', 'offset', 'limit', 'session'])

/** Answers the questions of the page about what was recorded, from any source. `project` is where copied test cases are written to. */
export function makeRecordRoutes(source: RecordSource, { project }: { readonly project: string }): Routes {
  const get = makeGet(source)
  return {
    sessions: get((query) => listSessions(source, query)),
    session: get((query) => listEvents(source, query)),
    event: get((query) => answerEvent(source, query, project)),
    cost: get((query) => source.measureCost(readCostFilter(query))),
    compare: get((query) => answerCompare(source, query)),
  }
}

/** Answers the questions of the page about the configuration of this machine. */
export function makeConfigurationRoutes(source: RecordSource, configuration: Configuration): Routes {
  const get = makeGet(source)
  return {
    today: get((query) => answerToday(source, query, configuration)),
    explain: { method: 'POST', answer: ({ body }) => answerExplain(body, configuration) },
    hooks: { method: 'GET', answer: () => configuration.list() },
    figures: get(async () => {
      const { hooks } = await source.measureCost({ session: '', words: {} })
      return configuration.placeFigures(hooks)
    }),
    findings: { method: 'GET', answer: () => configuration.check() },
    excerpt: { method: 'GET', answer: ({ query }) => configuration.excerpt(query.get('id') ?? '') },
  }
}

function makeGet(source: RecordSource): (answer: (query: URLSearchParams) => Promise<unknown>) => Route {
  return (answer) => ({
    method: 'GET',
    answer: async ({ query }) => {
      await source.update()
      return answer(query)
    },
  })
}

function listSessions(source: RecordSource, query: URLSearchParams): Promise<SessionsAnswer> {
  return source.findSessions({
    ...readRange(query),
    text: query.get('q') ?? '',
    words: readFilterValues(query),
    since: Number(query.get('since') ?? 0) || 0,
  })
}

function readFilterValues(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([name, value]) => !OWN_WORDS.has(name) && value !== ''))
}

function readCostFilter(query: URLSearchParams): CostFilter {
  return { session: query.get('session') ?? '', words: readFilterValues(query) }
}

function readRange(query: URLSearchParams): ListRange {
  const readWhole = (name: string, otherwise: number): number => {
    const value = Number(query.get(name) ?? otherwise)
    return Number.isSafeInteger(value) && value >= 0 ? value : otherwise
  }
  return { offset: readWhole('offset', 0), limit: Math.min(MAX_ROWS, readWhole('limit', 100)) }
}

async function listEvents(source: RecordSource, query: URLSearchParams): Promise<SessionAnswer> {
  const session = await requireSession(source, query.get('id') ?? '')
  const only = EVENT_CHOICES.find((one) => one === query.get('only')) ?? 'all'
  return layOutSession(session, await source.summariseEvents(session.id), {
    ...readRange(query),
    text: query.get('q') ?? '',
    only,
    lane: query.get('lane') ?? '',
    fold: query.get('fold') !== '0',
    open: new Set(query.getAll('open')),
  })
}

async function requireSession(source: RecordSource, id: string): Promise<SessionSummary> {
  const session = await source.findSession(id)
  if (session === null) throw new RefusedQuestion(404, `No recorded session has the id "${id}".`)
  return session
}

async function requireEntry(source: RecordSource, query: URLSearchParams): Promise<LogEntry> {
  const session = await requireSession(source, query.get('session') ?? '')
  const id = query.get('id') ?? ''
  const entry = await source.findEntry(session.id, id)
  if (entry === null) throw new RefusedQuestion(404, `The session has no event with the id "${id}".`)
  return entry
}

async function answerEvent(source: RecordSource, query: URLSearchParams, project: string): Promise<EventAnswer> {
  const entry = await requireEntry(source, query)
  const events = await source.summariseEvents(entry.record.sessionId)
  const at = events.findIndex(({ id }) => id === query.get('id'))
  const [previous = null, next = null] = [events[at - 1]?.id, events[at + 1]?.id]
  const areHooksNamed = events.some(({ configured, runs }) => configured + runs.length > 0)
  return showEvent(entry, { previous, next, areHooksNamed, project })
}

async function answerToday(
  source: RecordSource,
  query: URLSearchParams,
  { explain }: Configuration,
): Promise<TodayAnswer> {
  const entry = await requireEntry(source, query)
  const { record, input } = entry
  if (input === null) return { lines: [], problem: 'The input of this event was not kept.' }
  try {
    const { hooks } = await explain({ ...input, hook_event_name: record.event })
    return { lines: compareWithToday(entry, hooks), problem: null }
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    return { lines: [], problem: error.message }
  }
}

async function answerCompare(source: RecordSource, query: URLSearchParams): Promise<CompareAnswer> {
  const a = await requireSession(source, query.get('a') ?? '')
  const b = await requireSession(source, query.get('b') ?? '')
  const read = makeEventReader()
  const eventsOfA = await source.readEntries(a.id, read)
  return { a, b, ...compareEvents(eventsOfA, await source.readEntries(b.id, read)) }
}

async function answerExplain(body: unknown, { explain }: Configuration): Promise<object> {
  if (!isObject(body) || typeof body.hook_event_name !== 'string')
    throw new RefusedQuestion(400, 'Send an event as JSON: {"hook_event_name": "…", …}.')
  return explain({ ...body, hook_event_name: body.hook_event_name })
}
