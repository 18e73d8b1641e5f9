import type { DailyTable, TableName } from './schema.ts'

/** Value of a column. */
export type Value = string | number | Buffer | null

/** A row to write, by its columns. */
export type Row = Readonly<Record<string, Value>>

/** Merge of a row that is there with a new one, by column: columns that are not named stay. */
export type Merge = Readonly<Record<string, 'add' | 'max' | 'min' | 'set' | 'fill'>>

/** Statements of one transaction. Parameters are ?1, ?2, … */
export interface Sql {
  readonly all: <Found>(text: string, ...values: readonly Value[]) => Promise<Found[]>
  /** Runs a statement. Returns the number of rows that it changed. */
  readonly run: (text: string, ...values: readonly Value[]) => Promise<number>
  /** Adds rows that are not there. */
  readonly insert: (table: TableName, rows: readonly Row[]) => Promise<void>
  /** Adds rows, or merges them with those of the same name; no two of them have one name. Returns the columns asked for, in the order of the rows. */
  readonly upsert: <Found = unknown>(
    table: TableName,
    rows: readonly Row[],
    merge: Merge,
    returning?: readonly string[],
  ) => Promise<Found[]>
  /** A table, or its part of a day, as it stands behind FROM. */
  readonly from: (table: DailyTable, day: number) => string
}

/** A tenant: its number in the store, and its name. */
export interface Tenant {
  readonly id: number
  readonly name: string
}

/** A database, in either dialect. A transaction of a tenant sees no row of another one, whatever its statements say. */
export interface Database {
  readonly name: 'sqlite' | 'postgres'
  readonly read: <Result>(tenant: Tenant, work: (sql: Sql) => Promise<Result>) => Promise<Result>
  /** Runs a transaction. What has resolved is stored, also where the power fails; what rejects left nothing behind. */
  readonly write: <Result>(tenant: Tenant, work: (sql: Sql) => Promise<Result>) => Promise<Result>
  /** Runs a transaction on the tables of the server. */
  readonly control: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>
  /** Makes the tables of a tenant. Has no effect where they are there. */
  readonly addTenant: (tenant: Tenant) => Promise<void>
  readonly addDay: (tenant: Tenant, day: number) => Promise<void>
  /** Days that have a part of a table, the newest first. */
  readonly listDays: (tenant: Tenant, table: DailyTable) => Promise<number[]>
  /** Drops a day of a table in one step. */
  readonly dropDay: (tenant: Tenant, table: DailyTable, day: number) => Promise<void>
  /** Bytes on the disk. */
  readonly measure: (tenant: Tenant) => Promise<number>
  readonly close: () => Promise<void>
}

/** Data that a newer server has changed cannot be read by this one. */
export class NewerStoreError extends Error {
  constructor(found: number, known: number) {
    super(
      `the data is of version ${found}, and this server knows up to ${known}: start the newer server, or restore a backup`,
    )
  }
}

/** A database that cannot be used, as a sentence. */
export class StoreError extends Error {}

/** Codes of faults that are in what was written: the same would fail again, while other batches are stored. */
const BATCH_FAULT = /^(?:22|23|54)...$|^SQLITE_(?:TOOBIG|MISMATCH|CONSTRAINT|RANGE)/

/** True for a fault that is in the batch and not in the store. */
export function isFaultOfBatch(error: unknown): boolean {
  if (error instanceof StoreError) return true
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true
  return error instanceof Error && 'code' in error && BATCH_FAULT.test(String(error.code))
}
