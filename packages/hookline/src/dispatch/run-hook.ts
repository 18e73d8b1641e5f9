import { dirname } from 'node:path'
import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { isComponentScope } from '../config/scopes.ts'
import { type PlannedRun, reshapeInput } from '../match/plan.ts'
import { makeAbortedRun } from '../process/process.ts'
import { measureMs, NOTHING } from '../process/process-run.ts'
import { findFolderFault } from '../process/system-error.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import type { HookLine, Mutable } from '../protocol/record/record.ts'
import type { OtherShape } from '../protocol/rules.ts'
import { findVerdictFault } from '../read/model-verdict.ts'
import { read } from '../read/read.ts'
import type { ReadContext, Result } from '../read/result.ts'
import { execute, type RunnableType } from '../run/execute.ts'
import { Payload } from '../run/payload.ts'
import type { BackgroundRun, JudgeRequest, Run } from '../run/run.ts'
import type { StopSignal } from '../run/stop-signal.ts'
import { logEnd, logStart } from './debug-log.ts'
import { type Erasure, eraseLine } from './erasure.ts'
import type { Emit } from './progress.ts'
import { makeRanLine, makeUnreadLine, type Occurrence, passOnLate } from './record.ts'
import { findHookProfile, findHookRow, type Session, spend } from './session.ts'
import type { SettledOptions } from './settled.ts'
import { hostSlots } from './slots.ts'
import { SPENT_BY } from './spent-hooks.ts'
import { spillLongTexts } from './spill.ts'

/** An event on its way. */
export interface FiredEvent {
  readonly row: EventRow
  readonly input: EventInput
  readonly occurrence: Occurrence
  /** `performance.now()` of its beginning. */
  readonly started: number
  /** The input as hooks read it. */
  readonly payload: Payload
  /** Environment of every hook of it that was read under a profile. */
  readonly envOf: (profile: CompleteProfile) => NodeJS.ProcessEnv
  readonly stop: StopSignal
  /** Milliseconds that are left of the time that its hooks share, from the start of the first; null: they share none. */
  readonly leftTogether: (() => number) | null
  readonly emit: Emit
  /** Erasure of what may have to go from everything that is said before there is a decision. */
  readonly erasure: Erasure | null
  /** True if its tool is one of an MCP server; undefined: the name says so. */
  readonly mcp: boolean | undefined
}

/** A hook whose turn is over. */
export interface EndedHook {
  readonly at: number
  readonly hook: ConfiguredHook
  /** Row of its profile. */
  readonly row: EventRow
  readonly line: Mutable<HookLine>
  /** null when there is nothing to read: it went to the background, or was not reached. */
  readonly result: Result | null
  /** File that it wrote variables into, when they are to be kept. */
  readonly envFile: string | null
}

/** Runs one hook and reads what came of it; one that goes to the background is handed over. */
export async function runHook(session: Session, planned: PlannedRun, fired: FiredEvent): Promise<EndedHook> {
  const { shape } = planned
  if (shape === null) return runInShape(session, planned, fired)
  const input = reshapeInput(fired.row, fired.input, shape)
  const ended = await runInShape(session, planned, {
    ...fired,
    input,
    payload: new Payload(input, { onlyFunctions: false }),
  })
  return restoreInput(ended, fired, shape)
}

/** Puts what a hook rewrote of another shape back into the event's own. */
function restoreInput(ended: EndedHook, { input }: FiredEvent, { of }: OtherShape): EndedHook {
  const rewritten = ended.result?.opinion.updatedInput
  if (!ended.result || !rewritten) return ended
  const opinion = { ...ended.result.opinion, updatedInput: { ...Object(input[of]), ...rewritten } }
  return { ...ended, result: { ...ended.result, opinion } }
}

async function runInShape(session: Session, planned: PlannedRun, event: FiredEvent): Promise<EndedHook> {
  const { at, hook, timeouts } = planned
  const { handler } = hook
  const { options } = session
  const profile = findHookProfile(session, hook)
  const type = isFault(handler) ? undefined : profile.hookTypes[handler.type]
  if (isFault(handler) || !type) throw new TypeError(`${hook.id} was planned although there is nothing to run`)
  const { input, payload, stop } = event
  const row = findHookRow(session, hook, event.row)
  const envFile = row.envFile ? await session.envFiles.create() : null
  const isProcess = type.runsIn === 'process'
  const folder = chooseFolder(input.cwd, options.places.project, { isProcess })
  const request: JudgeRequest = {
    payload,
    env: event.envOf(profile),
    stop,
    cwd: folder.path,
    pluginRoot: hook.pluginRoot,
    plugin: (hook.pluginRoot !== null && session.snapshot.plugins.get(hook.pluginRoot)) || null,
    envFile,
    waits: hook.waits,
    recurs: hook.once || row.endsSession ? null : hook.id,
    timeoutMs: isUnlimited(hook, row) ? null : findLongestTimeout(timeouts, handler.type, { row, profile, options }),
    closing: session.closing,
    options: options.run,
    allowLists: session.snapshot.switches.allowLists,
    models: options.models,
    answerFault: (text) => unreadableVerdict(text, row),
    verdicts: row.rules.verdicts,
    mayBeImpossible: rowsOf(row).every(mayBeImpossible),
  }
  const context: ReadContext = {
    row,
    input,
    type,
    name: hook.shown.name || hook.id,
    failClosed: findFailClosed(planned, session),
    mcp: event.mcp,
  }
  const spent = SPENT_BY[row.rules.once.spent]
  if (hook.once && spent.starting) await spend(session, hook)
  let startMs: number | undefined
  const begin = (): Promise<Run | BackgroundRun> => {
    const left = hook.waits ? leftFor(row, event, options.until) : null
    if (left !== null && left <= 0) return Promise.resolve(OUT_OF_TIME)
    const timeoutMs = left === null ? request.timeoutMs : Math.min(request.timeoutMs ?? left, left)
    startMs = measureMs(event.started)
    tellStart(session, hook, timeoutMs, event)
    return execute(type, handler, left === null ? request : { ...request, timeoutMs })
  }
  const spilling = { row, folder: session.folder, erase: event.erasure?.erase }
  const run = await waitForRoom(session, { hook, stop, isProcess }, begin)
  if (run.ended === 'backgrounded') {
    session.log?.('DEBUG', () => `Background hook registered: ${hook.id} at ${new Date().toISOString()}`)
    session.background.add(hook.id, keepEnvFile(session, hook, { envFile, rest: run.rest }), {
      ...context,
      rewake: hook.rewake,
      spill: (result) => spillLongTexts(result, spilling),
      erasure: event.erasure,
      ended: async ({ run: late, result, delivery, erase }) => {
        if (hook.once && spent.ending(late, result)) await spend(session, hook)
        const line = makeRanLine(hook, { run: late, result, startMs, tail: session.tail, input })
        passOnLate(session, event.occurrence, { line, delivery, durationMs: measureMs(event.started), erase })
      },
    })
    const line = makeUnreadLine(hook, 'backgrounded')
    if (startMs !== undefined) line.startMs = startMs
    if (folder.warning !== null) line.warnings.push(folder.warning)
    return tellEnd(event, { at, hook, row, line, result: null, envFile: null })
  }
  const result = await spillLongTexts(read(run, context), spilling)
  if (hook.once && spent.ending(run, result)) await spend(session, hook)
  logEnd(session, hook, { run, result, erase: event.erasure?.erase })
  const line = makeRanLine(hook, { run, result, startMs, tail: session.tail, input })
  if (folder.warning !== null) line.warnings.push(folder.warning)
  if (row.envFile && envFile === null) line.warnings.push('there was no room for an env file; variables are not kept')
  return tellEnd(event, { at, hook, row, line, result, envFile: isForced(run) ? null : envFile })
}

/** The rows that an answer is read by. */
function rowsOf(row: EventRow): readonly EventRow[] {
  return row.readings?.map((reading) => reading.row) ?? [row]
}

/** Finds why no reading has a verdict in what a model said; null: one does. */
function unreadableVerdict(text: string, row: EventRow): string | null {
  const faults = rowsOf(row).map(({ rules }) => findVerdictFault(text, rules.verdicts))
  return faults.includes(null) ? null : (faults[0] ?? null)
}

/** True if a condition that can never be met lets the agent end. */
function mayBeImpossible({ loopField, rules }: EventRow): boolean {
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
  const fault = isProcess ? findFolderFault(path) : null
  if (fault === null) return { path, warning: null }
  if (path !== project && findFolderFault(project) === null)
    return { path: project, warning: `${fault}; it ran in the project` }
  let above = dirname(project)
  while (findFolderFault(above) !== null && dirname(above) !== above) above = dirname(above)
  return { path: above, warning: `${fault}; it ran in ${above}` }
}

/** Milliseconds until a hook that the event waits for has to have ended, by what does not begin with the hook; null: nothing says so. */
function leftFor({ secondsTogether }: EventRow, { leftTogether }: FiredEvent, until: number | null): number | null {
  const ofHost = until === null ? NEVER : until - performance.now()
  const left = Math.min(secondsTogether === null ? NEVER : (leftTogether?.() ?? NEVER), ofHost)
  return left === NEVER ? null : left
}

const NEVER = Number.POSITIVE_INFINITY

/** The run of a hook that is not started: earlier ones have used up the time that all share. */
const OUT_OF_TIME: Run = { ended: 'timed-out', durationMs: 0, stdout: NOTHING, stderr: NOTHING, leftChild: false }

/** Nothing waits for what is in the background: some protocols let it take its time, but for what wakes the model. */
function isUnlimited({ waits, rewake }: ConfiguredHook, { rules }: EventRow): boolean {
  return !waits && rewake === null && rules.background.timeout === 'ignored'
}

/** Finds who says that a failure blocks: the hook or a duplicate of it by `onFailure`, the host for one of their scopes; null: a failure does not block. */
function findFailClosed({ twins }: PlannedRun, { options }: Session): ReadContext['failClosed'] {
  if (twins.some(({ blocksOnFailure }) => blocksOnFailure)) return 'hook'
  return twins.some(({ scope }) => options.failClosed.has(scope)) ? 'scope' : null
}

/** A hook that is to be started. */
interface HookStart {
  readonly hook: ConfiguredHook
  readonly stop: StopSignal
  /** Takes room of the host as well: sessions of a server have their own, and their processes together have a limit too. */
  readonly isProcess: boolean
}

/** Starts a hook when there is room for it. What is in the background from the start has room of its own. */
function waitForRoom(
  session: Session,
  { hook: { waits }, stop, isProcess }: HookStart,
  begin: () => Promise<Run | BackgroundRun>,
): Promise<Run | BackgroundRun> {
  if (waits) return session.slots.run(isProcess ? () => hostSlots().waitedFor.run(begin, stop) : begin)
  const { closing } = session
  const beginAndEnd = async (): Promise<Run> => {
    if (closing.isStopped) return makeAbortedRun()
    const run = await begin()
    return run.ended === 'backgrounded' ? run.rest : run
  }
  const rest = session.backgroundSlots.run(
    isProcess ? () => hostSlots().background.run(beginAndEnd, closing) : beginAndEnd,
  )
  return Promise.resolve({ ended: 'backgrounded', rest })
}

function tellStart(session: Session, hook: ConfiguredHook, timeoutMs: number | null, { emit }: FiredEvent): void {
  logStart(session, hook, timeoutMs)
  emit({ type: 'hook_started', hook: hook.id })
  if (hook.statusMessage !== null) emit({ type: 'hook_progress', hook: hook.id, statusMessage: hook.statusMessage })
}

function tellEnd({ emit, erasure }: FiredEvent, ended: EndedHook): EndedHook {
  const line = erasure === null ? ended.line : eraseLine(ended.line, erasure.erase)
  emit({ type: 'hook_result', hook: ended.hook.id, line })
  return ended
}

async function keepEnvFile(
  session: Session,
  hook: ConfiguredHook,
  { envFile, rest }: { envFile: string | null; rest: Promise<Run> },
): Promise<Run> {
  const run = await rest
  if (envFile !== null && !isForced(run)) await session.envFiles.keep(hook.id, envFile)
  return run
}

/** True for a hook that was ended by force, whose half-written variables do not count. */
const isForced = ({ ended }: Run): boolean => ended === 'timed-out' || ended === 'aborted'

/** Seconds for a type of hooks that no profile says anything about. */
const USUAL_SECONDS = 60

/** The longest of several timeouts in milliseconds; null: no limit. Those that are null are the default. */
function findLongestTimeout(
  timeouts: readonly (number | null)[],
  type: string,
  {
    row,
    profile,
    options,
  }: { readonly row: EventRow; readonly profile: CompleteProfile<RunnableType>; readonly options: SettledOptions },
): number | null {
  const { defaultTimeout } = options
  const byProtocol = row.seconds[type] ?? row.rules.seconds[type] ?? profile.hookTypes[type]?.seconds ?? USUAL_SECONDS
  const fallback = defaultTimeout === undefined ? byProtocol : defaultTimeout
  const seconds = timeouts.map((timeout) => timeout ?? fallback ?? Number.POSITIVE_INFINITY)
  const longest = Math.max(...seconds) * 1000
  return Number.isFinite(longest) ? longest : null
}

/** Counts down from its first call, so that hooks which wait for room lose no time. */
export function countdown(milliseconds: number): () => number {
  let until: number | undefined
  return () => {
    until ??= performance.now() + milliseconds
    return until - performance.now()
  }
}

/** Milliseconds that the hooks of an event share; null: each has its own. Plugins and components get no more by asking for it. */
export function findSharedTimeout(
  runs: readonly PlannedRun[],
  { row, options }: { readonly row: EventRow; readonly options: SettledOptions },
): number | null {
  if (row.secondsTogether === null || options.defaultTimeout === null) return null
  const ofUser = runs.flatMap(({ twins }) =>
    twins.filter(({ scope }) => scope !== 'plugin' && !isComponentScope(scope)),
  )
  const asked = ofUser.map(({ timeout }) => timeout ?? 0)
  return Math.max(options.defaultTimeout ?? row.secondsTogether, ...asked) * 1000
}
