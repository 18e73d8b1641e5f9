import type { LaunchedBy } from '../process/launched.ts'
import type { ModelUsage } from './ports.ts'

/** What a stream carried. */
export interface Captured {
  /** The first bytes, up to the limit. */
  readonly kept: Buffer
  /** How many bytes were written, kept or not. */
  readonly bytes: number
}

interface Timed {
  readonly durationMs: number
}

/** What a process said. */
export interface Spoken extends Timed {
  readonly stdout: Captured
  readonly stderr: Captured
  /** A child of it still held its output when it had ended; that child was left alone. */
  readonly leftChild: boolean
  /** How it was started, if it was. */
  readonly launcher?: LaunchedBy
}

/** What a model's judgement cost. */
export interface Spent extends Timed {
  /** The one that answered; null when none did. */
  readonly model: string | null
  readonly usage: ModelUsage
  /** How often it was asked. */
  readonly attempts: number
  /** How many turns an agent took; null when it was asked without tools. */
  readonly turns: number | null
}

/**
 * The facts of a run that came to an end. What they mean is not known here. A `hint` says why a shell did not start its
 * program, `missing` that the program itself is to blame.
 */
export type Run =
  | (Spoken & { readonly ended: 'exited'; readonly code: number; readonly hint?: string })
  | (Spoken & { readonly ended: 'signalled'; readonly signal: string })
  | (Spoken & { readonly ended: 'timed-out' | 'aborted' })
  | (Timed & { readonly ended: 'not-started'; readonly reason: string; readonly missing: boolean })
  | (Timed & { readonly ended: 'returned'; readonly value: unknown })
  | (Timed & { readonly ended: 'threw'; readonly message: string })
  /** A model said something; an agent used up its turns; nobody answered, in the provider's own words. */
  | (Spent & { readonly ended: 'judged'; readonly text: string })
  | (Spent & { readonly ended: 'undecided' })
  | (Spent & { readonly ended: 'unanswered'; readonly message: string })

/** A run that goes on while the host does not wait for it. */
export interface BackgroundRun {
  readonly ended: 'backgrounded'
  readonly rest: Promise<Run>
}

/** A stream that carried nothing. */
export const NOTHING: Captured = { kept: Buffer.alloc(0), bytes: 0 }

/** Milliseconds since `start`, as they are reported. */
export function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10
}
