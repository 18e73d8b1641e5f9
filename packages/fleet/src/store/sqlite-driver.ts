import { createRequire } from 'node:module'
import { type Table, TENANT_TABLES } from './schema.ts'

/** A prepared statement. */
export interface Statement {
  readonly all: (...values: readonly unknown[]) => unknown[]
  readonly get: (...values: readonly unknown[]) => unknown
  readonly run: (...values: readonly unknown[]) => { readonly changes: number }
}

/** An open file. */
export interface Connection {
  readonly exec: (text: string) => void
  readonly prepare: (text: string) => Statement
  readonly close: () => void
}

/** Oldest Node whose own SQLite needs no flag. */
const MIN_NODE_WITH_SQLITE = [22, 13] as const

/** Opens a file with the SQLite of Node, or with libsql where Node has none. HOOKLINE_SQLITE names one of them. */
export async function openConnection(path: string): Promise<Connection> {
  return shouldUseNodes() ? openNodes(path) : openLibsql(path)
}

function shouldUseNodes(): boolean {
  const wanted = process.env.HOOKLINE_SQLITE
  if (wanted === 'libsql' || wanted === 'node') return wanted === 'node'
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [minMajor, minMinor] = MIN_NODE_WITH_SQLITE
  return major > minMajor || (major === minMajor && minor >= minMinor)
}

async function openLibsql(path: string): Promise<Connection> {
  const { default: Libsql } = await import('libsql')
  const db = new Libsql(path)
  return {
    exec: (text) => void db.exec(text),
    prepare: (text) => toBuffers(db.prepare(text) as unknown as Statement), // types of the driver know fewer values
    close: () => void db.close(),
  }
}

/** The part of `node:sqlite` that is used; the types of Node 20 do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => Connection
}

async function openNodes(path: string): Promise<Connection> {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as NodeSqlite // a name that Node 20 cannot import
  const db = new DatabaseSync(path)
  return {
    exec: (text) => db.exec(text),
    prepare: (text) => toBuffers(db.prepare(text)),
    close: () => db.close(),
  }
}

/** Gives bytes as buffers: one driver has them as typed arrays, the other one as plain memory. */
function toBuffers(statement: Statement): Statement {
  const convert = (row: unknown): unknown => {
    if (typeof row !== 'object' || row === null) return row
    const found = row as Record<string, unknown> // made for this call
    for (const name of BYTES_COLUMNS) {
      const value = found[name]
      if (value instanceof ArrayBuffer) found[name] = Buffer.from(value)
      else if (value instanceof Uint8Array && !Buffer.isBuffer(value)) found[name] = Buffer.from(value)
    }
    return found
  }
  return {
    all: (...values) => statement.all(...values).map(convert),
    get: (...values) => convert(statement.get(...values)),
    run: (...values) => statement.run(...values),
  }
}

/** Names of columns with bytes, in any table. */
const BYTES_COLUMNS = new Set(
  Object.values<Table>(TENANT_TABLES).flatMap(({ columns }) =>
    Object.entries(columns).flatMap(([name, type]) => (type === 'bytes' ? [name] : [])),
  ),
)
