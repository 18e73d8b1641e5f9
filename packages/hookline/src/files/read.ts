import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { HooklineError } from './error.ts'
import { isBelow, isTouching, resolveLinks } from './paths.ts'

/** Outcome of reading a file whose content is not trusted. */
export type FileText =
  | { readonly read: 'text'; readonly text: string; readonly stamp: string }
  | { readonly read: 'missing'; readonly stamp: string }
  | { readonly read: 'unreadable'; readonly reason: string; readonly stamp: string }

/** A folder that a file has to lie in with all links followed, and what messages call it. */
export interface Enclosure {
  readonly folder: string
  readonly name: 'project' | 'plugin'
}

/** Files of a project: a link inside of it is fine, one that leads out of it is not. */
export const makeProjectEnclosure = (folder: string): Enclosure => ({ folder, name: 'project' })

/** The same for a plugin. */
export const makePluginEnclosure = (folder: string): Enclosure => ({ folder, name: 'plugin' })

/** Limits of what may be read. */
export interface ReadLimits {
  /** True if the file itself may be a link. */
  readonly follow?: boolean
  /** null: the file may lie anywhere. */
  readonly inside?: Enclosure | null
  /** Bytes; a larger file is not read. */
  readonly largest?: number
  /** True if a file that is not UTF-8 is unreadable: else wrong bytes are replaced, and would be lost by writing it again. */
  readonly onlyUtf8?: boolean
}

/** Larger files are not read: no settings are that long. */
const MAX_FILE_BYTES = 5 * 1024 * 1024

/** The stamp of a file that is not there. */
export const NO_FILE = 'none'

/** Number of times that a file is read again that changed meanwhile, or that the system could not serve for the moment. */
const MAX_TRIES = 4
const PAUSE_MS = 20
const PASSING = /\((?:EMFILE|ENFILE|EAGAIN|EINTR|ENOMEM)\)/

/**
 * Reads a regular file of bounded size. Never throws. A pipe or a device is not even opened, so it cannot make it hang,
 * nor is what lies outside of the folder that the file belongs to. Files are small and few, so they are read at once: to
 * ask another thread for them would cost ten times as much.
 */
export async function readText(path: string, limits: ReadLimits = {}): Promise<FileText> {
  for (let left = MAX_TRIES; left > 1; left--) {
    const content = readOnce(path, limits)
    if (content.read === 'missing' || keptFiles?.get(path)?.content === content) return content
    const stats = content.read === 'text' ? statOrUndefined(path) : undefined
    if (stats !== undefined && content.stamp === makeStamp(stats)) {
      if (keptFiles !== null) keepFile(keptFiles, path, { content, stats, limits })
      return content
    }
    if (content.read === 'unreadable' && !PASSING.test(content.reason)) return content
    await pause(PAUSE_MS)
  }
  return readOnce(path, limits)
}

/** A file that was read, and how it was then. */
interface KeptFile {
  readonly content: FileText
  readonly stats: Stats
  readonly limits: ReadLimits
}

/** Files that are not read again while they are as they were, by their paths; null: every file is read. */
let keptFiles: Map<string, KeptFile> | null = null
const MAX_FILES_KEPT = 48
const MAX_KEPT_BYTES = 64 * 1024
/** A file that was changed a moment ago may change again without another time: disks count in steps of up to two seconds. */
const SETTLED_AFTER_MS = 3000

/**
 * Has `readText` read no file again that is as it was, by its identity, size and times, until the function that it gives is called:
 * for a process that is asked the same over and over.
 */
export function keepReadFiles(): () => void {
  keptFiles = new Map()
  return () => {
    keptFiles = null
  }
}

/** Keeps what was read of a file that is small and settled. */
function keepFile(files: Map<string, KeptFile>, path: string, file: KeptFile): void {
  if (file.stats.size > MAX_KEPT_BYTES || Date.now() - file.stats.ctimeMs < SETTLED_AFTER_MS) return
  if (files.size >= MAX_FILES_KEPT) files.clear()
  files.set(path, file)
}

/** Finds what was read of a file that is as it was. */
function findKept(path: string, now: Stats, { follow, largest, onlyUtf8 }: ReadLimits): FileText | undefined {
  const kept = keptFiles?.get(path)
  if (kept === undefined) return undefined
  const { stats, limits, content } = kept
  const isSame =
    stats.ino === now.ino &&
    stats.dev === now.dev &&
    stats.size === now.size &&
    stats.ctimeMs === now.ctimeMs &&
    stats.mtimeMs === now.mtimeMs
  const isAsAsked = limits.follow === follow && limits.largest === largest && limits.onlyUtf8 === onlyUtf8
  return isSame && isAsAsked ? content : undefined
}

/**
 * Opens a regular file of any size, for who reads it piece by piece. Rejects with a HooklineError for a pipe, a device or
 * a folder, and with the system's error for what cannot be opened.
 */
export async function openRegular(path: string): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new HooklineError(`${path} is not a regular file.`) // opening it may wait, or do something
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new HooklineError(`${path} is not a regular file.`)
}

/** Reads as `readText` does, but once: for a file of ours that is written whole. */
export function readOnce(path: string, limits: ReadLimits = {}): FileText {
  const { follow = true, inside = null, largest = MAX_FILE_BYTES, onlyUtf8 = false } = limits
  if (inside !== null && !isTouching(path, inside.folder))
    return { read: 'unreadable', reason: `lies outside of the ${inside.name}`, stamp: NO_FILE }
  const found = statOrNull(path)
  if (found === undefined) return { read: 'missing', stamp: NO_FILE } // most are: a look costs less than an error
  const target = found?.isSymbolicLink() && follow ? statOrNull(path, statSync) : found
  if (target === undefined) return { read: 'unreadable', reason: 'is a link that leads nowhere', stamp: NO_FILE }
  const real = inside === null ? path : resolveLinks(path)
  if (inside !== null && !isBelow(real, resolveLinks(inside.folder)))
    return { read: 'unreadable', reason: `is a link that leads out of the ${inside.name}`, stamp: readStamp(path) }
  if (target !== null && !target.isFile() && !target.isSymbolicLink()) return describeIrregular(target)
  const kept = target === null || keptFiles === null ? undefined : findKept(path, target, limits)
  if (kept !== undefined) return kept
  let descriptor: number
  try {
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW))
  } catch (error) {
    const code = readErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { read: 'missing', stamp: NO_FILE }
    return {
      read: 'unreadable',
      reason: `cannot be opened (${code === 'ELOOP' && follow ? 'links lead in a circle, ' : ''}${describeErrorCode(code)})`,
      stamp: readStamp(path),
    }
  }
  try {
    return readAndClose(descriptor, { largest, onlyUtf8 })
  } catch (error) {
    return {
      read: 'unreadable',
      reason: `cannot be read (${describeErrorCode(readErrorCode(error))})`,
      stamp: readStamp(path),
    }
  }
}

/** An error of the system for people, with its code. */
function describeErrorCode(code: string): string {
  return code === 'EACCES' || code === 'EPERM' ? `permission denied, ${code}` : code
}

function describeIrregular(stats: Stats): FileText {
  const reason = stats.isDirectory() ? 'is a folder, not a file' : 'is not a regular file'
  return { read: 'unreadable', reason, stamp: makeStamp(stats) }
}

/** The stamp of what is at a path now. */
export function readStamp(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats ? makeStamp(stats) : NO_FILE
  } catch {
    return NO_FILE // a folder on the way cannot be entered
  }
}

/** Stats of what is at a path, a link as itself unless `look` follows it: undefined for nothing, null where it cannot be told. */
function statOrNull(path: string, look: typeof lstatSync = lstatSync): Stats | undefined | null {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    return null // a folder on the way cannot be entered
  }
}

/** Changes whenever a file is written, replaced or touched. */
function makeStamp({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(':')
}

/** The system's code of an error, such as `ENOENT`. */
export function readErrorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}

/** True for the error of asking for a current folder that was deleted. */
export function isCurrentFolderGone(error: unknown): boolean {
  return readErrorCode(error) === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'
}

/** Sentence for a user whose shell is in such a folder. */
export const FOLDER_GONE = 'the folder that this shell is in is gone. Go to one that is there: cd ~'

/** True for the error of a process, or a system, that may open no more files. */
export const isOutOfFiles = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(readErrorCode(error))

/** Sentence for a user whose shell allows too few of them. */
export const OUT_OF_FILES = 'too many files are open, or too few may be. Raise the limit: ulimit -n 1024'

type ContentLimits = Required<Pick<ReadLimits, 'largest' | 'onlyUtf8'>>

function readAndClose(descriptor: number, limits: ContentLimits): FileText {
  try {
    return readRegular(descriptor, limits)
  } finally {
    closeSync(descriptor)
  }
}

function readRegular(descriptor: number, { largest, onlyUtf8 }: ContentLimits): FileText {
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) return describeIrregular(stats)
  const stamp = makeStamp(stats)
  const bytes = stats.size > largest ? null : readBytes(descriptor, { size: stats.size, largest })
  if (bytes === null) {
    const size = stats.size > largest ? `${formatMebibytes(stats.size)}; ` : '' // else it has no size, or grows
    return { read: 'unreadable', reason: `is too large (${size}at most ${formatMebibytes(largest)} are read)`, stamp }
  }
  if (onlyUtf8 && !isUtf8(bytes)) return { read: 'unreadable', reason: 'is not UTF-8 text', stamp }
  return { read: 'text', text: bytes.toString('utf8'), stamp }
}

const formatMebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** A file's bytes to its end, whatever size it claims to have; null when there are more than may be read. */
function readBytes(descriptor: number, { size, largest }: { size: number; largest: number }): Buffer | null {
  const parts: Buffer[] = []
  let total = 0
  for (let room = size + 1; ; room = 64 * 1024) {
    const part = Buffer.allocUnsafe(room)
    const read = readSync(descriptor, part, 0, room, null)
    if (read === 0) return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    total += read
    if (total > largest) return null
    parts.push(part.subarray(0, read))
    if (total === size && parts.length === 1) return part.subarray(0, read) // there was room for more
  }
}

/** Stats of a file, as the system gives them, a link as itself with `lstatSync`; undefined when it is not there, or cannot be reached. */
export function statOrUndefined(path: string, look: typeof lstatSync = statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
