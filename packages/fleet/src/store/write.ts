import {
  type Batch,
  type BatchLine,
  type Head,
  type Judgement,
  judgeBatch,
  type Missing,
  makeFirstHead,
  NEVER_CAME,
  type StoredRecord,
} from '../batch.ts'
import type { Row, Sql } from './database.ts'
import { addHistogram, countRun, formatHistogram, type Histogram, makeHistogram } from './histogram.ts'
import {
  type Dictionary,
  FIRST_DICTIONARY,
  joinBodies,
  learnDictionary,
  MAX_BLOCK_RECORDS,
  makeBodyDictionary,
  makeSealingKey,
  pack,
  seal,
} from './packing.ts'

/** Answer to a batch: the highest number that is stored, and records that are not, with the reasons. */
export interface BatchAnswer {
  readonly acked: number
  /** Records that were not known before. */
  readonly stored: number
  readonly refused: readonly { readonly seq: number; readonly reason: string }[]
  /** Records of the segment that never came, where there are some: a machine that still has them sends them. */
  readonly missing?: readonly Missing[]
}

/** Knowledge of a process about a tenant, which a transaction may add to: it is thrown away when one fails. */
export interface WriteCache {
  dictionary: Dictionary | null
  readonly hooks: Map<string, number>
  readonly keys: Map<string, Buffer>
}

/** Makes a cache that knows nothing. */
export function makeWriteCache(): WriteCache {
  return { dictionary: null, hooks: new Map(), keys: new Map() }
}

const MAX_CACHED = 50_000
/** Records from which a dictionary is learnt. */
const MIN_LEARNT_RECORDS = 20
const REFUSING: ReadonlySet<string | null> = new Set(['denied', 'blocked', 'halted'])

/** A record of a batch, with all that its row needs. */
interface Fresh {
  readonly batch: Batch
  readonly segment: number
  readonly seq: number
  readonly record: StoredRecord
}

/** Adds batches in one transaction: all of them or none. Days have their tables before. `shard` is a number of this server alone. */
export async function addBatches(
  sql: Sql,
  batches: readonly Batch[],
  { now, shard, cache }: { readonly now: number; readonly shard: number; readonly cache: WriteCache },
): Promise<BatchAnswer[]> {
  if (cache.hooks.size > MAX_CACHED) cache.hooks.clear()
  if (cache.keys.size > MAX_CACHED) cache.keys.clear()
  const answers: BatchAnswer[] = []
  const fresh: Fresh[] = []
  const heads = await lockHeads(sql, batches, now)
  const missing = await findMissing(sql, batches, heads)
  const filled = new Set<string>()
  const gaps = new Map<string, Row>()
  for (const batch of batches) {
    const head = heads.get(nameSegment(batch))
    if (head === undefined) throw new TypeError('a segment has no head')
    const judged = judgeBatch(batch, head, missing.get(nameSegment(batch)))
    missing.set(nameSegment(batch), judged.missing)
    if (judged.isFilled) filled.add(nameSegment(batch))
    for (const gap of judged.gaps) {
      const { machine, epoch } = batch
      const name = nameGap(batch, gap)
      if (!gaps.has(name)) gaps.set(name, { machine, epoch, ...gap, seen_at: now })
    }
    fresh.push(...judged.fresh.flatMap((line) => toFreshEvents(line, batch, head.id)))
    answers.push(makeAnswer(judged))
    heads.set(nameSegment(batch), { ...head, ...judged.head, isEnded: head.isEnded || judged.isEnded })
  }
  const events = fresh.filter(({ record }) => record.session !== null)
  const sessions = await addSessions(sql, events)
  await addEvents(sql, events, { sessions, cache })
  await addBodies(sql, events, cache)
  await addFigures(sql, fresh, { cache, shard, now })
  for (const batch of batches)
    if (filled.delete(nameSegment(batch))) await narrowGaps(sql, batch, { gaps, missing, now })
  await sql.upsert('gaps', [...gaps.values()], {})
  await sql.upsert(
    'heads',
    [...heads.values()].map(({ machine, epoch, seq, head, isEnded }) => ({
      ...{ machine, epoch, seq, head, ended: isEnded ? 1 : 0, acked_at: now },
    })),
    { seq: 'set', head: 'set', ended: 'max', acked_at: 'set' },
  )
  await noteMachines(sql, batches, now)
  return answers
}

const nameSegment = ({ machine, epoch }: Pick<Batch, 'machine' | 'epoch'>): string => `${machine} ${epoch}`

const nameGap = (segment: Pick<Batch, 'machine' | 'epoch'>, { seq }: Missing): string =>
  `${nameSegment(segment)} ${seq}`

/** Finds what is missing of segments that a batch may fill: one that begins before the head, or that is not the only one of its segment. */
async function findMissing(
  sql: Sql,
  batches: readonly Batch[],
  heads: ReadonlyMap<string, LockedHead>,
): Promise<Map<string, readonly Missing[]>> {
  const missing = new Map<string, readonly Missing[]>()
  const met = new Set<string>()
  for (const batch of batches) {
    const name = nameSegment(batch)
    const isNext = !met.has(name) && (batch.lines[0]?.seq ?? 0) > (heads.get(name)?.seq ?? 0)
    met.add(name)
    if (isNext || missing.has(name)) continue
    const found = await sql.all<Missing>(
      "SELECT seq, count FROM gaps WHERE machine = ?1 AND epoch = ?2 AND kind = 'missing' ORDER BY seq",
      ...[batch.machine, batch.epoch],
    )
    missing.set(name, found)
  }
  return missing
}

/** Writes the gaps of a segment anew in which late records came. */
async function narrowGaps(
  sql: Sql,
  batch: Batch,
  {
    gaps,
    missing,
    now,
  }: {
    readonly gaps: Map<string, Row>
    readonly missing: ReadonlyMap<string, readonly Missing[]>
    readonly now: number
  },
): Promise<void> {
  const { machine, epoch } = batch
  await sql.run("DELETE FROM gaps WHERE machine = ?1 AND epoch = ?2 AND kind = 'missing'", ...[machine, epoch])
  for (const [name, gap] of gaps)
    if (gap.machine === machine && gap.epoch === epoch && gap.kind === 'missing') gaps.delete(name)
  for (const gap of missing.get(nameSegment(batch)) ?? []) {
    const { seq, count } = gap
    gaps.set(nameGap(batch, gap), { machine, epoch, seq, count, kind: 'missing', because: NEVER_CAME, seen_at: now })
  }
}

interface LockedHead extends Head {
  readonly id: number
  readonly machine: string
  readonly epoch: string
  readonly isEnded: boolean
}

/** Takes the rows of the segments for this transaction: no other server stores records of them meanwhile. */
async function lockHeads(sql: Sql, batches: readonly Batch[], now: number): Promise<Map<string, LockedHead>> {
  const segments = new Map(batches.map((batch) => [nameSegment(batch), batch]))
  const rows = [...segments.values()].map(({ machine, epoch }) => {
    return { machine, epoch, ...makeFirstHead(epoch), ended: 0, acked_at: now }
  })
  const found = await sql.upsert<{ id: number; machine: string; epoch: string; ended: number } & Head>(
    'heads',
    rows,
    { acked_at: 'set' },
    ['id', 'machine', 'epoch', 'seq', 'head', 'ended'],
  )
  return new Map(found.map(({ ended, ...head }) => [nameSegment(head), { ...head, isEnded: ended === 1 }]))
}

function toFreshEvents({ seq, content }: BatchLine, batch: Batch, segment: number): Fresh[] {
  return content.is === 'event' ? [{ batch, segment, seq, record: content.record }] : []
}

function makeAnswer({ fresh, head: { seq }, missing }: Judgement): BatchAnswer {
  return {
    acked: seq,
    stored: fresh.filter(({ content }) => content.is === 'event').length,
    refused: fresh.flatMap(({ seq: at, content }) =>
      content.is === 'refused' ? [{ seq: at, reason: content.reason }] : [],
    ),
    ...(missing.length === 0 ? {} : { missing: missing.slice(0, MAX_TOLD_GAPS) }),
  }
}

/** Gaps that an answer tells a machine. */
const MAX_TOLD_GAPS = 100

const nameSession = ({ batch, record }: Fresh): string => `${record.session}\n${batch.machine}`

/** Adds to the figures of sessions. Returns their numbers. */
async function addSessions(sql: Sql, events: readonly Fresh[]): Promise<Map<string, number>> {
  const rows = new Map<string, Row & Record<(typeof SESSION_SUMS)[number], number>>()
  for (const fresh of events) {
    const { batch, record } = fresh
    const ran = record.hooks.filter(({ verdict }) => verdict === 'ran')
    const before = rows.get(nameSession(fresh))
    rows.set(nameSession(fresh), {
      session: record.session,
      machine: batch.machine,
      client: record.client ?? before?.client ?? null,
      project: record.project ?? before?.project ?? null,
      project_name: record.projectName ?? before?.project_name ?? null,
      person: batch.person,
      first_at: Math.min(Number(before?.first_at ?? record.at), record.at),
      last_at: Math.max(Number(before?.last_at ?? record.at), record.at),
      first_day: Math.min(Number(before?.first_day ?? record.day), record.day),
      last_day: Math.max(Number(before?.last_day ?? record.day), record.day),
      events: (before?.events ?? 0) + 1,
      refusals: (before?.refusals ?? 0) + (REFUSING.has(record.outcome) ? 1 : 0),
      failures: (before?.failures ?? 0) + (ran.some(({ isFailed }) => isFailed) ? 1 : 0),
      runs: (before?.runs ?? 0) + ran.length,
      total_ms: (before?.total_ms ?? 0) + ran.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
      slowest_ms: Math.max(Number(before?.slowest_ms ?? 0), ...ran.map(({ ms }) => ms ?? 0)),
    })
  }
  const found = await sql.upsert<{ id: number }>(
    'sessions',
    [...rows.values()],
    {
      ...Object.fromEntries(SESSION_SUMS.map((sum) => [sum, 'add' as const])),
      ...{ client: 'fill', project: 'fill', project_name: 'fill' },
      ...{ first_at: 'min', last_at: 'max', first_day: 'min', last_day: 'max', slowest_ms: 'max' },
    },
    ['id'],
  )
  return new Map([...rows.keys()].map((name, at) => [name, found[at]?.id ?? 0]))
}

const SESSION_SUMS = ['events', 'refusals', 'failures', 'runs', 'total_ms'] as const

async function addEvents(
  sql: Sql,
  events: readonly Fresh[],
  { sessions, cache }: { readonly sessions: ReadonlyMap<string, number>; readonly cache: WriteCache },
): Promise<void> {
  const dictionary = await findDictionary(sql, events, cache)
  const rows = events.map((fresh) => {
    const { segment, seq, record } = fresh
    const { day, at, event, tool, outcome, facts } = record
    return {
      ...{ day, segment, seq, at, session: sessions.get(nameSession(fresh)) ?? 0, event, tool, outcome },
      ...{ dictionary: dictionary.id, facts: pack(facts, dictionary) },
    }
  })
  await sql.insert('events', rows)
}

/** The newest dictionary of the tenant; it is learnt from the first batch with enough records. */
async function findDictionary(sql: Sql, events: readonly Fresh[], cache: WriteCache): Promise<Dictionary> {
  if (cache.dictionary !== null) return cache.dictionary
  const [known] = await sql.all<Dictionary>('SELECT id, bytes FROM dictionaries ORDER BY id DESC LIMIT 1')
  if (known === undefined && events.length < MIN_LEARNT_RECORDS) return FIRST_DICTIONARY
  if (known === undefined) {
    const bytes = learnDictionary(events.map(({ record }) => record.facts))
    await sql.upsert('dictionaries', [{ id: FIRST_DICTIONARY.id + 1, bytes }], {})
    return findDictionary(sql, events, cache)
  }
  cache.dictionary = known
  return known
}

/** Characters of a block at most: to read one body the whole block is opened. */
const MAX_BLOCK_CHARS = 64 * 1024

/** Bodies of records that follow each other, the first of them first: packed and sealed as one they take a fraction. */
interface Block {
  readonly first: Fresh
  readonly bodies: string[]
  chars: number
}

async function addBodies(sql: Sql, events: readonly Fresh[], cache: WriteCache): Promise<void> {
  const blocks = groupBodies(events)
  await findKeys(sql, new Set(blocks.map(({ first: { batch } }) => batch.person)), cache)
  const rows = blocks.flatMap(({ first: { batch, segment, seq, record }, bodies }) => {
    const key = cache.keys.get(batch.person)
    if (key === undefined) return [] // erased: no new body of this person is kept
    const sealed = seal(pack(joinBodies(bodies), makeBodyDictionary(record.facts)), key)
    return [{ day: record.day, segment, seq, person: batch.person, body: sealed }]
  })
  await sql.insert('bodies', rows)
}

function groupBodies(events: readonly Fresh[]): Block[] {
  const blocks: Block[] = []
  for (const fresh of events) {
    const { body } = fresh.record
    if (body === null) continue
    const last = blocks.at(-1)
    if (last !== undefined && isNext(fresh, last) && last.chars + body.length <= MAX_BLOCK_CHARS) {
      last.bodies.push(body)
      last.chars += body.length
    } else blocks.push({ first: fresh, bodies: [body], chars: body.length })
  }
  return blocks
}

function isNext({ segment, seq, batch, record }: Fresh, { first, bodies }: Block): boolean {
  const isOfSame = segment === first.segment && record.day === first.record.day && batch.person === first.batch.person
  return isOfSame && seq === first.seq + bodies.length && bodies.length < MAX_BLOCK_RECORDS
}

async function findKeys(sql: Sql, people: ReadonlySet<string>, cache: WriteCache): Promise<void> {
  for (const person of [...people].sort()) {
    if (cache.keys.has(person)) continue
    await sql.upsert('people', [{ person, key: makeSealingKey(), erased_at: null }], {})
    const [row] = await sql.all<{ key: Buffer | null }>('SELECT key FROM people WHERE person = ?1', person)
    if (row?.key) cache.keys.set(person, row.key)
  }
}

/** Adds to the figures that are kept longer than records. */
async function addFigures(
  sql: Sql,
  fresh: readonly Fresh[],
  { cache, shard, now }: { readonly cache: WriteCache; readonly shard: number; readonly now: number },
): Promise<void> {
  const numbers = await findHooks(sql, fresh, { cache, now })
  const runs: Row[] = []
  const hours = new Map<string, HourSums>()
  const presence = new Sums()
  const activity = new Sums()
  const refusals = new Sums()
  const snapshots = new Sums()
  for (const { batch, segment, seq, record } of fresh) {
    const { day, at, event, tool, outcome, snapshot, session, hooks } = record
    const { machine } = batch
    activity.add({ day, machine, event }, { count: 1 })
    if (snapshot !== null) snapshots.add({ digest: snapshot, machine }, { events: 1 })
    if (REFUSING.has(outcome)) {
      const blocking = hooks.find((hook) => hook.outcome === 'blocking') ?? hooks.find(({ isFailed }) => isFailed)
      refusals.add({ day, hook: blocking?.key ?? '', event, tool: tool ?? '', outcome }, { count: 1 })
    }
    for (const run of hooks) {
      if (run.verdict !== 'ran' && !run.isFailed) continue
      const hook = numbers.get(`${run.key}\n${event}`) ?? 0
      presence.add({ day, machine, hook }, { runs: 1, failures: run.isFailed ? 1 : 0 })
      addToHour(hours, { hour: Math.floor(at / HOUR_MS), hook }, run)
      if (session !== null)
        runs.push({ day, hook, at, segment, seq, ms: run.ms, outcome: run.outcome, failed: run.isFailed ? 1 : 0 })
    }
  }
  await sql.insert('runs', dropDoubled(runs))
  await mergeHours(sql, hours, shard)
  await sql.upsert('presence', presence.rows, { runs: 'add', failures: 'add' })
  await sql.upsert('activity', activity.rows, { count: 'add' })
  await sql.upsert('refusals', refusals.rows, { count: 'add' })
  const seen = snapshots.rows.map((row) => ({ ...row, first_at: now, last_at: now }))
  await sql.upsert('snapshots', seen, { events: 'add', last_at: 'max' })
}

const HOUR_MS = 3_600_000

/** A hook that is configured twice ran twice at one event, and is one row. */
function dropDoubled(runs: readonly Row[]): Row[] {
  return [...new Map(runs.map((row) => [`${row.hook} ${row.segment} ${row.seq}`, row])).values()]
}

/** Sums of rows by their names. */
class Sums {
  readonly #rows = new Map<string, Record<string, string | number | null>>()

  add(name: Readonly<Record<string, string | number | null>>, numbers: Readonly<Record<string, number>>): void {
    const key = Object.values(name).join('\n')
    const row = this.#rows.get(key) ?? { ...name }
    for (const [column, number] of Object.entries(numbers)) row[column] = Number(row[column] ?? 0) + number
    this.#rows.set(key, row)
  }

  get rows(): Row[] {
    return [...this.#rows.values()]
  }
}

interface HourSums {
  readonly hour: number
  readonly hook: number
  readonly histogram: Histogram
  runs: number
  refusals: number
  failures: number
  timeouts: number
  total_ms: number
  max_ms: number
}

function addToHour(
  hours: Map<string, HourSums>,
  { hour, hook }: { readonly hour: number; readonly hook: number },
  { outcome, isFailed, isTimedOut, ms }: StoredRecord['hooks'][number],
): void {
  const sums = hours.get(`${hour} ${hook}`) ?? {
    ...{
      hour,
      hook,
      histogram: makeHistogram(),
      runs: 0,
      refusals: 0,
      failures: 0,
      timeouts: 0,
      total_ms: 0,
      max_ms: 0,
    },
  }
  sums.runs++
  if (outcome === 'blocking' && !isFailed) sums.refusals++
  if (isFailed) sums.failures++
  if (isTimedOut) sums.timeouts++
  if (ms !== null) {
    sums.total_ms += ms
    sums.max_ms = Math.max(sums.max_ms, ms)
    countRun(sums.histogram, ms)
  }
  hours.set(`${hour} ${hook}`, sums)
}

/** Merges figures of hours into those of this server: no other one writes rows of its shard. */
async function mergeHours(sql: Sql, hours: ReadonlyMap<string, HourSums>, shard: number): Promise<void> {
  if (hours.size === 0) return
  const numbers = [...hours.values()].map(({ hour }) => hour)
  const known = await sql.all<{ hour: number; hook: number; histogram: string }>(
    'SELECT hour, hook, histogram FROM hourly WHERE hour >= ?1 AND hour <= ?2 AND shard = ?3',
    ...[Math.min(...numbers), Math.max(...numbers), shard],
  )
  for (const { hour, hook, histogram } of known) {
    const sums = hours.get(`${hour} ${hook}`)
    if (sums) addHistogram(sums.histogram, histogram)
  }
  const rows = [...hours.values()].map(({ histogram, ...sums }) => ({
    ...sums,
    shard,
    histogram: formatHistogram(histogram),
  }))
  await sql.upsert('hourly', rows, {
    ...{ runs: 'add', refusals: 'add', failures: 'add', timeouts: 'add', total_ms: 'add' },
    ...{ max_ms: 'max', histogram: 'set' },
  })
}

/** Numbers of the hooks that ran, by key and event. */
async function findHooks(
  sql: Sql,
  fresh: readonly Fresh[],
  { cache, now }: { readonly cache: WriteCache; readonly now: number },
): Promise<ReadonlyMap<string, number>> {
  const unknown = new Map<string, Row>()
  for (const { record } of fresh)
    for (const { key, scope, type } of record.hooks) {
      const name = `${key}\n${record.event}`
      if (!cache.hooks.has(name)) unknown.set(name, { key, event: record.event, scope, type, first_at: now })
    }
  const found = await sql.upsert<{ id: number }>('hooks', [...unknown.values()], { scope: 'set', type: 'set' }, ['id'])
  for (const [at, name] of [...unknown.keys()].entries()) cache.hooks.set(name, found[at]?.id ?? 0)
  return cache.hooks
}

async function noteMachines(sql: Sql, batches: readonly Batch[], now: number): Promise<void> {
  const machines = new Map<string, string | null>()
  for (const { machine, lines } of batches) {
    const engine = lines.flatMap(({ content }) => (content.is === 'event' ? [content.record.engine] : [])).at(-1)
    machines.set(machine, engine ?? machines.get(machine) ?? null)
  }
  for (const [id, engine] of [...machines].sort())
    await sql.run('UPDATE machines SET seen_at = ?1, engine = coalesce(?2, engine) WHERE id = ?3', now, engine, id)
}
