import type { Cost, LogEntry, loadInspectorPage, RecordSource, SessionSummary } from 'hookline/internal'
import { toDay } from '../batch.ts'
import type { Tenant } from '../store/database.ts'
import {
  countFleet,
  countRefusals,
  type FleetEvent,
  type FleetSession,
  type HookFigures,
  listEvents,
  listMachines,
  listSessions,
  listSessionWords,
  measureHooks,
  measureMedians,
  readBodies,
} from '../store/queries.ts'
import type { FleetStore } from '../store/store.ts'
import { toEntry } from './facts-entry.ts'

/** Views of the inspector, as far as a source needs them. */
export type InspectorParts = Pick<Awaited<ReturnType<typeof loadInspectorPage>>, 'summariseEvent' | 'parseLogLine'>

/** Events of a session that are shown; the newest of a longer one. */
const MAX_EVENTS = 20_000
const PAGE_ROWS = 1000
/** Bodies that are looked through for the hooks of an event that did not run: a machine tells them at each hundredth. */
const MAX_READ_BACK = 200
/** Sessions whose events are kept in memory. */
const MAX_KEPT_SESSIONS = 8
const MAX_MACHINES = 1000
const COST_DAYS = 30
const DAY_MS = 86_400_000
const MAX_REASONS = 50
/** Hooks that are drawn, and points of each. */
const MAX_SERIES = 6
const MAX_POINTS = 120

/** Makes a source of records of a tenant's store, for the views of the inspector. */
export function makeFleetSource(store: FleetStore, tenant: Tenant, parts: InspectorParts): RecordSource {
  const { database } = store
  const kept = new Map<string, { readonly count: number; readonly events: Promise<readonly FleetEvent[]> }>()

  const find = async (id: string): Promise<FleetSession | null> => {
    const { session, machine } = parseSessionId(id)
    const { rows } = await listSessions(database, tenant, { session, machine, offset: 0, limit: 2 })
    return rows.length === 1 ? (rows[0] ?? null) : null
  }
  /** Reads the events of a session, by time; again where it has more than before. */
  const readSession = async (id: string): Promise<readonly FleetEvent[]> => {
    const session = await find(id)
    if (session === null) return []
    const known = kept.get(id)
    if (known?.count === session.events) return known.events
    const events = readEvents(store, tenant, session)
    events.catch(() => kept.delete(id)) // told to the one who asked
    const [oldest] = kept.keys()
    if (kept.size >= MAX_KEPT_SESSIONS && oldest !== undefined) kept.delete(oldest)
    kept.set(id, { count: session.events, events })
    return events
  }
  /** Reads an event with its body, of which an earlier one may have the hooks that did not run; null where there is none. */
  const readWhole = async (event: FleetEvent): Promise<LogEntry | null> => {
    const read = async (count: number): Promise<LogEntry | null> => {
      const [body, ...before] = await readBodies(database, tenant, { event, count })
      if (body === undefined) return null
      const met: Parameters<InspectorParts['parseLogLine']>[1] = new Map()
      for (const earlier of before.reverse()) parts.parseLogLine(earlier, met)
      const whole = parts.parseLogLine(body, met)
      return typeof whole === 'string' ? null : whole
    }
    const whole = await read(1)
    return whole?.partial ? read(MAX_READ_BACK) : whole
  }
  const readEntries = async <Kept>(id: string, keep: (entry: LogEntry) => Kept): Promise<Kept[]> =>
    (await readSession(id)).map((event) => keep(toEntry(event.facts, { id: makeEventId(event), session: id })))

  return {
    update: async () => new Set(),
    findSessions: async ({ text, words, since, offset, limit }) => {
      const names = await nameMachines(store, tenant)
      const offered = await listSessionWords(database, tenant)
      const { total, rows } = await listSessions(database, tenant, {
        ...{ offset, limit, text: text === '' ? undefined : text, since: since === 0 ? undefined : since },
        ...{ project: words.project, client: words.agent, person: words.person },
        machine: words.machine === undefined ? undefined : (findMachineId(words.machine, names) ?? words.machine),
      })
      const all = await listSessions(database, tenant, { offset: 0, limit: 1 })
      const people = offered.people.filter((person) => !names.has(person)) // a machine without a person stands for itself
      return {
        ...{ total, offset, all: all.total },
        rows: rows.map((row) => ({ ...toSummary(row), labels: listLabels(row, names) })),
        filters: [
          { name: 'machine', values: [...names.values()].sort() },
          { name: 'person', values: people },
          { name: 'project', values: offered.projects },
          { name: 'agent', values: offered.agents },
        ],
      }
    },
    findSession: async (id) => {
      const found = await find(id)
      return found === null ? null : toSummary(found)
    },
    summariseEvents: (id) => readEntries(id, parts.summariseEvent),
    findEntry: async (session, id) => {
      const event = (await readSession(session)).find((one) => makeEventId(one) === id)
      if (event === undefined) return null
      const entry = toEntry(event.facts, { id, session })
      const whole = await readWhole(event)
      if (whole === null) return entry
      return { ...whole, record: { ...whole.record, id, sessionId: session } }
    },
    readEntries,
    measureCost: () => measureFleetCost(store, tenant),
  }
}

/** Id of a session on the page: several machines may have one of the same id. */
function makeSessionId({ session, machine }: Pick<FleetSession, 'session' | 'machine'>): string {
  return `${session}@${machine}`
}

function parseSessionId(id: string): { readonly session: string; readonly machine: string | undefined } {
  const at = id.lastIndexOf('@')
  return at === -1 ? { session: id, machine: undefined } : { session: id.slice(0, at), machine: id.slice(at + 1) }
}

const makeEventId = ({ epoch, seq }: FleetEvent): string => `${epoch}.${seq}`

async function readEvents(
  store: FleetStore,
  tenant: Tenant,
  { session, machine }: FleetSession,
): Promise<FleetEvent[]> {
  const events: FleetEvent[] = []
  for (let cursor: string | undefined; events.length < MAX_EVENTS; ) {
    const page = await listEvents(store.database, tenant, { session, machine, cursor, limit: PAGE_ROWS })
    events.push(...page.rows)
    if (page.cursor === null) break
    cursor = page.cursor
  }
  return events.reverse()
}

function toSummary(row: FleetSession): SessionSummary {
  const { firstAt, lastAt, events, refusals, failures, runs, totalMs, slowestMs } = row
  return {
    id: makeSessionId(row),
    from: new Date(firstAt).toISOString(),
    to: new Date(lastAt).toISOString(),
    ...{ events, blocked: refusals, failed: failures, ran: runs, total: totalMs, tokens: 0, subagents: 0 },
    slowest: runs === 0 ? null : { hook: '', durationMs: slowestMs },
    ...{ project: row.projectName ?? '', agent: row.client ?? '', version: '' },
  }
}

function listLabels({ machine, person }: FleetSession, names: ReadonlyMap<string, string>): string[] {
  return [names.get(machine) ?? machine, ...(person === null || person === machine ? [] : [person])]
}

const SHORT_ID_LENGTH = 8

/** Names of machines by their ids, each of which means one: with the beginning of the id where several have it. */
export async function nameMachines(store: FleetStore, tenant: Tenant): Promise<ReadonlyMap<string, string>> {
  const { rows } = await listMachines(store.database, tenant, { limit: MAX_MACHINES })
  const counts = new Map<string, number>()
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    rows.map(({ id, name }) => [id, counts.get(name) === 1 ? name : `${name} (${id.slice(0, SHORT_ID_LENGTH)})`]),
  )
}

function findMachineId(name: string, names: ReadonlyMap<string, string>): string | undefined {
  return [...names].find(([, known]) => known === name)?.[0]
}

/** Costs of hooks in the whole fleet: the figures by hour, which stay when events go. */
async function measureFleetCost({ database }: FleetStore, tenant: Tenant): Promise<Cost> {
  const since = Date.now() - COST_DAYS * DAY_MS
  const hooks = await measureHooks(database, tenant, since)
  const reasons = await countRefusals(database, tenant, toDay(since))
  const slowest = [...hooks].sort((a, b) => b.totalMs - a.totalMs).slice(0, MAX_SERIES)
  const { times, medians } = await measureMedians(database, tenant, { since, hooks: slowest, maxParts: MAX_POINTS })
  return {
    events: (await countFleet(database, tenant)).records,
    hooks: hooks.map(({ key, event, scope, runs, refusals, failures, timeouts, p50, p95, maxMs, totalMs }) => ({
      ...{ id: nameHook({ scope, event, key }), runs: null, seen: runs, matched: runs, ran: runs },
      ...{ blocked: refusals, failed: failures, timedOut: timeouts, p50, p95, max: maxMs, total: totalMs },
      ...{ characters: 0, tokens: 0, slower: null },
    })),
    series: {
      times: times.map((time) => time / 1000),
      hooks: slowest.map((hook, at) => ({ name: nameHook(hook), p50: medians[at] ?? [] })),
    },
    reasons: reasons.slice(0, MAX_REASONS).map(({ hook, event, tool, outcome, count }) => ({
      reason: [outcome, 'by', hook, 'at', event, tool].filter((word) => word !== '').join(' '),
      count,
    })),
    tokensByEvent: [],
    waitedMs: hooks.reduce((sum, { totalMs }) => sum + totalMs, 0),
  }
}

const nameHook = ({ scope, event, key }: Pick<HookFigures, 'scope' | 'event' | 'key'>): string =>
  `${scope}:${event} ${key}`
