import { classic } from './classic/events.ts'
import type { EventDefinition } from './event-definition.ts'

/** The events of a profile as they are defined, by name. */
export type EventTable = Readonly<Record<string, EventDefinition>>

/** The events of every profile that comes with the package, with their schemas. `PROFILES` is the same without a schema library. */
export const EVENT_TABLES = { classic } satisfies Readonly<Record<string, EventTable>>

/** The events of the default profile. */
export const DEFAULT_EVENTS = EVENT_TABLES.classic

/** The table that types are derived from where none is named. */
export type DefaultEvents = typeof DEFAULT_EVENTS
