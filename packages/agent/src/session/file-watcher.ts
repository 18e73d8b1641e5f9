import { type FSWatcher, lstatSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** What happened to a file. */
export interface FileChange {
  readonly path: string
  readonly event: 'add' | 'change' | 'unlink'
}

/** Several changes within this time are one. */
const TOGETHER_MS = 50

/** Tells when files of a list appear, change or go; close it. It keeps no process alive. */
export class FileWatcher {
  readonly #list: () => readonly string[]
  readonly #follows: (path: string) => boolean
  readonly #onChanges: (changes: readonly FileChange[]) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** How each file was when it was last looked at; '': it was not there. */
  #seen = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null
  #closed = false

  /**
   * `list`: the files, all absolute; asked again whenever something happens near them. `follows`: whether one that is a link
   * changes with what it leads to.
   */
  constructor(
    {
      list,
      follows = () => true,
    }: { readonly list: () => readonly string[]; readonly follows?: (path: string) => boolean },
    onChanges: (changes: readonly FileChange[]) => void,
  ) {
    this.#list = list
    this.#follows = follows
    this.#onChanges = onChanges
    this.restart()
  }

  /** Takes the files as they are now for unchanged. */
  restart(): void {
    this.#seen = this.#stamps()
    this.#arm()
  }

  /** What happened since it was last asked; `onChanges` does not hear of it again. */
  take(): FileChange[] {
    const now = this.#stamps()
    const changes = [...now].flatMap(([path, stamp]): FileChange[] => {
      const before = this.#seen.get(path) ?? ''
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

  #stamps(): Map<string, string> {
    return new Map(this.#list().map((path) => [path, stampOf(path, this.#follows(path) ? statSync : lstatSync)]))
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  /** Watches the folders that the files lie in, or are going to: the nearest that is there. */
  #arm(): void {
    const folders = new Set([...this.#seen.keys()].map((path) => nearestFolder(dirname(path))))
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder)
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#look())
      watcher.on('error', () => this.#forget(folder)) // the folder is gone
      this.#watchers.set(folder, watcher)
    } catch {
      // gone since it was looked for, or the system watches as much as it can: events still make it look
    }
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

function stampOf(path: string, look: typeof statSync): string {
  const stats = look(path, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
}

function nearestFolder(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}
