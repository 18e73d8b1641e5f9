/** A process to run to its certain end. */
export interface ProcessSpec {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Everything it gets to read; then its input ends. */
  readonly input: Buffer
  /** The same as text, where it is one: whoever can pass that on needs no bytes. */
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

/** Who is told what becomes of a process. Nothing is told before the start has returned. */
export interface Witness {
  /** The chunk is used again afterwards: keep a copy. */
  wrote(output: OutputName, chunk: Buffer): void
  /** Takes back the end of an output, which the process did not write; whether it was there. */
  takeBack(output: OutputName, text: string): boolean
  /** Nobody holds one of its outputs any more. */
  closed(): void
  exited(exit: Exit): void
  /** The system did not start it. */
  failed(error: NodeJS.ErrnoException): void
  /** A resident shell did not start it: somebody else must. */
  refused(): void
}

/** A process that was started, seen from whoever ends it. */
export interface Launched {
  readonly by: LaunchedBy
  /** The process group that it leads, when it is a child of this process. */
  readonly group?: number
  /** false: it waits to be started. */
  isStarted(): boolean
  /** Whether somebody holds its outputs; first reads what is there. */
  isHeld(): boolean
  /** Signals everything in its kernel session, in which nobody of another hook is. */
  signal(signal: NodeJS.Signals): void
  /** Whether it has ended, and its session with it. */
  isGone(): boolean
  /** Lets go of it; called once, as the last thing. */
  release(): void
}

/** Starts a process. Throws what the system says when it cannot. */
export type Launch = (spec: ProcessSpec, witness: Witness) => Launched

/** Who starts processes: in the way that serves best, or as children of this process. */
export interface Launches {
  readonly launch: Launch
  readonly launchDirectly: Launch
}
