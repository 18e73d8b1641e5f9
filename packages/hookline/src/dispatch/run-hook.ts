import { dirname } from 'node:path'
import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { PrivateFolder } from '../files/temp-folder.ts'
import { type PlannedRun, reshapeInput } from '../match/plan.ts'
import { makeAbortedRun } from '../process/process.ts'
import { measureMs } from '../process/process-run.ts'
import { findFolderFault } from '../process/system-error.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Handler } from '../protocol/hook-type.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import type { OtherShape } from '../protocol/rules.ts'
import { findVerdictFault } from '../read/model-verdict.ts'
import { isForced, read } from '../read/read.ts'
import { type ReadContext, SILENT } from '../read/result.ts'
import type { ConfiguredLines } from '../record/log-line.ts'
import { findTimeoutMs, limitTime, OUT_OF_TIME, type SharedTime } from '../run/deadline.ts'
import { EnvFiles } from '../run/env-files.ts'
import { execute, type RunnableType } from '../run/execute.ts'
import { Payload } from '../run/payload.ts'
import type { BackgroundRun, JudgeRequest, Run } from '../run/run.ts'
import type { StopSignal } from '../run/stop-signal.ts'
import { Background } from './background.ts'
import { logEnd, logStart } from './debug-log.ts'
import { eraseLine } from './erasure.ts'
import type { EndedHook, FiredEvent, Session } from './pipe.ts'
import type { Emit } from './progress.ts'
import { makeRanLine, makeUnreadLine, passOnLate } from './record.ts'
import { findHookProfile, spend } from './session.ts'
import { findHostSlots } from './slots.ts'
import { SPENT_BY } from './spent-hooks.ts'
import { type SpillTarget, spillLongTexts } from './spill.ts'

/** An event whose hooks run. */
export interface RunningEvent {
  readonly event: FiredEvent
  /** The hooks that are configured for it. */
  readonly configured: ConfiguredLines
  /** The event as hooks see it now: in sequence, an earlier one may have rewritten it. */
  readonly input: EventInput
  /** The input as hooks read it. */
  readonly payload: Payload
  /** Environment of every hook of it that was read under a profile. */
  readonly environment: (profile: CompleteProfile) => NodeJS.ProcessEnv
  readonly stop: StopSignal
  /** The time that its hooks share; null: they share none. */
  readonly shared: SharedTime | null
}

/** Runs a hook that is for another shape of the event, and puts what it rewrote back into the event's own. */
async function runReshaped(
  session: Session,
  planned: PlannedRun,
  { running, shape }: { readonly running: RunningEvent; readonly shape: OtherShape },
): Promise<EndedHook> {
  const input = reshapeInput(running.event.row, running.input, shape)
  const payload = new Payload(input, { onlyFunctions: false })
  const ended = await runHook(session, { ...planned, shape: null }, { ...running, input, payload })
  const rewritten = ended.result?.opinion.updatedInput
  if (!ended.result || !rewritten) return ended
  const updatedInput = { ...Object(running.input[shape.of]), ...rewritten }
  return { ...ended, result: { ...ended.result, opinion: { ...ended.result.opinion, updatedInput } } }
}

/** Runs one hook and reads what came of it; one that goes to the background is handed over. */
export async function runHook(session: Session, planned: PlannedRun, running: RunningEvent): Promise<EndedHook> {
  const { at, hook, row, shape } = planned
  if (shape !== null) return runReshaped(session, planned, { running, shape })
  const { event, input } = running
  const spentBy = SPENT_BY[row.rules.once.spent]
  const envFile = row.envFile ? await findEnvFiles(session).create() : null
  const start = prepareHook(session, planned, { running, envFile })
  if (hook.once && spentBy.starting) await spend(session, hook)
  const run = await waitForRoom(session, start, running)
  if (run.ended === 'backgrounded') return handOver(session, start, { running, rest: run.rest })
  const said = read(run, start.context)
  const result = said === SILENT ? said : await spillLongTexts(said, makeSpilling(session, event, row))
  if (hook.once && spentBy.ending(run, result)) await spend(session, hook)
  if (session.log !== null) logEnd(session.log, hook, { run, result, erase: event.erasure?.erase })
  const line = makeRanLine(hook, { run, result, startMs: start.startMs, tail: session.tail, input })
  if (start.folderWarning !== null) line.warnings.push(start.folderWarning)
  if (row.envFile && envFile === null) line.warnings.push('there was no room for an env file; variables are not kept')
  const ended = { at, hook, row, line, result, envFile: envFile === null || isForced(run) ? null : envFile }
  if (event.following.emit !== null) tellEnd(event, ended, event.following.emit)
  return ended
}

/** A hook that is about to start. */
interface HookStart {
  readonly planned: PlannedRun
  readonly type: RunnableType
  readonly handler: Handler
  readonly request: JudgeRequest
  readonly context: ReadContext
  /** Warning that it does not run in the folder of its event. */
  readonly folderWarning: string | null
  /** Milliseconds from the beginning of the event to its start; undefined until then. */
  startMs: number | undefined
}

function prepareHook(
  session: Session,
  planned: PlannedRun,
  { running, envFile }: { readonly running: RunningEvent; readonly envFile: string | null },
): HookStart {
  const { hook, row, timeouts } = planned
  const { handler } = hook
  const { options, snapshot } = session
  const profile = findHookProfile(session, hook)
  const type = isFault(handler) ? undefined : profile.hookTypes[handler.type]
  if (isFault(handler) || !type) throw new TypeError(`${hook.id} was planned although there is nothing to run`)
  const { event, input } = running
  const folder = chooseFolder(input.cwd, options.places.project, { isProcess: type.runsIn === 'process' })
  const request: JudgeRequest = {
    payload: running.payload,
    env: running.environment(profile),
    stop: running.stop,
    cwd: folder.path,
    pluginRoot: hook.pluginRoot,
    plugin: (hook.pluginRoot !== null && snapshot.plugins.get(hook.pluginRoot)) || null,
    envFile,
    waits: hook.waits,
    recurs: hook.once || row.endsSession ? null : hook.id,
    timeoutMs: findTimeoutMs(hook, timeouts, { row, type: { name: handler.type, seconds: type.seconds }, options }),
    closing: session.closing,
    options: options.run,
    allowLists: snapshot.switches.allowLists,
    models: options.models,
    answerFault: (text) => findUnreadableVerdict(text, row),
    verdicts: row.rules.verdicts,
    mayBeImpossible: () => listReadRows(row).every(canBeImpossible),
  }
  const context: ReadContext = {
    row,
    input,
    type,
    name: hook.shown.name || hook.id,
    failClosed: findFailClosed(planned, session),
    mcp: event.following.mcp,
  }
  return { planned, type, handler, request, context, folderWarning: folder.warning, startMs: undefined }
}

/** Starts a hook, if there is time left for it. */
function startHook(session: Session, start: HookStart, { event, shared }: RunningEvent): Promise<Run | BackgroundRun> {
  const { planned, type, handler, request } = start
  const { hook, row } = planned
  const { options, log } = session
  const timeoutMs = limitTime(request.timeoutMs, hook, {
    shared: row.secondsTogether === null ? null : shared,
    options,
  })
  if (timeoutMs === 0) return Promise.resolve(OUT_OF_TIME)
  start.startMs = measureMs(event.started ?? 0)
  if (log !== null) logStart(log, hook, timeoutMs)
  const { emit } = event.following
  emit?.({ type: 'hook_started', hook: hook.id })
  if (hook.statusMessage !== null) emit?.({ type: 'hook_progress', hook: hook.id, statusMessage: hook.statusMessage })
  return execute(type, handler, timeoutMs === request.timeoutMs ? request : { ...request, timeoutMs })
}

/** Hands a hook over to the background, which reads it when it has ended; nothing waits for it. */
function handOver(
  session: Session,
  start: HookStart,
  { running, rest }: { readonly running: RunningEvent; readonly rest: Promise<Run> },
): EndedHook {
  const { planned, request, context } = start
  const { at, hook, row } = planned
  const { event, configured, input } = running
  session.log?.('DEBUG', () => `Background hook registered: ${hook.id} at ${new Date().toISOString()}`)
  session.background ??= new Background()
  session.background.add(hook.id, keepEnvFile(session, hook, { envFile: request.envFile, rest }), {
    ...context,
    rewake: hook.rewake,
    spill: (result) => spillLongTexts(result, makeSpilling(session, event, row)),
    erasure: event.erasure,
    ended: async ({ run, result, delivery, erase }) => {
      if (hook.once && SPENT_BY[row.rules.once.spent].ending(run, result)) await spend(session, hook)
      const line = makeRanLine(hook, { run, result, startMs: start.startMs, tail: session.tail, input })
      passOnLate(session, event, { configured, line, delivery, durationMs: measureMs(event.started ?? 0), erase })
    },
  })
  const line = makeUnreadLine(hook, 'backgrounded')
  if (start.startMs !== undefined) line.startMs = start.startMs
  if (start.folderWarning !== null) line.warnings.push(start.folderWarning)
  const ended = { at, hook, row, line, result: null, envFile: null }
  if (event.following.emit !== null) tellEnd(event, ended, event.following.emit)
  return ended
}

/** The rows that an answer is read by. */
function listReadRows(row: EventRow): readonly EventRow[] {
  return row.readings?.map((reading) => reading.row) ?? [row]
}

/** Finds why no reading has a verdict in what a model said; null: one does. */
function findUnreadableVerdict(text: string, row: EventRow): string | null {
  const faults = listReadRows(row).map(({ rules }) => findVerdictFault(text, rules.verdicts))
  return faults.includes(null) ? null : (faults[0] ?? null)
}

/** True if a condition that can never be met lets the agent end. */
function canBeImpossible({ loopField, rules }: EventRow): boolean {
  return loopField !== null && rules.verdicts.impossible === 'ends-loops'
}

/** Folder that a hook runs in, and what is to be told about it. */
interface HookFolder {
  readonly path: string
  readonly warning: string | null
}

/**
 * Chooses the folder of a hook: that of its event, and where no process can be started there the project, or the nearest folder
 * above that can be entered, so that guards stay in force.
 */
function chooseFolder(cwd: unknown, project: string, { isProcess }: { readonly isProcess: boolean }): HookFolder {
  const path = typeof cwd === 'string' ? cwd : project
  const fault = isProcess ? findFaultOfNow(path) : null
  if (fault === null) return { path, warning: null }
  if (path !== project && findFolderFault(project) === null)
    return { path: project, warning: `${fault}; it ran in the project` }
  let above = dirname(project)
  while (findFolderFault(above) !== null && dirname(above) !== above) above = dirname(above)
  return { path: above, warning: `${fault}; it ran in ${above}` }
}

/** Fault of the folder that was looked at last, for hooks that start in the same turn of the loop. */
let lastLook: { readonly folder: string; readonly fault: string | null } | undefined

function findFaultOfNow(folder: string): string | null {
  if (lastLook?.folder === folder) return lastLook.fault
  if (lastLook === undefined) setImmediate(() => (lastLook = undefined))
  lastLook = { folder, fault: findFolderFault(folder) }
  return lastLook.fault
}

/** Finds who says that a failure blocks: the hook or a duplicate of it by `onFailure`, the host for one of their scopes; null: a failure does not block. */
function findFailClosed({ twins }: PlannedRun, { options }: Session): ReadContext['failClosed'] {
  let found: ReadContext['failClosed'] = null
  for (const { blocksOnFailure, scope } of twins) {
    if (blocksOnFailure) return 'hook'
    if (options.failClosed.has(scope)) found = 'scope'
  }
  return found
}

/** Starts a hook when there is room for it. What is in the background from the start has room of its own. */
function waitForRoom(session: Session, start: HookStart, running: RunningEvent): Promise<Run | BackgroundRun> {
  const { waits, stop } = start.request
  // Sessions of a server have room of their own, and their processes together have a limit too; one of a single event is alone.
  const isProcess = start.type.runsIn === 'process' && !session.options.isShortLived
  const begin = (): Promise<Run | BackgroundRun> => startHook(session, start, running)
  if (waits) return session.slots.run(isProcess ? () => findHostSlots().waitedFor.run(begin, stop) : begin)
  const { closing } = session
  const beginAndEnd = async (): Promise<Run> => {
    if (closing.isStopped) return makeAbortedRun()
    const run = await begin()
    return run.ended === 'backgrounded' ? run.rest : run
  }
  const rest = session.backgroundSlots.run(
    isProcess ? () => findHostSlots().background.run(beginAndEnd, closing) : beginAndEnd,
  )
  return Promise.resolve({ ended: 'backgrounded', rest })
}

function tellEnd({ erasure }: FiredEvent, ended: EndedHook, emit: Emit): void {
  const line = erasure === null ? ended.line : eraseLine(ended.line, erasure.erase)
  emit({ type: 'hook_result', hook: ended.hook.id, line })
}

/** Place for texts of hooks that are too long, and what may not be in them. */
function makeSpilling(session: Session, { erasure }: FiredEvent, row: EventRow): SpillTarget {
  return { row, folder: findFolder(session), erase: erasure?.erase }
}

/** The folder of a session's temp files. */
function findFolder(session: Session): PrivateFolder {
  session.folder ??= new PrivateFolder(session.options)
  return session.folder
}

/** The files of variables of a session; most hooks write none. */
function findEnvFiles(session: Session): EnvFiles {
  const { options } = session
  session.envFiles ??= new EnvFiles(findFolder(session), { env: options.run.env, cwd: options.places.project })
  return session.envFiles
}

async function keepEnvFile(
  session: Session,
  hook: ConfiguredHook,
  { envFile, rest }: { envFile: string | null; rest: Promise<Run> },
): Promise<Run> {
  const run = await rest
  if (envFile !== null && !isForced(run)) await findEnvFiles(session).keep(hook.id, envFile)
  return run
}
