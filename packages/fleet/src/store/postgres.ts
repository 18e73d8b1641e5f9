import type { Pool, PoolClient, QueryResult } from 'pg'
import { type Database, type Merge, NewerStoreError, type Row, type Sql, StoreError, type Value } from './database.ts'
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

/** Role of every transaction of a tenant. It owns nothing, and row-level security holds for it. */
const TENANT_ROLE = 'hookline_fleet_tenant'
/** Key of the lock under which tables are made: of several servers that start, one does it. */
const MIGRATION_LOCK = 4_836_212_901
const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 60_000
const INT8 = 20

const WORDS: Readonly<Record<ColumnType, string>> = {
  id: 'bigint GENERATED ALWAYS AS IDENTITY',
  int: 'bigint',
  real: 'double precision',
  text: 'text',
  bytes: 'bytea',
}

/** Opens a database of PostgreSQL, and brings its tables to this version. */
export async function openPostgres(url: string): Promise<Database> {
  const pool = await openPool(url)
  try {
    await migrate(pool)
  } catch (error) {
    await pool.end()
    throw error instanceof Error && 'code' in error ? new StoreError(describeFault(error)) : error
  }
  const days = new Set<string>()
  return {
    name: 'postgres',
    read: ({ id }, work) => transact(pool, `BEGIN READ ONLY; ${READ_VERSION}; ${becomeTenant(id)}`, work),
    write: async ({ id }, work) => {
      try {
        return await transact(pool, `BEGIN; ${READ_VERSION}; ${becomeTenant(id)}`, work)
      } catch (error) {
        days.clear() // another server may have dropped one
        throw error
      }
    },
    control: (work) => transact(pool, `BEGIN; ${READ_VERSION}`, work),
    addTenant: async () => {}, // rows of a tenant are in the tables of all
    addDay: async ({ id }, day) => {
      if (days.has(`${id} ${day}`)) return
      await transact(pool, `BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, async (sql) => {
        for (const name of DAILY_TABLES) await addPart(sql, name, { tenant: id, day })
      })
      days.add(`${id} ${day}`)
    },
    listDays: async ({ id }, table) => {
      const { rows } = await pool.query<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE $1 AND relnamespace = current_schema()::regnamespace",
        [`${table}\\_%\\_t${id}`],
      )
      return rows.map(({ name }) => Number(name.split('_')[1])).sort((a, b) => b - a)
    },
    dropDay: async ({ id }, table, day) => {
      await pool.query(`DROP TABLE IF EXISTS ${table}_${day}_t${id}`)
      days.delete(`${id} ${day}`)
    },
    measure: async ({ id }) => {
      const { rows } = await pool.query<{ bytes: number }>(
        `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class WHERE relkind = 'r'
         AND relnamespace = current_schema()::regnamespace AND (relname LIKE $1 OR relname = ANY($2))`,
        [`%\\_t${id}`, Object.keys(TENANT_TABLES)],
      )
      return rows[0]?.bytes ?? 0
    },
    close: () => pool.end(),
  }
}

async function openPool(url: string): Promise<Pool> {
  const { default: pg } = await import('pg').catch(() => {
    throw new StoreError('PostgreSQL needs the package pg beside this one: npm install pg')
  })
  pg.types.setTypeParser(INT8, Number) // no number of ours is longer than a double holds
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'hookline-fleet',
  })
  pool.on('error', () => {}) // an idle connection was closed: the next question opens another one
  return pool
}

/** A newer server may have changed the tables since this one started. */
const READ_VERSION = 'SELECT version FROM hookline_fleet_version'
const becomeTenant = (id: number): string => `SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL hookline.tenant = '${id}'`

/** Runs statements between a beginning and a commit. A connection that fails is thrown away, and never used for another tenant. */
async function transact<Result>(pool: Pool, begin: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  const ignore = (): void => {} // a connection that breaks fails its statements as well
  client.on('error', ignore)
  try {
    refuseNewer(await client.query(begin))
    const result = await work(makeSql(client))
    await client.query('COMMIT')
    client.off('error', ignore)
    client.release()
    return result
  } catch (error) {
    const isClean = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    )
    if (isClean) client.off('error', ignore)
    client.release(!isClean)
    throw error
  }
}

/** Throws where a beginning has read the version of tables that this server does not know. */
function refuseNewer(begun: QueryResult | QueryResult[]): void {
  for (const { rows } of [begun].flat())
    for (const { version } of rows)
      if (typeof version === 'number' && version > SCHEMA_VERSION) throw new NewerStoreError(version, SCHEMA_VERSION)
}

async function migrate(pool: Pool): Promise<void> {
  await transact(pool, `BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, async (sql) => {
    await sql.run('CREATE TABLE IF NOT EXISTS hookline_fleet_version (version int NOT NULL)')
    const [row] = await sql.all<{ version: number }>(READ_VERSION)
    const version = row?.version ?? 0
    if (version > SCHEMA_VERSION) throw new NewerStoreError(version, SCHEMA_VERSION)
    if (version === SCHEMA_VERSION) return
    if (version === 0) await makeTenantRole(sql)
    else if (version < 3) await moveIndexes(sql)
    await createTables(sql, (name) => isAddedSince(version, name))
    await sql.run('DELETE FROM hookline_fleet_version')
    await sql.run('INSERT INTO hookline_fleet_version VALUES (?1)', SCHEMA_VERSION)
  })
}

/** Makes the role that sees the rows of one tenant. */
async function makeTenantRole(sql: Sql): Promise<void> {
  const [role] = await sql.all(`SELECT 1 FROM pg_roles WHERE rolname = '${TENANT_ROLE}'`)
  if (role === undefined) await sql.run(`CREATE ROLE ${TENANT_ROLE} NOLOGIN NOBYPASSRLS NOSUPERUSER`)
  const [rights] = await sql.all<{ bypasses: boolean; member: boolean }>(
    `SELECT rolbypassrls OR rolsuper AS bypasses, pg_has_role(current_user, oid, 'MEMBER') AS member
     FROM pg_roles WHERE rolname = '${TENANT_ROLE}'`,
  )
  if (rights?.bypasses) throw new StoreError(`the role ${TENANT_ROLE} bypasses row-level security: take that from it`)
  if (!rights?.member) await sql.run(`GRANT ${TENANT_ROLE} TO CURRENT_USER`)
  await sql.run(`DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${TENANT_ROLE}', current_schema()); END $$`)
}

async function createTables(sql: Sql, isMissing: (name: string) => boolean): Promise<void> {
  for (const [name, table] of Object.entries(SERVER_TABLES))
    if (isMissing(name)) await sql.run(describeTable(name, table, []))
  for (const [name, table] of Object.entries<Table>(TENANT_TABLES)) {
    if (!isMissing(name)) continue
    await sql.run(describeTable(name, table, ['tenant']))
    if (!table.isDaily)
      for (const index of table.indexes ?? [])
        await sql.run(`CREATE INDEX ${name}_by_${index.join('_')} ON ${name} (${quote(['tenant', ...index])})`)
    await sql.run(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`)
    await sql.run(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`)
    await sql.run(`CREATE POLICY of_tenant ON ${name} USING (tenant = current_setting('hookline.tenant')::int)`)
    await sql.run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${name} TO ${TENANT_ROLE}`)
  }
}

function describeTable(name: string, { columns, key, unique, isDaily }: Table, owner: readonly string[]): string {
  const lines = Object.entries(columns).map(([column, type]) => `"${column}" ${WORDS[type]}`)
  if (owner.length > 0) lines.unshift("tenant int NOT NULL DEFAULT current_setting('hookline.tenant')::int")
  if (!isDaily) lines.push(`PRIMARY KEY (${quote([...owner, ...key])})`)
  if (unique) lines.push(`UNIQUE (${quote([...owner, ...unique])})`)
  return `CREATE TABLE ${name} (${lines.join(', ')})${isDaily ? ' PARTITION BY LIST (day)' : ''}`
}

/** Partition of a day, and of a tenant in it: either can be dropped without looking at a row. */
async function addPart(
  sql: Sql,
  name: DailyTable,
  { tenant, day }: { readonly tenant: number; readonly day: number },
): Promise<void> {
  const part = `${name}_${day}_t${tenant}`
  const [known] = await sql.all<{ part: string | null }>('SELECT to_regclass(?1) AS part', part)
  if (known?.part) return
  await sql.run(
    `CREATE TABLE IF NOT EXISTS ${name}_${day} PARTITION OF ${name} FOR VALUES IN (${day}) PARTITION BY LIST (tenant)`,
  )
  await sql.run(`CREATE TABLE ${part} PARTITION OF ${name}_${day} FOR VALUES IN (${tenant})`)
  for (const text of describeIndexes(name, part)) await sql.run(text)
}

/** Indexes of the part of a tenant and a day. They name neither: on all parts together they would have to, at 16 bytes a row. */
function describeIndexes(name: DailyTable, part: string): string[] {
  const { key, indexes = [] } = findTable(name)
  return [
    `CREATE UNIQUE INDEX ${part}_key ON ${part} (${quote(key)})`,
    ...indexes.map((index) => `CREATE INDEX ${part}_by_${index.join('_')} ON ${part} (${quote(index)})`),
  ]
}

/** Gives the parts that are there indexes of their own, in the place of those of all parts together. */
async function moveIndexes(sql: Sql): Promise<void> {
  for (const name of DAILY_TABLES) {
    await sql.run(`ALTER TABLE ${name} DROP CONSTRAINT ${name}_pkey`)
    for (const index of findTable(name).indexes ?? []) await sql.run(`DROP INDEX ${name}_by_${index.join('_')}`)
    const parts = await sql.all<{ part: string }>(
      "SELECT relname AS part FROM pg_class WHERE relkind = 'r' AND relname LIKE ?1 AND relnamespace = current_schema()::regnamespace",
      `${name}\\_%\\_t%`,
    )
    for (const { part } of parts) for (const text of describeIndexes(name, part)) await sql.run(text)
  }
}

const quote = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

function makeSql(client: PoolClient): Sql {
  const ask = async (text: string, values: readonly unknown[]) =>
    client.query(text.replaceAll(/\?(\d+)/g, '$$$1'), values.length === 0 ? undefined : [...values])
  const writeRows = async (table: TableName, rows: readonly Row[], ending: string) => {
    const [first] = rows
    if (first === undefined) return []
    const names = Object.keys(first)
    const { columns } = findTable(table)
    const lists = names.map((_, at) => `$${at + 1}::${ARRAYS[columns[names[at] ?? ''] ?? 'text']}`)
    const text = `INSERT INTO ${table} (${quote(names)}) SELECT * FROM unnest(${lists.join(', ')})${ending}`
    const values = names.map((column) => rows.map((row) => row[column] ?? null))
    return (await client.query(text, values)).rows
  }
  return {
    all: async <Found>(text: string, ...values: readonly Value[]) => (await ask(text, values)).rows as Found[],
    run: async (text, ...values) => (await ask(text, values)).rowCount ?? 0,
    insert: async (table, rows) => void (await writeRows(table, rows, '')),
    upsert: async <Found>(table: TableName, rows: readonly Row[], merge: Merge, returning: readonly string[] = []) => {
      const { unique, key } = findTable(table)
      const owner = table in TENANT_TABLES ? ['tenant'] : []
      const name = unique ?? key
      const ending = [` ON CONFLICT (${quote([...owner, ...name])}) DO`]
      const changes = Object.entries(merge).map(([column, how]) => `"${column}" = ${MERGES[how](table, column)}`)
      ending.push(changes.length === 0 ? 'NOTHING' : `UPDATE SET ${changes.join(', ')}`)
      if (returning.length === 0) {
        await writeRows(table, sortRows(rows, name), ending.join(' '))
        return []
      }
      ending.push(`RETURNING ${quote([...new Set([...name, ...returning])])}`)
      const written: Row[] = await writeRows(table, sortRows(rows, name), ending.join(' '))
      const found = new Map(written.map((row) => [nameRow(row, name), row]))
      return rows.map((row) => found.get(nameRow(row, name)) as Found) // each row was written or merged
    },
    from: (table, day) => `(SELECT * FROM ${table} WHERE day = ${day}) AS ${table}_of_day`,
  }
}

/** Words for lists of each type; numbers that count up are never written. */
const ARRAYS: Readonly<Record<ColumnType, string>> = {
  id: 'bigint[]',
  int: 'bigint[]',
  real: 'double precision[]',
  text: 'text[]',
  bytes: 'bytea[]',
}

const nameRow = (row: Row, columns: readonly string[]): string => columns.map((column) => row[column]).join('\n')

/** Puts rows in one order, so that two servers never wait for each other. */
function sortRows(rows: readonly Row[], columns: readonly string[]): Row[] {
  const named = rows.map((row) => ({ row, name: nameRow(row, columns) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row)
}

const MERGES: Readonly<Record<Merge[string], (table: string, column: string) => string>> = {
  add: (table, column) => `${table}."${column}" + excluded."${column}"`,
  max: (table, column) => `greatest(${table}."${column}", excluded."${column}")`,
  min: (table, column) => `least(${table}."${column}", excluded."${column}")`,
  set: (_, column) => `excluded."${column}"`,
  fill: (table, column) => `coalesce(excluded."${column}", ${table}."${column}")`,
}

/** Sentence about a database that cannot be used. */
function describeFault(error: Error): string {
  const code = String('code' in error ? error.code : '')
  if (code === '42501')
    return `the user of the database may not make tables or the role ${TENANT_ROLE}: ${error.message}`
  if (code === '25006') return 'the database is read-only: connect to the one that takes writes'
  if (code === '3D000') return `${error.message}: create it first`
  if (/^28/.test(code)) return `the database does not let this user in: ${error.message}`
  return `the database cannot be used: ${error.message === '' ? code : error.message}`
}
