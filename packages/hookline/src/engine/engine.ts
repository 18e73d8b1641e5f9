import { randomUUID } from 'node:crypto'
import { ChangeWatch, type PendingChange, type Review, review } from '../config/changes.ts'
import { type Configuration, readConfiguration } from '../config/configuration.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import type { Problem } from '../config/problem.ts'
import type { WritableScope } from '../config/scopes.ts'
import type { NewHook } from '../config/settings-text.ts'
import { snapshotOf } from '../config/snapshot.ts'
import { storeAcceptance, storeDoubt, type TrustRequest } from '../config/trust.ts'
import { userHooksNews } from '../config/user-hooks.ts'
import { Background, type Delivery } from '../dispatch/background.ts'
import { debugLog } from '../dispatch/debug-log.ts'
import { dispatch } from '../dispatch/dispatch.ts'
import { LoopHooks, MAIN_LOOP } from '../dispatch/loop-hooks.ts'
import { follow, type Progress } from '../dispatch/progress.ts'
import { hooksInOrder, type Session, unreadFiles } from '../dispatch/session.ts'
import type { Settled } from '../dispatch/settled.ts'
import { Slots } from '../dispatch/slots.ts'
import { openSpentHooks } from '../dispatch/spent-hooks.ts'
import { PrivateFolder } from '../files/private-folder.ts'
import type { FunctionHook } from '../hook-types/function.ts'
import type { InputFor } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record.ts'
import type { RecordLog } from '../record/record-log.ts'
import { EnvFiles, environmentChanges } from '../run/env-files.ts'
import { StopSignal } from '../run/stop-signal.ts'
import { type ExplainOptions, type Explanation, explain } from './explain.ts'
import { faultsOf, type HookFault, noteFaults } from './faults.ts'
import { type ListedHook, listHooks, switchHook } from './listing.ts'
import { type EngineOptions, settle } from './options.ts'
import {
  activateComponent,
  deactivateComponent,
  type FunctionHookOptions,
  type Registration,
  registerFunction,
  registerHooks,
} from './register.ts'
import { runFileSuggestion, runStatusLine, type SpecialCall } from './special-commands.ts'

/** Ends a wait or a run from outside. */
export interface Abortable {
  readonly signal?: AbortSignal
}

/** The loop that hooks are registered for: a subagent's, or the session's own. */
export interface ForLoop {
  readonly agent?: string
}

/** Opens an engine for one session: reads the hooks once, and keeps them until the end. */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const settled = settle(options)
  const snapshot = await snapshotOf(await readConfiguration(settled.places, settled.profile), settled.places, settled)
  const folder = new PrivateFolder()
  const { files } = snapshot.configuration
  const news = settled.rehearsal ? null : await userHooksNews(files, settled.places.home)
  const doubt = snapshot.trust.accepted ? null : await storeDoubt(settled.places.home)
  const notices = [...unreadFiles(snapshot), ...[doubt, news?.notice ?? null].filter((sentence) => sentence !== null)]
  return new Engine({
    options: settled,
    common: {
      session_id: options.sessionId ?? randomUUID(),
      ...(options.transcriptPath === undefined ? {} : { transcript_path: options.transcriptPath }),
      ...(options.permissionMode === undefined ? {} : { permission_mode: options.permissionMode }),
    },
    snapshot,
    loopHooks: new LoopHooks(),
    spent: await openSpentHooks(options.onceFile, { warn: (sentence) => notices.push(sentence) }),
    switchedOff: new Set(),
    listeners: new Map(),
    slots: new Slots(),
    backgroundSlots: new Slots(),
    background: new Background(),
    folder,
    envFiles: new EnvFiles(folder, { env: settled.run.env, cwd: settled.places.project }),
    watch: new ChangeWatch(snapshot),
    told: new Set(),
    notices,
    news,
    log: debugLog(options.debug, 'hooks'),
    recordLog: await recordLogFor(settled, notices),
    closing: new StopSignal(),
    dispatching: new Set(),
  })
}

/** Most sessions keep no records, and load nothing for it. */
async function recordLogFor({ log, run }: Settled, notices: string[]): Promise<RecordLog | null> {
  if (log === null) return null
  const { openRecordLog } = await import('../record/record-log.ts')
  return openRecordLog(log, { env: run.env, warn: (sentence) => notices.push(sentence) })
}

/** Most sessions change no settings, and load nothing for it. */
const edits = () => import('./edit-hooks.ts')

/** The hooks of one session. */
export class Engine {
  readonly #session: Session
  #reviewed: Review | null = null
  #editing: Promise<unknown> = Promise.resolve()

  /** Use `openEngine`. */
  constructor(session: Session) {
    this.#session = session
  }

  /** The id that events without one get. */
  get sessionId(): string {
    return this.#session.common.session_id
  }

  /** Every hook of the configuration files, sound or not, in configuration order. */
  get hooks(): readonly ConfiguredHook[] {
    return this.#session.snapshot.hooks
  }

  /** What is wrong in the files that were read, active components included. */
  get problems(): readonly Problem[] {
    return [...this.#session.snapshot.problems, ...this.#session.loopHooks.problems()]
  }

  /** Everything that was configured and can never run here: misspelt events, entries that cannot be read or lack support. */
  get faults(): HookFault[] {
    return faultsOf(this.#session, this.problems)
  }

  /** Tells of the faults in the notices of the next record, for a host whose users read those and its log. */
  tellFaults(): void {
    noteFaults(this.#session, this.faults)
  }

  /**
   * Everything that was read from disk, for hosts that run more than hooks: permission rules, MCP servers and components come
   * from the very objects that the user was shown. `hookline/settings` has their types.
   */
  get configuration(): Configuration {
    return this.#session.snapshot.configuration
  }

  /** What the project asks to be trusted with, and whether it is. */
  get trust(): { readonly request: TrustRequest; readonly accepted: boolean } {
    return this.#session.snapshot.trust
  }

  /** Runs the hooks of an event and resolves with the record; act on its `decision`. Rejects only when the input is no event. */
  dispatch<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name>,
    { signal }: Abortable = {},
  ): Promise<DispatchRecord> {
    return dispatch(this.#session, input, { signal, emit: () => {} })
  }

  /** The same, told while it happens; ends with the record. */
  stream<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name>,
    { signal }: Abortable = {},
  ): AsyncGenerator<Progress, void, undefined> {
    return follow((emit, stop) => dispatch(this.#session, input, { signal: stop, emit }), signal)
  }

  /** What would become of every hook configured for an event. Nothing is executed. */
  explain<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name>,
    options: ExplainOptions = {},
  ): Explanation {
    return explain(this.#session, input, options)
  }

  /** Every configured hook with its standing: active, or why it never runs. */
  list(): ListedHook[] {
    return listHooks(this.#session)
  }

  /**
   * Registers hooks for this session, written as in a settings file: `{ PreToolUse: [{ matcher, hooks: […] }] }`. The
   * `prompt` of an agent hook may also be a function of the conversation.
   */
  register(hooks: object, { agent = MAIN_LOOP }: ForLoop = {}): Promise<Registration> {
    return registerHooks(this.#session, hooks, agent)
  }

  /** Registers an in-process hook for this session. */
  on(event: string, call: FunctionHook, options: FunctionHookOptions & ForLoop = {}): Promise<Registration> {
    return registerFunction(this.#session, event, call, options)
  }

  /** Makes the hooks of a skill, agent or slash command count; resolves with what is active then. */
  activate(component: string, { agent = MAIN_LOOP }: ForLoop = {}): Promise<string[]> {
    return activateComponent(this.#session, component, agent)
  }

  /** Takes the hooks of a component away; what is active then. */
  deactivate(component: string, { agent = MAIN_LOOP }: ForLoop = {}): string[] {
    return deactivateComponent(this.#session, component, agent)
  }

  /** Writes a hook into a settings file; it is active at once. */
  add(scope: WritableScope, hook: NewHook): Promise<void> {
    return this.#inTurn(async () => (await edits()).addHook(this.#session, scope, hook))
  }

  /**
   * Changes the text of a settings file, on disk and in this session: it is the user's own edit, so a project that they
   * trusted stays trusted. `change` throws a HooklineError for a text that it cannot change; nothing is written then.
   */
  edit(scope: WritableScope, change: (text: string) => string): Promise<void> {
    return this.#inTurn(async () => (await edits()).editRunning(this.#session, scope, change))
  }

  #inTurn(edit: () => Promise<void>): Promise<void> {
    const edited = this.#editing.then(edit)
    this.#editing = edited.catch(() => {}) // whoever asked for it is told
    return edited
  }

  /** Switches a hook off for this session, or on again, by its id; policy's hooks stay on. Whether there is such a hook. */
  switchHook(id: string, { off }: { readonly off: boolean }): boolean {
    return switchHook(this.#session, id, off)
  }

  /** What background hooks have said since it was last asked, each thing once. */
  delivered(): Delivery[] {
    return this.#session.background.take()
  }

  /** The same after all background hooks have ended. */
  drain(): Promise<Delivery[]> {
    return this.#session.background.drain()
  }

  /** Files to source, by bash and in this order, before every command of the session. */
  environmentFiles(): string[] {
    return this.#session.envFiles.inOrderOf(this.#hookIds())
  }

  /**
   * One file that sources them, for BASH_ENV: bash reads it before a command, and the command finds their functions and
   * arrays too. null when there are none.
   */
  async environmentScript(): Promise<string | null> {
    await this.#tryEnvFiles()
    return this.#session.envFiles.script(this.#hookIds())
  }

  /** What is wrong with a file is told with the next record. */
  async #tryEnvFiles(): Promise<void> {
    const { envFiles, notices } = this.#session
    notices.push(...(await envFiles.tryOut(this.#hookIds())))
  }

  #hookIds(): string[] {
    return hooksInOrder(this.#session).map(({ id }) => id)
  }

  /** What sourcing those files adds to the environment or changes in it. */
  async environment(): Promise<Record<string, string>> {
    await this.#tryEnvFiles()
    const { options } = this.#session
    return environmentChanges(this.environmentFiles(), { env: options.run.env, cwd: options.places.project })
  }

  /** What was edited on disk since the hooks were read, for review. */
  async changes(): Promise<readonly PendingChange[]> {
    const { snapshot, options } = this.#session
    this.#reviewed = await review(snapshot, options.profile)
    return this.#reviewed.changes
  }

  /**
   * Takes over what `changes` showed last, not what is on disk by now, and nothing when it was not asked; resolves with the
   * number of changed files.
   */
  async accept(): Promise<number> {
    if (this.#reviewed === null) return 0
    const { changes, configuration } = this.#reviewed
    this.#reviewed = null
    await (await edits()).adopt(this.#session, configuration)
    return changes.length
  }

  /** Stores that the person accepted what the project asks for, and lets it run. */
  async acceptTrust(): Promise<void> {
    const { options, snapshot } = this.#session
    await storeAcceptance(snapshot.trust.request, options.places.home)
    await (await edits()).adopt(this.#session, snapshot.configuration, 'accepted')
  }

  /** The configured status line for a status object; null when there is none or it fails. */
  statusLine(status: Readonly<Record<string, unknown>>, call: SpecialCall = {}): Promise<string | null> {
    return runStatusLine(this.#session, status, call)
  }

  /** Spaces that the host puts before the status line. */
  get statusLinePadding(): number {
    return this.#session.snapshot.switches.statusLine?.padding ?? 0
  }

  /** Paths that the configured command suggests for what was typed. */
  fileSuggestion(query: string, call: SpecialCall = {}): Promise<string[]> {
    return runFileSuggestion(this.#session, query, call)
  }

  /** Whether `close` was called: from then on hooks do not run, and their silence agrees to nothing. */
  get isClosed(): boolean {
    return this.#session.closing.isStopped
  }

  /** Ends what still runs, and resolves with what was not delivered. */
  async close(): Promise<Delivery[]> {
    const { closing, dispatching, background, folder, loopHooks, recordLog, options } = this.#session
    closing.stop()
    await Promise.allSettled(dispatching)
    const undelivered = await background.drain()
    await options.run.launcher.close()
    loopHooks.clear()
    await folder.remove()
    await recordLog?.close()
    return undelivered
  }
}
