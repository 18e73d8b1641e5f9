import type { Launch, Launched, LaunchedBy, Launches, LaunchListener, ProcessSpec } from './launched.ts'
import { OrphanGuard } from './orphan-guard.ts'
import { PipeStock } from './pipe-stock.ts'
import { shellCommand } from './pool/shell-line.ts'
import type { ShellPool } from './pool/shell-pool.ts'
import { endLeftSessions, isSessionGone } from './session-members.ts'
import { IS_BUN } from './spawn-group.ts'
import { startDirectly, startWithPipes } from './start-directly.ts'

/** Which way hooks are started: `auto` uses resident shells once there are some, `pool` waits for them. */
export type LauncherChoice = (typeof LAUNCHER_CHOICES)[number]
export const LAUNCHER_CHOICES = ['auto', 'pool', 'direct'] as const

/** A session that lives on after a hook will have another one; for one that is over by then shells are a waste. */
const WARM_UP_MS = 50

/** Starts the hooks of one engine. */
export class Launcher implements Launches {
  readonly #choice: LauncherChoice
  #pool: ShellPool | undefined
  #running = 0
  #most = 0
  #warmUp: NodeJS.Timeout | undefined
  readonly #growing = new Set<Promise<boolean>>()
  readonly #guard = new OrphanGuard()
  readonly #stock = new PipeStock()
  /** Sessions whose leaders have ended, and which end with this. */
  readonly #left = new Set<number>()
  #isClosed = false

  constructor(choice: LauncherChoice) {
    this.#choice = process.platform === 'linux' && !IS_BUN ? choice : 'direct'
  }

  /** Starts a process in a resident shell if one is free and can, else as a child of this process. */
  readonly launch: Launch = (spec, listener) => {
    const command = this.#choice === 'direct' ? null : shellCommand(spec)
    if (command === null) return this.launchDirectly(spec, listener)
    return this.#counted(this.#start(command, spec, listener), spec.env)
  }

  /** Starts a process as a child of this one, with pipes where there are any to give. */
  readonly launchDirectly: Launch = (spec, listener) => this.#startDirectly(spec, listener, (one) => this.#watched(one))

  /** Starts processes as children of this one; what they leave behind in their session ends when this is closed. */
  get keepingSessions(): Launches {
    const launch: Launch = (spec, listener) =>
      this.#startDirectly(spec, listener, (one) => this.#watched(this.#keptAfterwards(one)))
    return { launch, launchDirectly: launch }
  }

  #startDirectly(spec: ProcessSpec, listener: LaunchListener, watched: (launched: Launched) => Launched): Launched {
    if (process.platform !== 'linux' || this.#isClosed) return watched(startDirectly(spec, listener))
    const pipes = this.#stock.take()
    if (pipes) return watched(startWithPipes(spec, listener, { pipes, stock: this.#stock }))
    return startLater('direct', listener, async (isReleased) => {
      const made = await this.#stock.wait()
      if (isReleased()) {
        if (made) this.#stock.giveBack(made)
        return null
      }
      if (made) return watched(startWithPipes(spec, listener, { pipes: made, stock: this.#stock }))
      return watched(startDirectly(spec, listener))
    })
  }

  /** Ends what it has started for hooks to come. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#warmUp)
    await Promise.all(this.#growing)
    await this.#pool?.close()
    await endLeftSessions(this.#left)
    await this.#guard.dismiss()
    this.#stock.close()
  }

  #start(command: string, spec: ProcessSpec, listener: LaunchListener): Launched {
    const launched = this.#pool?.launch(command, spec, listener)
    if (launched) return launched
    if (this.#choice === 'auto' || this.#isClosed) return this.launchDirectly(spec, listener)
    return startLater('pool', listener, async (isReleased) => {
      await this.#grow(spec.env)
      const started = isReleased() ? null : this.#pool?.launch(command, spec, listener)
      if (!started && !isReleased()) listener.refused()
      return started ?? null
    })
  }

  /** Has a child that runs for long ended with this process, when that is killed. */
  #watched(launched: Launched): Launched {
    const { group } = launched
    if (group === undefined) return launched
    const callOff = this.#guard.addSoon(group)
    const release = (): void => {
      callOff()
      this.#guard.delete(group)
      launched.release()
    }
    return { ...launched, release }
  }

  #keptAfterwards(launched: Launched): Launched {
    const { group } = launched
    if (group === undefined) return launched
    const release = (): void => {
      launched.release()
      if (this.#isClosed || isSessionGone(group)) return
      this.#left.add(group)
      this.#guard.leave(group)
    }
    return { ...launched, release }
  }

  /** Knows how many hooks run at a time: so many shells are of use. */
  #counted(launched: Launched, env: NodeJS.ProcessEnv): Launched {
    this.#running++
    this.#most = Math.max(this.#most, this.#running)
    const release = (): void => {
      this.#running--
      launched.release()
      if (this.#choice === 'auto' && launched.by === 'direct') this.#warmUpFor(env)
    }
    return { ...launched, release }
  }

  #warmUpFor(env: NodeJS.ProcessEnv): void {
    if (this.#warmUp !== undefined || this.#isClosed) return
    this.#warmUp = setTimeout(async () => {
      while (!this.#isClosed && (this.#pool?.size ?? 0) < this.#most && (await this.#grow(env))) {} // one after the other
      this.#warmUp = undefined
    }, WARM_UP_MS)
    this.#warmUp.unref()
  }

  #grow(env: NodeJS.ProcessEnv): Promise<boolean> {
    const growing = this.#poolFor()
      .then((pool) => pool.grow(env))
      .catch(() => false) // no descriptor was left to load it with, or to make its pipes
    this.#growing.add(growing)
    return growing.finally(() => this.#growing.delete(growing))
  }

  /** Loaded by the first session that lives long enough. */
  async #poolFor(): Promise<ShellPool> {
    const { ShellPool } = await import('./pool/shell-pool.ts')
    this.#pool ??= new ShellPool(this.#guard, this.#stock)
    return this.#pool
  }
}

/** A process that is started later; the listener hears of a start that fails, and none is made once it was released. */
function startLater(
  by: LaunchedBy,
  listener: LaunchListener,
  start: (isReleased: () => boolean) => Promise<Launched | null>,
): Launched {
  let started: Launched | null = null
  let isReleased = false
  void start(() => isReleased).then(
    (launched) => {
      started = launched
    },
    (error: NodeJS.ErrnoException) => listener.failed(error),
  )
  return {
    by,
    isStarted: () => started?.isStarted() ?? false,
    isHeld: () => started?.isHeld() ?? false,
    signal: (signal) => started?.signal(signal),
    isGone: () => started?.isGone() ?? true,
    release: () => {
      isReleased = true
      started?.release()
    },
  }
}
