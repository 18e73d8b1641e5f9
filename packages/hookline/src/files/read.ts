import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** What came of reading a file whose content nobody has vouched for. */
export type FileText =
  | { readonly read: 'text'; readonly text: string; readonly stamp: string }
  | { readonly read: 'missing'; readonly stamp: string }
  | { readonly read: 'unreadable'; readonly reason: string; readonly stamp: string }

/** Larger files are not read: no settings are that long. */
const LARGEST_FILE = 5 * 1024 * 1024

/** The stamp of a file that is not there. */
const NO_FILE = 'none'

/** How often a file is read again that changed meanwhile, or that the system could not serve for the moment. */
const TRIES = 4
const PAUSE_MS = 20
const PASSING = /\((?:EMFILE|ENFILE|EAGAIN|EINTR|ENOMEM)\)/

/**
 * Reads a regular file of bounded size; a pipe or a device cannot make it hang. Never throws. `follow: false` refuses a
 * link. Files are small and few, so they are read at once: to ask another thread for them would cost ten times as much.
 */
export async function readText(path: string, { follow = true } = {}): Promise<FileText> {
  for (let left = TRIES; left > 1; left--) {
    const content = readOnce(path, follow)
    if (content.read === 'missing') return content
    if (content.read === 'text' && content.stamp === stampAt(path)) return content
    if (content.read === 'unreadable' && !PASSING.test(content.reason)) return content
    await pause(PAUSE_MS)
  }
  return readOnce(path, follow)
}

function readOnce(path: string, follow: boolean): FileText {
  if (lookAt(path) === undefined) return { read: 'missing', stamp: NO_FILE } // most are: a look costs less than an error
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW))
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' && lookAt(path)?.isSymbolicLink())
      return { read: 'unreadable', reason: 'is a link that leads nowhere', stamp: NO_FILE }
    if (code === 'ENOENT' || code === 'ENOTDIR') return { read: 'missing', stamp: NO_FILE }
    return { read: 'unreadable', reason: `cannot be opened (${code})`, stamp: stampAt(path) }
  }
  try {
    return readAndClose(descriptor)
  } catch (error) {
    return { read: 'unreadable', reason: `cannot be read (${errorCode(error)})`, stamp: stampAt(path) }
  }
}

/** The stamp of what is at a path now. */
export function stampAt(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats ? stampOf(stats) : NO_FILE
  } catch {
    return NO_FILE // a folder on the way cannot be entered
  }
}

/** What is at a path, a link as itself: undefined for nothing, null where it cannot be told. */
function lookAt(path: string): Stats | undefined | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return null // a folder on the way cannot be entered
  }
}

/** Changes whenever a file is written, replaced or touched. */
function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(':')
}

/** The system's code of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}

function readAndClose(descriptor: number): FileText {
  try {
    return readRegular(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function readRegular(descriptor: number): FileText {
  const stats = fstatSync(descriptor)
  const stamp = stampOf(stats)
  if (stats.isDirectory()) return { read: 'unreadable', reason: 'is a folder, not a file', stamp }
  if (!stats.isFile()) return { read: 'unreadable', reason: 'is not a regular file', stamp }
  if (stats.size > LARGEST_FILE) {
    const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
    return {
      read: 'unreadable',
      reason: `is too large (${mebibytes(stats.size)}; at most ${mebibytes(LARGEST_FILE)} are read)`,
      stamp,
    }
  }
  return { read: 'text', text: readFileSync(descriptor, 'utf8'), stamp }
}
