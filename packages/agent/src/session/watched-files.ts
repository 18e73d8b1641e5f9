import { resolve } from 'node:path'
import { fire } from '../hooks/fire.ts'
import type { Loop } from '../turn/loop-state.ts'
import { type FileChange, FileWatcher } from './file-watcher.ts'

/** Files that are watched at once. */
const MAX_WATCHED_FILES = 1000

/** Tells FileChanged hooks of the files that their matchers name, and of those that hooks asked for; close it. */
export class WatchedFiles {
  readonly #loop: Loop
  readonly #watcher: FileWatcher
  /** Paths that hooks asked for last. */
  #asked: readonly string[] = []

  constructor(loop: Loop) {
    this.#loop = loop
    this.#watcher = new FileWatcher({ list: () => this.#listPaths() }, (changes) =>
      loop.session.inBackground(this.#tell(changes)),
    )
  }

  /** Watches these, in place of those that hooks asked for before. */
  watch(paths: readonly string[]): void {
    this.#asked = paths.map((path) => resolve(this.#loop.cwd, path))
    this.#watcher.restart()
  }

  /** The folder that the names of matchers count from has changed. */
  noteMove(): void {
    this.#watcher.restart()
  }

  close(): void {
    this.#watcher.close()
  }

  /** The names of a matcher are taken literally here, also where it is a pattern. */
  #listPaths(): string[] {
    const { session, cwd } = this.#loop
    const named = session.engine
      .list()
      .filter(({ hook, standing }) => hook.event === 'FileChanged' && standing.verdict === 'active')
      .flatMap(({ hook }) => (hook.matcherText ?? '').split('|'))
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== '*')
    return [...new Set([...named.map((name) => resolve(cwd, name)), ...this.#asked])].slice(0, MAX_WATCHED_FILES)
  }

  async #tell(changes: readonly FileChange[]): Promise<void> {
    const { closing } = this.#loop.session
    for (const { path, event } of changes) {
      if (closing.aborted) return
      const { decision } = await fire(this.#loop, 'FileChanged', { file_path: path, event }, { signal: closing })
      if (decision.watchPaths) this.watch(decision.watchPaths)
    }
  }
}
