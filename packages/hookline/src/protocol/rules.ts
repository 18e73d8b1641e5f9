import type { FileScope, Scope, ScopeInOrder } from './scope.ts'

/**
 * Rules of a whole protocol. Every rule is a named choice, which a room looks up in a `Record` over the names, or a
 * plain value; what varies from event to event is a fact of the event's row instead.
 */
export interface ProtocolRules {
  readonly answers: AnswerRules
  readonly verdicts: VerdictRules
  readonly matchers: MatcherRules
  readonly scopes: ScopeRules
  /** Rule for several hooks that would run the same thing: a key of `match/duplicates.ts`. */
  readonly duplicates: 'first-with-longest-timeout' | 'last-never-weaker'
  /** Seconds that a hook may take which sets no timeout, by its type; a row may say otherwise. */
  readonly seconds: Readonly<Record<string, number>>
  readonly once: OnceRules
  /** Lifetime of the hooks of a slash command that the user typed; the host takes them away. */
  readonly commandHooks: 'until-turn-ends' | 'until-session-ends'
  readonly background: BackgroundRules
  readonly longTexts: LongTextRules
  /** Variables that every hook gets besides the host's: keys of `run/environment.ts`. */
  readonly environment: readonly HookVariable[]
  /** Fields that the host sends beside those of every protocol, where it can know them. */
  readonly hostFields: readonly HostField[]
  /** True if hooks of a plugin get its options and the name of its data folder. */
  readonly pluginOptions: 'passed-on' | 'unknown'
  /** Cost of a misfit, as `hookline validate` tells it: its entry, or what the client drops with it. */
  readonly misfits: 'entry' | 'as-the-client'
  /** True if a field that means nothing on a hook or group is an error; a near miss of one that does always is. */
  readonly ignoredFields: 'error' | 'warning'
  /** Copies that count of hooks that stand twice, in files that need no trust: the last, or those of all events and groups. */
  readonly repeatedHooks: 'last' | 'all'
  /** Fate of a hook that holds a field twice, in files that need no trust: the last one counts, or the hook is set aside. */
  readonly repeatedFields: 'last' | 'set-aside'
  /** Fate of a policy whose hooks hold a key twice: no engine opens, or they count as in a user's file, and a guard that is set aside refuses its calls. */
  readonly repeatedPolicy: 'refused' | 'counted'
  /** Value of `CLAUDE_PLUGIN_ROOT` for hooks of a skill outside of plugins. */
  readonly skillRoot: 'own-folder' | 'none'
  /** True if a hook may stand among the groups of an event, with its matcher on itself. */
  readonly flatHooks: 'read' | 'invalid'
  /** Fields that a hook may have: those that hooks of any type have, or those of its own. */
  readonly hookFields: 'of-any-type' | 'of-its-type'
}

/** Rules for reading what a hook prints. */
export interface AnswerRules {
  /** With which exit codes an answer on stdout counts: a key of `read/exit-codes.ts`. */
  readonly count: 'at-exit-0' | 'at-any-exit'
  /** Stdout that is meant as an answer: a key of `read/answer-text.ts`, as are the next two. */
  readonly form: 'opening-brace' | 'braces-around'
  /** Treatment of an answer that cannot be read or does not fit. */
  readonly unreadable: 'plain-text' | 'failure'
  /** Meaning of a field that is null. */
  readonly nullFields: 'absent' | 'misfit'
  /** Words of `decision` at the top level. */
  readonly decisionWords: readonly DecisionWord[]
  /** Part that counts of an answer that decides in the old form and in the new one: a key of `read/opinion.ts`. */
  readonly bothForms: 'stricter' | 'new'
  /** The fields of any answer: those that count, those that may be there and do nothing, and those that are unknown. */
  readonly commonFields: Readonly<Record<CommonField, 'read' | 'accepted' | 'unknown'>>
  /** Reader of a halt's reason: the model too, or left to the host: a key of `decide/decision.ts`. */
  readonly stopReasonTo: 'host' | 'model'
}

/** Fields at the top level of an answer to any event. */
export type CommonField =
  | 'continue'
  | 'stopReason'
  | 'suppressOutput'
  | 'systemMessage'
  | 'decision'
  | 'reason'
  | 'async'
  | 'additionalContext'
  | 'asyncTimeout'
  | 'terminalSequence'

/** The words that `decision` has had. */
export type DecisionWord = 'approve' | 'block' | 'allow' | 'deny'

/** Rules for reading the verdict of a model: keys of `read/model-verdict.ts`. */
export interface VerdictRules {
  /** True if the older `{"decision": …}` is understood beside `{"ok": …}`. */
  readonly words: 'ok-or-decision' | 'ok'
  /** Beginning of the reason of a condition that is not met: a key of `read/judgement.ts`, as is the next. */
  readonly reason: 'condition-not-met' | 'named-after-hook'
  /** Occurrences of `$ARGUMENTS` in a prompt that stand for the event: a key of `hook-types/judge.ts`. */
  readonly placeholders: 'all' | 'unless-escaped'
  /** Meaning of `"impossible": true` beside it where a block would send the agent on. */
  readonly impossible: 'unknown' | 'ends-loops'
}

/** Rules for writing matchers. */
export interface MatcherRules {
  /** Elements of a list of exact names: a key of `pattern/matcher.ts`. A row may say otherwise. */
  readonly names: NameList
  /** Reading of `tool == "Bash"`: an expression, or a pattern like any other. */
  readonly expressions: 'read' | 'unknown'
  /** Meaning of a matcher that is null: as if it were not there, or a fault. */
  readonly nulls: 'absent' | 'invalid'
  /** True if a pattern may look ahead and behind, in bounded time: a key of `pattern/matcher.ts`. */
  readonly lookAround: 'bounded' | 'none'
  /** Older names that a matcher may use for a value, by the field and then by the value. */
  readonly aliases: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Values that hooks for another value are shown as that one, by the field and then by the value. */
  readonly alsoShownAs: Readonly<Record<string, Readonly<Record<string, OtherShape>>>>
}

/** Another shape in which hooks see an event: with another value to match on, and with some keys of an object alone. */
export interface OtherShape {
  readonly value: string
  /** The input field with that object. */
  readonly of: string
  readonly keys: readonly string[]
}

/** The characters of names, and what stands between them. */
export type NameList = 'bars' | 'bars-and-commas' | 'bars-without-hyphens'

/** Order in which scopes speak. */
export interface ScopeRules {
  /** The order in which hooks are started, read and merged. */
  readonly order: readonly ScopeInOrder[]
  /** A setting beside the hooks is that of the first of these scopes that has it. */
  readonly settings: readonly Exclude<FileScope, 'plugin'>[]
  /** The switches by which policy leaves only some scopes running: keys of `config/switches.ts`. */
  readonly policy: readonly PolicySwitch[]
  /** True if an event of an agent's frontmatter turns into that of a subagent although the agent is the session's own. */
  readonly mainAgent: 'as-subagent' | 'as-itself'
}

/** A switch of policy that leaves only some scopes running. */
export type PolicySwitch = 'allowManagedHooksOnly' | 'strictPluginOnlyCustomization'

/** Hooks that run once in a session. */
export interface OnceRules {
  /** Scopes in which `once` counts; elsewhere the hook runs each time. */
  readonly countsIn: readonly Scope[]
  /** Opener that the component must have had. */
  readonly openedBy: 'anyone' | 'model'
  /** Moment at which the one run is used up: a key of `dispatch/spent-hooks.ts`. */
  readonly spent: 'when-started' | 'when-succeeded'
}

/** Rules for a hook that the event does not wait for. */
export interface BackgroundRules {
  /** Reader of its `systemMessage`. */
  readonly systemMessageTo: 'user' | 'model'
  /** True if the user is told of an objection that came too late. */
  readonly objections: 'told' | 'dropped'
  /** Reader of its plain stdout, and of the words of one that failed: a key of `dispatch/background.ts`. */
  readonly plainStdout: 'model' | 'none'
  /** True if its timeout ends it. */
  readonly timeout: 'ends' | 'ignored'
}

/** Texts that are too long for a conversation: they go into a file. */
export interface LongTextRules {
  /** Characters. */
  readonly longest: number
  readonly of: readonly ('context' | 'systemMessage')[]
  /** Replacement for such a text: a key of `dispatch/spill.ts`. */
  readonly replacedBy: 'preview-and-place' | 'persisted-output'
}

/**
 * `prompt_id`: on all events after the first prompt; `agent_type`, `scratchpad_dir`: on all events, where there is one;
 * `agent_transcript_path`: on all events inside a subagent; `duration_ms`: of a tool that has run; `mcp_server`: on the
 * events of a tool that one offers; the others: when an agent wants to stop, what it said last and what it leaves running.
 */
export type HostField =
  | 'prompt_id'
  | 'agent_type'
  | 'scratchpad_dir'
  | 'agent_transcript_path'
  | 'duration_ms'
  | 'mcp_server'
  | 'last_assistant_message'
  | 'background_tasks'
  | 'session_crons'

/** A variable that hooks get. */
export type HookVariable =
  | 'CLAUDE_PROJECT_DIR'
  | 'CLAUDE_CODE_REMOTE'
  | 'CLAUDECODE'
  | 'CLAUDE_CODE_ENTRYPOINT'
  | 'CLAUDE_CODE_SESSION_ID'
  | 'CLAUDE_CODE_CHILD_SESSION'
  | 'CLAUDE_CODE_SESSION_ATTENDED'
  | 'CLAUDE_PID'
  | 'CLAUDE_EFFORT'
  | 'CLAUDE_CODE_AGENT'
