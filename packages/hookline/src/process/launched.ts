/** A process to run to its certain end. */
export interface ProcessSpec {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Everything it gets to read; then its input ends. */
  readonly input: Buffer
  /** The same as a string, where it is one: a launcher that can pass that on needs no bytes. */
  readonly inputText?: string
  /** Milliseconds from its start; null: no limit. */
  readonly timeoutMs: number | null
  /** Bytes kept of each stream; what comes after is read, counted and dropped. */
  readonly outputLimit: number
}

/** How a process was started: by a resident shell, or by this process itself. */
export type LaunchedBy = 'pool' | 'direct'

/** How a process ended by itself. */
export type Exit = { readonly code: number; readonly signal: null } | { readonly code: null; readonly signal: string }

export type OutputName = 'stdout' | 'stderr'

/** Gets what becomes of a process. Nothing is called before the start has returned. */
export interface LaunchListener {
  /** The chunk is used again afterwards: keep a copy. */
  wrote(output: OutputName, chunk: Buffer): void
  /** Takes back the end of an output, which the process did not write; whether it was there. */
  takeBack(output: OutputName, text: string): boolean
  /** No process holds one of its outputs any more. */
  closed(): void
  exited(exit: Exit): void
  /** The system did not start it. */
  failed(error: NodeJS.ErrnoException): void
  /** A resident shell did not start it: it has to be started directly. */
  refused(): void
}

/** A process that was started, as its owner sees and ends it. */
export interface Launched {
  readonly by: LaunchedBy
  /** The process group that it leads, when it is a child of this process. */
  readonly group?: number
  /** false: it waits to be started. */
  isStarted(): boolean
  /** Whether a process still holds its outputs; first reads what is there. */
  isHeld(): boolean
  /** Signals everything in its kernel session, in which no process of another hook is. */
  signal(signal: NodeJS.Signals): void
  /** Whether it has ended, and its session with it. */
  isGone(): boolean
  /** Lets go of it; called once, as the last thing. */
  release(): void
}

/** Starts a process. Throws what the system says when it cannot. */
export type Launch = (spec: ProcessSpec, listener: LaunchListener) => Launched

/** The two ways to start a process: the best one for it, or as a child of this process. */
export interface Launches {
  readonly launch: Launch
  readonly launchDirectly: Launch
}
