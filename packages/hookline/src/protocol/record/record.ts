/** Outcome of a configured hook at an event. */
export type Verdict =
  | 'ran'
  | 'matcher-miss'
  | 'untrusted'
  | 'policy-off'
  | 'disabled'
  | 'duplicate'
  | 'invalid'
  | 'unsupported'
  | 'once-spent'
  | 'backgrounded'
  | 'not-reached'

/** A text for a reader, with the hook it comes from. */
export interface Message {
  /** The widest reader; a wider one implies the narrower. */
  readonly to: 'model' | 'user' | 'verbose'
  /** Text to show. */
  readonly text: string
  /** The id of the hook it comes from. */
  readonly hook: string
}

/** Result that the host acts on; complete in itself. */
export interface Decision {
  /** A hook answered `continue: false`: the agent stops. */
  readonly halt: boolean
  /** Reason why it stops, for the user; null when no hook said. */
  readonly stopReason: string | null
  /** The event can be blocked, and a hook blocked or denied it. */
  readonly blocked: boolean
  /** The strictest answer about the permission; null when no hook gave one. */
  readonly permission: 'allow' | 'deny' | 'ask' | 'defer' | null
  /** The reasons of the answer that won, joined. */
  readonly reason: string | null
  /** A denial that also ends the turn. */
  readonly interrupt: boolean
  /** Replacement for the input of the tool; null when it stays. */
  readonly updatedInput: Readonly<Record<string, unknown>> | null
  /** Changes of the permission rules that came with an allowed request. */
  readonly updatedPermissions: readonly Readonly<Record<string, unknown>>[] | null
  /** Replacement for the output of the tool; null when it stays. */
  readonly updatedToolOutput: unknown
  /** Texts for the model, in configuration order. */
  readonly context: readonly string[]
  /** Origin of each of those texts. */
  readonly contextFrom: readonly ContextOrigin[]
  /** Instructions for a compaction. */
  readonly instructions: string | null
  /** Texts for readers, in configuration order. */
  readonly messages: readonly Message[]
  /** The model may try a denied call again. This and the following: only in profiles that have it. */
  readonly retry?: boolean | undefined
  /** Title of the session. */
  readonly sessionTitle?: string | null | undefined
  /** A first prompt, where no user types one. */
  readonly initialUserMessage?: string | null | undefined
  /** Text that is shown in place of a text of the assistant. */
  readonly displayContent?: string | null | undefined
  /** Path of the worktree that a hook made. */
  readonly worktreePath?: string | null | undefined
  /** Files that the host is to watch; null when no hook said anything, empty: none any more. */
  readonly watchPaths?: readonly string[] | null | undefined
  /** Skills are to be read again. */
  readonly reloadSkills?: boolean | undefined
  /** A blocked prompt is not shown beside the reason. */
  readonly suppressOriginalPrompt?: boolean | undefined
  /** Answer to an MCP server that asked the user. */
  readonly elicitation?: ElicitationAnswer | null | undefined
  /** Sequences that the terminal may be sent as they are, in configuration order. */
  readonly terminalSequences?: readonly string[] | undefined
  /** A text for the classifier that judges later calls. */
  readonly classifierContext?: string | null | undefined
}

/** Answer to an MCP server that asked the user. */
export interface ElicitationAnswer {
  /** Choice of the user: answers, refuses, or gives up. */
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Values that were filled in. */
  readonly content: Readonly<Record<string, unknown>> | null
}

/** Origin of a text for the model. */
export interface ContextOrigin {
  /** The id of the hook. */
  readonly hook: string
  /** Kind of text: a field of the hook's answer, or its plain output. */
  readonly kind: 'context' | 'stdout'
}

/** Outcome of one configured hook. */
export interface HookLine {
  /** Names the hook: its scope, event, group and place in the group. */
  readonly id: string
  /** Verdict: ran, or the reason why not. */
  readonly verdict: Verdict
  /** True for a hook that would run; nothing was executed. */
  readonly planned?: true | undefined
  /** Reason why it did not run. */
  readonly because?: string | undefined
  /** Scope that the hook was configured in: `project`, `user`, `managed`, … */
  readonly scope: string
  /** The name of the profile that it was read under; records of older versions do not say it. */
  readonly profile?: string | undefined
  /** The file it stands in, relative to the project inside it; null for hooks registered in memory. */
  readonly file: string | null
  /** The line it stands at. */
  readonly line: number | null
  /** Matcher as written. */
  readonly matcher: string | null
  /** The type of hook it says it is. */
  readonly type: string | null
  /** Command that a command hook runs. */
  readonly command?: string | undefined
  /** The arguments of a command that no shell reads. */
  readonly args?: readonly string[] | undefined
  /** The command is written inside of `hookline wrap`, for other agents. */
  readonly wrapped?: true | undefined
  /** The shell that reads a command, where it is not the usual one. */
  readonly shell?: string | undefined
  /** Prompt of a prompt or agent hook. */
  readonly prompt?: string | undefined
  /** Address that an http hook sends the event to, without credentials and query. */
  readonly url?: string | undefined
  /** The MCP server of a tool. */
  readonly server?: string | undefined
  /** The tool of an MCP server. */
  readonly tool?: string | undefined
  /** Outcome of the run. */
  readonly outcome?: 'success' | 'blocking' | 'non_blocking_error' | 'cancelled' | undefined
  /** Failure of a fail-closed hook; it blocked without having decided. */
  readonly failed?: string | undefined
  /** The exit code of a command. */
  readonly exitCode?: number | null | undefined
  /** The signal that ended a command. */
  readonly signal?: string | null | undefined
  /** Reason why its program never ran: the system, or the shell that reads the command, could not start it. */
  readonly notStarted?: string | undefined
  /** True if the hook was ended since its time was over. */
  readonly timedOut?: boolean | undefined
  /** Start in milliseconds from the beginning of the event; missing when it never was. */
  readonly startMs?: number | undefined
  /** Duration in milliseconds. */
  readonly durationMs?: number | undefined
  /** Bytes written to stdout, kept or not. */
  readonly stdoutBytes?: number | undefined
  /** Bytes written to stderr, kept or not. */
  readonly stderrBytes?: number | undefined
  /** A part of its output was dropped. */
  readonly truncated?: boolean | undefined
  /** The end of what was kept of its stdout, without secrets; only where the host asked for it. */
  readonly stdoutTail?: string | undefined
  /** The same of its stderr. */
  readonly stderrTail?: string | undefined
  /** Launcher: a resident shell, or the host itself; `warm`: its interpreter was started ahead of the event. */
  readonly launcher?: 'pool' | 'direct' | 'warm' | undefined
  /** The model that answered. */
  readonly model?: string | undefined
  /** Tokens that the model read, over all questions, where the provider says so. */
  readonly inputTokens?: number | undefined
  /** Tokens that the model wrote. */
  readonly outputTokens?: number | undefined
  /** Number of turns that an agent took. */
  readonly turns?: number | undefined
  /** Number of times that a model was asked, when more than once. */
  readonly attempts?: number | undefined
  /** Answer as it was read; null when it gave none. */
  readonly answer?: Readonly<Record<string, unknown>> | null | undefined
  /** Oddities that did not keep the hook from running. */
  readonly warnings: readonly string[]
}

/** The program that opened the engine. */
export interface RecordHost {
  /** Name of the client. */
  readonly client: string
  /** Version of the client, where it says so. */
  readonly version?: string | undefined
  /** Set where the resident engine answered in place of a process that the client started. */
  readonly launcher?: 'resident' | undefined
}

/** The project of a session, without its path. */
export interface RecordProject {
  /** The name of its folder. */
  readonly name: string
  /** A digest of the folder's path. */
  readonly pathHash: string
}

/** Record of one event. */
export interface DispatchRecord {
  /** The version of this shape. */
  readonly version: 2
  /** Names the record: `machine/epoch/seq`. What is delivered twice has the same one; `seq` counts the events of one engine. */
  readonly id: string
  /** The id of the record that this one adds to: it tells how a hook of that event ended in the background, and decides nothing. */
  readonly lateOf?: string | undefined
  /** Beginning of the event, as an ISO date. */
  readonly at: string
  /** Milliseconds until there was a decision. */
  readonly durationMs: number
  /** The session it belongs to. */
  readonly sessionId: string
  /** The subagent that it happened in; missing in the session's own loop. */
  readonly agentId?: string | undefined
  /** The name of the event. */
  readonly event: string
  /** The name of the profile that was in force; hooks of a project that chose another one say so in their lines. */
  readonly profile: string
  /** The program that opened the engine; missing where it does not say. */
  readonly host?: RecordHost | undefined
  /** The version of Hookline. */
  readonly engine: string
  /** The project of the session. */
  readonly project: RecordProject
  /** A digest of the hooks that are configured for the event, and of which of them could run. */
  readonly snapshot: string
  /** Decision that the host acts on. */
  readonly decision: Decision
  /** A line for every configured hook of the event, in configuration order. */
  readonly hooks: readonly HookLine[]
  /** Notices that belong to no hook; each told once. */
  readonly notices?: readonly string[] | undefined
}

/** Fields that records of version 1 do not have. */
type AddedIn2 = 'id' | 'durationMs' | 'engine' | 'project' | 'snapshot'

/** A record of this version or of an earlier one, as logs hold them. */
export interface PastRecord
  extends Omit<DispatchRecord, 'version' | AddedIn2>,
    Partial<Pick<DispatchRecord, AddedIn2>> {
  readonly version: 1 | 2
}

/** A part of a record while the engine makes it. */
export type Mutable<Part> = {
  -readonly [Name in keyof Part]: Part[Name] extends readonly (infer Item)[] ? Item[] : Part[Name]
}
