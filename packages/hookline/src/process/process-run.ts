import type { LaunchedBy } from './launched.ts'

/** Content of a stream. */
export interface CapturedStream {
  /** The first bytes, up to the limit. */
  readonly kept: Buffer
  /** Number of bytes were written, kept or not. */
  readonly bytes: number
}

/** Duration of every run. */
export interface TimedRun {
  readonly durationMs: number
}

/** Output of a process. */
export interface ProgramOutput extends TimedRun {
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
  /** A child of it still held its output when it had ended; that child was left alone. */
  readonly leftChild: boolean
  /** Launcher, if the process was started. */
  readonly launcher?: LaunchedBy | undefined
}

/**
 * The facts of a process that came to an end. What they mean is not known here. A `hint` says why a program was not found,
 * `notStarted` that the shell which reads the command could not start it, `missing` that the program itself is to blame.
 */
export type ProcessRun =
  | (ProgramOutput & {
      readonly ended: 'exited'
      readonly code: number
      readonly hint?: string | undefined
      readonly notStarted?: string | undefined
    })
  | (ProgramOutput & { readonly ended: 'signalled'; readonly signal: string })
  | (ProgramOutput & { readonly ended: 'timed-out' | 'aborted' })
  | (TimedRun & { readonly ended: 'not-started'; readonly reason: string; readonly missing: boolean })

/** A stream that carried nothing. */
export const EMPTY_STREAM: CapturedStream = { kept: Buffer.alloc(0), bytes: 0 }

/** Milliseconds since `start`, as they are reported. */
export function measureMs(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10
}
