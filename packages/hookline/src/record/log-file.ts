import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { makeFolders } from '../files/folders.ts'
import { readErrorCode } from '../files/read.ts'
import { OWNERS_FOLDER, rotate } from '../files/rotate.ts'
import type { SettledLog } from './log-options.ts'

/** Flags that never write to what was put in the log's place: no link is followed, no pipe waited for. */
const OPEN_FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
const OWNERS_FILE = 0o600
const OTHERS = 0o077
const NEWLINE = 0x0a

/** A line for the log, without the brace that ends it. */
export interface LineText {
  readonly start: string
  /** The hooks that its places are among, for a file that does not have them yet; null: it needs none. */
  readonly configured: { readonly digest: string; readonly text: string } | null
}

/** The file that was written to last, and which configured hooks it has. */
export interface WrittenFile {
  ino: number
  end: number
  digests: Set<string>
}

/** No file at all. */
export function makeNoFile(): WrittenFile {
  return { ino: Number.NaN, end: 0, digests: new Set() }
}

/**
 * Appends lines to a log, each whole and with one write, so that several processes can share the file. `onWritten` is
 * called after each. Rejects when the system refuses, or when something else than a file is in its place.
 */
export async function appendLines(
  log: SettledLog,
  lines: readonly LineText[],
  { last, onWritten }: { last: WrittenFile; onWritten: () => void },
): Promise<void> {
  let left = lines
  do {
    const { full, written } = await withLog(log.file, (handle) =>
      appendWhileRoom(handle, left, { ...log, last, onWritten }),
    )
    left = left.slice(written)
    if (full !== null) await rotate(log, full)
  } while (left.length > 0)
}

/**
 * Appends one line at once, for a process that does nothing else: promises would take it longer than the write. Returns the
 * file when it has no room for the line, null when it is written. Throws when the system refuses, or when something else than a
 * file is in its place.
 */
export function appendAtOnce({ file, maxBytes }: SettledLog, line: string): { readonly ino: number } | null {
  const descriptor = openAtOnce(file)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new HooklineError('not a regular file')
    const last = Buffer.alloc(1, NEWLINE)
    if (stats.size > 0) readSync(descriptor, last, 0, 1, stats.size - 1)
    const bytes = Buffer.from(`${last[0] === NEWLINE ? '' : '\n'}${line}\n`)
    if (stats.size > 0 && stats.size + bytes.length > maxBytes) return { ino: stats.ino }
    if ((stats.mode & OTHERS) !== 0) fchmodSync(descriptor, OWNERS_FILE)
    for (let written = 0; written < bytes.length; ) {
      const taken = writeSync(descriptor, bytes, written)
      if (taken === 0) throw new HooklineError('the disk takes nothing')
      written += taken
    }
    return null
  } finally {
    closeSync(descriptor)
  }
}

function openAtOnce(file: string): number {
  try {
    return openSync(file, OPEN_FLAGS, OWNERS_FILE)
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT') throw error
    makeFolders(dirname(file), { mode: OWNERS_FOLDER })
    return openSync(file, OPEN_FLAGS, OWNERS_FILE)
  }
}

/** Does something with the open log, and closes it. */
async function withLog<T>(file: string, act: (handle: FileHandle) => Promise<T>): Promise<T> {
  makeFolders(dirname(file), { mode: OWNERS_FOLDER })
  const handle = await open(file, OPEN_FLAGS, OWNERS_FILE)
  try {
    return await act(handle)
  } finally {
    await handle.close().catch(() => {}) // the bytes are written already
  }
}

interface AppendResult {
  /** Number of lines found room. */
  readonly written: number
  /** The file, when it has no room for the next line; null while it has. */
  readonly full: { readonly ino: number } | null
}

async function appendWhileRoom(
  handle: FileHandle,
  lines: readonly LineText[],
  { maxBytes, last, onWritten }: { maxBytes: number; last: WrittenFile; onWritten: () => void },
): Promise<AppendResult> {
  const { ino, size, mode } = await statRegular(handle)
  // Another file, or one that was emptied: each is readable by itself.
  if (ino !== last.ino || size < last.end) Object.assign(last, makeNoFile(), { ino })
  if ((mode & OTHERS) !== 0) await handle.chmod(OWNERS_FILE)
  let end = size
  let start = (await isEndingInLine(handle, size)) ? '\n' : ''
  for (const [written, line] of lines.entries()) {
    const { configured } = line
    const isNew = configured !== null && !last.digests.has(configured.digest)
    const bytes = Buffer.from(`${start}${line.start}${isNew ? `,"configured":${configured.text}` : ''}}\n`)
    if (end > 0 && end + bytes.length > maxBytes) return { written, full: { ino } }
    await writeWhole(handle, bytes)
    if (isNew) last.digests.add(configured.digest)
    onWritten()
    end += bytes.length
    last.end = end
    start = ''
  }
  return { written: lines.length, full: null }
}

async function statRegular(handle: FileHandle): Promise<{ ino: number; size: number; mode: number }> {
  const stats = await handle.stat()
  if (!stats.isFile()) throw new HooklineError('not a regular file')
  return stats
}

/** True if the last writer stopped in the middle of a line. */
async function isEndingInLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 1 && buffer[0] !== NEWLINE
}

/** One write, unless the system takes only a part. */
async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written)
    if (bytesWritten === 0) throw new HooklineError('the disk takes nothing')
    written += bytesWritten
  }
}
