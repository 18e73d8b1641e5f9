import { resolve } from 'node:path'
import { HooklineError } from '../files/error.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { PastRecord } from '../protocol/record/record.ts'

/** Keeper of records: a `RecordStore` of `hookline/log` is one. */
export interface RecordSink {
  /** Name in messages: the path of a file, or an address. */
  readonly name: string
  /** Adds events behind all others. */
  readonly append: (entries: readonly RecordedEvent[]) => Promise<void>
}

/** A record with its event, without secrets. */
export interface RecordedEvent {
  readonly record: PastRecord
  readonly input: EventInput | null
}

/** Place that records are written to. */
export interface LogOptions {
  readonly file: string
  /** A longer file is moved aside before the next line is written; 10 MiB by default. */
  readonly maxBytes?: number | undefined
  /** Number of files that were moved aside are kept: `file.1`, the newest of them, to `file.N`; 3 by default. */
  readonly keep?: number | undefined
}

/** The same with its defaults. */
export type SettledLog = { readonly [Option in keyof LogOptions]-?: NonNullable<LogOptions[Option]> }

const TEN_MEBIBYTES = 10 * 1024 * 1024

/** True for a store rather than a file. */
export function isSink(log: LogOptions | RecordSink | SettledLog): log is RecordSink {
  return 'append' in log
}

/** The log of an engine: a file, or a store that the host brings; null: nothing is recorded. */
export function settleEngineLog(
  log: string | LogOptions | RecordSink | undefined,
  env: NodeJS.ProcessEnv,
): SettledLog | RecordSink | null {
  return typeof log === 'object' && isSink(log) ? log : settleLog(log, env)
}

/** Fills in the defaults; null: nothing is recorded. Throws a HooklineError for an option that cannot be right. */
export function settleLog(log: string | LogOptions | undefined, env: NodeJS.ProcessEnv): SettledLog | null {
  const { file, maxBytes = TEN_MEBIBYTES, keep = 3 } = typeof log === 'object' ? log : { file: log ?? env.HOOKLINE_LOG }
  if (file === undefined || file === '') return null
  if (!Number.isInteger(maxBytes) || maxBytes < 1)
    throw new HooklineError(`log.maxBytes must be a number of bytes, not ${maxBytes}.`)
  if (!Number.isInteger(keep) || keep < 1)
    throw new HooklineError(`log.keep must be a number of files, at least 1, not ${keep}.`)
  return { file: resolve(file), maxBytes, keep }
}
