import { mkdtempSync, readFileSync, readlinkSync, rmSync, type Stats } from 'node:fs'
import { lstat, opendir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDraftEnding } from './draft-name.ts'
import { resolveLinks } from './paths.ts'
import { isAlive } from './process-alive.ts'

/** A temp folder, by its real path, and the way to get rid of it. */
export interface TempFolder {
  readonly path: string
  /** Never rejects: what cannot be removed now goes when the process ends. */
  readonly remove: () => Promise<void>
}

/** Name of a folder with its owner: a process by its number and its start, on one machine since one boot. */
const OWNED_FOLDER_NAME = /^hookline-(?:[a-z]+-)?(?<pid>\d+)\.(?<start>\d+)\.(?<place>[0-9a-f]{8})-\w{6}$/
/** Entries of the system's temp folder that are looked at: a folder with more is left to the system. */
const MAX_TEMP_ENTRIES = 10_000

/** Folders that are in use. They go even when a process ends without removing them. */
const folders = new Set<string>()
let knownPlace: string | undefined

/** Makes an empty temp folder that no other user can enter. Rejects with what the system says. */
export async function makeTempFolder(kind = ''): Promise<TempFolder> {
  const owner = `${process.pid}.${readStartTime('self')}.${findPlace()}`
  const made = mkdtempSync(join(tmpdir(), `hookline-${kind === '' ? '' : `${kind}-`}${owner}-`))
  const path = resolveLinks(made) // as it is written where that cannot be told: it is ours all the same
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(path)
  return { path, remove: () => remove(path) }
}

/**
 * Removes the temp folders of this user's processes that were killed before they could. Never rejects. Folders of
 * another machine or container that shares the temp folder are left alone: whether their process lives is not seen here.
 */
export async function removeStaleTempFolders(): Promise<void> {
  try {
    let left = MAX_TEMP_ENTRIES
    for await (const entry of await opendir(tmpdir())) {
      if (entry.isDirectory() && entry.name.startsWith('hookline-')) await removeIfStale(entry.name)
      if (--left === 0) return
    }
  } catch {
    // the folder cannot be read, or another process is removing the same
  }
}

let sweeping: Promise<void> | null = null

/** The same once for all sessions that ask for it meanwhile: each sweep holds the system's temp folder open. */
function sweepTogether(): Promise<void> {
  sweeping ??= removeStaleTempFolders().finally(() => {
    sweeping = null
  })
  return sweeping
}

/** Old folders are removed late, so that the first event of a session does not wait for it. */
const SWEEP_AFTER_MS = 50

/** A folder for one session's temp files that no other user can enter; made when the first file is. */
export class PrivateFolder {
  readonly #later: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined
  #folder: Promise<TempFolder> | undefined

  /** `isShortLived`: the session is over after one event, and removes old folders only where it makes one. */
  constructor({ isShortLived = false }: { readonly isShortLived?: boolean } = {}) {
    this.#later = isShortLived ? undefined : setTimeout(() => this.#sweep(), SWEEP_AFTER_MS).unref()
  }

  /** Makes a file that only its owner can read; null when the disk does not take it. */
  async create(extension: string, text: string): Promise<string | null> {
    this.#sweep()
    try {
      this.#folder ??= makeTempFolder()
      const file = join((await this.#folder).path, `${makeDraftEnding()}${extension}`)
      await writeFile(file, text, { mode: 0o600, flag: 'wx' })
      return file
    } catch {
      return null // full, or not writable
    }
  }

  async remove(): Promise<void> {
    clearTimeout(this.#later)
    await this.#sweeping
    const folder = await this.#folder?.catch(() => undefined) // the folder could not be made
    await folder?.remove()
  }

  #sweep(): void {
    this.#sweeping ??= sweepTogether()
  }
}

async function removeIfStale(name: string): Promise<void> {
  const { pid, start, place: itsPlace } = OWNED_FOLDER_NAME.exec(name)?.groups ?? {}
  if (pid === undefined || itsPlace !== findPlace() || (isAlive(Number(pid)) && readStartTime(pid) === start)) return
  const path = join(tmpdir(), name)
  const stats = await lstat(path)
  const isOurs = stats.isDirectory() && (process.getuid === undefined || isPrivate(stats, process.getuid()))
  if (isOurs) await rm(path, { recursive: true, force: true }).catch(() => {}) // removal follows no links
}

/** True for a folder of the user alone, where there are users and modes: the temp folder of Windows is the user's own. */
function isPrivate({ uid, mode }: Stats, user: number): boolean {
  return uid === user && (mode & 0o777) === 0o700
}

async function remove(path: string): Promise<void> {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    return // a hook still writes into it
  }
  folders.delete(path)
  if (folders.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const path of folders) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // the process is ending: there is no caller to tell
    }
  }
}

/** Reads when a process was started, in ticks of the system; 0 where it does not tell. */
function readStartTime(pid: string): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
  } catch {
    return '0'
  }
}

/** Names the place in which process numbers mean the same as here. */
function findPlace(): string {
  knownPlace ??= hashShort(readPlaceText())
  return knownPlace
}

function readPlaceText(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1') + readlinkSync('/proc/self/ns/pid')
  } catch {
    return hostname() // not on Linux
  }
}

/** Eight letters that tell texts apart (FNV-1a). What Node has for that takes a millisecond to load. */
function hashShort(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
