import { type FSWatcher, lstatSync, statSync, watch } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Change of a file. */
export interface FileChange {
  readonly path: string
  readonly event: 'add' | 'change' | 'unlink'
}

/** Several changes within this time are one. */
const TOGETHER_MS = 50

/** Files that are watched. */
interface WatchedPaths {
  /** The files, all absolute, whether they are there or not; asked again whenever something happens near them. */
  readonly list: () => readonly string[]
  /** Folders that say what is on the list. */
  readonly folders?: () => readonly string[]
  /** True if a file that is a link changes with what it leads to. */
  readonly follows?: (path: string) => boolean
}

/** Tells when files of a list appear, change or go; close it. It keeps no process alive. */
export class FileWatcher {
  readonly #watched: Required<WatchedPaths>
  readonly #onChanges: (changes: readonly FileChange[]) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** State of each file when it was last looked at; '': it was not there. */
  #seen = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(watched: WatchedPaths, onChanges: (changes: readonly FileChange[]) => void) {
    this.#watched = { folders: () => [], follows: () => true, ...watched }
    this.#onChanges = onChanges
    this.restart()
  }

  /** Takes the files as they are now for unchanged. */
  restart(): void {
    this.#seen = this.#readStamps()
    this.#arm()
  }

  /** Takes what happened since it was last asked; `onChanges` does not hear of it again. */
  take(): FileChange[] {
    const now = this.#readStamps()
    const isNew = (path: string): boolean => this.#watched.folders().some((folder) => path.startsWith(folder + sep))
    const changes = [...now].flatMap(([path, stamp]): FileChange[] => {
      const before = this.#seen.get(path) ?? (isNew(path) ? '' : stamp) // one that is asked for from now on has not changed
      if (before === stamp) return []
      if (before === '') return [{ path, event: 'add' }]
      return [{ path, event: stamp === '' ? 'unlink' : 'change' }]
    })
    const gone = [...this.#seen].flatMap(([path, stamp]): FileChange[] =>
      stamp !== '' && !now.has(path) ? [{ path, event: 'unlink' }] : [],
    )
    this.#seen = now
    return [...changes, ...gone]
  }

  #readStamps(): Map<string, string> {
    const { list, follows } = this.#watched
    return new Map(list().map((path) => [path, stampFile(path, follows(path) ? statSync : lstatSync)]))
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  /** Watches the folders that the files lie in, or are going to: the nearest that is there. */
  #arm(): void {
    const own = [...this.#seen.keys()].map((path) => dirname(path))
    const folders = new Set([...own, ...this.#watched.folders()].map(findNearestFolder))
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder)
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#isRelevant(folder, name) && this.#look())
      watcher.on('error', () => this.#forget(folder)) // the folder is gone
      this.#watchers.set(folder, watcher)
    } catch {
      // gone since it was looked for, or the system watches as much as it can: events still make it look
    }
  }

  /** True if something of this name leads to what is watched: a folder may hold much else. */
  #isRelevant(folder: string, name: string | null): boolean {
    if (name === null) return true
    const place = join(folder, name)
    const isLeading = (path: string): boolean => path === place || path.startsWith(place + sep)
    return (
      [...this.#seen.keys()].some(isLeading) ||
      this.#watched.folders().some((each) => isLeading(each) || each === folder)
    )
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
    this.#look()
  }

  #look(): void {
    if (this.#closed || this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      const changes = this.take()
      this.#arm()
      if (changes.length > 0) this.#onChanges(changes)
    }, TOGETHER_MS)
    this.#timer.unref()
  }
}

function stampFile(path: string, look: typeof statSync): string {
  const stats = look(path, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
}

function findNearestFolder(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() || dirname(folder) === folder ? folder : findNearestFolder(dirname(folder))
}
