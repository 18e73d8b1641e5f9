import type { EventName } from '../protocol/event-input.ts'
import type { DefaultEvents } from '../protocol/tables.ts'
import type { Outcome } from './outcome.ts'

/** Marks what a reply made: nothing else counts as an answer, neither to the compiler nor at run time. */
export const MADE = Symbol('made by a reply')

/** What a handler returns when it has something to say. */
export interface Answer extends Outcome {
  readonly [MADE]: true
}

/** What may go along with a decision. */
export interface Along {
  /** A warning to the user. */
  readonly systemMessage?: string | undefined
  /** Hides the answer itself from the verbose view. */
  readonly suppressOutput?: boolean | undefined
}

/** The same where the model can be told something too. */
export interface AlongContext extends Along {
  /** Text for the model. */
  readonly context?: string | undefined
}

/** A whole tool input, as it shall be. */
export type ToolInput = Readonly<Record<string, unknown>>

/** What can be decided, by how the event's answers are merged. */
export interface Decisions<A extends Along> {
  readonly permission: {
    /** Lets the call run without asking; the user reads the reason. The host's own rules still hold. */
    allow(reason?: string, along?: A & { readonly updatedInput?: ToolInput | undefined }): Answer
    /** Refuses the call; the model reads the reason. */
    deny(reason: string, along?: A): Answer
    /** Lets the user decide, who reads the reason. */
    ask(reason: string, along?: A & { readonly updatedInput?: ToolInput | undefined }): Answer
    /** Replaces the whole tool input, and leaves the permission to others. */
    rewrite(updatedInput: ToolInput, along?: A): Answer
  }
  readonly dialog: {
    /** Answers the dialog with yes. `updatedPermissions` are rules as in `permission_suggestions`. */
    allow(
      along?: A & {
        readonly updatedInput?: ToolInput | undefined
        readonly updatedPermissions?: readonly unknown[] | undefined
      },
    ): Answer
    /** Answers it with no; the model reads the message. `interrupt` ends the turn as Ctrl+C does. */
    deny(message: string, along?: A & { readonly interrupt?: boolean | undefined }): Answer
  }
  readonly block: {
    /** Objects; docs/events.md says what that means, and who reads the reason. */
    block(reason: string, along?: A): Answer
  }
  readonly 'exit-code': {
    /** Objects with exit code 2, which leaves room for the reason alone. */
    block(reason: string): Answer
  }
  readonly nothing: object
}

/** What any event may be told. */
export interface Always<A extends Along> {
  /** Halts the agent, which outranks every other decision; the user reads why. */
  halt(stopReason: string, along?: A): Answer
  /** Warns the user, and decides nothing. */
  systemMessage(text: string, along?: Omit<A, 'systemMessage'>): Answer
}

/** What some events may be told, whatever they can decide. */
export interface Sometimes<A extends Along> {
  /** Tells the model something. */
  context(text: string, along?: Along): Answer
  /** Replaces what the tool put out; MCP tools only. */
  replaceOutput(output: unknown, along?: A): Answer
  /** Adds to the instructions of the compaction. Plain text, so that nothing can go along with it. */
  instructions(text: string): Answer
}

/** Every reply that an event allows, and no other: derived from its row of the event table. */
export type Reply<E extends EventName> = Always<AlongFor<E>> &
  Decisions<AlongFor<E>>[Row<E>['merges']] &
  Pick<Sometimes<AlongFor<E>>, Taken<E>>

type Row<E extends EventName> = DefaultEvents[E]
type AnswerField<E extends EventName> = keyof Row<E>['answer']['shape']
type AlongFor<E extends EventName> = 'additionalContext' extends AnswerField<E> ? AlongContext : Along
type Taken<E extends EventName> =
  | ('additionalContext' extends AnswerField<E> ? 'context' : never)
  | ('updatedMCPToolOutput' extends AnswerField<E> ? 'replaceOutput' : never)
  | (Row<E>['plainStdout'] extends 'instructions' ? 'instructions' : never)
