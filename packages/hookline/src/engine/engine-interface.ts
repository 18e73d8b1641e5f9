import type { Configuration } from '../config/configuration.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import type { Problem } from '../config/problem.ts'
import type { ProfileChoices } from '../config/profile-choice.ts'
import type { WritableScope } from '../config/scopes.ts'
import type { NewHook } from '../config/settings-text.ts'
import type { TrustStanding } from '../config/snapshot.ts'
import type { PendingChange } from '../config/text-diff.ts'
import type { Delivery } from '../dispatch/background.ts'
import type { RecordListener } from '../dispatch/host-listeners.ts'
import type { Progress } from '../dispatch/progress.ts'
import type { Unread } from '../dispatch/record-unread.ts'
import type { TraceContext } from '../dispatch/settled.ts'
import type { EventInput, EventTypes, InputFor } from '../protocol/event-input.ts'
import type { Profile } from '../protocol/profile.ts'
import type { DefaultEvents } from '../protocol/profile-events.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import type { AbsentGuard } from './absent-guards.ts'
import type { ExplainOptions, Explanation } from './explain.ts'
import type { HookFault } from './faults.ts'
import type { ListedHook, ListedModule, ListeningHook } from './listing.ts'
import type {
  Activation,
  FunctionHookOptions,
  HookFunction,
  HooksSetting,
  KnownEvent,
  LoopOptions,
  Registration,
} from './register.ts'
import type { SpecialCall } from './special-commands.ts'

/** The hooks of one session, whose profile has these events. */
export interface Engine<Events extends EventTypes = DefaultEvents> extends AnyEngine {
  /** Runs the hooks of an event and resolves with the record; act on its `decision`. Rejects only when the input is not an event. */
  dispatch<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name, Events>,
    options?: DispatchOptions,
  ): Promise<DispatchRecord>

  /** The same, told while it happens; ends with the record. */
  stream<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name, Events>,
    options?: DispatchOptions,
  ): AsyncGenerator<Progress, void, undefined>

  /** Explains what would become of every hook configured for an event. Nothing is executed. */
  explain<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name, Events>,
    options?: ExplainOptions,
  ): Explanation

  /**
   * Registers hooks for this session, written as in a settings file: `{ PreToolUse: [{ matcher, hooks: […] }] }`. The
   * `prompt` of an agent hook may also be a function of the conversation.
   */
  register(hooks: HooksSetting<Events>, options?: LoopOptions): Promise<Registration>

  /** Registers an in-process hook for this session. */
  on<Name extends string>(
    event: Name & KnownEvent<Name, Events>,
    hook: HookFunction<Name, Events>,
    options?: FunctionHookOptions & LoopOptions,
  ): Promise<Registration>
}

/** The hooks of one session, whatever its profile. */
export interface AnyEngine {
  /** The id that events without one get. */
  readonly sessionId: string

  /** The home of the user whose settings count. */
  readonly home: string

  /**
   * The version of the protocol that is in force. A host asks it which events there are, and what their inputs carry. In a
   * trusted project that chose another one than the user, the events of both.
   */
  readonly profile: Profile

  /** Every hook of the configuration files, sound or not, in configuration order. */
  readonly hooks: readonly ConfiguredHook[]

  /** Problems of the files that were read, active components included. */
  readonly problems: readonly Problem[]

  /** Faults of what was configured and can never run here: misspelt events, entries that cannot be read or lack support. */
  readonly faults: HookFault[]

  /**
   * Entries that were to guard calls and cannot run. A host that reads permissions from settings leaves out what a file with one
   * of them loosens: its allow rules, directories and mode.
   */
  readonly absentGuards: AbsentGuard[]

  /** Tells of the faults in the notices of the next record, for a host whose users read those and its log. */
  tellFaults(): void

  /**
   * Configuration that was read from disk, for hosts that run more than hooks: permission rules, MCP servers and components come
   * from the very objects that the user was shown. `hookline/settings` has their types.
   */
  readonly configuration: Configuration

  /** Profiles that hooks are read under, those of the project and all others, with the reasons. */
  readonly profiles: ProfileChoices

  /** Request of the project to be trusted, and whether it is. */
  readonly trust: TrustStanding

  /** Runs the hooks of an event and resolves with the record; act on its `decision`. Rejects only when the input is not an event. */
  dispatch(input: EventInput, options?: DispatchOptions): Promise<DispatchRecord>

  /** Records an event that no hook could be asked about, since what the host got of it cannot be read. */
  recordUnread(event: string, unread: Unread): DispatchRecord

  /** Every configured hook with its standing: active, or why it never runs. */
  list(): ListedHook[]

  /**
   * True if a hook that can run listens to an event: to some event of a name, or to this very one, which would wait for it. Cheap:
   * asked of the index that `dispatch` uses.
   */
  listensTo(event: string | EventInput): boolean

  /** The hooks that are configured for an event, from that index, each with `active` or why it never runs. */
  listListeners(event: string): ListeningHook[]

  /** Every function hook of the enabled plugins, which only Claude Code runs. */
  listModules(): ListedModule[]

  /** Makes the hooks of a skill, agent or slash command count; resolves with what is active then. */
  activate(component: string, activation?: Activation): Promise<string[]>

  /** Takes the hooks of a component away; what is active then. */
  deactivate(component: string, options?: LoopOptions): string[]

  /** Writes a hook into a settings file; it is active at once. */
  add(scope: WritableScope, hook: NewHook): Promise<void>

  /**
   * Changes the text of a settings file, on disk and in this session: it is the user's own edit, so a project that they
   * trusted stays trusted. `change` throws a HooklineError for a text that it cannot change; nothing is written then.
   */
  edit(scope: WritableScope, change: (text: string) => string): Promise<void>

  /** Switches a hook off for this session, or on again, by its id; policy's hooks stay on. Whether there is such a hook. */
  switchHook(id: string, state: { readonly off: boolean }): boolean

  /** Has a listener get every record from now on, as the option `onRecord` does; the function that is returned ends that. */
  onRecord(listener: RecordListener): () => void

  /** Takes what background hooks have said since it was last asked, each thing once. */
  takeDeliveries(): Delivery[]

  /** The same after all background hooks have ended. */
  drain(): Promise<Delivery[]>

  /** Resolves when `takeDeliveries` has something to hand out; false: it has nothing, and no hook runs in the background. */
  waitForDelivery(): Promise<boolean>

  /** Files to source, by bash and in this order, before every command of the session. */
  listEnvironmentFiles(): string[]

  /**
   * One file that sources them, for BASH_ENV: bash reads it before a command, and the command finds their functions and
   * arrays too. null when there are none.
   */
  writeEnvironmentScript(): Promise<string | null>

  /** Sources those files, and resolves with what that adds to the environment or changes in it. */
  readEnvironment(): Promise<Record<string, string>>

  /** Lists what was edited on disk since the hooks were read, for review. */
  listChanges(): Promise<readonly PendingChange[]>

  /**
   * Takes over what `changes` showed last, not what is on disk by now, and nothing when it was not asked; resolves with the
   * number of changed files.
   */
  accept(): Promise<number>

  /** Lets run what the project asks for, as `trust.request` shows it, and stores that the user trusts it; without `keep` for this session alone. */
  acceptTrust(options?: { readonly keep?: boolean | undefined }): Promise<void>

  /** The configured status line for a status object; null when there is none or it fails. */
  runStatusLine(status: Readonly<Record<string, unknown>>, call?: SpecialCall): Promise<string | null>

  /** Spaces that the host puts before the status line. */
  readonly statusLinePadding: number

  /** Paths that the configured command suggests for what was typed. */
  suggestFiles(query: string, call?: SpecialCall): Promise<string[]>

  /** True if `close` was called: from then on hooks do not run, and their silence agrees to nothing. */
  readonly isClosed: boolean

  /** Ends what still runs, and resolves with what was not delivered. */
  close(): Promise<Delivery[]>
}

/** Ends a wait or a run from outside. */
export interface Abortable {
  /** Aborting it ends what was asked for. */
  readonly signal?: AbortSignal | undefined
}

/** Options of one dispatch. */
export interface DispatchOptions extends Abortable {
  /** Hooks that are left out, by id: they have seen the same call under another name. */
  readonly except?: ReadonlySet<string> | undefined
  /** The hooks that run: those that the event waits for, or those that it does not; undefined: all. */
  readonly only?: 'awaited' | 'background' | undefined
  /** True if the tool of the event is one of an MCP server; by default its name says so: `mcp__server__tool`. */
  readonly mcp?: boolean | undefined
  /** The span that the event happens in, in the place of the one of the engine's options. */
  readonly trace?: TraceContext | undefined
}
