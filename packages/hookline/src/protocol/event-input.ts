import type { CommonInput, DefaultEvents, TypeCarrier } from './profile-events.ts'

/** The events of a profile by name, as types: `typeof` a table of events is one. */
export type EventTypes = Readonly<Record<string, EventType>>

/** One event as types: its own input fields, what may stand under `hookSpecificOutput`, and, where that is not as in the default profile, the rest. */
export interface EventType {
  readonly input: TypeCarrier
  readonly answer: TypeCarrier
  /** Fields of any answer. */
  readonly common?: TypeCarrier | undefined
  /** The hooks that settings may hold for it. */
  readonly hook?: TypeCarrier | undefined
}

/** The name of an event of a profile, which stands for itself as the type of its table of events. */
export type EventName<Events extends EventTypes = DefaultEvents> = keyof Events & string

/** Input that a host passes for one event: the name, the field its matcher needs, and whatever else it has. */
export type HookInput<E extends EventName<Events> = EventName, Events extends EventTypes = DefaultEvents> = {
  [Name in E]: { readonly hook_event_name: Name } & Events[Name]['input']['_zod']['input'] & CommonInput
}[E]

/** Any event's input, of any profile: open, so that a newer host is not broken by an older engine. */
export interface EventInput {
  readonly hook_event_name: string
  readonly [field: string]: unknown
}

/** The input that an event of this name takes: checked field by field where the name is known at compile time. */
export type InputFor<Name extends string, Events extends EventTypes = DefaultEvents> =
  Name extends EventName<Events> ? HookInput<Name, Events> : EventInput

/**
 * An event as a hook in TypeScript gets it: the fields that the protocol promises are there, and a hook looks into values that
 * belong to a tool as its author knows the tool. A host that leaves such a field out makes a hook fail that reads it.
 */
export type ReceivedInput<E extends EventName<Events> = EventName, Events extends EventTypes = DefaultEvents> = {
  [Name in E]: WithPromisedFields<HookInput<Name, Events>>
}[E]

/** The same for a name that may not be known at compile time. */
export type ReceivedFor<Name extends string, Events extends EventTypes = DefaultEvents> =
  Name extends EventName<Events> ? ReceivedInput<Name, Events> : EventInput

type WithPromisedFields<Input> = Input & Pick<PromisedFields, keyof PromisedFields & keyof EventByName<Input>>

/** The fields with a name of their own, without the index signature for others. */
type EventByName<Input> = { [Field in keyof Input as string extends Field ? never : Field]: Input[Field] }

/** Fields that every event which has them comes with. */
interface PromisedFields {
  readonly session_id: string
  readonly cwd: string
  readonly tool_input: ToolValue
  readonly tool_response: ToolValue
  readonly prompt: string
  readonly error: string
  readonly message: string
  readonly stop_hook_active: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: its shape is that of the tool, which the hook is written for
type ToolValue = any

/** Answer that a hook may give to an event: the object that a command would print. */
export type HookAnswer<Name extends string = string, Events extends EventTypes = DefaultEvents> = CommonAnswer<
  Events[Name]
> & {
  readonly hookSpecificOutput?:
    | (Name extends EventName<Events> ? Events[Name]['answer']['_zod']['input'] : Readonly<Record<string, unknown>>)
    | undefined
}

type CommonAnswer<Event> = Event extends { readonly common: TypeCarrier<infer Common> }
  ? Common
  : DefaultEvents[keyof DefaultEvents]['common']['_zod']['input']

/** A hook as settings may hold it for an event. */
export type HookSettingFor<Event> = Event extends { readonly hook: TypeCarrier<infer Hook> }
  ? Hook
  : DefaultEvents[keyof DefaultEvents]['hook']['_zod']['input']
