import type * as z from 'zod'
import type { classic, EventName } from './classic/events.ts'
import type { commonInput } from './input.ts'

/** What a host passes for one event: the name, the field its matcher needs, and whatever else it has. */
export type HookInput<E extends EventName = EventName> = {
  [Name in E]: { hook_event_name: Name } & z.input<(typeof classic)[Name]['input']> & z.input<typeof commonInput>
}[E]

/** Any event's input, of any profile: open, so that a newer host is not broken by an older engine. */
export interface EventInput {
  readonly hook_event_name: string
  readonly [field: string]: unknown
}

/** The input that an event of this name takes: checked field by field where the name is known at compile time. */
export type InputFor<Name extends string> = Name extends EventName ? HookInput<Name> : EventInput
