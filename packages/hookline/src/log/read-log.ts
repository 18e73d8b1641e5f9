import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { errorCode, openRegular } from '../files/read.ts'
import { lastLine, noLine, splitLines } from './lines.ts'
import { type LogLine, type MetHooks, parseLogLine, type TapReader } from './log-line.ts'

/** What logs of sessions are called: below a folder all files of this name are its logs. */
const LOG_NAME = 'hooks.jsonl'

/** Counts what a reader passed over. */
export interface Skipped {
  /** Lines that are not records: torn, or of another program. */
  lines: number
  /** Records without the hooks that did not run: the line that has them is torn or gone. */
  partial?: number
}

/** How lines are read. */
export interface HowRead {
  readonly skipped: Skipped
  /** Reads lines of `hookline tap`; without it they are no records. */
  readonly readTap?: TapReader | undefined
}

/** Reads a log from its oldest line to its newest, files that were moved aside first, in bounded memory. */
export async function* readLog(file: string, skipped: Skipped, readTap?: TapReader): AsyncGenerator<LogLine> {
  const files = await filesOf(file)
  if (files.length === 0) throw new HooklineError(`There is no log ${file}. HOOKLINE_LOG=FILE makes one.`)
  const met: MetHooks = new Map()
  for (const one of files) yield* readFileLines(one, met, { skipped, readTap })
}

/** The records in lines of text, which follow those that `met` is from. */
export function* recordsIn(
  lines: Iterable<string | null>,
  met: MetHooks,
  { skipped, readTap }: HowRead,
): Generator<LogLine> {
  for (const line of lines) {
    if (line?.trim() === '') continue
    const parsed = line === null ? null : parseLogLine(line, met, readTap)
    if (parsed?.partial) skipped.partial = (skipped.partial ?? 0) + 1
    if (parsed === null) skipped.lines++
    else yield parsed
  }
}

/** The logs that a path stands for: itself, or those below a folder, the one that was written to last at the end. */
export async function logsAt(path: string): Promise<string[]> {
  const stats = await stat(path).catch(() => null) // there may be files that were moved aside
  return stats?.isDirectory() ? logsBelow(path) : [path]
}

/** The logs below a folder; none when it is not there. */
export async function logsBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []) // nothing was recorded yet
  const logs = names.filter((name) => basename(name) === LOG_NAME).map((name) => join(folder, name))
  const dated = await Promise.all(
    logs.map(async (log) => ({ log, at: (await stat(log).catch(() => null))?.mtimeMs ?? 0 })),
  )
  return dated.sort((a, b) => a.at - b.at).map(({ log }) => log)
}

/** A log and the files that were moved aside, the oldest first; those that are there. */
export async function filesOf(file: string): Promise<string[]> {
  const name = basename(file)
  const names = await readdir(dirname(file)).catch((): string[] => []) // no folder, no log
  const aside = names
    .filter((one) => one.startsWith(`${name}.`) && /^[1-9]\d*$/.test(one.slice(name.length + 1)))
    .sort((a, b) => Number(b.slice(name.length + 1)) - Number(a.slice(name.length + 1)))
  return [...aside, ...(names.includes(name) ? [name] : [])].map((one) => join(dirname(file), one))
}

/** Reads one of these files. */
export async function* readFileLines(file: string, met: MetHooks, how: HowRead): AsyncGenerator<LogLine> {
  const open = noLine()
  try {
    const handle = await openRegular(file)
    for await (const bytes of handle.createReadStream()) yield* recordsIn(splitLines(open, bytes), met, how)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return // moved on meanwhile
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`The log ${file} cannot be read (${errorCode(error)}).`)
  }
  yield* recordsIn(lastLine(open), met, how)
}
