import { setAlarm } from './alarm.ts'
import type { Launch, Launched, Launches, ProcessSpec, Witness } from './launched.ts'
import { shellCommand } from './shell-line.ts'
import type { ShellPool } from './shell-pool.ts'
import { startDirectly } from './start-directly.ts'
import { Wards } from './wards.ts'

/** Which way hooks are started: `auto` uses resident shells once there are some, `pool` waits for them. */
export type LauncherChoice = (typeof LAUNCHER_CHOICES)[number]
export const LAUNCHER_CHOICES = ['auto', 'pool', 'direct'] as const

/** A session that lives on after a hook will have another one; for one that is over by then shells are a waste. */
const WARM_UP_MS = 50
/** A hook that takes longer must be kept from outliving a host that is killed; others end by themselves. */
const WATCHED_AFTER_MS = 100

/** Starts the hooks of one engine. */
export class Launcher implements Launches {
  readonly #choice: LauncherChoice
  #pool: ShellPool | undefined
  #running = 0
  #most = 0
  #warmUp: NodeJS.Timeout | undefined
  readonly #growing = new Set<Promise<boolean>>()
  readonly #wards = new Wards()
  #isClosed = false

  constructor(choice: LauncherChoice) {
    this.#choice = process.platform === 'linux' ? choice : 'direct'
  }

  /** Starts a process in a resident shell if one is free and can, else as a child of this process. */
  readonly launch: Launch = (spec, witness) => {
    const command = this.#choice === 'direct' ? null : shellCommand(spec)
    if (command === null) return this.launchDirectly(spec, witness)
    return this.#counted(this.#start(command, spec, witness), spec.env)
  }

  /** Starts a process as a child of this one. */
  readonly launchDirectly: Launch = (spec, witness) => {
    const launched = startDirectly(spec, witness)
    const { group } = launched
    if (group === undefined) return launched
    const callOff = setAlarm(WATCHED_AFTER_MS, () => this.#wards.add(group))
    const release = (): void => {
      callOff()
      this.#wards.delete(group)
      launched.release()
    }
    return { ...launched, release }
  }

  /** Ends what it has started for hooks to come. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#warmUp)
    await Promise.all(this.#growing)
    await this.#pool?.close()
    await this.#wards.dismiss()
  }

  #start(command: string, spec: ProcessSpec, witness: Witness): Launched {
    const launched = this.#pool?.launch(command, spec, witness)
    if (launched) return launched
    if (this.#choice === 'auto' || this.#isClosed) return this.launchDirectly(spec, witness)
    return this.#startLater(command, spec, witness)
  }

  #startLater(command: string, spec: ProcessSpec, witness: Witness): Launched {
    let started: Launched | null | undefined
    let isReleased = false
    void this.#grow(spec.env).then(() => {
      if (isReleased) return
      started = this.#pool?.launch(command, spec, witness)
      if (!started) witness.refused()
    })
    return {
      by: 'pool',
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
    const { ShellPool } = await import('./shell-pool.ts')
    this.#pool ??= new ShellPool(this.#wards)
    return this.#pool
  }
}
