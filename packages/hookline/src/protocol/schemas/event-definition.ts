import type * as z from 'zod'
import type { EventFacts } from '../event-row.ts'

/** One row of the event table: the facts, and the two schemas everything else is derived from. */
export interface EventDefinition extends EventFacts {
  /** Own input fields, without the common ones. */
  readonly input: z.ZodObject
  /** Fields under `hookSpecificOutput`, without `hookEventName`. */
  readonly answer: z.ZodObject
}

/** The events of a profile as they are defined, by name. */
export type EventTable = Readonly<Record<string, EventDefinition>>
