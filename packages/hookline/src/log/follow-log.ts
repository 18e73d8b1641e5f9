import { type FileHandle, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HooklineError } from '../files/error.ts'
import { errorCode, openRegular } from '../files/read.ts'
import { rotatedFile } from '../files/rotate.ts'
import { lastLine, noLine, type OpenLine, splitLines } from './lines.ts'
import type { LogLine, MetHooks, TapReader } from './log-line.ts'
import { filesOf, type HowRead, readFileLines, recordsIn, type Skipped } from './read-log.ts'

const LOOK_MS = 200
const CHUNK = 64 * 1024

/** A file that is being read, and how far. */
interface Reading {
  readonly handle: FileHandle
  readonly ino: number
  readonly line: OpenLine
  readonly met: MetHooks
  at: number
}

/**
 * Reads a log as `readLog` does and goes on with what is written to it, until the signal aborts. A file that is moved
 * aside is read to its end, and so are those that came and went meanwhile. Waits for a file that is not there yet.
 */
export async function* followLog(
  file: string,
  skipped: Skipped,
  signal: AbortSignal,
  readTap?: TapReader,
): AsyncGenerator<LogLine> {
  const how: HowRead = { skipped, readTap }
  const met: MetHooks = new Map()
  let reading = await openAt(file, met)
  try {
    const aside = (await filesOf(file)).filter((one) => basename(one) !== basename(file))
    for (const one of aside) yield* readFileLines(one, met, how)
    while (!signal.aborted) {
      if (reading) yield* newLines(reading, how)
      const next: string | null = await nextFile(file, reading)
      if (next === null)
        await pause(LOOK_MS, undefined, { signal }).catch(() => {}) // aborted: the loop ends
      else {
        if (reading) yield* toItsEnd(reading, how)
        await reading?.handle.close()
        reading = await openAt(next, met)
      }
    }
  } finally {
    await reading?.handle.close()
  }
}

async function openAt(file: string, met: MetHooks): Promise<Reading | null> {
  try {
    const handle = await openRegular(file)
    const { ino } = await handle.stat()
    return { handle, ino, line: noLine(), met, at: 0 }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`The log ${file} cannot be read (${errorCode(error)}).`)
  }
}

/** The lines that were completed since the last look. */
async function* newLines(reading: Reading, how: HowRead): AsyncGenerator<LogLine> {
  const buffer = Buffer.alloc(CHUNK)
  for (;;) {
    const { bytesRead } = await reading.handle.read(buffer, 0, CHUNK, reading.at)
    if (bytesRead === 0) return
    reading.at += bytesRead
    yield* recordsIn(splitLines(reading.line, buffer.subarray(0, bytesRead)), reading.met, how)
  }
}

/** What was written just before the file was moved, and a line that stays incomplete. */
async function* toItsEnd(reading: Reading, how: HowRead): AsyncGenerator<LogLine> {
  yield* newLines(reading, how)
  yield* recordsIn(lastLine(reading.line), reading.met, how)
}

/** The file to read after this one; null while this one is the newest, or there is none. */
async function nextFile(file: string, reading: Reading | null): Promise<string | null> {
  const now = await stat(file).catch(() => null) // between two names, or not there yet
  if (now === null) return null
  if (reading === null) return file
  if (now.ino === reading.ino) return now.size < reading.at ? file : null
  for (let nth = 1; ; nth++) {
    const aside = await stat(rotatedFile(file, nth)).catch(() => null) // there are no more
    if (aside === null) return file
    if (aside.ino === reading.ino) return rotatedFile(file, nth - 1)
  }
}
