import type { DefaultProfileName, ProfileEvents } from '../protocol/profile-events.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import type { Outcome } from './outcome.ts'

/** Marks what a reply made: nothing else counts as an answer, neither to the compiler nor at run time. */
export const MADE = Symbol('made by a reply')

/** Answer that a handler returns when it has something to say. */
export interface Answer extends Outcome {
  readonly [MADE]: true
}

/** Additions to a decision; each event has some of it. */
export interface ReplyExtras {
  /** A warning to the user. */
  readonly systemMessage?: string | undefined
  /** Hides the answer itself from the verbose view; in `current` it does nothing. */
  readonly suppressOutput?: boolean | undefined
  /** A title, notification or bell for the terminal. */
  readonly terminalSequence?: string | undefined
  /** Text for the model. */
  readonly context?: string | undefined
  /** Title of the session. */
  readonly sessionTitle?: string | undefined
  /** A first prompt, where no user types one. */
  readonly initialUserMessage?: string | undefined
  /** Files that the host is to watch. */
  readonly watchPaths?: readonly string[] | undefined
  /** Skills are read again. */
  readonly reloadSkills?: boolean | undefined
  /** Text for the classifier that judges later calls. */
  readonly classifierContext?: string | undefined
  /** A prompt that is blocked is not shown beside the reason. */
  readonly suppressOriginalPrompt?: boolean | undefined
}

/** A whole tool input, as it shall be. */
export type ToolInput = Readonly<Record<string, unknown>>

/** Decisions, by how the event's answers are merged; `Input` is what an allowed call may be changed with. */
export interface Decisions<A, Input> {
  readonly permission: {
    /** Lets the call run without asking; the user reads the reason. The host's own rules still hold. */
    allow(reason?: string, along?: A & Input): Answer
    /** Refuses the call; the model reads the reason. */
    deny(reason: string, along?: A): Answer
    /** Lets the user decide, who reads the reason. */
    ask(reason: string, along?: A & Input): Answer
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

/** Replies that some events may be given, whatever they can decide. */
export interface Replies<A> {
  /** Halts the agent, which outranks every other decision; the user reads why. */
  halt(stopReason: string, along?: A): Answer
  /** Warns the user, and decides nothing. */
  systemMessage(text: string, along?: Omit<A, 'systemMessage'>): Answer
  /** Tells the model something. */
  context(text: string, along?: Omit<A, 'context'>): Answer
  /** Replaces the whole tool input, and leaves the permission to others. */
  rewrite(updatedInput: ToolInput, along?: A): Answer
  /** Leaves the call open and ends the run; it is asked again when the session is resumed. */
  defer(reason?: string, along?: A): Answer
  /** Replaces what the tool put out. In `classic` of MCP tools only; in `current` in the shape that the tool has. */
  replaceOutput(output: unknown, along?: A): Answer
  /** Adds to the instructions of the compaction. Plain text, so that nothing can go along with it. */
  instructions(text: string): Answer
  /** Says where the worktree is that the hook has made. Plain text, so that nothing can go along with it. */
  worktreePath(path: string): Answer
  /** Names the session. */
  sessionTitle(title: string, along?: Omit<A, 'sessionTitle'>): Answer
  /** Gives a first prompt, where no user types one. */
  initialUserMessage(text: string, along?: Omit<A, 'initialUserMessage'>): Answer
  /** Has the host watch these files; none any more when the list is empty. */
  watchPaths(paths: readonly string[], along?: Omit<A, 'watchPaths'>): Answer
  /** Has skills read again. */
  reloadSkills(along?: Omit<A, 'reloadSkills'>): Answer
  /** Tells the classifier something that judges later calls. */
  classifierContext(text: string, along?: Omit<A, 'classifierContext'>): Answer
  /** Is shown in place of the text; the model never reads it. */
  displayContent(text: string, along?: A): Answer
  /** Tells the model that it may try the denied call again. */
  retry(along?: A): Answer
  /** Answers the MCP server in place of the user, with what was filled in. */
  accept(content?: Readonly<Record<string, unknown>>, along?: A): Answer
  /** Refuses the MCP server what it asks for. */
  decline(along?: A): Answer
  /** Gives up on the question of the MCP server. */
  cancel(along?: A): Answer
}

/** The names of the events of a profile. */
export type EventOf<Profile extends ProfileName> = keyof ProfileEvents[Profile] & string

/** Every reply that an event allows, and no other: derived from its row of the event table. */
export type Reply<E extends EventOf<Profile>, Profile extends ProfileName = DefaultProfileName> = Pick<
  Replies<AlongWith<E, Profile>>,
  ReplyField<E, Profile>
> &
  Decisions<AlongWith<E, Profile>, InputWith<E, Profile>>[Fact<E, Profile, 'merges'> & keyof Decisions<never, never>]

/** A fact of an event that says which replies it allows. */
type Fact<
  E extends EventOf<Profile>,
  Profile extends ProfileName,
  Name extends string,
> = ProfileEvents[Profile][E] extends { readonly [Key in Name]: infer Value } ? Value : never

/** Additions to a reply to an event. */
export type AlongWith<E extends EventOf<Profile>, Profile extends ProfileName> = Pick<
  ReplyExtras,
  | (('suppressOutput' | 'terminalSequence') & Fact<E, Profile, 'commonFields'>)
  | (Fact<E, Profile, 'systemMessageTo'> extends 'none' ? never : 'systemMessage')
  | ('additionalContext' extends Fact<E, Profile, 'answerFields'> ? 'context' : never)
  | (keyof ReplyExtras & Fact<E, Profile, 'answerFields'>)
>

type InputWith<E extends EventOf<Profile>, Profile extends ProfileName> =
  'updatedInput' extends Fact<E, Profile, 'answerFields'> ? { readonly updatedInput?: ToolInput | undefined } : unknown

type ReplyField<E extends EventOf<Profile>, Profile extends ProfileName> =
  | (Fact<E, Profile, 'canHalt'> extends true ? 'halt' : never)
  | (Fact<E, Profile, 'systemMessageTo'> extends 'none' ? never : 'systemMessage')
  | ('defer' & Fact<E, Profile, 'permissionWords'>)
  | (Fact<E, Profile, 'plainStdout'> extends 'instructions' ? 'instructions' : never)
  | (Fact<E, Profile, 'plainStdout'> extends 'path' ? 'worktreePath' : never)
  | OfFields[keyof OfFields & Fact<E, Profile, 'answerFields'>]

/** The replies that a field of an answer stands for. */
interface OfFields {
  readonly additionalContext: 'context'
  readonly updatedInput: 'rewrite'
  readonly updatedToolOutput: 'replaceOutput'
  readonly updatedMCPToolOutput: 'replaceOutput'
  readonly sessionTitle: 'sessionTitle'
  readonly initialUserMessage: 'initialUserMessage'
  readonly watchPaths: 'watchPaths'
  readonly reloadSkills: 'reloadSkills'
  readonly classifierContext: 'classifierContext'
  readonly displayContent: 'displayContent'
  readonly retry: 'retry'
  readonly action: 'accept' | 'decline' | 'cancel'
}
