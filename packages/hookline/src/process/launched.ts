/** A process to run to its certain end. */
export interface ProcessSpec {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Input to read; then its input ends. */
  readonly input: Buffer | LineInput
  /** Milliseconds from its start; null: no limit. */
  readonly timeoutMs: number | null
  /** Bytes kept of each stream; what comes after is read, counted and dropped. */
  readonly outputLimit: number
  /** Identity of a process that is run again and again, so that its interpreter may be started ahead; missing: it is run once. */
  readonly recurring?: RecurringProcess | undefined
}

/** Input that is one line: a launcher that can pass that on needs no bytes. Each is made when it is asked for. */
export interface LineInput {
  readonly line: string
  readonly bytes: Buffer
}

/** Makes the bytes of an input. */
export const toInputBytes = (input: ProcessSpec['input']): Buffer => ('line' in input ? input.bytes : input)

/** Part of a process that is the same from one run to the next. */
export interface RecurringProcess {
  /** Key that tells it from the others that the same host runs. */
  readonly key: string
  /** The variables that may have another value at every run. */
  readonly varies: ReadonlySet<string>
}

/** Way in which a process was started: by a resident shell, by this process itself, or ahead of its event. */
export type LaunchedBy = 'pool' | 'direct' | 'warm'

/** Exit of a process by itself. */
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
export interface LaunchedProcess {
  readonly by: LaunchedBy
  /** The process group that it leads, when it is a child of this process. */
  readonly group?: number
  /** false: it waits to be started. */
  isStarted(): boolean
  /** True if a process still holds its outputs; first reads what is there. */
  isHeld(): boolean
  /** Signals everything in its kernel session, in which no process of another hook is. */
  signal(signal: NodeJS.Signals): void
  /** Ends it and all that it started, where the system has no signals that ask first; null, or not there: it has. */
  end?(): Promise<void> | null
  /** True if it has ended, and its session with it. */
  isGone(): boolean
  /** Lets go of it; called once, as the last thing. */
  release(): void
}

/** Start of listening to outputs: once it is likely that the process takes longer, or at once. */
export interface ReadingStart {
  readonly isListening: boolean
}

/** A process that was started ahead of its event, and waits at the beginning of its input. */
export interface HeldProcess {
  /** Leader of its session, by which this process learns of its end. */
  readonly leader: number
  readonly hasEnded: boolean
  /** Output on stdout since this was asked last. */
  said(): string
  /** Fills its input: from now on it is like any other process. Throws what the system says when it cannot. */
  begin(input: Buffer, listener: LaunchListener, reading?: ReadingStart): LaunchedProcess
  /** Lets it see the end of its input, at which it ends. */
  end(): void
  /** Ends it by force. */
  kill(): void
}

/** Starts a process. Throws what the system says when it cannot. */
export type Launch = (spec: ProcessSpec, listener: LaunchListener) => LaunchedProcess

/** The two ways to start a process: the best one for it, or as a child of this process. */
export interface Launches {
  readonly launch: Launch
  readonly launchDirectly: Launch
}
