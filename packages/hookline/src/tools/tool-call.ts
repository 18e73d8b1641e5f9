import type { EventInput } from '../protocol/event-input.ts'
import type { Decision, DispatchRecord } from '../protocol/record/record.ts'
import type { ToolNames } from './names.ts'

/** A call that a model wants to make. */
export interface ToolCall {
  /** The tool, as the host names it; without `names` matchers do too. */
  readonly name: string
  readonly input: unknown
  readonly id?: string | undefined
  /** Interrupts the call and its hooks. */
  readonly signal?: AbortSignal | undefined
  /**
   * Schema that an input has to fit which a hook rewrote: a standard schema, one of the AI SDK, or a JSON Schema. Without it every
   * object is right.
   */
  readonly schema?: unknown | undefined
  /** The same as a function, in the place of `schema`. */
  readonly check?: InputCheck | undefined
  /** Answer of the user to a call that ended as `waiting`. Hooks have seen it, and are not asked again. */
  readonly answer?: LateAnswer | undefined
}

/** Says what an input is once it is read, or what is wrong with it. */
export type InputCheck = (input: unknown) => CheckedInput | Promise<CheckedInput>

/** An input that a tool can take, or why it cannot. */
export type CheckedInput = { readonly input: unknown } | { readonly fault: string }

/** A question to the user: a hook wants the user to decide about a call. */
export interface Question {
  readonly tool: string
  /** Input that the call would be made with; hooks may have rewritten it. */
  readonly input: unknown
  readonly reason: string | null
  readonly signal: AbortSignal | undefined
}

/** Answer of the user, or the word that it comes later. */
export type UserAnswer = boolean | 'later'

/** A call that no PreToolUse hook has refused. */
export interface PermitRequest {
  readonly tool: string
  /** As hooks left it. */
  readonly input: unknown
  /** As the model wrote it. */
  readonly original: unknown
  /** Decision of PreToolUse hooks. */
  readonly decision: Decision
  readonly signal: AbortSignal | undefined
}

/** True if a call may be made. The model reads the reason of a denial, the user that of a halt. */
export type Permit =
  | { readonly behavior: 'allow'; readonly input: unknown }
  | PermitDialog
  | {
      readonly behavior: 'deny'
      readonly reason: string
      /** The turn ends with it. */
      readonly interrupt?: boolean | undefined
      /** The host denied it by itself, by no rule and without a user: PermissionDenied hooks may let the model try again. */
      readonly automatic?: boolean | undefined
      /** Reason that those hooks read; by default that of the model. */
      readonly cause?: string | undefined
    }
  | { readonly behavior: 'halt'; readonly reason: string }

/** A call that the host's rules leave to its dialog: PermissionRequest hooks speak first, and the user where they leave it open. */
export interface PermitDialog {
  readonly behavior: 'ask'
  /** Party that wants the user asked: where there is no user, no hook of the dialog lifts the question of another hook. */
  readonly askedBy: 'hook' | 'host'
  /** Reason for the user. */
  readonly reason: string | null
  /** Rules that would spare the user the question; hooks read them as `permission_suggestions`. */
  readonly suggestions?: readonly unknown[] | undefined
  /** Asks the user; null: there is none. */
  readonly dialog: ((question: Question) => DialogAnswer | Promise<DialogAnswer>) | null
  /** Words for the model where there is no user to ask. */
  readonly unanswered?: string | undefined
  /** Holds an input that a hook of the dialog rewrote against the host's rules: the words that refuse it, or null. */
  readonly recheck?: ((input: unknown) => string | null | Promise<string | null>) | undefined
  /** Takes over what a hook or the user granted together with the call. */
  readonly grant?: ((updates: readonly unknown[]) => void | Promise<void>) | undefined
}

/** Answer of a host's dialog. */
export type DialogAnswer =
  | { readonly behavior: 'allow'; readonly updatedPermissions?: readonly unknown[] | undefined }
  /** The model reads the message; `interrupt`: the turn ends with it. */
  | { readonly behavior: 'deny'; readonly message?: string | undefined; readonly interrupt?: boolean | undefined }
  | { readonly behavior: 'halt'; readonly reason: string }
  /** The user answers when this turn is over: the call ends as `waiting`. */
  | { readonly behavior: 'later' }

/** Options of guarding calls, besides the hooks. */
export interface GuardOptions {
  /**
   * Asks the user; true lets the call run. `later`: the user answers when this turn is over, and the call ends as `waiting`.
   * Without it, a call that has to be asked about is refused.
   */
  readonly onAsk?: ((question: Question) => UserAnswer | Promise<UserAnswer>) | undefined
  /** Options of keeping calls that wait for an answer. */
  readonly clearances?: ClearanceOptions | undefined
  /**
   * The host's own permission step, after PreToolUse hooks: rules and modes. Where it answers `ask`, PermissionRequest hooks are
   * asked, and then the dialog that it brings. Without it a call is asked about only when a hook wants that.
   */
  readonly permit?: ((request: PermitRequest) => Permit | Promise<Permit>) | undefined
  /**
   * Fate of a call that a hook defers. `left-open`, the default: it is not made, the turn ends, and the host may show it
   * to hooks again when the session goes on. `refused`, for a host that cannot leave a call open: the model is told, and goes on.
   */
  readonly deferred?: 'left-open' | 'refused' | undefined
  /**
   * Dispatches the events of a call; `engine.dispatch` without it. For a host that adds fields to them, shows the progress of
   * hooks, or writes its transcript first.
   */
  readonly dispatch?:
    | ((
        event: EventInput,
        options: { readonly signal?: AbortSignal | undefined; readonly mcp?: boolean | undefined },
      ) => Promise<DispatchRecord>)
    | undefined
  /**
   * Gets what the user is to read: that the folder is not trusted yet, that a hook cannot run, has failed or could not be
   * understood, what a hook says to the user. Without it, each is a warning of the process, on stderr.
   */
  readonly onNotice?: ((notice: string) => void) | undefined
  /** Gets every record. */
  readonly onRecord?: ((record: DispatchRecord) => void) | undefined
  /**
   * Names that hooks have for the tools and their fields, where the host calls them otherwise: hooks that were written for `Bash` and
   * `file_path` then see those. `namesOf('opencode')` has those of a known agent.
   */
  readonly names?: ToolNames | undefined
  /** The subagent whose calls these are; without it they are the main loop's. A halt is for one loop. */
  readonly agent?: string | undefined
  /**
   * Stands for the turn: any object that all its calls share. After a halt no call of the turn starts. Without it, a halt stops
   * the calls of the loop that were begun and have not started.
   */
  readonly turn?: object | undefined
}

/** End of a call. */
export type CallEnd = {
  /** Texts of hooks for the model beside the result, each in a block of its own. */
  readonly texts: readonly string[]
} & ((CallEndKind & (RanCall | FailedCall | RefusedCall)) | DeferredCall | WaitingCall)

/** The turn ends with the call, and the user reads why; null: it goes on. */
type CallEndKind = { readonly halt: string } | { readonly halt: null }

interface RanCall {
  readonly ended: 'ran'
  readonly output: unknown
}

interface FailedCall {
  readonly ended: 'failed'
  readonly error: unknown
}

/** A call that was not made since a hook put it off: it has no result, and the turn ends. */
export interface DeferredCall {
  readonly ended: 'deferred'
  /** Reason as the hook gave it; null when it did not. */
  readonly reason: string | null
  /** Text for the user. */
  readonly halt: string
}

/** A call that was not made yet: the user will say whether it may be. It has no result, and the turn ends. */
export interface WaitingCall {
  readonly ended: 'waiting'
  readonly question: Omit<Question, 'signal'>
  /** Give it back with the user's answer: `{ ...call, answer: { clearance, allow } }`. */
  readonly clearance: Clearance
  /** Text for the user. */
  readonly halt: string
}

/** A call that was not made; the model reads the reason as an error. */
export interface RefusedCall {
  readonly ended: 'refused'
  readonly reason: string
  readonly by: RefusedBy
}

/**
 * Party that kept a call from being made: a hook; the permission step (rules, the user, or that there is no user to ask); an input
 * that the tool cannot take; the end of the turn.
 */
export type RefusedBy = 'hook' | 'permission' | 'input' | 'turn'

/**
 * A call that hooks have seen and that waits for the user: plain JSON. Store it, show what it says to the user, and give it back
 * with the answer, in this process or in another one. It is signed, holds for this call alone, and is answered once.
 */
export interface Clearance {
  readonly version: 1
  readonly id: string
  /** The session of the call. */
  readonly session: string
  /** The subagent whose call it is; null: the main loop's. */
  readonly agent: string | null
  readonly tool: string
  /** The id of the call; null: it has none. */
  readonly call: string | null
  /** The digest of the input that the model wrote. */
  readonly written: string
  /** Input that the tool will be called with, as hooks left it. */
  readonly input: unknown
  /** True if hooks changed the input. */
  readonly rewritten: boolean
  /** Reason why the user is asked, as the hook said it. */
  readonly reason: string | null
  /** Texts of hooks for the model beside the result. */
  readonly texts: readonly string[]
  /** The digest of the hooks that were in force. */
  readonly hooks: string
  /** End of its validity, as an ISO date. */
  readonly expires: string
  readonly signature: string
}

/** The user's answer to a call that waited. */
export interface LateAnswer {
  /** Clearance that the call ended with, as it was or read from JSON. */
  readonly clearance: unknown
  readonly allow: boolean
}

/** Options of signing and keeping clearances. */
export interface ClearanceOptions {
  /** Key that they are signed with, at least 32 bytes; by default a file that is made in the user's `.hookline`. */
  readonly key?: string | Uint8Array | undefined
  /** Remembers which were used; by default a file each in the user's `.hookline`. Processes that answer calls share it. */
  readonly store?: ClearanceStore | undefined
  /** Seconds that they count; a day by default. */
  readonly seconds?: number | undefined
}

/** Remembers which clearances were used. */
export interface ClearanceStore {
  /**
   * Marks a clearance as used; false when it was before. Of two calls at the same time one gets true. After `expires` it may
   * be forgotten.
   */
  use(id: string, expires: Date): boolean | Promise<boolean>
}
