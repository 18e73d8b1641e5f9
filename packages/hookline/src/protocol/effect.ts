import type { Decision } from './record/record.ts'

/** An output beyond the decision that all events have: how hooks ask for it, and how several that do become one. */
export interface Effect {
  /** The fields of an answer that ask for it; where there are several, the first that is there counts. */
  readonly fields: readonly string[]
  /** Fields that ask for it when none of those is there, and only of the tools of MCP servers. */
  readonly mcpFields?: readonly string[] | undefined
  /** Place of the fields: a key of `read/effects.ts`, as are the next two. */
  readonly from: EffectSource
  /** Meaning of plain stdout; nothing when left out. */
  readonly stdout?: EffectStdout | undefined
  /** Form that the fields are brought into; the value as it is when left out. */
  readonly as?: EffectForm | undefined
  /** The input field that it replaces: a value of another kind does not count. MCP tools may answer anything. */
  readonly shapedLike?: string | undefined
  /** Documented shapes of what it replaces, by the value that matchers are tested against; any object may replace one of another shape. */
  readonly shapes?: Readonly<Record<string, OutputShape>> | undefined
  /** A text for the model, which goes into a file where it is too long. */
  readonly isContext?: boolean | undefined
  /** A key of `decide/effects.ts`. */
  readonly merge: EffectMerge
  /** Value of the effect when the event is blocked, whatever hooks asked for. */
  readonly whenBlocked?: unknown
  /** The event is not blocked although some hooks failed, as soon as one asked for it. */
  readonly suffices?: true | undefined
  /** Reason why the event is blocked when hooks ran and none asked for it; it is not when left out. */
  readonly missingBlocks?: string | undefined
}

/** Keys of an object that hooks may replace. */
export interface OutputShape {
  /** Keys that a replacement must have, of the same kind as the original's. */
  readonly required: readonly string[]
  /** Keys that it may leave out: the original's values stay. */
  readonly optional: readonly string[]
}

/** `specific`: under `hookSpecificOutput`; `top`: at the top level; `anywhere`: at both. */
export type EffectSource = 'specific' | 'top' | 'anywhere'

/** `whole`: all of it; `last-line`: its last line that is not empty. */
export type EffectStdout = 'whole' | 'last-line'

/** `object`: all fields together, the first of which must be there; `terminal-sequence`: what a terminal may be sent; `path`: an absolute path, from the event's folder. */
export type EffectForm = 'object' | 'terminal-sequence' | 'path'

/** `joined`: all texts, with an empty line between them; `any`: true as soon as one hook says so; `refusal`: the last that does not accept, else the last. */
export type EffectMerge = 'first' | 'last' | 'all' | 'any' | 'joined' | 'list' | 'refusal'

/** Value of an effect that no hook asked for. */
export const NO_EFFECT: Readonly<Record<EffectMerge, unknown>> = {
  first: null,
  last: null,
  all: null,
  any: false,
  joined: null,
  list: Object.freeze([]),
  refusal: null,
}

/** The keys that a decision has in every profile; the others are effects. */
const OF_EVERY_PROFILE: Readonly<Record<RequiredKeys<Decision>, true>> = {
  halt: true,
  stopReason: true,
  blocked: true,
  permission: true,
  reason: true,
  interrupt: true,
  updatedInput: true,
  updatedPermissions: true,
  updatedToolOutput: true,
  context: true,
  contextFrom: true,
  instructions: true,
  messages: true,
}

type RequiredKeys<Type> = { [Key in keyof Type]-?: object extends Pick<Type, Key> ? never : Key }[keyof Type]

/** The effects that a decision asks for, by name; those of which no hook said anything are left out. */
export function listAskedEffects(decision: Decision): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(decision).filter(([key, value]) => !Object.hasOwn(OF_EVERY_PROFILE, key) && isAsked(key, value)),
  )
}

/** Effects that are an empty list where no hook asked for them; of others an empty list says something, as that nothing is watched. */
const LISTS: readonly string[] = ['terminalSequences'] satisfies (keyof Decision)[]

function isAsked(key: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 || !LISTS.includes(key)
  return value !== null && value !== undefined && value !== false
}
