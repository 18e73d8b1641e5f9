import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { openRegular, readErrorCode } from '../files/read.ts'
import { type FileLine, makeOpenLine, readLastLine, splitLines } from './lines.ts'
import { type MetHooks, parseLogLine, type TapReader } from './log-line.ts'
import type { LogEntry, ReadOptions } from './record-store.ts'
import { makeTapReader } from './tapped-record.ts'

/** File name of a session's log: below a folder, all files of this name are its logs. */
const LOG_NAME = 'hooks.jsonl'
/** Bytes that are read at once. */
export const CHUNK_BYTES = 1024 * 1024

/** Way in which the lines of a log are read. */
export interface LineReading extends Pick<ReadOptions, 'onSkipped'> {
  /** Reads lines of `hookline tap`. */
  readonly readTap: TapReader
}

/** Position of a reader: in which file, behind which line, and which configured hooks it has met so far. */
export interface LinePosition {
  readonly file: string
  line: number
  readonly met: MetHooks
}

/** Reads a log from its oldest line to its newest, files that were moved aside first, in bounded memory. */
export async function* readLogFiles(file: string, reading: LineReading): AsyncGenerator<LogEntry[]> {
  const files = await listLogFiles(file)
  if (files.length === 0) throw new HooklineError(`There is no log ${file}. HOOKLINE_LOG=FILE makes one.`)
  const met: MetHooks = new Map()
  for (const one of files) yield* readOneFile(one, met, reading)
}

/** The entries in lines of text, which follow those before the position. */
export function parseLines(
  lines: readonly FileLine[],
  position: LinePosition,
  { onSkipped = () => {}, readTap }: LineReading,
): LogEntry[] {
  const entries: LogEntry[] = []
  const { file, met } = position
  for (const { text, offset, bytes } of lines) {
    const line = ++position.line
    if (text !== null && text.trim() === '') continue
    const parsed = text === null ? 'torn' : parseLogLine(text, met, readTap)
    if (typeof parsed === 'string') onSkipped({ is: parsed, file, line })
    else {
      if (parsed.partial) onSkipped({ is: 'partial', file, line })
      entries.push({ ...parsed, place: { file, line, spans: [{ offset, bytes }] } })
    }
  }
  return entries
}

/** The logs that a path stands for: itself, or those below a folder, the one that was written to last at the end. */
export async function findLogs(path: string): Promise<string[]> {
  const stats = await stat(path).catch(() => null) // there may be files that were moved aside
  return stats?.isDirectory() ? findLogsBelow(path) : [path]
}

/** The logs below a folder; none when it is not there. */
export async function findLogsBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []) // nothing was recorded yet
  const logs = names.filter((name) => basename(name) === LOG_NAME).map((name) => join(folder, name))
  const dated = await Promise.all(
    logs.map(async (log) => ({ log, at: (await stat(log).catch(() => null))?.mtimeMs ?? 0 })),
  )
  return dated.sort((a, b) => a.at - b.at).map(({ log }) => log)
}

/** A log and the files that were moved aside, the oldest first; those that are there. */
export async function listLogFiles(file: string): Promise<string[]> {
  const name = basename(file)
  const names = await readdir(dirname(file)).catch((): string[] => []) // no folder, no log
  const aside = names
    .filter((one) => one.startsWith(`${name}.`) && /^[1-9]\d*$/.test(one.slice(name.length + 1)))
    .sort((a, b) => Number(b.slice(name.length + 1)) - Number(a.slice(name.length + 1)))
  return [...aside, ...(names.includes(name) ? [name] : [])].map((one) => join(dirname(file), one))
}

/** Bytes at the end of a log in which its newest entry is looked for. */
const TAIL_BYTES = 256 * 1024

/** The newest entry of a log, from the end of its file; null where none is found there. Taps are seen without their answers. */
export async function readNewestEntry(file: string): Promise<LogEntry | null> {
  const handle = await openRegular(file).catch(() => null) // there is none, or it cannot be read
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, TAIL_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const open = makeOpenLine()
    const lines = [...splitLines(open, buffer.subarray(0, bytesRead)), ...readLastLine(open)]
    const readTap = await makeTapReader()
    const parsed = lines
      .toReversed()
      .map(({ text }) => (text === null ? 'torn' : parseLogLine(text, new Map(), readTap)))
    return parsed.find((entry) => typeof entry !== 'string') ?? null
  } finally {
    await handle.close()
  }
}

/** Reads one of these files. */
export async function* readOneFile(file: string, met: MetHooks, reading: LineReading): AsyncGenerator<LogEntry[]> {
  const open = makeOpenLine()
  const position: LinePosition = { file, line: 0, met }
  try {
    const handle = await openRegular(file)
    for await (const bytes of handle.createReadStream({ highWaterMark: CHUNK_BYTES }))
      yield parseLines(splitLines(open, bytes), position, reading)
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return // moved on meanwhile
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`The log ${file} cannot be read (${readErrorCode(error)}).`)
  }
  yield parseLines(readLastLine(open), position, reading)
}
