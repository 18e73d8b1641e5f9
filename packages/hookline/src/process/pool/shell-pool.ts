import { availableParallelism } from 'node:os'
import { hasDescriptorsToSpare } from '../descriptors.ts'
import type { Launched, ProcessSpec, Witness } from '../launched.ts'
import type { OrphanGuard } from '../orphan-guard.ts'
import type { PipeStock } from '../pipe-stock.ts'
import { LeftBehind } from '../session-members.ts'
import { startInShell } from './hook-in-shell.ts'
import { type ResidentShell, startShell } from './resident-shell.ts'
import { environmentPrefix, fitsBesideCommand } from './shell-line.ts'

/** As many as hooks run at a time, in the foreground and in the background. */
const MOST_SHELLS = 2 * Math.max(8, 2 * availableParallelism())
/** In this process, whoever they work for. */
const MOST_IN_ALL = 64
/** A shell is replaced by a fresh one after so many hooks. */
const MOST_HOOKS = 10_000
/** After a shell could not be started nobody tries again for so long; it doubles each time. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

let aliveInAll = 0

/** What shells are started with; hooks of another environment or another user get other shells. */
interface Base {
  readonly env: NodeJS.ProcessEnv
  readonly user: string
}

interface Place {
  readonly shell: ResidentShell
  readonly base: Base
  hooks: number
  /** The number that the system had given to a process last when its latest hook began. */
  numberedAfter: number | null
}

/** The resident shells of one engine. */
export class ShellPool {
  readonly #idle: Place[] = []
  /** Free, but with the pipes of the last hook still to be cleared: that can wait until nobody else does. */
  readonly #resting: Place[] = []
  readonly #alive = new Set<ResidentShell>()
  readonly #ending = new Set<Promise<void>>()
  #starting = 0
  #base: Base | undefined
  /** Who this process is, until hooks rest. */
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
  launch(command: string, spec: ProcessSpec, witness: Witness): Launched | null {
    if (this.#idle.length === 0) this.#clearResting()
    if (this.#idle.length === 0) return null
    const prefix = this.#prefixFor(spec.env)
    if (prefix === null) this.#startAfresh(spec.env)
    const place = this.#idle.pop()
    if (prefix === null || place === undefined) return null
    const released = (isFree: boolean): void => this.#takeBack(place, isFree)
    place.numberedAfter = this.#leftBehind.lastNumber()
    try {
      return startInShell(place.shell, { spec, command, prefix, released }, witness)
    } catch {
      this.#retire(place.shell) // no descriptor is left for its pipes
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
    this.#clearResting()
    for (const { shell } of this.#idle.splice(0)) this.#retire(shell)
    while (this.#ending.size > 0) await Promise.all(this.#ending)
    this.#leftBehind.close()
  }

  /** Without somebody who watches over it, a shell is not used. */
  #admit(place: Place): boolean {
    const { shell } = place
    this.#alive.add(shell)
    void shell.gone.then(() => this.#forget(place))
    const isWatched = this.#guard.add(shell.pid)
    this.#takeBack(place, isWatched)
    return isWatched
  }

  #takeBack(place: Place, isFree: boolean): void {
    if (!isFree || ++place.hooks >= MOST_HOOKS) this.#retire(place.shell)
    else if (this.#resting.push(place) === 1) setImmediate(() => this.#clearResting())
  }

  #clearResting(): void {
    this.#user = undefined
    const resting = this.#resting.splice(0)
    if (resting.length === 0) return
    const first = Math.min(...resting.map(({ numberedAfter }) => numberedAfter ?? Number.NaN))
    const sessions = new Set(resting.map(({ shell }) => shell.pid))
    const haveOthers = this.#leftBehind.among(sessions, Number.isNaN(first) ? null : first)
    for (const place of resting) {
      const { shell, base } = place
      const isWanted = base === this.#base && !this.#isClosed && !shell.hasExited
      // What a hook left behind must not meet another hook in the session of their shell.
      if (isWanted && !haveOthers.has(shell.pid) && shell.pipes.reset()) this.#idle.push(place)
      else this.#retire(shell)
    }
  }

  #retire(shell: ResidentShell): void {
    const ending = shell.retire().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  #forget(place: Place): void {
    aliveInAll--
    this.#alive.delete(place.shell)
    this.#guard.delete(place.shell.pid)
    const at = this.#idle.indexOf(place)
    if (at < 0) return // its hook, or nobody, has it
    this.#idle.splice(at, 1)
    this.#retire(place.shell)
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

/** A host that becomes somebody else does not want its hooks to stay who it was. */
function currentUser(): string {
  return `${process.geteuid?.()}:${process.getegid?.()}`
}
