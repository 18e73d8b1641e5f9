import type { Gap } from '../batch.ts'
import type { Database, Sql, Tenant, Value } from './database.ts'
import { addHistogram, findPercentile, makeHistogram } from './histogram.ts'
import {
  type Dictionary,
  FIRST_DICTIONARY,
  MAX_BLOCK_RECORDS,
  makeBodyDictionary,
  splitBodies,
  unpack,
  unseal,
} from './packing.ts'

/** Choice of events. */
export interface EventQuery {
  readonly machine?: string | undefined
  readonly person?: string | undefined
  readonly project?: string | undefined
  readonly client?: string | undefined
  readonly session?: string | undefined
  readonly event?: string | undefined
  readonly tool?: string | undefined
  readonly outcome?: string | undefined
  /** Milliseconds since 1970. */
  readonly since?: number | undefined
  /** Place behind the last row of the page before. */
  readonly cursor?: string | undefined
  readonly limit: number
}

/** An event of the fleet. */
export interface FleetEvent {
  readonly machine: string
  readonly epoch: string
  readonly seq: number
  readonly at: number
  readonly day: number
  readonly session: string
  readonly person: string | null
  readonly facts: Readonly<Record<string, unknown>>
}

/** A page of a list, and the place behind it; null where it is the last one. */
export interface Page<Item> {
  readonly rows: readonly Item[]
  readonly cursor: string | null
}

/** A cursor that is not one of ours. */
export class CursorError extends Error {}

const FOREIGN_CURSOR = 'the cursor is not one of this server: begin without one'

interface EventRow {
  readonly segment: number
  readonly machine: string
  readonly epoch: string
  readonly seq: number
  readonly at: number
  readonly session: string
  readonly person: string | null
  readonly dictionary: number
  readonly facts: Buffer
}

/** Lists events, the newest first, day by day. */
export async function listEvents(database: Database, tenant: Tenant, query: EventQuery): Promise<Page<FleetEvent>> {
  const start = query.cursor === undefined ? null : parseCursor(query.cursor)
  const days = (await database.listDays(tenant, 'events')).filter((day) => start === null || day <= start.day)
  return database.read(tenant, async (sql) => {
    const bounds = await findDayBounds(sql, query)
    const unpackFacts = makeUnpacker(sql)
    const rows: (FleetEvent & { segment: number })[] = []
    for (const day of days) {
      if (rows.length > query.limit) break
      if (day < bounds.first || day > bounds.last) continue
      const place = start !== null && start.day === day ? start : null
      const found = await readDay(sql, day, { query, place, limit: query.limit + 1 - rows.length })
      for (const { segment, dictionary, facts, ...row } of found)
        rows.push({ ...row, segment, day, facts: JSON.parse(await unpackFacts(facts, dictionary)) })
    }
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    const cursor = rows.length > query.limit && last ? formatCursor(last) : null
    return { rows: page.map(({ segment: _, ...row }) => row), cursor }
  })
}

/** Days that events of a session can be in; all where none is asked for. */
async function findDayBounds(sql: Sql, { session, since }: EventQuery): Promise<{ first: number; last: number }> {
  const earliest = since === undefined ? 0 : Number(new Date(since).toISOString().slice(0, 10).replaceAll('-', ''))
  const all = { first: earliest, last: Number.MAX_SAFE_INTEGER }
  if (session === undefined) return all
  const [row] = await sql.all<{ first: number | null; last: number | null }>(
    'SELECT min(first_day) AS first, max(last_day) AS last FROM sessions WHERE session = ?1',
    session,
  )
  return { first: Math.max(row?.first ?? 1, earliest), last: row?.last ?? 0 }
}

interface Place {
  readonly day: number
  readonly at: number
  readonly segment: number
  readonly seq: number
}

function formatCursor({ day, at, segment, seq }: Place): string {
  return [day, at, segment, seq].join('.')
}

function parseCursor(text: string): Place {
  const parts = /^(\d{1,8})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(text)?.slice(1).map(Number)
  const [day, at, segment, seq] = parts ?? []
  if (day === undefined || at === undefined || segment === undefined || seq === undefined)
    throw new CursorError(FOREIGN_CURSOR)
  return { day, at, segment, seq }
}

async function readDay(
  sql: Sql,
  day: number,
  { query, place, limit }: { readonly query: EventQuery; readonly place: Place | null; readonly limit: number },
): Promise<EventRow[]> {
  const values: Value[] = []
  const bind = (value: Value): string => `?${values.push(value)}`
  const wishes: [string, string | number | undefined][] = [
    ['h.machine =', query.machine],
    ['s.person =', query.person],
    ['s.project_name =', query.project],
    ['s.client =', query.client],
    ['e.event =', query.event],
    ['e.tool =', query.tool],
    ['e.outcome =', query.outcome],
    ['e.at >=', query.since],
  ]
  const where = wishes.flatMap(([sqlText, value]) => (value === undefined ? [] : [`${sqlText} ${bind(value)}`]))
  if (query.session !== undefined)
    where.push(`e.session IN (SELECT id FROM sessions WHERE session = ${bind(query.session)})`)
  if (place !== null)
    where.push(`(e.at, e.segment, e.seq) < (${bind(place.at)}, ${bind(place.segment)}, ${bind(place.seq)})`)
  return sql.all<EventRow>(
    `SELECT e.segment, h.machine, h.epoch, e.seq, e.at, s.session, s.person, e.dictionary, e.facts
     FROM (SELECT * FROM ${sql.from('events', day)}) AS e JOIN heads h ON h.id = e.segment JOIN sessions s ON s.id = e.session
     ${joinClauses(where)} ORDER BY e.at DESC, e.segment DESC, e.seq DESC LIMIT ${limit}`,
    ...values,
  )
}

function makeUnpacker(sql: Sql): (packed: Buffer, dictionary: number) => Promise<string> {
  const known = new Map<number, Dictionary>([[FIRST_DICTIONARY.id, FIRST_DICTIONARY]])
  return async (packed, id) => {
    if (!known.has(id)) {
      const [found] = await sql.all<Dictionary>('SELECT id, bytes FROM dictionaries WHERE id = ?1', id)
      if (found) known.set(id, found)
    }
    return unpack(packed, known.get(id) ?? FIRST_DICTIONARY)
  }
}

type EventName = Pick<FleetEvent, 'machine' | 'epoch' | 'seq' | 'day'>

/** Reads the body of an event; null where there is none, it went, or its person was erased. */
export async function readBody(database: Database, tenant: Tenant, event: EventName): Promise<string | null> {
  const [body] = await readBodies(database, tenant, { event, count: 1 })
  return body ?? null
}

/** Days whose bodies are looked through: a segment may go on past midnight. */
const MAX_BODY_DAYS = 2

/** Reads the bodies of an event and of those before it in its segment, the newest first: of so many numbers, those that have one. */
export async function readBodies(
  database: Database,
  tenant: Tenant,
  { event: { day, ...name }, count }: { readonly event: EventName; readonly count: number },
): Promise<string[]> {
  const oldest = name.seq - count + 1
  const days = (await database.listDays(tenant, 'bodies')).filter((one) => one <= day).slice(0, MAX_BODY_DAYS)
  return database.read(tenant, async (sql) => {
    const unpackFacts = makeUnpacker(sql)
    const bodies: string[] = []
    for (let left = name.seq; left >= oldest && days.length > 0; ) {
      const blocks = await readBlocks(sql, days.shift() ?? day, { ...name, count })
      for (const { seq, body, key, facts, dictionary } of blocks) {
        if (left < oldest) break
        const block =
          key === null ? '' : unpack(unseal(body, key), makeBodyDictionary(await unpackFacts(facts, dictionary)))
        const lines = splitBodies(block).slice(Math.max(0, oldest - seq), left - seq + 1)
        bodies.push(...lines.filter((line) => line !== '').reverse())
        left = seq - 1
      }
    }
    return bodies
  })
}

interface BlockRow {
  readonly seq: number
  readonly body: Buffer
  readonly key: Buffer | null
  readonly facts: Buffer
  readonly dictionary: number
}

/** Reads the blocks of a segment that may have bodies of so many numbers, the newest first. */
function readBlocks(
  sql: Sql,
  day: number,
  { machine, epoch, seq, count }: Omit<EventName, 'day'> & { readonly count: number },
): Promise<BlockRow[]> {
  return sql.all<BlockRow>(
    `SELECT b.seq, b.body, p.key, e.facts, e.dictionary FROM (SELECT * FROM ${sql.from('bodies', day)}) AS b
     JOIN (SELECT * FROM ${sql.from('events', day)}) AS e ON e.segment = b.segment AND e.seq = b.seq
     JOIN heads h ON h.id = b.segment JOIN people p ON p.person = b.person
     WHERE h.machine = ?1 AND h.epoch = ?2 AND b.seq <= ?3 AND b.seq > ?4 ORDER BY b.seq DESC LIMIT ${count}`,
    ...[machine, epoch, seq, seq - count - MAX_BLOCK_RECORDS],
  )
}

/** A session of a machine. */
export interface FleetSession {
  readonly session: string
  readonly machine: string
  readonly client: string | null
  readonly project: string | null
  readonly projectName: string | null
  readonly person: string | null
  readonly firstAt: number
  readonly lastAt: number
  readonly events: number
  readonly refusals: number
  readonly failures: number
  readonly runs: number
  readonly totalMs: number
  readonly slowestMs: number
}

/** Choice of sessions. */
export interface SessionQuery {
  readonly text?: string | undefined
  readonly machine?: string | undefined
  readonly person?: string | undefined
  readonly project?: string | undefined
  readonly client?: string | undefined
  readonly session?: string | undefined
  readonly since?: number | undefined
  /** Place behind the last row of the page before. */
  readonly cursor?: string | undefined
  readonly offset: number
  readonly limit: number
}

const SESSION_COLUMNS = `session, machine, client, project, project_name AS "projectName", person, first_at AS "firstAt",
  last_at AS "lastAt", events, refusals, failures, runs, total_ms AS "totalMs", slowest_ms AS "slowestMs"`

/** Lists sessions, the newest first, with the number of all that fit. */
export async function listSessions(
  database: Database,
  tenant: Tenant,
  query: SessionQuery,
): Promise<Page<FleetSession> & { readonly total: number }> {
  const start = query.cursor === undefined ? null : parseSessionCursor(query.cursor)
  const values: Value[] = []
  const bind = (value: Value): string => `?${values.push(value)}`
  const wishes: [string, string | number | undefined][] = [
    ['session =', query.session],
    ['machine =', query.machine],
    ['person =', query.person],
    ['project_name =', query.project],
    ['client =', query.client],
    ['last_at >=', query.since],
  ]
  const where = wishes.flatMap(([text, value]) => (value === undefined ? [] : [`${text} ${bind(value)}`]))
  if (query.text !== undefined) {
    const pattern = bind(`%${query.text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`)
    const words = ['session', 'project_name', 'client', 'machine', 'person']
    where.push(`(${words.map((word) => `lower(${word}) LIKE ${pattern} ESCAPE '\\'`).join(' OR ')})`)
  }
  const clause = joinClauses(where)
  return database.read(tenant, async (sql) => {
    const [counted] = await sql.all<{ n: number }>(`SELECT count(*) AS n FROM sessions ${clause}`, ...values)
    if (start !== null) where.push(`(last_at, id) < (${bind(start.at)}, ${bind(start.id)})`)
    const found = await sql.all<FleetSession & { id: number }>(
      `SELECT id, ${SESSION_COLUMNS} FROM sessions ${joinClauses(where)} ORDER BY last_at DESC, id DESC
       LIMIT ${query.limit + 1} OFFSET ${query.offset}`,
      ...values,
    )
    const { rows, cursor } = takePage(found, query.limit, ({ lastAt, id }) => `${lastAt}.${id}`)
    return { total: counted?.n ?? 0, rows: rows.map(({ id: _, ...row }) => row), cursor }
  })
}

const joinClauses = (where: readonly string[]): string => (where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`)

function parseSessionCursor(text: string): { readonly at: number; readonly id: number } {
  const [at, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text)?.slice(1).map(Number) ?? []
  if (at === undefined || id === undefined) throw new CursorError(FOREIGN_CURSOR)
  return { at, id }
}

/** Words that a filter of sessions offers. */
export interface SessionWords {
  readonly projects: readonly string[]
  readonly agents: readonly string[]
  readonly people: readonly string[]
}

const MAX_WORDS = 200

/** Lists projects, agents and people that sessions have. */
export async function listSessionWords(database: Database, tenant: Tenant): Promise<SessionWords> {
  return database.read(tenant, async (sql) => {
    const list = async (column: string): Promise<string[]> => {
      const rows = await sql.all<{ word: string }>(
        `SELECT DISTINCT ${column} AS word FROM sessions WHERE ${column} IS NOT NULL ORDER BY ${column} LIMIT ${MAX_WORDS}`,
      )
      return rows.map(({ word }) => word)
    }
    return { projects: await list('project_name'), agents: await list('client'), people: await list('person') }
  })
}

/** Figures of a hook over a time. */
export interface HookFigures {
  readonly key: string
  readonly event: string
  readonly scope: string
  readonly runs: number
  readonly refusals: number
  readonly failures: number
  readonly timeouts: number
  readonly totalMs: number
  readonly maxMs: number
  readonly machines: number
  readonly p50: number
  readonly p95: number
}

interface HourRow {
  readonly hour: number
  readonly hook: number
  readonly runs: number
  readonly refusals: number
  readonly failures: number
  readonly timeouts: number
  readonly total_ms: number
  readonly max_ms: number
  readonly histogram: string
}

const HOUR_MS = 3_600_000

/** Measures hooks since a time, the one that ran most first. */
export async function measureHooks(database: Database, tenant: Tenant, since: number): Promise<HookFigures[]> {
  return database.read(tenant, async (sql) => {
    const rows = await sql.all<HourRow>('SELECT * FROM hourly WHERE hour >= ?1', Math.floor(since / HOUR_MS))
    const names = await readHooks(sql)
    const day = Number(new Date(since).toISOString().slice(0, 10).replaceAll('-', ''))
    const machines = new Map(
      (
        await sql.all<{ hook: number; n: number }>(
          'SELECT hook, count(DISTINCT machine) AS n FROM presence WHERE day >= ?1 GROUP BY hook',
          day,
        )
      ).map(({ hook, n }) => [hook, n]),
    )
    const groups = new Map<number, HourRow[]>()
    for (const row of rows) {
      const group = groups.get(row.hook)
      if (group) group.push(row)
      else groups.set(row.hook, [row])
    }
    const figures = [...groups].map(([hook, hours]) => ({
      ...(names.get(hook) ?? { key: '', event: '', scope: '' }),
      ...addHours(hours),
      machines: machines.get(hook) ?? 0,
    }))
    return figures.sort((a, b) => b.runs - a.runs)
  })
}

/** Names of hooks by their numbers. */
async function readHooks(sql: Sql): Promise<Map<number, { key: string; event: string; scope: string }>> {
  const rows = await sql.all<{ id: number; key: string; event: string; scope: string }>(
    'SELECT id, key, event, scope FROM hooks',
  )
  return new Map(rows.map(({ id, ...hook }) => [id, hook]))
}

function addHours(hours: readonly HourRow[]): Omit<HookFigures, 'key' | 'event' | 'scope' | 'machines'> {
  const histogram = makeHistogram()
  for (const hour of hours) addHistogram(histogram, hour.histogram)
  const add = (field: 'runs' | 'refusals' | 'failures' | 'timeouts' | 'total_ms'): number =>
    hours.reduce((sum, row) => sum + row[field], 0)
  return {
    ...{ runs: add('runs'), refusals: add('refusals'), failures: add('failures'), timeouts: add('timeouts') },
    ...{ totalMs: add('total_ms'), maxMs: hours.reduce((max, row) => Math.max(max, row.max_ms), 0) },
    ...{ p50: findPercentile(histogram, 0.5), p95: findPercentile(histogram, 0.95) },
  }
}

/** A hook in an hour. */
export interface HookHour {
  readonly key: string
  readonly event: string
  /** Beginning of the hour. */
  readonly at: number
  readonly runs: number
  readonly p95: number
}

/** Measures each hook hour by hour. */
export async function measureHours(database: Database, tenant: Tenant, since: number): Promise<HookHour[]> {
  return database.read(tenant, async (sql) => {
    const rows = await sql.all<HourRow>(
      'SELECT hour, hook, runs, histogram FROM hourly WHERE hour >= ?1 ORDER BY hour, hook',
      Math.floor(since / HOUR_MS),
    )
    const names = await readHooks(sql)
    return groupHours(rows).map((group): HookHour => {
      const [{ hour, hook }] = group
      const histogram = makeHistogram()
      for (const row of group) addHistogram(histogram, row.histogram)
      const { key = '', event = '' } = names.get(hook) ?? {}
      const runs = group.reduce((sum, row) => sum + row.runs, 0)
      return { key, event, at: hour * HOUR_MS, runs, p95: findPercentile(histogram, 0.95) }
    })
  })
}

type HourRows = [HourRow, ...HourRow[]]

/** Puts the rows of an hour and a hook together, which several servers may have written: they follow each other. */
function groupHours(rows: readonly HourRow[]): HourRows[] {
  const groups: HourRows[] = []
  for (const row of rows) {
    const [last] = groups.at(-1) ?? []
    if (last?.hour === row.hour && last.hook === row.hook) groups.at(-1)?.push(row)
    else groups.push([row])
  }
  return groups
}

/** Medians of hooks over a time, in parts of equal length. */
export interface HookMedians {
  /** Beginnings of the parts. */
  readonly times: readonly number[]
  /** Medians of each hook, in the order of the hooks that were asked for; null for a part in which it did not run. */
  readonly medians: readonly (readonly (number | null)[])[]
}

/** Measures how the medians of some hooks went since a time, in so many parts at most. */
export async function measureMedians(
  database: Database,
  tenant: Tenant,
  {
    since,
    hooks,
    maxParts,
  }: {
    readonly since: number
    readonly hooks: readonly Pick<HookFigures, 'key' | 'event'>[]
    readonly maxParts: number
  },
): Promise<HookMedians> {
  if (hooks.length === 0) return { times: [], medians: [] }
  const rows = await database.read(tenant, (sql) =>
    sql.all<Pick<HourRow, 'hour' | 'histogram'> & { key: string; event: string }>(
      `SELECT r.hour, r.histogram, h.key, h.event FROM hourly r JOIN hooks h ON h.id = r.hook
       WHERE r.hour >= ?1 AND h.key IN (${hooks.map((_, at) => `?${at + 2}`).join(', ')})`,
      ...[Math.floor(since / HOUR_MS), ...hooks.map(({ key }) => key)],
    ),
  )
  const numbers = rows.map(({ hour }) => hour)
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
  const length = Math.max(1, Math.ceil((last - first + 1) / maxParts))
  const count = rows.length === 0 ? 0 : Math.floor((last - first) / length) + 1
  return {
    times: Array.from({ length: count }, (_, at) => (first + at * length) * HOUR_MS),
    medians: hooks.map(({ key, event }) => {
      const parts = Array.from({ length: count }, () => makeHistogram())
      for (const row of rows) {
        const part = parts[Math.floor((row.hour - first) / length)]
        if (part !== undefined && row.key === key && row.event === event) addHistogram(part, row.histogram)
      }
      return parts.map((part) => findPercentile(part, 0.5) || null)
    }),
  }
}

/** Refusals for one reason: the hook that refused, the event and the tool. */
export interface RefusalCount {
  readonly hook: string
  readonly event: string
  readonly tool: string
  readonly outcome: string
  readonly count: number
}

/** Counts refusals by reason since a day, the most first. */
export async function countRefusals(database: Database, tenant: Tenant, day: number): Promise<RefusalCount[]> {
  return database.read(tenant, (sql) =>
    sql.all<RefusalCount>(
      `SELECT hook, event, tool, outcome, CAST(sum(count) AS bigint) AS count FROM refusals WHERE day >= ?1
       GROUP BY hook, event, tool, outcome ORDER BY sum(count) DESC LIMIT 1000`,
      day,
    ),
  )
}

/** A machine as the server knows it. */
export interface FleetMachine {
  readonly id: string
  readonly name: string
  readonly enrolledAt: number
  readonly seenAt: number | null
  readonly engine: string | null
  readonly records: number
  readonly sessions: number
  readonly gaps: number
}

/** Lists machines by their ids. */
export async function listMachines(
  database: Database,
  tenant: Tenant,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<FleetMachine>> {
  const rows = await database.read(tenant, (sql) =>
    sql.all<FleetMachine>(
      `SELECT id, name, enrolled_at AS "enrolledAt", seen_at AS "seenAt", engine, coalesce(a.n, 0) AS records,
         coalesce(s.n, 0) AS sessions, coalesce(g.n, 0) AS gaps
       FROM machines
         LEFT JOIN (SELECT machine, CAST(sum(count) AS bigint) AS n FROM activity GROUP BY machine) a ON a.machine = id
         LEFT JOIN (SELECT machine, count(*) AS n FROM sessions GROUP BY machine) s ON s.machine = id
         LEFT JOIN (SELECT machine, count(*) AS n FROM gaps GROUP BY machine) g ON g.machine = id
       WHERE id > ?1 ORDER BY id LIMIT ${limit + 1}`,
      cursor ?? '',
    ),
  )
  return takePage(rows, limit, ({ id }) => id)
}

function takePage<Item>(rows: readonly Item[], limit: number, format: (last: Item) => string): Page<Item> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, cursor: rows.length > limit && last !== undefined ? format(last) : null }
}

/** Counts what machines told of, machines and gaps. */
export async function countFleet(
  database: Database,
  tenant: Tenant,
): Promise<{ readonly records: number; readonly machines: number; readonly gaps: number }> {
  const [row] = await database.read(tenant, (sql) =>
    sql.all<{ records: number; machines: number; gaps: number }>(
      `SELECT (SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM activity) AS records,
         (SELECT count(*) FROM machines) AS machines, (SELECT count(*) FROM gaps) AS gaps`,
    ),
  )
  return row ?? { records: 0, machines: 0, gaps: 0 }
}

/** State of a segment of a machine. */
export interface FleetHead {
  readonly epoch: string
  readonly seq: number
  readonly head: string
  readonly ended: number
  readonly ackedAt: number
}

/** Lists segments of a machine, the newest first. */
export async function listHeads(database: Database, tenant: Tenant, machine: string): Promise<FleetHead[]> {
  return database.read(tenant, (sql) =>
    sql.all<FleetHead>(
      'SELECT epoch, seq, head, ended, acked_at AS "ackedAt" FROM heads WHERE machine = ?1 ORDER BY acked_at DESC LIMIT 1000',
      machine,
    ),
  )
}

/** Reads the state of one segment; null where nothing of it came. */
export async function readHead(
  database: Database,
  tenant: Tenant,
  { machine, epoch }: { readonly machine: string; readonly epoch: string },
): Promise<{ readonly seq: number; readonly head: string } | null> {
  const [row] = await database.read(tenant, (sql) =>
    sql.all<{ seq: number; head: string }>(
      'SELECT seq, head FROM heads WHERE machine = ?1 AND epoch = ?2',
      ...[machine, epoch],
    ),
  )
  return row ?? null
}

/** A gap, and where it is. */
export interface FleetGap extends Gap {
  readonly machine: string
  readonly epoch: string
  readonly seenAt: number
}

/** Lists gaps, the newest first. */
export async function listGaps(database: Database, tenant: Tenant): Promise<FleetGap[]> {
  return database.read(tenant, (sql) =>
    sql.all<FleetGap>(
      'SELECT machine, epoch, seq, count, kind, because, seen_at AS "seenAt" FROM gaps ORDER BY seen_at DESC, machine, epoch, seq LIMIT 1000',
    ),
  )
}

/** Sign of trouble that a person should look at. */
export type Alarm =
  | {
      readonly kind: 'silent-guard'
      readonly machine: string
      readonly key: string
      readonly event: string
      readonly because: string
    }
  | {
      readonly kind: 'gap'
      readonly machine: string
      readonly epoch: string
      readonly seq: number
      readonly because: string
    }
  | {
      readonly kind: 'failing-hook'
      readonly key: string
      readonly event: string
      readonly share: number
      readonly because: string
    }

/** Limits of alarms. */
export interface AlarmLimits {
  /** First day that is looked at. */
  readonly day: number
  /** Share of runs that may fail. */
  readonly maxFailing: number
}

/** Share of the machines with such events on which a guard has to run before its silence on another one is an alarm. */
const MIN_GUARDED_SHARE = 0.5
const MIN_MACHINES = 2
const MIN_EVENTS = 5
const MIN_RUNS = 10

/** Finds guards that ran everywhere else and not on one machine, gaps without a reason, and hooks that fail too often. */
export async function findAlarms(database: Database, tenant: Tenant, limits: AlarmLimits): Promise<Alarm[]> {
  const silent = await findSilentGuards(database, tenant, limits.day)
  const gaps = (await listGaps(database, tenant)).filter(({ kind }) => kind !== 'lost')
  const failing = await findFailingHooks(database, tenant, limits)
  return [
    ...silent,
    ...gaps.map(({ machine, epoch, seq, count, kind, because }): Alarm => {
      return { kind: 'gap', machine, epoch, seq, because: `${kind}: ${because} (${count})` }
    }),
    ...failing,
  ]
}

async function findSilentGuards(database: Database, tenant: Tenant, day: number): Promise<Alarm[]> {
  return database.read(tenant, async (sql) => {
    const active = await sql.all<{ machine: string; event: string }>(
      `SELECT machine, event FROM activity WHERE day >= ?1 GROUP BY machine, event HAVING sum(count) >= ${MIN_EVENTS}`,
      day,
    )
    const present = await sql.all<{ hook: number; machine: string }>(
      'SELECT DISTINCT hook, machine FROM presence WHERE day >= ?1',
      day,
    )
    const names = await readHooks(sql)
    const machinesByEvent = groupRows(active, ({ event }) => event)
    const machinesByHook = groupRows(present, ({ hook }) => hook)
    return [...machinesByHook].flatMap(([hook, rows]) => {
      const { key = '', event = '' } = names.get(hook) ?? {}
      const guarded = new Set(rows.map(({ machine }) => machine))
      const all = machinesByEvent.get(event) ?? []
      const missing = all.filter(({ machine }) => !guarded.has(machine))
      const others = all.length - missing.length
      if (others < MIN_MACHINES || others / all.length < MIN_GUARDED_SHARE) return []
      const because = `it ran on ${others} of ${all.length} machines with this event, and not here`
      return missing.map(({ machine }): Alarm => ({ kind: 'silent-guard', machine, key, event, because }))
    })
  })
}

/** Groups rows by a name, in the order in which the names come. */
export function groupRows<Item, Key>(rows: readonly Item[], name: (row: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const row of rows) {
    const group = groups.get(name(row))
    if (group) group.push(row)
    else groups.set(name(row), [row])
  }
  return groups
}

async function findFailingHooks(
  database: Database,
  tenant: Tenant,
  { day, maxFailing }: AlarmLimits,
): Promise<Alarm[]> {
  return database.read(tenant, async (sql) => {
    const rows = await sql.all<{ hook: number; runs: number; failures: number }>(
      `SELECT hook, CAST(sum(runs) AS bigint) AS runs, CAST(sum(failures) AS bigint) AS failures FROM presence WHERE day >= ?1
       GROUP BY hook HAVING sum(runs) >= ${MIN_RUNS}`,
      day,
    )
    const names = await readHooks(sql)
    return rows.flatMap(({ hook, runs, failures }): Alarm[] => {
      const share = failures / runs
      if (share <= maxFailing) return []
      const { key = '', event = '' } = names.get(hook) ?? {}
      return [{ kind: 'failing-hook', key, event, share, because: `${failures} of ${runs} runs failed` }]
    })
  })
}

/** Counts the records of a tenant that are stored. */
export async function countRecords(database: Database, tenant: Tenant): Promise<number> {
  const days = await database.listDays(tenant, 'events')
  return database.read(tenant, async (sql) => {
    let records = 0
    for (const day of days) {
      const [row] = await sql.all<{ n: number }>(`SELECT count(*) AS n FROM ${sql.from('events', day)}`)
      records += row?.n ?? 0
    }
    return records
  })
}
