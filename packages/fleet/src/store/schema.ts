/** Type of a column, which each dialect has its own word for. `id` counts up by itself. */
export type ColumnType = 'id' | 'int' | 'real' | 'text' | 'bytes'

/** A table of a tenant. */
export interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly key: readonly string[]
  /** Columns that together name a row, where the key is a number of its own. */
  readonly unique?: readonly string[]
  readonly indexes?: readonly (readonly string[])[]
  /** One part for each day, which is dropped in one step. */
  readonly isDaily?: true
}

/** Tables of a tenant. Times are milliseconds since 1970, days are numbers such as 20261118, and day 0 has what clocks far off sent. */
export const TENANT_TABLES = {
  machines: {
    columns: { id: 'text', name: 'text', enrolled_at: 'int', seen_at: 'int', engine: 'text' },
    key: ['id'],
  },
  heads: {
    columns: { id: 'id', machine: 'text', epoch: 'text', seq: 'int', head: 'text', ended: 'int', acked_at: 'int' },
    key: ['id'],
    unique: ['machine', 'epoch'],
  },
  gaps: {
    columns: {
      machine: 'text',
      epoch: 'text',
      seq: 'int',
      count: 'int',
      kind: 'text',
      because: 'text',
      seen_at: 'int',
    },
    key: ['machine', 'epoch', 'seq'],
    indexes: [['seen_at']],
  },
  sessions: {
    columns: {
      ...{ id: 'id', session: 'text', machine: 'text', client: 'text', project: 'text', project_name: 'text' },
      ...{ person: 'text', first_at: 'int', last_at: 'int', first_day: 'int', last_day: 'int', events: 'int' },
      ...{ refusals: 'int', failures: 'int', runs: 'int', total_ms: 'real', slowest_ms: 'real' },
    },
    key: ['id'],
    unique: ['session', 'machine'],
    indexes: [['last_at']],
  },
  snapshots: {
    columns: { digest: 'text', machine: 'text', first_at: 'int', last_at: 'int', events: 'int' },
    key: ['digest', 'machine'],
  },
  hooks: {
    columns: { id: 'id', key: 'text', event: 'text', scope: 'text', type: 'text', first_at: 'int' },
    key: ['id'],
    unique: ['key', 'event'],
  },
  hourly: {
    columns: {
      ...{ hour: 'int', hook: 'int', shard: 'int', runs: 'int', refusals: 'int', failures: 'int', timeouts: 'int' },
      ...{ total_ms: 'real', max_ms: 'real', histogram: 'text' },
    },
    key: ['hour', 'hook', 'shard'],
  },
  presence: {
    columns: { day: 'int', machine: 'text', hook: 'int', runs: 'int', failures: 'int' },
    key: ['day', 'machine', 'hook'],
  },
  activity: {
    columns: { day: 'int', machine: 'text', event: 'text', count: 'int' },
    key: ['day', 'machine', 'event'],
  },
  refusals: {
    columns: { day: 'int', hook: 'text', event: 'text', tool: 'text', outcome: 'text', count: 'int' },
    key: ['day', 'hook', 'event', 'tool', 'outcome'],
  },
  people: { columns: { person: 'text', key: 'bytes', erased_at: 'int' }, key: ['person'] },
  dictionaries: { columns: { id: 'int', bytes: 'bytes' }, key: ['id'] },
  events: {
    columns: {
      ...{ day: 'int', segment: 'int', seq: 'int', at: 'int', session: 'int', event: 'text', tool: 'text' },
      ...{ outcome: 'text', dictionary: 'int', facts: 'bytes' },
    },
    key: ['segment', 'seq'],
    indexes: [['at'], ['session', 'at']],
    isDaily: true,
  },
  runs: {
    columns: {
      ...{ day: 'int', hook: 'int', at: 'int', segment: 'int', seq: 'int', ms: 'real', outcome: 'text', failed: 'int' },
    },
    key: ['hook', 'at', 'segment', 'seq'],
    isDaily: true,
  },
  /** Bodies in blocks, each by the number of its first record. */
  bodies: {
    columns: { day: 'int', segment: 'int', seq: 'int', person: 'text', body: 'bytes' },
    key: ['segment', 'seq'],
    isDaily: true,
  },
} as const satisfies Readonly<Record<string, Table>>

/** Tables of the whole server: who is who. */
export const SERVER_TABLES = {
  tenants: { columns: { id: 'id', name: 'text', made_at: 'int', retention: 'text' }, key: ['id'], unique: ['name'] },
  tokens: { columns: { hash: 'text', tenant: 'int', expires_at: 'int', used_at: 'int' }, key: ['hash'] },
  keys: {
    columns: { hash: 'text', tenant: 'int', name: 'text', role: 'text', made_at: 'int', expires_at: 'int' },
    key: ['hash'],
    unique: ['tenant', 'name'],
  },
  credentials: { columns: { hash: 'text', tenant: 'int', machine: 'text' }, key: ['hash'] },
} as const satisfies Readonly<Record<string, Table>>

/** Name of a table. */
export type TableName = keyof typeof TENANT_TABLES | keyof typeof SERVER_TABLES

/** Name of a table with a part for each day. */
export type DailyTable = 'events' | 'runs' | 'bodies'

/** Tables with a part for each day: bodies can go before facts. */
export const DAILY_TABLES: readonly DailyTable[] = ['events', 'runs', 'bodies']

/** Finds a table by its name. */
export function findTable(name: TableName): Table {
  return { ...SERVER_TABLES, ...TENANT_TABLES }[name]
}

/** Version of the tables: since 2 people have keys, since 3 bodies are blocks, and parts of a day have indexes of their own. A server refuses data of a newer one. */
export const SCHEMA_VERSION = 3

/** Versions that added a table; all others are of version 1. Forward only. */
const ADDED_IN: Readonly<Record<string, number>> = { keys: 2 }

/** True for a table that data of a version does not have. */
export function isAddedSince(version: number, name: string): boolean {
  return version < (ADDED_IN[name] ?? 1)
}
