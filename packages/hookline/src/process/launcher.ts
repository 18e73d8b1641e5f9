import type { Launch, Launched, LaunchedBy, Launches, LaunchListener, ProcessSpec } from './launched.ts'
import { shellCommand } from './pool/shell-line.ts'
import { endLeftSessions, isSessionGone } from './session-members.ts'
import { type SharedLaunching, shareLaunching } from './shared-launching.ts'
import { IS_BUN } from './spawn-group.ts'
import { startDirectly, startWithPipes } from './start-directly.ts'

/** Which way hooks are started: `auto` uses resident shells once there are some, `pool` waits for them. */
export type LauncherChoice = (typeof LAUNCHER_CHOICES)[number]
export const LAUNCHER_CHOICES = ['auto', 'pool', 'direct'] as const

/** Starts the hooks of one engine, with what all engines of the process share. */
export class Launcher implements Launches {
  readonly #choice: LauncherChoice
  #shared: SharedLaunching | undefined
  /** Sessions whose leaders have ended, and which end with this. */
  readonly #left = new Set<number>()
  #isClosed = false

  constructor(choice: LauncherChoice) {
    this.#choice = process.platform === 'linux' && !IS_BUN ? choice : 'direct'
  }

  /** Starts a process in a resident shell if one is free and can, else as a child of this process. */
  readonly launch: Launch = (spec, listener) => {
    const command = this.#choice === 'direct' ? null : shellCommand(spec)
    const shared = this.#share()
    if (command === null || shared === undefined) return this.launchDirectly(spec, listener)
    return this.#counted(this.#start(command, spec, { listener, shared }), { env: spec.env, shared })
  }

  /** Starts a process as a child of this one, with pipes where there are any to give. */
  readonly launchDirectly: Launch = (spec, listener) => this.#startDirectly(spec, listener, (one) => this.#watched(one))

  /** Starts processes as children of this one; what they leave behind in their session ends when this is closed. */
  get keepingSessions(): Launches {
    const launch: Launch = (spec, listener) =>
      this.#startDirectly(spec, listener, (one) => this.#watched(this.#keptAfterwards(one)))
    return { launch, launchDirectly: launch }
  }

  /** Ends what it has started for hooks to come, but for what other engines use. */
  async close(): Promise<void> {
    this.#isClosed = true
    const shared = this.#shared
    this.#shared = undefined
    await endLeftSessions(this.#left)
    for (const group of this.#left) shared?.guard.delete(group)
    await shared?.release(this)
  }

  /** From the first start on; undefined once this is closed. */
  #share(): SharedLaunching | undefined {
    if (!this.#isClosed) this.#shared ??= shareLaunching(this)
    return this.#shared
  }

  #startDirectly(spec: ProcessSpec, listener: LaunchListener, watched: (launched: Launched) => Launched): Launched {
    const stock = this.#share()?.stock
    if (process.platform !== 'linux' || stock === undefined) return watched(startDirectly(spec, listener))
    const pipes = stock.take()
    if (pipes) return watched(startWithPipes(spec, listener, { pipes, stock }))
    return startLater('direct', listener, async (isReleased) => {
      const made = await stock.wait()
      if (isReleased()) {
        if (made) stock.giveBack(made)
        return null
      }
      if (made) return watched(startWithPipes(spec, listener, { pipes: made, stock }))
      return watched(startDirectly(spec, listener))
    })
  }

  #start(
    command: string,
    spec: ProcessSpec,
    { listener, shared }: { listener: LaunchListener; shared: SharedLaunching },
  ): Launched {
    const launched = shared.pool?.launch(command, spec, listener)
    if (launched) return launched
    if (this.#choice === 'auto') return this.launchDirectly(spec, listener)
    return startLater('pool', listener, async (isReleased) => {
      await shared.grow(spec.env)
      const started = isReleased() ? null : shared.pool?.launch(command, spec, listener)
      if (!started && !isReleased()) listener.refused()
      return started ?? null
    })
  }

  /** Has a child that runs for long ended with this process, when that is killed. */
  #watched(launched: Launched): Launched {
    const { group } = launched
    const guard = this.#shared?.guard
    if (group === undefined || guard === undefined) return launched
    const callOff = guard.addSoon(group)
    const release = (): void => {
      callOff()
      guard.delete(group)
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
      this.#shared?.guard.leave(group)
    }
    return { ...launched, release }
  }

  #counted(launched: Launched, { env, shared }: { env: NodeJS.ProcessEnv; shared: SharedLaunching }): Launched {
    shared.noteStart()
    const release = (): void => {
      shared.noteEnd()
      launched.release()
      if (this.#choice === 'auto' && launched.by === 'direct' && !this.#isClosed) shared.warmUpFor(env)
    }
    return { ...launched, release }
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
