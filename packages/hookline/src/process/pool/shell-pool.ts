import { availableParallelism } from 'node:os'
import { hasDescriptorsToSpare } from '../descriptors.ts'
import type { Launched, LaunchListener, ProcessSpec } from '../launched.ts'
import type { OrphanGuard } from '../orphan-guard.ts'
import type { PipeStock } from '../pipe-stock.ts'
import { LeftBehind } from '../session-members.ts'
import { startInShell } from './hook-in-shell.ts'
import { type ResidentShell, startShell } from './resident-shell.ts'
import { environmentPrefix, fitsBesideCommand } from './shell-line.ts'

/** As many as hooks run at a time, in the foreground and in the background. */
const MOST_SHELLS = 2 * Math.max(8, 2 * availableParallelism())
/** In this process, over all engines. */
const MOST_IN_ALL = 64
/** A shell is replaced by a fresh one after so many hooks. */
const MOST_HOOKS = 10_000
/** The pause after a shell could not be started; it doubles each time. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

let aliveInAll = 0

/** What shells are started with; hooks of another environment or another user get other shells. */
interface Base {
  readonly env: NodeJS.ProcessEnv
  readonly user: string
}

/** A shell of the pool. */
interface PooledShell {
  readonly shell: ResidentShell
  readonly base: Base
  hooks: number
  /** The number that the system had given to a process last when its latest hook began. */
  numberedAfter: number | null
}

/** The resident shells of one engine. */
export class ShellPool {
  readonly #idle: PooledShell[] = []
  /** Free, but not looked through after their last hook: that waits until the loop is free, or a shell is needed. */
  readonly #toClear: PooledShell[] = []
  readonly #alive = new Set<ResidentShell>()
  readonly #ending = new Set<Promise<void>>()
  #starting = 0
  #base: Base | undefined
  /** The user of this process, asked once until hooks are over. */
  #user: string | undefined
  #prefix: { readonly env: NodeJS.ProcessEnv; readonly text: string | null } | undefined
  readonly #guard: OrphanGuard
  readonly #stock: PipeStock
  readonly #leftBehind = new LeftBehind()
  #pauseMs = FIRST_PAUSE_MS
  #pausedUntil = 0
  #isClosed = false

  constructor(guard: OrphanGuard, stock: PipeStock) {
    this.#guard = guard
    this.#stock = stock
  }

  /** How many shells there are, or will be in a moment. */
  get size(): number {
    return this.#alive.size + this.#starting
  }

  /** Starts a hook in a shell that is free; null when there is none for it. */
  launch(command: string, spec: ProcessSpec, listener: LaunchListener): Launched | null {
    if (this.#idle.length === 0) this.#clearShells()
    if (this.#idle.length === 0) return null
    const prefix = this.#prefixFor(spec.env)
    if (prefix === null) this.#startAfresh(spec.env)
    const pooled = this.#idle.pop()
    if (prefix === null || pooled === undefined) return null
    const released = (isFree: boolean): void => this.#takeBack(pooled, isFree)
    pooled.numberedAfter = this.#leftBehind.lastNumber()
    try {
      return startInShell(pooled.shell, { spec, command, prefix, released }, listener)
    } catch {
      this.#retire(pooled.shell) // no descriptor is left for its pipes
      return null
    }
  }

  /** Starts one more shell for an environment; false when it cannot be, or need not. */
  async grow(env: NodeJS.ProcessEnv): Promise<boolean> {
    const now = performance.now()
    if (this.#isClosed || this.size >= MOST_SHELLS || aliveInAll >= MOST_IN_ALL || now < this.#pausedUntil) return false
    if (!fitsBesideCommand(env) || !hasDescriptorsToSpare()) return false
    if (this.#prefixFor(env) === null) this.#startAfresh(env)
    const base = this.#base
    if (base === undefined) return false
    this.#starting++
    aliveInAll++
    const shell = await startShell(base.env, () => this.#stock.wait())
    this.#starting--
    if (shell === null) {
      aliveInAll--
      this.#pausedUntil = now + this.#pauseMs
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
      return false
    }
    this.#pauseMs = FIRST_PAUSE_MS
    return this.#admit({ shell, base, hooks: 0, numberedAfter: shell.pid - 1 })
  }

  /** Ends every shell; hooks that still run must have been ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#clearShells()
    for (const { shell } of this.#idle.splice(0)) this.#retire(shell)
    while (this.#ending.size > 0) await Promise.all(this.#ending)
    this.#leftBehind.close()
  }

  /** A shell that the orphan guard does not watch is not used. */
  #admit(pooled: PooledShell): boolean {
    const { shell } = pooled
    this.#alive.add(shell)
    void shell.gone.then(() => this.#forget(pooled))
    const isWatched = this.#guard.add(shell.pid)
    this.#takeBack(pooled, isWatched)
    return isWatched
  }

  #takeBack(pooled: PooledShell, isFree: boolean): void {
    if (!isFree || ++pooled.hooks >= MOST_HOOKS) this.#retire(pooled.shell)
    else if (this.#toClear.push(pooled) === 1) setImmediate(() => this.#clearShells())
  }

  #clearShells(): void {
    this.#user = undefined
    const waiting = this.#toClear.splice(0)
    if (waiting.length === 0) return
    const first = Math.min(...waiting.map(({ numberedAfter }) => numberedAfter ?? Number.NaN))
    const sessions = new Set(waiting.map(({ shell }) => shell.pid))
    const haveOthers = this.#leftBehind.among(sessions, Number.isNaN(first) ? null : first)
    for (const pooled of waiting) {
      const { shell, base } = pooled
      const isWanted = base === this.#base && !this.#isClosed && !shell.hasExited
      // What a hook left behind must not meet another hook in the session of their shell.
      if (isWanted && !haveOthers.has(shell.pid) && shell.pipes.reset()) this.#idle.push(pooled)
      else this.#retire(shell)
    }
  }

  #retire(shell: ResidentShell): void {
    const ending = shell.retire().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  #forget(pooled: PooledShell): void {
    aliveInAll--
    this.#alive.delete(pooled.shell)
    this.#guard.delete(pooled.shell.pid)
    const at = this.#idle.indexOf(pooled)
    if (at < 0) return // it runs a hook, or is about to be cleared
    this.#idle.splice(at, 1)
    this.#retire(pooled.shell)
  }

  /** Once per event: its hooks share their environment. */
  #prefixFor(env: NodeJS.ProcessEnv): string | null {
    this.#user ??= currentUser()
    if (this.#base === undefined || this.#base.user !== this.#user) return null
    if (this.#prefix?.env !== env) this.#prefix = { env, text: environmentPrefix(this.#base.env, env) }
    return this.#prefix.text
  }

  #startAfresh(env: NodeJS.ProcessEnv): void {
    for (const { shell } of this.#idle.splice(0)) this.#retire(shell)
    this.#base = { env, user: currentUser() }
    this.#prefix = undefined
  }
}

/** A host that changes its user wants the hooks that follow to have the new one. */
function currentUser(): string {
  return `${process.geteuid?.()}:${process.getegid?.()}`
}
