import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { HooklineError } from '../files/error.ts'
import { readErrorCode } from '../files/read.ts'
import { type ByteSpan, makeOpenLine, readLastLine, splitLines } from './lines.ts'
import { type MetHooks, parseLogLine, type TapReader } from './log-line.ts'
import { CHUNK_BYTES, type LineReading, listLogFiles, parseLines } from './read-log.ts'
import type { LogEntry } from './record-store.ts'

/** A file of a log as the system tells it apart from others. */
export interface LogFileState {
  readonly path: string
  readonly ino: number
  readonly size: number
}

/** Position up to which a log was read. Reading moves it on. */
export interface LogPosition {
  /** The file; null before the first one. */
  ino: number | null
  /** Bytes of it that were read, without a last line that has no end yet. */
  offset: number
  /** Lines of it that were read. */
  line: number
  readonly met: MetHooks
}

/** Makes the position before everything. */
export function makeLogStart(): LogPosition {
  return { ino: null, offset: 0, line: 0, met: new Map() }
}

/** A log that is not the one that was read before: files are gone, or were written anew. */
export class LogReplacedError extends Error {}

/** The files of a log, the oldest first. Throws a HooklineError for one that is not a plain file of this user. */
export async function statLogFiles(file: string): Promise<LogFileState[]> {
  const states: LogFileState[] = []
  for (const path of await listLogFiles(file)) {
    const handle = await openOwnFile(path)
    if (handle === null) continue
    const { ino, size } = await handle.stat().finally(() => handle.close())
    states.push({ path, ino, size })
  }
  return states
}

/** Opens a file for reading; null where there is none. Throws a HooklineError for a link, a pipe, or a file of another user. */
export async function openOwnFile(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const handle = await open(path, flags).catch((error: unknown) => {
    const code = readErrorCode(error)
    if (code === 'ENOENT') return null
    if (code === 'ELOOP') throw new HooklineError(`${path} is a link. Name the file that it leads to.`)
    throw new HooklineError(`The log ${path} cannot be read (${code}).`)
  })
  if (handle === null) return null
  const stats = await handle.stat()
  const isOwn = process.getuid === undefined || stats.uid === process.getuid()
  if (stats.isFile() && isOwn) return handle
  await handle.close()
  throw new HooklineError(stats.isFile() ? `${path} belongs to another user.` : `${path} is not a regular file.`)
}

/**
 * Reads a log from a position to its end. Files that were moved aside meanwhile are read to their ends first; a last line without
 * an end waits for the next call. Throws a LogReplacedError where the position is in none of the files.
 */
export async function* readEntriesFrom(
  file: string,
  position: LogPosition,
  reading: LineReading,
): AsyncGenerator<readonly LogEntry[]> {
  const files = await statLogFiles(file)
  const start = position.ino === null ? 0 : files.findIndex(({ ino }) => ino === position.ino)
  if (start === -1) throw new LogReplacedError()
  for (const [at, one] of files.entries()) {
    if (at < start) continue
    if (one.ino === position.ino && one.size < position.offset) throw new LogReplacedError()
    yield* readLogFile(one, position, { ...reading, isLast: at === files.length - 1 })
  }
}

async function* readLogFile(
  { path, ino }: LogFileState,
  position: LogPosition,
  { isLast, ...reading }: LineReading & { readonly isLast: boolean },
): AsyncGenerator<readonly LogEntry[]> {
  if (position.ino !== ino) Object.assign(position, { ino, offset: 0, line: 0 })
  const handle = await openOwnFile(path)
  if (handle === null) return // moved on meanwhile: the next call finds it
  const read = makeOpenLine(position.offset)
  const place = { file: path, line: position.line, met: position.met }
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let at = position.offset; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at)
      if (bytesRead === 0) break
      at += bytesRead
      const entries = parseLines(splitLines(read, buffer.subarray(0, bytesRead)), place, reading)
      Object.assign(position, { offset: read.offset, line: place.line })
      yield entries
    }
    if (isLast) return
    const entries = parseLines(readLastLine(read), place, reading)
    Object.assign(position, { offset: read.offset, line: place.line })
    yield entries
  } finally {
    await handle.close()
  }
}

/** Bytes of one entry; none in a log that this package wrote has so many lines, or lines so long. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024

/** Reads parts of a file that are near each other, with few calls. */
export interface SpanReader {
  /** The text of a part. */
  readonly read: (span: ByteSpan) => Promise<string>
  /** Hooks that did not run, of lines that were read with this reader. */
  readonly met: MetHooks
  /** Places of lines that have them. */
  readonly known: Set<number>
  readonly close: () => Promise<void>
}

/** Makes a reader of parts of a file. `ahead` is the number of bytes that are read at once. */
export function makeSpanReader(handle: FileHandle, { ahead = 0 }: { readonly ahead?: number } = {}): SpanReader {
  let [start, block] = [0, Buffer.alloc(0)]
  const read = async ({ offset, bytes }: ByteSpan): Promise<string> => {
    if (offset < start || offset + bytes > start + block.length) {
      const length = Math.max(bytes, ahead)
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset)
      ;[start, block] = [offset, buffer.subarray(0, bytesRead)]
    }
    return block.toString('utf8', offset - start, offset - start + bytes)
  }
  return { read, met: new Map(), known: new Set(), close: () => handle.close() }
}

/**
 * Reads one entry again: the lines at these places. `configured` is the place of a line that has the hooks which did not run. null
 * where something else stands there now.
 */
export async function readEntryAgain(
  reader: SpanReader,
  spans: readonly ByteSpan[],
  { configured, readTap }: { readonly configured: ByteSpan | null; readonly readTap: TapReader },
): Promise<LogEntry | null> {
  if (spans.reduce((sum, { bytes }) => sum + bytes, configured?.bytes ?? 0) > MAX_ENTRY_BYTES) return null
  if (configured !== null && !reader.known.has(configured.offset)) {
    parseLogLine(await reader.read(configured), reader.met)
    reader.known.add(configured.offset)
  }
  const parsed = []
  for (const span of spans) parsed.push(parseLogLine(await reader.read(span), reader.met, readTap))
  const [first] = parsed
  if (first === undefined || typeof first === 'string') return null
  const [tap, ...taps] = parsed.flatMap((one) => (typeof one === 'string' ? [] : (one.tapped ?? [])))
  return tap === undefined ? first : readTap([tap, ...taps])
}

/** Remembers the configured hooks that lines at these places have. */
export async function rememberHooks(handle: FileHandle, spans: readonly ByteSpan[], met: MetHooks): Promise<void> {
  const { read } = makeSpanReader(handle)
  for (const span of spans) parseLogLine(await read(span), met)
}
