import { hasDescriptorsToSpare } from '../descriptors.ts'
import type { HeldProcess, LaunchedProcess, LaunchListener, ProcessSpec } from '../launched.ts'
import { askOnceInATurn } from '../once-in-a-turn.ts'
import type { OrphanGuard } from '../orphan-guard.ts'
import type { PipeStock } from '../pipe-stock.ts'
import { LeftBehind, type NumbersSince } from '../session-members.ts'
import { holdInShell, type ShellRelease, startInShell } from './hook-in-shell.ts'
import { type ResidentShell, startShell } from './resident-shell.ts'
import { isSmallEnough, makeEnvironmentPrefix } from './shell-line.ts'

/** In this process: those of a pool that is about to end count too. */
const MAX_SHELLS = 64
/** A shell is replaced by a fresh one after so many hooks. */
const MAX_HOOKS_PER_SHELL = 10_000
/** Shells of hooks that have ended are looked through by then, if others still run. */
const CLEAR_AFTER_MS = 5
/** The pause after a shell could not be started; it doubles each time. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000

let alive = 0

/** Environment that shells are started with; hooks of another environment or another user get other shells. */
interface Base {
  readonly env: NodeJS.ProcessEnv
  readonly user: string
  /** True for the environment of one engine, and for that one alone. */
  readonly isOfOne: boolean
}

/** A shell of the pool. */
interface PooledShell {
  readonly shell: ResidentShell
  readonly base: Base
  hooks: number
  /** The numbers that the system has given to processes since its latest hook began. */
  since: NumbersSince
}

/** The resident shells of this process. */
export class ShellPool {
  readonly #idle: PooledShell[] = []
  /** Free, but not looked through after their last hook: one look is for all, when no hook runs any more or a shell is needed. */
  readonly #toClear: PooledShell[] = []
  #isClearingSoon = false
  #clearLater: NodeJS.Timeout | undefined
  /** Number of hooks that run; interpreters that wait are not among them. */
  #running = 0
  readonly #alive = new Set<ResidentShell>()
  readonly #ending = new Set<Promise<void>>()
  #starting = 0
  #base: Base | undefined
  /** Prefixes that give commands their environments; null: the shells cannot. */
  #prefixes = new WeakMap<NodeJS.ProcessEnv, string | null>()
  readonly #guard: OrphanGuard
  readonly #stock: PipeStock
  /** True if several engines use it. */
  readonly #isShared: () => boolean
  readonly #leftBehind = new LeftBehind()
  #pauseMs = FIRST_PAUSE_MS
  #pausedUntil = 0
  #isClosed = false

  constructor({ guard, stock }: { guard: OrphanGuard; stock: PipeStock }, isShared: () => boolean) {
    this.#guard = guard
    this.#stock = stock
    this.#isShared = isShared
  }

  /** Number of shells there are, or will be in a moment. */
  get size(): number {
    return this.#alive.size + this.#starting
  }

  /** Starts a hook in a shell that is free; null when there is none for it. */
  launch(command: string, spec: ProcessSpec, listener: LaunchListener): LaunchedProcess | null {
    if (!this.#hasIdle()) return null
    const prefix = this.#findPrefix(spec.env)
    if (prefix === null) this.#startAfresh(spec.env)
    return this.#startInShell(prefix, (pooled) => {
      const released = this.#begin(pooled)
      return startInShell(pooled.shell, { spec, command, prefix: prefix ?? '', released }, listener)
    })
  }

  /** Starts a process in a shell that is free, ahead of its event; null when there is none for it. */
  hold(command: string, spec: ProcessSpec): HeldProcess | null {
    const prefix = this.#hasIdle() ? this.#findPrefix(spec.env) : null // no shell is started for what waits alone has
    return this.#startInShell(prefix, (pooled) => {
      pooled.since = this.#leftBehind.countFromNow()
      let takeBack = (isFree: boolean): void => this.#takeBack(pooled, isFree)
      const beginRun = (): void => {
        const release = this.#begin(pooled)
        takeBack = (isFree) => release({ isFree, hadNumber: false }) // the number was given when the process was started
      }
      const release = ({ isFree }: ShellRelease): void => takeBack(isFree)
      const job = { spec, command, prefix: prefix ?? '', released: release, begins: beginRun, isApart: true }
      return holdInShell(pooled.shell, job)
    })
  }

  #hasIdle(): boolean {
    if (this.#idle.length === 0) this.#clearShells()
    return this.#idle.length > 0
  }

  /** Starts something in a shell that is free and can give it its environment; null when there is none. */
  #startInShell<Started>(prefix: string | null, start: (pooled: PooledShell) => Started): Started | null {
    const pooled = prefix === null ? undefined : this.#idle.pop()
    if (pooled === undefined) return null
    const running = this.#running
    try {
      return start(pooled)
    } catch {
      this.#running = running
      this.#retire(pooled.shell) // no descriptor is left for its pipes
      return null
    }
  }

  /** Counts a hook that runs in a shell from now on; the answer is called when it has let go of that. */
  #begin(pooled: PooledShell): (release: ShellRelease) => void {
    const since = this.#leftBehind.countFromNow()
    pooled.since = since
    this.#running++
    return ({ isFree, hadNumber }) => {
      this.#running--
      if (hadNumber) since.ended++
      this.#takeBack(pooled, isFree)
    }
  }

  /** Starts one more shell for an environment; false when it cannot be, or need not. */
  async grow(env: NodeJS.ProcessEnv): Promise<boolean> {
    const now = performance.now()
    if (this.#isClosed || alive >= MAX_SHELLS || now < this.#pausedUntil || !hasDescriptorsToSpare()) return false
    if (this.#findPrefix(env) === null && !this.#startAfresh(env)) return false
    const base = this.#base
    if (base === undefined) return false
    this.#starting++
    alive++
    const since = this.#leftBehind.countFromNow()
    const shell = await startShell(base.env, () => this.#stock.wait())
    this.#starting--
    if (shell === null) {
      alive--
      this.#pausedUntil = now + this.#pauseMs
      this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS)
      return false
    }
    this.#pauseMs = FIRST_PAUSE_MS
    this.#leftBehind.checkNumbers(since, shell.pid)
    return this.#admit({ shell, base, hooks: 0, since })
  }

  /** Ends every shell; hooks that still run must have been ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#clearLater)
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
    if (!isFree || ++pooled.hooks >= MAX_HOOKS_PER_SHELL) this.#retire(pooled.shell)
    else this.#toClear.push(pooled)
    if (this.#toClear.length > 0) this.#clearShellsSoon()
  }

  /** Once the loop is free after the last hook; while others run, in a moment. */
  #clearShellsSoon(): void {
    if (this.#isClearingSoon) return
    if (this.#running > 0) {
      this.#clearLater ??= setTimeout(() => this.#clearShells(), CLEAR_AFTER_MS).unref()
      return
    }
    this.#isClearingSoon = true
    setImmediate(() => {
      this.#isClearingSoon = false
      this.#clearShells()
    })
  }

  #clearShells(): void {
    clearTimeout(this.#clearLater)
    this.#clearLater = undefined
    const waiting = this.#toClear.splice(0)
    if (waiting.length === 0) return
    const haveOthers = this.#leftBehind.listInhabited(
      waiting.map(({ shell, since }) => ({ session: shell.pid, since })),
    )
    for (const pooled of waiting) {
      const { shell, base } = pooled
      const isWanted = base === this.#base && !this.#isClosed && !shell.hasExited
      // a process left behind by a hook must not meet another hook in the session of their shell.
      if (isWanted && !haveOthers.has(shell.pid) && shell.pipes.reset()) this.#idle.push(pooled)
      else this.#retire(shell)
    }
  }

  #retire(shell: ResidentShell): void {
    const ending = shell.retire().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  #forget(pooled: PooledShell): void {
    alive--
    this.#alive.delete(pooled.shell)
    this.#guard.delete(pooled.shell.pid)
    const at = this.#idle.indexOf(pooled)
    if (at < 0) return // the shell runs a hook, or is about to be cleared
    this.#idle.splice(at, 1)
    this.#retire(pooled.shell)
  }

  /** Finds the prefix that gives a command its environment; null: no shell that is there can. Made once per event: its hooks share theirs. */
  #findPrefix(env: NodeJS.ProcessEnv): string | null {
    const base = this.#base
    if (base === undefined || base.user !== readCurrentUser() || (base.isOfOne && this.#isShared())) return null
    let prefix = this.#prefixes.get(env)
    if (prefix === undefined) {
      prefix = isSmallEnough(env) ? makeEnvironmentPrefix(base.env, env) : null
      this.#prefixes.set(env, prefix)
    }
    return prefix
  }

  /** Replaces the shells by such as can give this environment; false when none can. */
  #startAfresh(env: NodeJS.ProcessEnv): boolean {
    const base = this.#isShared() ? this.#chooseSharedBase(env) : { env, user: readCurrentUser(), isOfOne: true }
    if (!isSmallEnough(env) || makeEnvironmentPrefix(base.env, env) === null) return false
    for (const { shell } of this.#idle.splice(0)) this.#retire(shell)
    this.#base = base
    this.#prefixes = new WeakMap()
    return true
  }

  /**
   * Environment of shells of several engines: no more than the process itself, so that no hook finds in its shell what is another
   * session's, and only what all of them have alike, so that they do not take turns at replacing the shells.
   */
  #chooseSharedBase(env: NodeJS.ProcessEnv): Base {
    const user = readCurrentUser()
    const before = this.#base?.user === user && !this.#base.isOfOne ? this.#base.env : process.env
    return { env: findCommonPart(before, env), user, isOfOne: false }
  }
}

/** The variables that two environments have alike. */
function findCommonPart(one: NodeJS.ProcessEnv, other: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(one).filter(([name, value]) => value === other[name]))
}

/** A host that changes its user wants the hooks that follow to have the new one. */
const readCurrentUser = askOnceInATurn(() => `${process.geteuid?.()}:${process.getegid?.()}`)
