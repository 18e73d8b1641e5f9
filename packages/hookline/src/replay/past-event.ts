import type { EventInput } from '../protocol/event-input.ts'
import type { Subject } from '../protocol/event-subject.ts'

/** Outcome back then: it went on, hooks asked about it or put it off, it was refused, or the file does not say. */
export type PastOutcome =
  | { readonly was: 'passed' | 'asked' | 'deferred' }
  | { readonly was: 'refused'; readonly by: 'hook' | 'person' | 'rule' }
  | { readonly was: 'unknown' }

/** An event of an old session, as its hooks would get it today. */
export interface PastEvent {
  readonly input: EventInput
  readonly subject: Subject
  readonly before: PastOutcome
  readonly file: string
  /** The line that it was found in, counted from 1. */
  readonly line: number
  /** Prompt of a subagent, when the file does not name its type: the call that started it does. */
  readonly agentPrompt?: string
  /** Milliseconds since 1970; 0 when the file does not say. */
  readonly time: number
}

/** Content of a file besides events. */
export interface Leftovers {
  /** Lines that tell of no event, by their type. */
  readonly skipped: Map<string, number>
  /** Lines that are not JSON: cut off, or never complete. */
  torn: number
}

/** Nothing left over so far. */
export function makeLeftovers(): Leftovers {
  return { skipped: new Map(), torn: 0 }
}

/** Counts a line that is not an event by itself. */
export function countLeftover({ skipped }: Leftovers, type: string): void {
  skipped.set(type, (skipped.get(type) ?? 0) + 1)
}

/** Turns the lines of one file into events, in the order of the file. */
export interface EventReader {
  readonly take: (line: string) => readonly PastEvent[]
  /** Events that were held back because they could still have changed. */
  readonly end: () => readonly PastEvent[]
}
