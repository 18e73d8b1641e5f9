import { VERSION } from '../text/version.ts'
import type { HookPipes } from './hook-pipes.ts'
import type { HeldProcess, Launch, LaunchedProcess, Launches, LaunchListener, ProcessSpec } from './launched.ts'
import { OrphanGuard } from './orphan-guard.ts'
import { PipeStock } from './pipe-stock.ts'
import { makeShellCommand } from './pool/shell-line.ts'
import type { ShellPool } from './pool/shell-pool.ts'
import { RunningProcess } from './process.ts'
import { endLeftSessions, isSessionGone } from './session-members.ts'
import { IS_DENO, IS_NODE } from './spawn-group.ts'
import { holdWithPipes, startDirectly, startLater, startWithPipes } from './start-directly.ts'
import type { WarmStarts } from './warm/warm-starts.ts'

/** Way in which hooks are started: `auto` uses resident shells once there are some, `pool` waits for them. */
export type LauncherChoice = (typeof LAUNCHER_CHOICES)[number]
export const LAUNCHER_CHOICES = ['auto', 'pool', 'direct'] as const

/** True if interpreters of hooks are started ahead: `auto` uses one that is ready, `on` waits for it from the first hook on. */
export type WarmChoice = (typeof WARM_CHOICES)[number]
export const WARM_CHOICES = ['auto', 'off', 'on'] as const

/** Starts the hooks of an engine. */
export interface HookLauncher {
  /** Starts a process, at once or as soon as there is what it takes. */
  start(spec: ProcessSpec): RunningProcess | Promise<RunningProcess>
  /** Ends the interpreters that wait: what their hooks are may have changed. */
  dropWaiting(): void
  /** Ends what was started for hooks to come. */
  close(): Promise<void>
}

/** A session that lives on after a hook may run it again; for one that is over by then an interpreter is a waste. */
const WARM_AFTER_MS = 50

/** Starts the hooks of one engine, with what all engines of the process share. */
export class Launcher implements Launches, HookLauncher {
  readonly #choice: LauncherChoice
  #shared: SharedLaunchers | undefined
  /** Sessions whose leaders have ended, and which end with this. */
  readonly #left = new Set<number>()
  readonly #warmth: WarmChoice
  #warm: WarmStarts | undefined
  #warmUp: NodeJS.Timeout | undefined
  /** Processes that ran before there was anything to start interpreters with. */
  readonly #firstWanted: ProcessSpec[] = []
  /** Launcher that keeps the interpreters: this one, unless another outlives it. */
  readonly #keeper: Launcher
  #isClosed = false

  /** `keeper`: a launcher of the same process that outlives this one, and keeps interpreters for the engines to come. */
  constructor(
    choice: LauncherChoice,
    { warm = 'off', keeper }: { readonly warm?: WarmChoice; readonly keeper?: Launcher | undefined } = {},
  ) {
    const canChoose = process.platform === 'linux' && IS_NODE
    this.#choice = canChoose ? choice : 'direct'
    this.#warmth = canChoose ? warm : 'off'
    this.#keeper = keeper ?? this
  }

  start(spec: ProcessSpec): RunningProcess {
    return new RunningProcess(spec, this)
  }

  /** Starts a process in an interpreter that waits for it, in a resident shell if one is free and can, else as a child of this process. */
  readonly launch: Launch = (spec, listener) => {
    if (this.#warmth === 'off' || spec.recurring === undefined || this.#isClosed)
      return this.#launchCold(spec, listener)
    const warm = this.#keeper.#warm
    if (this.#warmth === 'on' || warm?.isComing(spec)) return this.#launchWarm(spec, listener)
    return this.#keepWarm(warm?.take(spec, listener) ?? this.#launchCold(spec, listener), spec)
  }

  /**
   * Runs a process in an interpreter that waits for it, or will in a moment; null where there is none. One is started for the
   * next run either way.
   */
  async runWarm(spec: ProcessSpec): Promise<RunningProcess | null> {
    const warm = await this.#warmStarts()
    if (warm?.isComing(spec)) await warm.claim(spec)
    let launched: LaunchedProcess | null = null
    const launch: Launch = (one, listener) => {
      launched = warm?.take(one, listener) ?? null
      if (launched === null) throw new Error('no interpreter waits')
      return this.#keepWarm(launched, one)
    }
    const running = new RunningProcess(spec, { launch, launchDirectly: this.launchDirectly })
    if (launched !== null) return running
    this.#want(omitInput(spec))
    return null
  }

  /** Ends the interpreters that wait: what their hooks are may have changed. */
  dropWaiting(): void {
    this.#keeper.#warm?.dropAll()
  }

  #launchCold(spec: ProcessSpec, listener: LaunchListener): LaunchedProcess {
    const command = this.#choice === 'direct' ? null : makeShellCommand(spec)
    const shared = this.#shared ?? this.#share()
    if (command === null || shared === undefined) return this.launchDirectly(spec, listener)
    const launched = shared.pool?.launch(command, spec, listener)
    if (launched) return this.#countRunning(launched, { env: spec.env, shared })
    const started =
      this.#choice === 'auto'
        ? this.launchDirectly(spec, listener)
        : this.#launchInPool(command, spec, { listener, shared })
    return this.#countRunning(started, { env: spec.env, shared })
  }

  /** Starts a process as a child of this one, with pipes where there are any to give. */
  readonly launchDirectly: Launch = (spec, listener) => this.#startDirectly(spec, listener, { keepsSession: false })

  /** Starts processes as children of this one; what they leave behind in their session ends when this is closed. */
  get keepingSessions(): Launches {
    const launch: Launch = (spec, listener) => this.#startDirectly(spec, listener, { keepsSession: true })
    return { launch, launchDirectly: launch }
  }

  /** Ends what it has started for hooks to come, but for what other engines use. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#warmUp)
    await this.#warm?.close()
    const shared = this.#shared
    this.#shared = undefined
    await endLeftSessions(this.#left)
    for (const group of this.#left) shared?.guard.delete(group)
    await shared?.release(this)
  }

  /** From the first start on; undefined once this is closed. */
  #share(): SharedLaunchers | undefined {
    if (!this.#isClosed) this.#shared ??= shareLaunching(this)
    return this.#shared
  }

  /** Has the interpreter of the next run started once this one is over. */
  #keepWarm(launched: LaunchedProcess, spec: ProcessSpec): LaunchedProcess {
    const { release } = launched
    launched.release = () => {
      release()
      if (!this.#isClosed) this.#keeper.#want(omitInput(spec))
    }
    return launched
  }

  /** Has an interpreter started for the next run of a hook. */
  #want(next: ProcessSpec): void {
    if (this.#warm !== undefined) {
      this.#warm.want(next)
      return
    }
    this.#firstWanted.push(next)
    this.#warmUp ??= setTimeout(() => void this.#wantFirst(), WARM_AFTER_MS).unref()
  }

  async #wantFirst(): Promise<void> {
    const warm = await this.#warmStarts()
    for (const spec of this.#firstWanted.splice(0)) warm?.want(spec)
  }

  /** Waits for an interpreter: for one that is started for this run, or is on its way already. */
  #launchWarm(spec: ProcessSpec, listener: LaunchListener): LaunchedProcess {
    const launched = startLater('warm', listener, async (isReleased) => {
      if (this.#warmth === 'on') await (await this.#keeper.#warmStarts())?.prepareInterpreter(omitInput(spec))
      else await this.#keeper.#warm?.claim(spec)
      if (isReleased()) return null
      return this.#keeper.#warm?.take(spec, listener) ?? this.#launchCold(spec, listener)
    })
    return this.#warmth === 'on' ? launched : this.#keepWarm(launched, spec)
  }

  /** Loaded by the first session that lives long enough; undefined once this is closed, or where no descriptor is left to load it. */
  async #warmStarts(): Promise<WarmStarts | undefined> {
    const loaded = await import('./warm/warm-starts.ts').catch(() => null)
    if (!this.#isClosed && loaded !== null)
      this.#warm ??= new loaded.WarmStarts((spec, env) => this.#hold({ ...spec, env }, spec.env))
    return this.#warm
  }

  /** Starts a program ahead of its event, in a resident shell if it can be, and there in place of its own shell. */
  async #hold(spec: ProcessSpec, env: NodeJS.ProcessEnv): Promise<HeldProcess | null> {
    const shared = this.#share()
    const command = this.#choice === 'direct' ? null : makeShellCommand(spec)
    if (shared === undefined) return null
    if (command !== null) {
      const program = `exec ${command}` // a shell of its own may stay, and hold the outputs until the program is gone
      const held = shared.pool?.hold(program, spec) ?? ((await shared.grow(env)) && shared.pool?.hold(program, spec))
      if (held) return held
    }
    const pipes = shared.stock.take() ?? (await shared.stock.wait())
    if (pipes === null) return null
    const releaseGroup = (group: number | undefined): void => void (group !== undefined && shared.guard.delete(group))
    const held = holdWithPipes(spec, { pipes, stock: shared.stock, over: releaseGroup })
    if (held === null) return null
    shared.guard.add(held.leader)
    return {
      ...held,
      get hasEnded() {
        return held.hasEnded
      },
      begin: (...given) => this.#guardAgainstKill(held.begin(...given)),
    }
  }

  #startDirectly(
    spec: ProcessSpec,
    listener: LaunchListener,
    keeping: { readonly keepsSession: boolean },
  ): LaunchedProcess {
    const shared = this.#shared ?? this.#share()
    const stock = shared?.stock
    const isSmall = this.#choice === 'direct' && process.platform !== 'win32' // a fork of a large host takes long
    if (isSmall) shared?.guard.prepare() // or a kill right after the start would leave the hook
    if (process.platform !== 'linux' || IS_DENO || stock === undefined)
      return this.#guardAgainstKill(startDirectly(spec, listener), keeping)
    const startPiped = (pipes: HookPipes): LaunchedProcess => {
      if (isSmall) shared?.guard.expect(pipes.outputName)
      return this.#guardAgainstKill(startWithPipes(spec, listener, { pipes, stock }), keeping)
    }
    const pipes = stock.take()
    if (pipes) return startPiped(pipes)
    return startLater('direct', listener, async (isReleased) => {
      const made = await stock.wait()
      if (isReleased()) {
        if (made) stock.giveBack(made)
        return null
      }
      if (made) return startPiped(made)
      return this.#guardAgainstKill(startDirectly(spec, listener), keeping)
    })
  }

  /** Waits for a shell of the pool. */
  #launchInPool(
    command: string,
    spec: ProcessSpec,
    { listener, shared }: { listener: LaunchListener; shared: SharedLaunchers },
  ): LaunchedProcess {
    return startLater('pool', listener, async (isReleased) => {
      await shared.grow(spec.env)
      const started = isReleased() ? null : shared.pool?.launch(command, spec, listener)
      if (!started && !isReleased()) listener.refused()
      return started ?? null
    })
  }

  /** Has a child ended with this process, when that is killed. */
  #guardAgainstKill(started: LaunchedProcess, { keepsSession } = { keepsSession: false }): LaunchedProcess {
    const launched = keepsSession ? this.#keepPipes(started) : started
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

  #keepPipes(launched: LaunchedProcess): LaunchedProcess {
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

  #countRunning(
    launched: LaunchedProcess,
    { env, shared }: { env: NodeJS.ProcessEnv; shared: SharedLaunchers },
  ): LaunchedProcess {
    shared.countRunning(1)
    const { release } = launched
    launched.release = () => {
      shared.countRunning(-1)
      release()
      if (this.#choice === 'auto' && launched.by === 'direct' && !this.#isClosed) shared.warmUpFor(env)
    }
    return launched
  }
}

/** A process without what it reads at one run. */
function omitInput({ file, args, cwd, env, timeoutMs, outputLimit, recurring }: ProcessSpec): ProcessSpec {
  return { file, args, cwd, env, timeoutMs, outputLimit, recurring, input: NO_INPUT }
}

const NO_INPUT = Buffer.alloc(0)

/** A session that lives on after a hook will have another one; for one that is over by then shells are a waste. */
const WARM_UP_MS = 50
const MAX_SPARE_SHELLS = 8

/**
 * Launching that all engines of this process share: one pool of shells, one orphan guard, one stock of pipes, however
 * many sessions there are. It ends with the last engine that uses it.
 */
class SharedLaunchers {
  readonly guard = new OrphanGuard()
  readonly stock = new PipeStock()
  readonly #users = new Set<object>()
  /** The pool, when there is one. */
  pool: ShellPool | undefined
  #running = 0
  #most = 0
  #warmUp: NodeJS.Timeout | undefined
  readonly #growing = new Set<Promise<boolean>>()
  #isClosed = false

  /** Use `shareLaunching`. */
  add(user: object): void {
    this.#users.add(user)
  }

  /** Lets a user go. The last one waits until everything that was started for hooks to come has ended. */
  async release(user: object): Promise<void> {
    if (!this.#users.delete(user) || this.#users.size > 0) return
    if (shared[LAUNCHING_KEY] === this) delete shared[LAUNCHING_KEY] // engines that open now get another one
    this.#isClosed = true
    clearTimeout(this.#warmUp)
    await Promise.all(this.#growing)
    await this.pool?.close()
    await this.guard.dismiss()
    this.stock.close()
  }

  /** Counts the hooks that run at a time: so many shells are of use. */
  countRunning(more: 1 | -1): void {
    this.#running += more
    this.#most = Math.max(this.#most, this.#running)
  }

  /** Has shells started for the hooks that will follow, unless the process is over by then. */
  warmUpFor(env: NodeJS.ProcessEnv): void {
    if (this.#warmUp !== undefined || this.#isClosed) return
    this.#warmUp = setTimeout(async () => {
      while (!this.#isClosed && (this.pool?.size ?? 0) < this.#countUseful() && (await this.grow(env))) {} // one after the other
      this.#warmUp = undefined
    }, WARM_UP_MS)
    this.#warmUp.unref()
  }

  /** Number of shells that are of use: one for each hook that runs at a time, and as many whose last hooks can be looked after at once. */
  #countUseful(): number {
    return this.#most === 1 ? 1 : this.#most + Math.min(this.#most, MAX_SPARE_SHELLS)
  }

  /** Starts one more shell; false when it cannot be, or need not. */
  grow(env: NodeJS.ProcessEnv): Promise<boolean> {
    const growing = this.#poolFor()
      .then((pool) => pool.grow(env))
      .catch(() => false) // no descriptor was left to load it with, or to make its pipes
    this.#growing.add(growing)
    return growing.finally(() => this.#growing.delete(growing))
  }

  /** Loaded by the first session that lives long enough. */
  async #poolFor(): Promise<ShellPool> {
    const { ShellPool } = await import('./pool/shell-pool.ts')
    this.pool ??= new ShellPool(this, () => this.#users.size > 1)
    return this.pool
  }
}

/** A process may have loaded this package twice, as a module and in a bundle: copies of one version share it all the same. */
const LAUNCHING_KEY = Symbol.for(`hookline launching ${VERSION}`)
const shared = globalThis as { [LAUNCHING_KEY]?: SharedLaunchers } // nothing else has this symbol

/** Shares what engines of this process have in common with one more of them; it has to be released. */
function shareLaunching(user: object): SharedLaunchers {
  shared[LAUNCHING_KEY] ??= new SharedLaunchers()
  shared[LAUNCHING_KEY].add(user)
  return shared[LAUNCHING_KEY]
}
