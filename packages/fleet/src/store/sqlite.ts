import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Merge, Row, Sql, Tenant, Value } from './database.ts'
import { NewerStoreError } from './database.ts'
import {
  type ColumnType,
  DAILY_TABLES,
  type DailyTable,
  findTable,
  isAddedSince,
  SCHEMA_VERSION,
  SERVER_TABLES,
  type Table,
  type TableName,
  TENANT_TABLES,
} from './schema.ts'
import { type Connection, openConnection, type Statement } from './sqlite-driver.ts'

const OWNERS_FOLDER = 0o700
const BUSY_MS = 10_000
const CACHE_KIB = 32_768

const WORDS: Readonly<Record<ColumnType, string>> = {
  id: 'INTEGER PRIMARY KEY',
  int: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  bytes: 'BLOB',
}

/** Opens the databases of a folder: one file for the server, and one for each tenant. */
export async function openSqlite(folder: string): Promise<Database> {
  const tenantsFolder = join(folder, 'tenants')
  mkdirSync(tenantsFolder, { recursive: true, mode: OWNERS_FOLDER })
  const server = await openFile(join(folder, 'server.db'), 'server')
  const tenants = new Map<string, Promise<SqliteFile>>()
  const findFile = ({ name }: Tenant): Promise<SqliteFile> => {
    const known = tenants.get(name) ?? openFile(join(tenantsFolder, `${name}.db`), 'tenant')
    tenants.set(name, known)
    known.catch(() => tenants.delete(name))
    return known
  }
  return {
    name: 'sqlite',
    read: async (tenant, work) => (await findFile(tenant)).read(work),
    write: async (tenant, work) => (await findFile(tenant)).transact(work),
    control: (work) => server.transact(work),
    addTenant: async (tenant) => void (await findFile(tenant)),
    addDay: async (tenant, day) => (await findFile(tenant)).addDay(day),
    listDays: async (tenant, table) => (await findFile(tenant)).listDays(table),
    dropDay: async (tenant, table, day) => (await findFile(tenant)).dropDay(table, day),
    measure: async (tenant) => {
      await (await findFile(tenant)).checkpoint()
      return readdirSync(tenantsFolder)
        .filter((file) => file.replace(/\.db(?:-wal|-shm)?$/, '') === tenant.name)
        .reduce((sum, file) => sum + statSync(join(tenantsFolder, file)).size, 0)
    },
    close: async () => {
      for (const opened of [server, ...(await Promise.all(tenants.values()))]) await opened.close()
    },
  }
}

async function openFile(path: string, kind: 'server' | 'tenant'): Promise<SqliteFile> {
  const writer = await openConnection(path)
  writer.exec(
    `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}`,
  )
  migrate(writer, kind)
  const reader = await openConnection(path)
  reader.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA query_only = ON; PRAGMA cache_size = -${CACHE_KIB}`)
  return new SqliteFile(writer, reader)
}

/** Brings a file to this version. The write lock is taken first: of several servers that start, one does it. */
function migrate(db: Connection, kind: 'server' | 'tenant'): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    const version = makeVersionReader(db)()
    const tables: Readonly<Record<string, Table>> = kind === 'server' ? SERVER_TABLES : TENANT_TABLES
    const missing = Object.keys(tables).filter((name) => isAddedSince(version, name))
    for (const name of missing) {
      const table = tables[name]
      if (table && !table.isDaily) db.exec(describeTable(name, table))
    }
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

/** Makes what reads the version of a file's tables, and throws where a newer server has changed them. */
function makeVersionReader(db: Connection): () => number {
  const statement = db.prepare('PRAGMA user_version')
  return () => {
    const { user_version: version } = statement.get() as { user_version: number } // the row of this statement
    if (version > SCHEMA_VERSION) throw new NewerStoreError(version, SCHEMA_VERSION)
    return version
  }
}

function describeTable(name: string, { columns, key, unique, indexes = [] }: Table): string {
  const hasId = Object.values(columns).includes('id')
  const lines = Object.entries(columns).map(([column, type]) => `"${column}" ${WORDS[type]}`)
  if (!hasId) lines.push(`PRIMARY KEY (${quote(key)})`)
  if (unique) lines.push(`UNIQUE (${quote(unique)})`)
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')})${hasId ? '' : ' WITHOUT ROWID'}`,
    ...indexes.map((index) => `CREATE INDEX IF NOT EXISTS ${name}_by_${index.join('_')} ON ${name} (${quote(index)})`),
  ].join(';')
}

const quote = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

/** A file with a connection for writing, one transaction after the other, and one for reading. */
class SqliteFile {
  readonly #reader: Sql
  readonly #writer: Connection
  readonly #writing: Sql
  readonly #connections: readonly Connection[]
  readonly #checkVersion: () => number
  readonly #days = new Set<number>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(writer: Connection, reader: Connection) {
    this.#writer = writer
    this.#writing = makeSql(writer)
    this.#connections = [reader, writer]
    this.#checkVersion = makeVersionReader(reader)
    this.#reader = makeSql(reader)
  }

  async read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    this.#checkVersion()
    return work(this.#reader)
  }

  transact<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#enqueue(async () => {
      this.#writer.exec('BEGIN IMMEDIATE')
      try {
        this.#checkVersion()
        const result = await work(this.#writing)
        this.#writer.exec('COMMIT')
        return result
      } catch (error) {
        this.#rollBack()
        throw error
      }
    })
  }

  #rollBack(): void {
    try {
      this.#writer.exec('ROLLBACK')
    } catch {} // a full disk has rolled it back already
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {}) // told to the one who asked
    return done
  }

  async addDay(day: number): Promise<void> {
    if (this.#days.has(day)) return
    await this.transact(async () => {
      for (const name of DAILY_TABLES) this.#writer.exec(describeTable(`${name}_${day}`, findTable(name)))
    })
    this.#days.add(day)
  }

  async listDays(table: DailyTable): Promise<number[]> {
    const found = await this.#reader.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE ?1",
      `${table}_%`,
    )
    return found
      .map(({ name }) => Number(name.slice(table.length + 1)))
      .filter((day) => Number.isInteger(day))
      .sort((a, b) => b - a)
  }

  async dropDay(table: DailyTable, day: number): Promise<void> {
    await this.#enqueue(async () => {
      this.#writer.exec(`DROP TABLE IF EXISTS ${table}_${day}`)
      this.#days.delete(day)
    })
  }

  /** Moves what was written into the file itself. */
  async checkpoint(): Promise<void> {
    await this.#enqueue(async () => this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  async close(): Promise<void> {
    await this.#queue
    for (const connection of this.#connections) connection.close()
  }
}

function makeSql(db: Connection): Sql {
  const statements = new Map<string, Statement>()
  const prepare = (text: string): Statement => {
    const known = statements.get(text) ?? db.prepare(text)
    if (statements.size > MAX_STATEMENTS) statements.clear()
    statements.set(text, known)
    return known
  }
  const writeRows = <Found>(table: TableName, rows: readonly Row[], ending: string, isReturning: boolean): Found[] => {
    const [first] = rows
    if (first === undefined) return []
    const columns = Object.keys(first)
    const parts = new Map<string, Statement>()
    const { isDaily } = findTable(table)
    const makeText = (name: string): string =>
      `INSERT INTO ${name} (${quote(columns)}) VALUES (${columns.map(() => '?').join(', ')})${ending}`
    return rows.flatMap((row) => {
      const name = isDaily ? `${table}_${row.day}` : table
      const statement = parts.get(name) ?? prepare(makeText(name))
      parts.set(name, statement)
      const values = columns.map((column) => row[column] ?? null)
      if (isReturning) return [statement.get(...values) as Found]
      statement.run(...values)
      return []
    })
  }
  return {
    all: async <Found>(text: string, ...values: readonly Value[]) => prepare(text).all(...values) as Found[],
    run: async (text, ...values) => prepare(text).run(...values).changes,
    insert: async (table, rows) => void writeRows(table, rows, '', false),
    upsert: async <Found>(table: TableName, rows: readonly Row[], merge: Merge, returning: readonly string[] = []) => {
      const ending = [` ON CONFLICT (${quote(findTable(table).unique ?? findTable(table).key)}) DO`]
      const changes = Object.entries(merge).map(([column, how]) => `"${column}" = ${MERGES[how](table, column)}`)
      ending.push(changes.length === 0 ? 'NOTHING' : `UPDATE SET ${changes.join(', ')}`)
      if (returning.length > 0) ending.push(`RETURNING ${quote(returning)}`)
      return writeRows<Found>(table, rows, ending.join(' '), returning.length > 0)
    },
    from: (table, day) => `${table}_${day}`,
  }
}

const MAX_STATEMENTS = 2000

const MERGES: Readonly<Record<Merge[string], (table: string, column: string) => string>> = {
  add: (table, column) => `${table}."${column}" + excluded."${column}"`,
  max: (table, column) => `max(${table}."${column}", excluded."${column}")`,
  min: (table, column) => `min(${table}."${column}", excluded."${column}")`,
  set: (_, column) => `excluded."${column}"`,
  fill: (table, column) => `coalesce(excluded."${column}", ${table}."${column}")`,
}
