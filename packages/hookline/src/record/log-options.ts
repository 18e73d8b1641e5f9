import { resolve } from 'node:path'
import { HooklineError } from '../files/error.ts'

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
