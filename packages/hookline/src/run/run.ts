import type { ProcessRun, Timed } from '../process/process-run.ts'
import type { ModelUsage } from './ports.ts'

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

/** The facts of a run that came to an end. What they mean is not known here. */
export type Run =
  | ProcessRun
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
