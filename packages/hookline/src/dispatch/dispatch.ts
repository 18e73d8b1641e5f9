import { resolve } from 'node:path'
import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { findRewriteConflicts } from '../decide/conflicts.ts'
import { decide, type HookResult } from '../decide/decision.ts'
import { HooklineError } from '../files/error.ts'
import { type Plan, type PlannedRun, plan } from '../match/plan.ts'
import { measureMs } from '../process/process-run.ts'
import { formatMisfit } from '../protocol/check.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { describeUnknownEvent } from '../protocol/other-profiles.ts'
import { type CompleteProfile, makeUnknownRow } from '../protocol/profile.ts'
import type { Decision, DispatchRecord, HookLine } from '../protocol/record/record.ts'
import { makeClosed } from '../read/result.ts'
import { Payload } from '../run/payload.ts'
import { linkStopSignals, type StopSignal } from '../run/stop-signal.ts'
import { clipName } from '../text/nearest.ts'
import { carryWriting, findDoubledKey, restoreUntouched } from '../text/written-json.ts'
import { logPlan } from './debug-log.ts'
import { isErasing, makeErasure } from './erasure.ts'
import { passOnUntrusted } from './host-listeners.ts'
import type { Emit } from './progress.ts'
import { listConfigured, makeUnreadLine, type Occurrence, recordEvent } from './record.ts'
import { countdown, type EndedHook, type FiredEvent, findSharedTimeout, runHook } from './run-hook.ts'
import {
  endSessionHooks,
  findHookProfile,
  findHookRow,
  findListeners,
  formatUntrustedNotice,
  isUntrusted,
  type Session,
} from './session.ts'
import { findTrace, type TraceContext, withTrace } from './trace.ts'

/** Wishes of a host that follows an event. */
interface DispatchFollower {
  readonly signal: AbortSignal | StopSignal | undefined
  readonly emit: Emit
  /** Hooks that are left out, by id. */
  readonly except?: ReadonlySet<string> | undefined
  /** True if its tool is one of an MCP server; undefined: the name says so. */
  readonly mcp?: boolean | undefined
  /** The span that it happens in; undefined: that of the engine's options. */
  readonly trace?: TraceContext | undefined
}

/** Carries an event through the pipe: plan, run, read, decide. Rejects only when the input is not an event. */
export async function dispatch(
  session: Session,
  given: unknown,
  { signal, emit, except, mcp, trace: span }: DispatchFollower,
): Promise<DispatchRecord> {
  const began = Date.now()
  const { row, input } = acceptInput(session, given)
  const id = session.origin.nextId()
  // an event that announces an edit is fired before the edit counts.
  if (session.live !== null && row.announces === null) await session.live.take(session)
  const listeners = findListeners(session, row, input)
  const occurrence: Occurrence = { row, input, id, began, configured: listConfigured(listeners), early: [] }
  const planned = omitSeenHooks(except, plan(listeners, input))
  const doubled = planned.runs.length === 0 ? null : findDoubledKey(input)
  if (doubled !== null)
    return recordUnread(session, input.hook_event_name, { why: formatDoubledKey(doubled), refused: true })
  logPlan(session, row, input, planned)
  noteUntrusted(session)
  tellAbsent(session, planned)
  const closed = makeClosedGuards(session, row, planned)
  const erasure = makeErasure(row, input)
  if (planned.runs.length === 0) {
    await noteNews(session)
    const lines = closed.length === 0 ? planned.lines : mergeLines(planned.lines, closed)
    const decision = decideFor(session, row, listResults(closed))
    erasure?.decide(isErasing(row, decision))
    if (row.endsSession) endSessionHooks(session)
    const durationMs = Date.now() - began // nothing ran: a finer clock has nothing to tell, and takes long to load
    return recordEvent(session, occurrence, { durationMs, lines, decision, erase: erasure?.erase ?? null })
  }

  const started = performance.now() - (Date.now() - began)
  const onlyFunctions = planned.runs.every(({ hook }) => isRunInHost(hook, session))
  const { own } = session.snapshot.profiles
  const trace = onlyFunctions ? null : findTrace(session, span)
  const makeEnvironment = ({ rules }: CompleteProfile) => {
    const env = session.options.run.environment(rules.environment).forEvent(input)
    return trace === null ? env : withTrace(env, trace)
  }
  // Only commands have an environment, and reading that of a process is slow.
  const env = onlyFunctions ? {} : makeEnvironment(own)
  const chooseEnvironment = (profile: CompleteProfile) =>
    onlyFunctions || profile === own ? env : makeEnvironment(profile)
  const shared = findSharedTimeout(planned.runs, { row, options: session.options })
  const leftTogether = shared === null ? null : countdown(shared)
  const payload = new Payload(input, { onlyFunctions })
  const { stop, unlink } = linkStopSignals(signal, session.closing)
  const event = {
    row,
    input,
    occurrence,
    started,
    emit,
    payload,
    envOf: chooseEnvironment,
    erasure,
    leftTogether,
    mcp,
    stop,
  }
  try {
    const noted = noteNews(session)
    const run = (): Promise<EndedHook[]> => runAll(session, planned.runs, event)
    // After a look at the disk hooks start in the next turn, so that both together do not keep the host's loop.
    const isNextTurn = noted !== undefined && !onlyFunctions
    const running = holdClosing(session, isNextTurn ? new Promise(setImmediate).then(run) : run(), unlink)
    const ran = noted === undefined ? await running : (await Promise.all([running, noted]))[0]
    const ended = closed.length === 0 ? ran : [...ran, ...closed].sort((one, other) => one.at - other.at)
    const results = listResults(ended)
    const lines = mergeLines(planned.lines, ended)
    if (session.options.order === 'parallel') warnOfConflicts(ended, results, row, input)
    const decision = restoreWriting(decideFor(session, row, results), row, input)
    if (decision.blocked && row.announces !== null)
      session.live?.refuse(resolve(session.options.places.project, String(input[row.announces])))
    erasure?.decide(isErasing(row, decision))
    const durationMs = measureMs(started)
    return recordEvent(session, occurrence, { durationMs, lines, decision, erase: erasure?.erase ?? null })
  } finally {
    erasure?.decide(true) // late answers do not wait for a decision that never came
    if (row.endsSession) endSessionHooks(session)
  }
}

/** Says why hooks are not shown an event: they and the host might take different values of one key. */
function formatDoubledKey(key: string): string {
  return `The key "${clipName(key)}" stands twice in this event, and hooks might read another of its values than the host: write it once.`
}

/** Decides in the words that the host knows. */
function decideFor({ words }: Session, row: EventRow, results: readonly HookResult[]): Decision {
  const decision = decide(row, results)
  return words === null ? decision : words(decision, row)
}

/** Reason why no hook could be asked about an event, and whether it was refused for that. */
export interface Unread {
  readonly why: string
  readonly refused: boolean
}

/** Records an event that no hook was asked about: its payload cannot be read, or the profile does not have the event. */
export function recordUnread(session: Session, name: string, { why, refused }: Unread): DispatchRecord {
  const { snapshot, common, options, origin, notices } = session
  const row = findRow(snapshot, name) ?? makeUnknownRow(snapshot.profile, name)
  const input = Object.freeze({
    session_id: common.session_id,
    cwd: options.places.project,
    hook_event_name: name,
  }) as EventInput // the rest of the input could not be read
  const configured = listConfigured(findListeners(session, row, input))
  const lines = configured.lines.map(
    (line): HookLine => (line.verdict === 'matcher-miss' ? { ...line, verdict: 'not-reached', because: why } : line),
  )
  notices.push(why)
  const none = decide(row, [])
  const decision = refused && row.blocksOn !== 'never' ? { ...none, blocked: true, reason: why } : none
  const occurrence = { row, input, id: origin.nextId(), began: Date.now(), configured, early: [] }
  return recordEvent(session, occurrence, { durationMs: 0, lines, decision, erase: null })
}

/** An event as hooks will see it, with its row. */
interface AcceptedEvent {
  readonly row: EventRow
  readonly input: EventInput
}

/** Checks what a host passes and fills in the common fields it left out. Throws a HooklineError for what is not an event. */
export function acceptInput({ options, common, snapshot }: Session, given: unknown): AcceptedEvent {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HooklineError('An event must be a JSON object with a "hook_event_name".')
  }
  const fields = given as Record<string, unknown> // an object
  const { hook_event_name: name } = fields
  if (typeof name !== 'string') throw new HooklineError('An event needs a "hook_event_name".')
  const row = findRow(snapshot, name)
  if (row === undefined) throw new HooklineError(describeUnknownEvent(name, snapshot.profile, { isOfProfile: true }))
  const { permission_mode, transcript_path, session_id } = common
  const transcript = transcript_path === undefined ? undefined : { transcript_path }
  const mode = row.permissionMode && permission_mode !== undefined ? { permission_mode } : undefined
  const input = { session_id, ...transcript, cwd: options.places.project, ...mode, hook_event_name: name, ...fields }
  carryWriting(input, given)
  const misfits = row.checkInput(input)
  if (misfits.length > 0)
    throw new HooklineError(`${name}: ${misfits.map((misfit) => formatMisfit(misfit, 'the event')).join('; ')}.`)
  return { row, input: Object.freeze(input) }
}

/** The row of an event. An untrusted project may have events that the profile in force has not: none of its hooks runs, and the record says so. */
function findRow({ profile, profiles }: Session['snapshot'], name: string): EventRow | undefined {
  return profile.events.get(name) ?? profiles.project.events.get(name)
}

/** A plan that leaves out hooks which have seen the call. */
function omitSeenHooks(except: ReadonlySet<string> | undefined, planned: Plan): Plan {
  if (except === undefined) return planned
  const left = planned.runs.filter(({ hook }) => except.has(hook.id))
  const because = 'another run of this event has it'
  const lines = [...planned.lines]
  for (const { at, hook } of left) lines[at] = makeUnreadLine(hook, 'not-reached', because)
  return { ...planned, lines, runs: planned.runs.filter((run) => !left.includes(run)) }
}

/** Looks whether files were edited, when that may be. */
function noteNews(session: Session): Promise<unknown> | undefined {
  const { notices, watch, snapshot } = session
  const looking = watch.isDue() ? watch.listNews(snapshot).then((news) => notices.push(...news)) : undefined
  const { news } = session
  if (news === null) return looking
  session.news = null
  return Promise.all([looking, news.noted()]) // only now: a session that fires no event leaves the notice to the next one
}

/** Has the closing of the session wait for something, after which it is unlinked. */
function holdClosing<T>({ dispatching }: Session, acting: Promise<T>, unlink: () => void): Promise<T> {
  const endHold = (): void => {
    dispatching.delete(acting)
    unlink()
  }
  dispatching.add(acting)
  acting.then(endHold, endHold)
  return acting
}

/** The answers stand in configuration order, whichever hook finished first. */
async function runAll(session: Session, runs: readonly PlannedRun[], event: FiredEvent): Promise<EndedHook[]> {
  const ended =
    session.options.order === 'sequential'
      ? await runInSequence(session, runs, event)
      : await runTogether(session, runs, event)
  if (!ended.every(({ hook }) => isRunInHost(hook, session))) session.watch.noteHooksRan()
  // In configuration order too: what a later one says of a variable counts.
  for (const { hook, envFile } of ended) {
    if (event.row.envFile === 'until-next') session.envFiles.forget(hook.id)
    if (envFile !== null) await session.envFiles.keep(hook.id, envFile)
  }
  return ended
}

/** To start a process takes a while, and the host's loop has other work: the rest of many are started in later turns. */
const STARTED_IN_A_TURN = 4

async function runTogether(session: Session, runs: readonly PlannedRun[], event: FiredEvent): Promise<EndedHook[]> {
  const [only] = runs
  if (only !== undefined && runs.length === 1) return [await runHook(session, only, event)]
  let turn: Promise<unknown> | undefined
  const started = runs.map((planned, at) => {
    if (at > 0 && at % STARTED_IN_A_TURN === 0) turn = (turn ?? Promise.resolve()).then(() => new Promise(setImmediate))
    return turn === undefined ? runHook(session, planned, event) : turn.then(() => runHook(session, planned, event))
  })
  return Promise.all(started)
}

function isRunInHost(hook: ConfiguredHook, session: Session): boolean {
  const { handler } = hook
  return !isFault(handler) && findHookProfile(session, hook).hookTypes[handler.type]?.runsIn === 'host'
}

/** One after the other, until one halts; a rewritten input reaches the next. */
async function runInSequence(session: Session, runs: readonly PlannedRun[], first: FiredEvent): Promise<EndedHook[]> {
  const ended: EndedHook[] = []
  let event = first
  for (const planned of runs) {
    const halted = ended.some(({ result }) => result?.opinion.halt)
    const one = halted
      ? makeUnreached(planned, findHookRow(session, planned.hook, event.row))
      : await runHook(session, planned, event)
    ended.push(one)
    const rewritten = one.result?.opinion.updatedInput
    if (rewritten && event.row.rewrites !== null) {
      const input = Object.freeze({ ...event.input, [event.row.rewrites]: rewritten })
      carryWriting(input, event.input)
      event = { ...event, input, payload: new Payload(input, { onlyFunctions: false }) }
    }
  }
  return ended
}

/** Restores what hooks put into the place of an input or an output, with everything as it was written that they did not touch. */
function restoreWriting(decision: Decision, { rewrites }: EventRow, input: EventInput): Decision {
  const { updatedInput, updatedToolOutput } = decision
  if (updatedInput === null && updatedToolOutput === null) return decision
  const restored =
    updatedInput === null || rewrites === null ? updatedInput : restoreUntouched(input[rewrites], updatedInput)
  return {
    ...decision,
    updatedInput: restored as Decision['updatedInput'], // of the same shape
    updatedToolOutput: restoreUntouched(input.tool_response, updatedToolOutput),
  }
}

function makeUnreached({ at, hook }: PlannedRun, row: EventRow): EndedHook {
  return {
    at,
    hook,
    row,
    line: makeUnreadLine(hook, 'not-reached', 'an earlier hook halted'),
    result: null,
    envFile: null,
  }
}

function mergeLines(planned: readonly HookLine[], ended: readonly EndedHook[]): HookLine[] {
  const lines = [...planned]
  for (const { at, line } of ended) lines[at] = line
  return lines
}

function warnOfConflicts(
  ended: readonly EndedHook[],
  results: readonly HookResult[],
  row: EventRow,
  input: EventInput,
): void {
  if (results.length < 2) return
  for (const { hook, warning } of findRewriteConflicts(results, row, input)) {
    ended.find(({ line }) => line.id === hook)?.line.warnings.push(warning)
  }
}

function listResults(ended: readonly EndedHook[]): HookResult[] {
  const results: HookResult[] = []
  for (const { hook, row, result } of ended) if (result) results.push({ hook: hook.id, row, result })
  return results
}

/** Says once that the project's own hooks wait for trust. */
function noteUntrusted(session: Session): void {
  const { told, notices, snapshot } = session
  if (snapshot.trust.accepted || told.has(UNTRUSTED) || !isUntrusted(session)) return
  told.add(UNTRUSTED)
  notices.push(formatUntrustedNotice(snapshot))
  if (snapshot.trust.wrongDigest !== null) notices.push(snapshot.trust.wrongDigest)
  passOnUntrusted(session)
}

/** Stands among the ids of hooks that were told, which all have a colon. */
const UNTRUSTED = 'untrusted'

/** Says once per hook why it can never run here. */
function tellAbsent({ told, notices }: Session, { absent }: Plan): void {
  for (const { hook, because } of absent) {
    if (told.has(hook.id)) continue
    told.add(hook.id)
    notices.push(`${hook.id} does not run: ${because}.`)
  }
}

/** Guards that cannot run here and fail closed, as their scope says or since a choice of profile cannot be used: they block as if they had failed. */
function makeClosedGuards(session: Session, event: EventRow, { absent, lines }: Plan): EndedHook[] {
  const { options, snapshot } = session
  const closing = absent.filter(
    ({ hook, isGuard }) => isGuard && (options.failClosed.has(hook.scope) || isMisread(hook, snapshot)),
  )
  return closing.map(({ at, hook, because }) => {
    const failed = `it does not run here: ${because}`
    const line = lines[at] ?? makeUnreadLine(hook, 'unsupported', because)
    const closed = { ...line, failed, warnings: [...line.warnings] }
    return {
      at,
      hook,
      row: findHookRow(session, hook, event),
      line: closed,
      result: makeClosed(failed, hook.id),
      envFile: null,
    }
  })
}

/** True if another profile may have been chosen for a hook, in a setting that cannot be used. */
function isMisread({ trust }: ConfiguredHook, { configuration: { profiles } }: Session['snapshot']): boolean {
  return (trust === 'none' ? profiles.own : profiles.project).unusable !== null
}
