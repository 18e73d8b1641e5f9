import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Database from 'libsql'
import { findBucket, findPercentile } from './histogram.ts'
import { MIGRATIONS } from './schema.ts'
import type { EventQuery, EventRow, FleetStore, GapRow, HookRow, MachineRow, SessionRow, StoredBatch } from './store.ts'

const OWNERS_FOLDER = 0o700
const BUSY_MS = 5000

/** Opens the store in a folder: one file, which is brought up to this version. */
export function openSqliteStore(folder: string): FleetStore {
  mkdirSync(folder, { recursive: true, mode: OWNERS_FOLDER })
  const db = new Database(join(folder, 'fleet.db'))
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${BUSY_MS}`)
  migrate(db)
  return new SqliteStore(db)
}

/** A store that a newer server has changed cannot be read by this one. */
export class NewerStoreError extends Error {}

function migrate(db: Database.Database): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version > MIGRATIONS.length)
    throw new NewerStoreError(`the data is of version ${version}, and this server knows up to ${MIGRATIONS.length}`)
  for (const [at, sql] of MIGRATIONS.entries()) {
    if (at < version) continue
    db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${at + 1}; COMMIT`)
  }
}

const REFUSALS = "('denied', 'blocked', 'halted')"

class SqliteStore implements FleetStore {
  readonly #db: Database.Database
  readonly #statements = new Map<string, Database.Statement>()

  constructor(db: Database.Database) {
    this.#db = db
  }

  async addBatch(batch: StoredBatch, gaps: readonly Omit<GapRow, 'machine' | 'epoch'>[]): Promise<void> {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      this.#addRecords(batch)
      for (const { seq, count, because, seenAt } of gaps)
        this.#sql('INSERT OR IGNORE INTO gaps VALUES (?, ?, ?, ?, ?, ?)').run(
          ...[batch.machine, batch.epoch, seq, count, because, seenAt],
        )
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }

  #addRecords({ machine, epoch, person, records, head, engine }: StoredBatch): void {
    const known = this.#sql('SELECT seq FROM heads WHERE machine = ? AND epoch = ?').get(machine, epoch)
    const { seq: last } = (known ?? { seq: 0 }) as { seq: number }
    const insert = this.#sql('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const count = this.#sql(
      `INSERT INTO hourly VALUES (?, ?, ?, ?, ?, 1, ?, ?) ON CONFLICT DO UPDATE
       SET runs = runs + 1, refusals = refusals + excluded.refusals, failures = failures + excluded.failures`,
    )
    for (const record of records) {
      const { seq, at, day, isCount, event, tool, session, project, client, outcome, ms, facts, body, hooks } = record
      if (seq <= last) continue // another server has stored it meanwhile
      if (!isCount)
        insert.run(
          ...[machine, epoch, seq, at, day, event, tool, session, project, client, person, outcome, ms, facts],
          body === null ? null : gzipSync(body),
        )
      if (event === null) continue
      const hour = at.slice(0, 'yyyy-mm-ddThh'.length)
      for (const { key, verdict, outcome: ended, isFailed, ms: took } of hooks) {
        if (verdict !== 'ran') continue
        const isRefusal = ended === 'blocking' && !isFailed
        count.run(hour, machine, key, event, findBucket(took ?? 0), isRefusal ? 1 : 0, isFailed ? 1 : 0)
      }
    }
    this.#sql(
      `INSERT INTO heads VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, head = excluded.head
       WHERE excluded.seq > heads.seq`,
    ).run(machine, epoch, head.seq, head.head)
    this.#sql('UPDATE machines SET seen_at = ?, engine = coalesce(?, engine) WHERE id = ?').run(
      ...[new Date().toISOString(), engine, machine],
    )
  }

  async readHead(machine: string, epoch: string) {
    const row = this.#sql('SELECT seq, head FROM heads WHERE machine = ? AND epoch = ?').get(machine, epoch)
    return (row as { seq: number; head: string } | undefined) ?? null
  }

  async addToken(hash: string, expiresAt: string): Promise<void> {
    this.#sql('INSERT INTO tokens VALUES (?, ?, NULL)').run(hash, expiresAt)
  }

  async takeToken(hash: string, now: string): Promise<boolean> {
    const { changes } = this.#sql(
      'UPDATE tokens SET used_at = ? WHERE hash = ? AND used_at IS NULL AND expires_at > ?',
    ).run(now, hash, now)
    return changes === 1
  }

  async addMachine({
    id,
    name,
    keyHash,
    enrolledAt,
  }: {
    id: string
    name: string
    keyHash: string
    enrolledAt: string
  }) {
    this.#sql('INSERT INTO machines VALUES (?, ?, ?, ?, NULL, NULL)').run(id, name, keyHash, enrolledAt)
  }

  async findMachine(keyHash: string): Promise<string | null> {
    const row = this.#sql('SELECT id FROM machines WHERE key_hash = ?').get(keyHash) as { id: string } | undefined
    return row?.id ?? null
  }

  async listMachines(): Promise<MachineRow[]> {
    return this.#sql(
      `SELECT id, name, enrolled_at AS enrolledAt, seen_at AS seenAt, engine,
         (SELECT count(*) FROM events WHERE machine = id AND event IS NOT NULL) AS records,
         (SELECT count(*) FROM gaps WHERE machine = id) AS gaps
       FROM machines ORDER BY name, id`,
    ).all() as MachineRow[]
  }

  async listGaps(): Promise<GapRow[]> {
    return this.#sql(
      'SELECT machine, epoch, seq, count, because, seen_at AS seenAt FROM gaps ORDER BY seen_at DESC LIMIT 1000',
    ).all() as GapRow[]
  }

  async listHooks(since: string): Promise<HookRow[]> {
    const rows = this.#sql(
      `SELECT key, event, machine, bucket, sum(runs) AS runs, sum(refusals) AS refusals, sum(failures) AS failures
       FROM hourly WHERE hour >= ? GROUP BY key, event, machine, bucket`,
    ).all(since.slice(0, 'yyyy-mm-ddThh'.length)) as HourlyRow[]
    const hooks = new Map<string, HourlyRow[]>()
    for (const row of rows) hooks.set(`${row.key} ${row.event}`, [...(hooks.get(`${row.key} ${row.event}`) ?? []), row])
    return [...hooks.values()].map(toHookRow).sort((a, b) => b.runs - a.runs)
  }

  async listSessions(limit: number): Promise<SessionRow[]> {
    return this.#sql(
      `SELECT session AS id, machine, max(client) AS client, max(project) AS project, min(at) AS "from", max(at) AS "to",
         count(*) AS events, sum(outcome IN ${REFUSALS}) AS refusals
       FROM events WHERE session IS NOT NULL GROUP BY session, machine ORDER BY max(at) DESC LIMIT ?`,
    ).all(limit) as SessionRow[]
  }

  async listEvents({ machine, session, outcome, since, cursor, limit }: EventQuery): Promise<EventRow[]> {
    const wishes: [string, string | undefined][] = [
      ['machine = ?', machine],
      ['session = ?', session],
      ['outcome = ?', outcome],
      ['at >= ?', since],
      ["at || ' ' || machine || ' ' || epoch || ' ' || printf('%012d', seq) < ?", cursor],
    ]
    const wanted = wishes.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
    const where = ['event IS NOT NULL', ...wanted.map(({ sql }) => sql)].join(' AND ')
    const rows = this.#sql(
      `SELECT machine, epoch, seq, at, facts FROM events WHERE ${where} ORDER BY at DESC, machine DESC, epoch DESC, seq DESC LIMIT ?`,
    ).all(...wanted.map(({ value }) => value), limit) as (EventRow & { facts: string })[]
    return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) }))
  }

  async readBody(machine: string, epoch: string, seq: number): Promise<string | null> {
    const row = this.#sql('SELECT body FROM events WHERE machine = ? AND epoch = ? AND seq = ?').get(
      machine,
      epoch,
      seq,
    )
    const { body } = (row ?? { body: null }) as { body: Buffer | null }
    return body === null ? null : gunzipSync(body).toString()
  }

  async dropBefore(day: string): Promise<number> {
    return this.#sql("DELETE FROM events WHERE day < ? OR (day = 'clock-off' AND at < ?)").run(day, day).changes
  }

  async countRecords(): Promise<number> {
    return (this.#sql('SELECT count(*) AS n FROM events').get() as { n: number }).n
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  #sql(text: string): Database.Statement {
    const known = this.#statements.get(text) ?? this.#db.prepare(text)
    this.#statements.set(text, known)
    return known
  }
}

interface HourlyRow {
  readonly key: string
  readonly event: string
  readonly machine: string
  readonly bucket: number
  readonly runs: number
  readonly refusals: number
  readonly failures: number
}

function toHookRow(rows: readonly HourlyRow[]): HookRow {
  const counts = new Map<number, number>()
  for (const { bucket, runs } of rows) counts.set(bucket, (counts.get(bucket) ?? 0) + runs)
  const add = (field: 'runs' | 'refusals' | 'failures'): number => rows.reduce((sum, row) => sum + row[field], 0)
  return {
    key: rows[0]?.key ?? '',
    event: rows[0]?.event ?? '',
    runs: add('runs'),
    refusals: add('refusals'),
    failures: add('failures'),
    machines: new Set(rows.map(({ machine }) => machine)).size,
    p50: findPercentile(counts, 0.5),
    p95: findPercentile(counts, 0.95),
  }
}
