import type * as z from 'zod'
import type { commonInput } from './input.ts'
import type { DefaultEvents, EventTable } from './tables.ts'

/** The name of an event of a profile, which stands for itself as the type of its table of events. */
export type EventName<Events extends EventTable = DefaultEvents> = keyof Events & string

/** What a host passes for one event: the name, the field its matcher needs, and whatever else it has. */
export type HookInput<E extends EventName<Events> = EventName, Events extends EventTable = DefaultEvents> = {
  [Name in E]: { hook_event_name: Name } & z.input<Events[Name]['input']> & z.input<typeof commonInput>
}[E]

/** Any event's input, of any profile: open, so that a newer host is not broken by an older engine. */
export interface EventInput {
  readonly hook_event_name: string
  readonly [field: string]: unknown
}

/** The input that an event of this name takes: checked field by field where the name is known at compile time. */
export type InputFor<Name extends string, Events extends EventTable = DefaultEvents> =
  Name extends EventName<Events> ? HookInput<Name, Events> : EventInput
