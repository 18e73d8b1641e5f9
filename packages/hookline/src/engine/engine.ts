import { randomUUID } from 'node:crypto'
import { ChangeWatch, type Review, reviewChanges } from '../config/changes.ts'
import { type Configuration, readConfiguration } from '../config/configuration.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import type { Problem } from '../config/problem.ts'
import type { ProfileChoices } from '../config/profile-choice.ts'
import type { WritableScope } from '../config/scopes.ts'
import type { SettingsFile } from '../config/settings-file.ts'
import type { NewHook } from '../config/settings-text.ts'
import { listUnreadFiles, makeSnapshot, type Snapshot, type TrustStanding } from '../config/snapshot.ts'
import type { PendingChange } from '../config/text-diff.ts'
import { findStoreDoubt, storeAcceptance } from '../config/trust.ts'
import { findUserHooksNews } from '../config/user-hooks.ts'
import type { Delivery } from '../dispatch/background.ts'
import { openDebugLog } from '../dispatch/debug-log.ts'
import { type Dispatch, dispatch } from '../dispatch/dispatch.ts'
import { type RecordListener, tellUntrusted } from '../dispatch/host-listeners.ts'
import { MAIN_LOOP } from '../dispatch/loop-hooks.ts'
import type { Session, Stage } from '../dispatch/pipe.ts'
import { type Progress, streamProgress } from '../dispatch/progress.ts'
import { recordUnread, type Unread } from '../dispatch/record-unread.ts'
import {
  findHookProfile,
  formatUntrustedNotice,
  isUntrusted,
  listHooksInOrder,
  makeOrigin,
} from '../dispatch/session.ts'
import type { SettledOptions } from '../dispatch/settled.ts'
import { Slots } from '../dispatch/slots.ts'
import { openSpentHooks } from '../dispatch/spent-hooks.ts'
import { PrivateFolder } from '../files/temp-folder.ts'
import type { FunctionHook } from '../hook-types/function.ts'
import { DUPLICATES, findDifferingCopies } from '../match/duplicates.ts'
import type { EventInput, InputFor } from '../protocol/event-input.ts'
import type { Profile } from '../protocol/profile.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import type { RecordLog } from '../record/record-log.ts'
import { readEnvironmentChanges } from '../run/env-files.ts'
import { StopSignal } from '../run/stop-signal.ts'
import { type AbsentGuard, findAbsentGuards } from './absent-guards.ts'
import type { DispatchOptions, Engine } from './engine-interface.ts'
import { type ExplainOptions, type Explanation, explain } from './explain.ts'
import { type HookFault, listFaults, noteFaults } from './faults.ts'
import {
  isListenedTo,
  type ListedHook,
  type ListedModule,
  type ListeningHook,
  listHooks,
  listListeners,
  listModules,
  switchHook,
} from './listing.ts'
import { type EngineOptions, settle } from './options.ts'
import {
  type Activation,
  activateComponent,
  deactivateComponent,
  type FunctionHookOptions,
  type HookFunction,
  type HooksSetting,
  type KnownEvent,
  type LoopOptions,
  type Registration,
  registerFunction,
  registerHooks,
} from './register.ts'
import { runFileSuggestion, runStatusLine, type SpecialCall } from './special-commands.ts'

/** Opens an engine for one session: reads the hooks once, and keeps them until the end; settings files that were read just now are not read again. */
export async function openEngine(
  options: EngineOptions = {},
  {
    stages = [],
    settingsRead = [],
  }: { readonly stages?: readonly Stage[]; readonly settingsRead?: readonly SettingsFile[] } = {},
): Promise<Engine> {
  const settled = await settle(options)
  const { places, profiles } = settled
  const snapshot = await makeSnapshot(await readConfiguration(places, profiles, settingsRead), places, settled)
  const { files } = snapshot.configuration
  const news = settled.rehearsal ? null : await findUserHooksNews(files, settled.places.home)
  const doubt = snapshot.trust.accepted ? null : await findStoreDoubt(settled.places.home)
  const notices = snapshot.problems.length === 0 ? [] : listUnreadFiles(snapshot)
  if (doubt !== null) notices.push(doubt)
  if (news !== null && news.notice !== null) notices.push(news.notice)
  const live = settled.liveSettings ? await openLiveSettings(snapshot) : null
  const session: Session = {
    options: settled,
    origin: makeOrigin(places.project, settled.host),
    common: {
      session_id: options.sessionId ?? randomUUID(),
      ...(options.transcriptPath === undefined ? {} : { transcript_path: options.transcriptPath }),
      ...(options.permissionMode === undefined ? {} : { permission_mode: options.permissionMode }),
    },
    snapshot,
    loopHooks: null,
    spent: await openSpentHooks(options.onceFile, { warn: (sentence) => notices.push(sentence) }),
    switchedOff: new Set(),
    listeners: new Map(),
    slots: new Slots(),
    backgroundSlots: new Slots(),
    background: null,
    folder: settled.isShortLived ? null : new PrivateFolder(settled),
    envFiles: null,
    watch: settled.isShortLived ? null : new ChangeWatch(snapshot),
    ownStages: live === null ? stages : [...stages, live.stage],
    stages: new WeakMap(),
    recordListeners: new Set(options.onRecord === undefined ? [] : [options.onRecord]),
    told: new Set(),
    notices,
    news,
    log: options.debug === undefined ? null : openDebugLog(options.debug, 'hooks'),
    recordLog: settled.log === null ? null : await openSessionLog(settled.log, listSecrets(settled, snapshot), notices),
    spool: await openSpool(settled, snapshot, notices),
    tail: settled.outputTail === 0 ? null : await openOutputTail(settled, listSecrets(settled, snapshot)),
    closing: new StopSignal(),
    dispatching: new Set(),
  }
  if (isUntrusted(session)) tellUntrusted(session)
  return new SessionEngine(session, live?.dispatch ?? dispatch)
}

/** Most sessions keep no records, and load nothing for it. */
async function openSessionLog(
  log: NonNullable<SettledOptions['log']>,
  env: NodeJS.ProcessEnv,
  notices: string[],
): Promise<RecordLog | null> {
  const { openRecordLog } = await import('../record/record-log.ts')
  return openRecordLog(log, { env, warn: (sentence) => notices.push(sentence) })
}

/** Most machines are in no fleet, and load nothing for it. */
async function openSpool(
  { rehearsal, places, run }: SettledOptions,
  { configuration: { files } }: Snapshot,
  notices: string[],
): Promise<Session['spool']> {
  let isConfigured = false
  for (const { root } of files) isConfigured ||= root?.fields?.get('hookline')?.node.fields?.has('fleet') === true
  if (rehearsal || !isConfigured) return null
  const { openSessionSpool } = await import('../fleet/session-spool.ts')
  return openSessionSpool(files, { home: places.home, env: run.env, warn: (sentence) => notices.push(sentence) })
}

/** Most hosts do not ask what hooks wrote, and load nothing for it. */
async function openOutputTail(
  { outputTail: characters }: SettledOptions,
  env: NodeJS.ProcessEnv,
): Promise<Session['tail']> {
  const { makeOutputTail } = await import('../record/output-tail.ts')
  return makeOutputTail(characters, env)
}

/** The variables that hooks find secrets in: those of the host, and the options of plugins. */
function listSecrets({ run }: SettledOptions, { plugins }: Snapshot): NodeJS.ProcessEnv {
  return Object.assign({}, run.env, ...[...plugins.values()].map(({ options }) => options))
}

/** Most hosts have edits reviewed, and load nothing for it. */
async function openLiveSettings(snapshot: Snapshot): Promise<{ readonly stage: Stage; readonly dispatch: Dispatch }> {
  const { followEdits } = await import('../dispatch/live-settings.ts')
  return followEdits(snapshot, dispatch)
}

/** Makes the problem that nothing of the project runs. */
function makeTrustProblem(snapshot: Snapshot): Problem {
  const [file = '.'] = Object.keys(snapshot.trust.request.files)
  return { rule: 'untrusted', severity: 'warning', file, line: 1, column: 1, message: formatUntrustedNotice(snapshot) }
}

/** Makes the problem of a hook whose copies differ. */
function makeCopyProblem({ hook, message }: ReturnType<typeof findDifferingCopies>[number]): Problem {
  const { file, line } = hook
  return {
    rule: 'V-HK-23',
    severity: 'warning',
    file: file ?? '(in memory)',
    line: line ?? 1,
    column: 1,
    message: `${message}.`,
  }
}

/** Most sessions change no settings, and load nothing for it. */
const loadEdits = () => import('./edit-hooks.ts')

/** An engine over a session. */
class SessionEngine implements Engine {
  readonly #session: Session
  readonly #dispatch: Dispatch
  #reviewed: Review | null = null
  #editing: Promise<unknown> = Promise.resolve()

  /** Use `openEngine`. */
  constructor(session: Session, dispatchEvent: Dispatch) {
    this.#session = session
    this.#dispatch = dispatchEvent
  }

  get sessionId(): string {
    return this.#session.common.session_id
  }

  get home(): string {
    return this.#session.options.places.home
  }

  get profile(): Profile {
    return this.#session.snapshot.profile
  }

  get hooks(): readonly ConfiguredHook[] {
    return this.#session.snapshot.hooks
  }

  get problems(): readonly Problem[] {
    const { snapshot, loopHooks } = this.#session
    const copies = findDifferingCopies(
      snapshot.hooks,
      (hook) => DUPLICATES[findHookProfile(this.#session, hook).rules.duplicates],
    )
    const untrusted = isUntrusted(this.#session) ? [makeTrustProblem(snapshot)] : []
    return [...untrusted, ...snapshot.problems, ...(loopHooks?.listProblems() ?? []), ...copies.map(makeCopyProblem)]
  }

  get faults(): HookFault[] {
    return listFaults(this.#session, this.problems)
  }

  get absentGuards(): AbsentGuard[] {
    return findAbsentGuards(this.#session)
  }

  tellFaults(): void {
    noteFaults(this.#session, this.faults)
  }

  get configuration(): Configuration {
    return this.#session.snapshot.configuration
  }

  get profiles(): ProfileChoices {
    return this.#session.snapshot.configuration.profiles
  }

  get trust(): TrustStanding {
    return this.#session.snapshot.trust
  }

  dispatch<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name>,
    { signal, except, only, mcp, trace }: DispatchOptions = {},
  ): Promise<DispatchRecord> {
    return this.#dispatch(this.#session, input, { signal, emit: null, except, only, mcp, trace })
  }

  recordUnread(event: string, unread: Unread): DispatchRecord {
    return recordUnread(this.#session, event, unread)
  }

  stream<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name>,
    { signal, ...options }: DispatchOptions = {},
  ): AsyncGenerator<Progress, void, undefined> {
    return streamProgress(
      (emit, stop) => this.#dispatch(this.#session, input, { ...options, signal: stop, emit }),
      signal,
    )
  }

  explain<Name extends string>(
    input: { hook_event_name: Name } & InputFor<Name>,
    options: ExplainOptions = {},
  ): Explanation {
    return explain(this.#session, input, options)
  }

  list(): ListedHook[] {
    return listHooks(this.#session)
  }

  listensTo(event: string | EventInput): boolean {
    return isListenedTo(this.#session, event)
  }

  listListeners(event: string): ListeningHook[] {
    return listListeners(this.#session, event)
  }

  listModules(): ListedModule[] {
    return listModules(this.#session)
  }

  register(hooks: HooksSetting, { agent = MAIN_LOOP }: LoopOptions = {}): Promise<Registration> {
    return registerHooks(this.#session, hooks, agent)
  }

  on<Name extends string>(
    event: Name & KnownEvent<Name>,
    hook: HookFunction<Name>,
    options: FunctionHookOptions & LoopOptions = {},
  ): Promise<Registration> {
    // the function is called with inputs of this event alone.
    return registerFunction(this.#session, event, hook as FunctionHook, options)
  }

  activate(component: string, activation: Activation = {}): Promise<string[]> {
    return activateComponent(this.#session, component, activation)
  }

  deactivate(component: string, { agent = MAIN_LOOP }: LoopOptions = {}): string[] {
    return deactivateComponent(this.#session, component, agent)
  }

  add(scope: WritableScope, hook: NewHook): Promise<void> {
    return this.#editInTurn(async () => (await loadEdits()).addHook(this.#session, scope, hook))
  }

  edit(scope: WritableScope, change: (text: string) => string): Promise<void> {
    return this.#editInTurn(async () => (await loadEdits()).editRunning(this.#session, scope, change))
  }

  #editInTurn(edit: () => Promise<void>): Promise<void> {
    const edited = this.#editing.then(edit)
    this.#editing = edited.catch(() => {}) // the caller that asked for it gets the error
    return edited
  }

  switchHook(id: string, { off }: { readonly off: boolean }): boolean {
    return switchHook(this.#session, id, off)
  }

  onRecord(listener: RecordListener): () => void {
    const { recordListeners } = this.#session
    const callListener: RecordListener = (record, input) => listener(record, input) // one that is added twice is called twice
    recordListeners.add(callListener)
    return () => recordListeners.delete(callListener)
  }

  takeDeliveries(): Delivery[] {
    return this.#session.background?.take() ?? []
  }

  async drain(): Promise<Delivery[]> {
    return (await this.#session.background?.drain()) ?? []
  }

  async waitForDelivery(): Promise<boolean> {
    return (await this.#session.background?.waitForNext()) ?? false
  }

  listEnvironmentFiles(): string[] {
    const { envFiles } = this.#session
    return envFiles?.listInOrder(this.#listHookIds()) ?? []
  }

  async writeEnvironmentScript(): Promise<string | null> {
    await this.#tryEnvFiles()
    return (await this.#session.envFiles?.makeScript(this.#listHookIds())) ?? null
  }

  /** Tries the files of variables, and tells what is wrong with one in the next record. */
  async #tryEnvFiles(): Promise<void> {
    const { envFiles, notices } = this.#session
    if (envFiles !== null) notices.push(...(await envFiles.tryOut(this.#listHookIds())))
  }

  #listHookIds(): string[] {
    return listHooksInOrder(this.#session).map(({ id }) => id)
  }

  async readEnvironment(): Promise<Record<string, string>> {
    await this.#tryEnvFiles()
    const { options } = this.#session
    return readEnvironmentChanges(this.listEnvironmentFiles(), { env: options.run.env, cwd: options.places.project })
  }

  async listChanges(): Promise<readonly PendingChange[]> {
    const { snapshot, options } = this.#session
    this.#reviewed = await reviewChanges(snapshot, options.profiles)
    return this.#reviewed.changes
  }

  async accept(): Promise<number> {
    if (this.#reviewed === null) return 0
    const { changes, configuration } = this.#reviewed
    this.#reviewed = null
    await (await loadEdits()).adopt(this.#session, configuration)
    return changes.length
  }

  async acceptTrust({ keep = true }: { readonly keep?: boolean | undefined } = {}): Promise<void> {
    const { options, snapshot } = this.#session
    if (keep) await storeAcceptance(snapshot.trust.request, options.places.home)
    await (await loadEdits()).adopt(this.#session, snapshot.configuration, 'accepted')
  }

  runStatusLine(status: Readonly<Record<string, unknown>>, call: SpecialCall = {}): Promise<string | null> {
    return runStatusLine(this.#session, status, call)
  }

  get statusLinePadding(): number {
    return this.#session.snapshot.switches.statusLine?.padding ?? 0
  }

  suggestFiles(query: string, call: SpecialCall = {}): Promise<string[]> {
    return runFileSuggestion(this.#session, query, call)
  }

  get isClosed(): boolean {
    return this.#session.closing.isStopped
  }

  async close(): Promise<Delivery[]> {
    const { closing, dispatching, recordLog, spool, options } = this.#session
    closing.stop()
    await Promise.allSettled(dispatching)
    const undelivered = await this.drain()
    await options.run.launcher.close()
    this.#session.loopHooks?.clear()
    await this.#session.folder?.remove()
    await recordLog?.close()
    await spool?.close()
    return undelivered
  }
}
