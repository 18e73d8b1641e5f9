import { type FileHandle, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HooklineError } from '../files/error.ts'
import { openRegular, readErrorCode } from '../files/read.ts'
import { nameRotatedFile } from '../files/rotate.ts'
import { makeOpenLine, type OpenLine, readLastLine, splitLines } from './lines.ts'
import type { MetHooks } from './log-line.ts'
import { CHUNK_BYTES, type LinePosition, type LineReading, listLogFiles, parseLines, readOneFile } from './read-log.ts'
import type { LogEntry } from './record-store.ts'

const LOOK_MS = 200

/** A file that is being read, and how far. */
interface OpenLog {
  readonly handle: FileHandle
  readonly ino: number
  readonly open: OpenLine
  readonly position: LinePosition
  at: number
}

/**
 * Reads a log as `readLogFiles` does and goes on with what is written to it, until the signal aborts. A file that is moved
 * aside is read to its end, and so are those that came and went meanwhile. Waits for a file that is not there yet. null comes
 * once, when everything was read that was there at the beginning.
 */
export async function* followLogFiles(
  file: string,
  reading: LineReading,
  signal: AbortSignal,
): AsyncGenerator<LogEntry[] | null> {
  const met: MetHooks = new Map()
  let isBehind = true
  let log = await openLog(file, met)
  try {
    const aside = (await listLogFiles(file)).filter((one) => basename(one) !== basename(file))
    for (const one of aside) yield* readOneFile(one, met, reading)
    while (!signal.aborted) {
      if (log) yield* readNewEntries(log, reading)
      if (isBehind) yield null
      isBehind = false
      const next: string | null = await findNextFile(file, log)
      if (next === null)
        await pause(LOOK_MS, undefined, { signal }).catch(() => {}) // aborted: the loop ends
      else {
        if (log) yield* readLastEntries(log, reading)
        await log?.handle.close()
        log = await openLog(next, met)
      }
    }
  } finally {
    await log?.handle.close()
  }
}

async function openLog(file: string, met: MetHooks): Promise<OpenLog | null> {
  try {
    const handle = await openRegular(file)
    const { ino } = await handle.stat()
    return { handle, ino, open: makeOpenLine(), position: { file, line: 0, met }, at: 0 }
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return null
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`The log ${file} cannot be read (${readErrorCode(error)}).`)
  }
}

/** The entries whose lines were completed since the last look. */
async function* readNewEntries(log: OpenLog, reading: LineReading): AsyncGenerator<LogEntry[]> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (;;) {
    const { bytesRead } = await log.handle.read(buffer, 0, CHUNK_BYTES, log.at)
    if (bytesRead === 0) return
    log.at += bytesRead
    yield parseLines(splitLines(log.open, buffer.subarray(0, bytesRead)), log.position, reading)
  }
}

/** Reads what was written just before the file was moved, and a line that stays incomplete. */
async function* readLastEntries(log: OpenLog, reading: LineReading): AsyncGenerator<LogEntry[]> {
  yield* readNewEntries(log, reading)
  yield parseLines(readLastLine(log.open), log.position, reading)
}

/** The file to read after this one; null while this one is the newest, or there is none. */
async function findNextFile(file: string, log: OpenLog | null): Promise<string | null> {
  const now = await stat(file).catch(() => null) // between two names, or not there yet
  if (now === null) return null
  if (log === null) return file
  if (now.ino === log.ino) return now.size < log.at ? file : null
  for (let nth = 1; ; nth++) {
    const aside = await stat(nameRotatedFile(file, nth)).catch(() => null) // there are no more
    if (aside === null) return file
    if (aside.ino === log.ino) return nameRotatedFile(file, nth - 1)
  }
}
