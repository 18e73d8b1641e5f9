import type { ConfiguredHook } from '../config/hook.ts'
import { decide } from '../decide/decision.ts'
import { type Listeners, makeLine, startLine } from '../match/plan.ts'
import { NOTHING } from '../process/process-run.ts'
import { findProfileOfEvent } from '../protocol/auto/profile.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Decision, DispatchRecord, HookLine, Mutable } from '../protocol/record/record.ts'
import type { Result } from '../read/result.ts'
import type { Configured } from '../record/log-line.ts'
import type { OutputTail } from '../record/output-tail.ts'
import type { Run, Spent } from '../run/run.ts'
import { removeControls } from '../text/clean.ts'
import { digestText } from '../text/digest.ts'
import type { Erase } from '../text/erase.ts'
import { VERSION } from '../text/version.ts'
import type { Delivery } from './background.ts'
import { eraseInput, eraseLine, eraseRecord, isErasing, toKeptInput } from './erasure.ts'
import { passOn } from './host-listeners.ts'
import type { Session } from './session.ts'

/** An event that is being dispatched. */
export interface Occurrence {
  readonly row: EventRow
  readonly input: EventInput
  /** The id of its record. */
  readonly id: string
  /** `Date.now()` of its beginning. */
  readonly began: number
  /** The hooks that are configured for it. */
  readonly configured: Configured
  /** Hooks that ended in the background before its record was there; null once it is. */
  early: LateEnd[] | null
}

/** Outcome of an event. */
interface EventOutcome {
  readonly durationMs: number
  readonly lines: readonly HookLine[]
  readonly decision: Decision
  /** null: the event has nothing that may have to go. */
  readonly erase: Erase | null
}

/** The record of an event; takes the notices that have gathered, and is noted in the log and by those who listen. */
export function recordEvent(session: Session, occurrence: Occurrence, outcome: EventOutcome): DispatchRecord {
  const { notices } = session
  const { row, input, configured } = occurrence
  const { decision, erase } = outcome
  const record = startRecord(session, occurrence, outcome)
  if (notices.length > 0) record.notices = notices.splice(0)
  if (erase === null || !isErasing(row, decision)) {
    noteRecord(session, record, toKeptInput(row, input, decision), configured)
    passOnEarly(session, occurrence)
    return record
  }
  const erased = eraseRecord(record, erase)
  noteRecord(session, erased, eraseInput(row, input, erase), configured)
  passOnEarly(session, occurrence)
  return erased
}

/** Passes on the outcome of an event before that of its hooks in the background. */
function passOnEarly(session: Session, occurrence: Occurrence): void {
  const { early } = occurrence
  occurrence.early = null
  if (early !== null) for (const end of early) passOnLate(session, occurrence, end)
}

/** A record goes into the log, if there is one, and to those of the host who listen. */
function noteRecord(session: Session, record: DispatchRecord, input: EventInput, configured: Configured): void {
  session.recordLog?.add(record, input, configured)
  if (session.recordListeners.size > 0) passOn(session, record, input)
}

/** End of a hook in the background. */
interface LateEnd {
  readonly line: HookLine
  readonly delivery: Delivery
  readonly durationMs: number
  /** null: nothing of the event has to go. */
  readonly erase: Erase | null
}

/** Tells those of the host who listen how a hook of an earlier event ended in the background. The log has what counted. */
export function passOnLate(session: Session, occurrence: Occurrence, end: LateEnd): void {
  if (session.recordListeners.size === 0) return
  if (occurrence.early !== null) {
    occurrence.early.push(end)
    return
  }
  const { row, input, id } = occurrence
  const { delivery, durationMs, erase } = end
  const { context, messages, hook } = delivery
  const contextFrom = context.map(() => ({ hook, kind: 'context' as const }))
  const decision = { ...decide(row, []), context: [...context], contextFrom, messages: [...messages] }
  const lines = [erase === null ? end.line : eraseLine(end.line, erase)]
  const record = {
    ...startRecord(session, { ...occurrence, id: session.origin.nextId() }, { durationMs, lines, decision }),
    lateOf: id,
  }
  passOn(session, record, erase === null ? input : eraseInput(row, input, erase))
}

function startRecord(
  session: Session,
  { id, began, row, input, configured }: Occurrence,
  { durationMs, lines, decision }: Omit<EventOutcome, 'erase'>,
): Mutable<DispatchRecord> {
  const { origin } = session
  const { agent_id } = input
  const record: Mutable<DispatchRecord> = {
    version: 2,
    id,
    at: formatTime(began),
    durationMs,
    sessionId: String(input.session_id),
    event: row.name,
    profile: nameRecordedProfile(session, row),
    engine: VERSION,
    project: origin.project,
    snapshot: configured.digest,
    decision,
    hooks: lines as HookLine[], // lines that tell of no run are shared and frozen
  }
  if (typeof agent_id === 'string') record.agentId = agent_id
  if (origin.host !== null) record.host = origin.host
  return record
}

let written = { at: Number.NaN, text: '' }

/** A time as records have it; events come by the hundred in a millisecond when no hook starts a process. */
function formatTime(at: number): string {
  if (written.at !== at) written = { at, text: new Date(at).toISOString() }
  return written.text
}

const configuredBy = new WeakMap<readonly Listeners[], Configured>()

/** The hooks that listen to an event, as their lines stand when no matcher matches. Made once for the same listeners. */
export function listConfigured(all: readonly Listeners[]): Configured {
  const known = configuredBy.get(all)
  if (known) return known
  const lines: HookLine[] = []
  for (const { missLines, places } of all)
    for (const [at, line] of missLines.entries()) lines[places?.[at] ?? at] = line
  const made = { digest: digestText(JSON.stringify(lines)), lines }
  configuredBy.set(all, made)
  return made
}

/** The profile that an event is of: the session's own, unless only the project's has it. */
export function nameRecordedProfile({ snapshot: { profiles } }: Session, { name }: EventRow): string {
  return findProfileOfEvent(profiles.own.events.has(name) ? profiles.own : profiles.project, name).name
}

/** A hook that ran and was read. */
interface ReadRun {
  readonly run: Run
  readonly result: Result
  readonly startMs: number | undefined
  /** null: the line does not say what the hook wrote. */
  readonly tail: OutputTail | null
  /** The event that it ran for. */
  readonly input: EventInput
}

/** The line of a hook that ran and was read. */
export function makeRanLine(hook: ConfiguredHook, { run, result, startMs, tail, input }: ReadRun): Mutable<HookLine> {
  const { outcome, failed, opinion, answer, warnings } = result
  if (run.ended === 'returned' && startMs !== undefined && tail === null && failed === null) {
    const line = { ...makeReturnedLine(hook) } // of one shape: adding fields to a line takes longer than the function of a host
    line.outcome = outcome
    line.startMs = startMs
    line.durationMs = run.durationMs
    line.answer = answer
    line.warnings = [...hook.warnings, ...warnings]
    return line
  }
  const { stdout, stderr } = 'stdout' in run ? run : { stdout: NOTHING, stderr: NOTHING }
  const line = startLine(hook, 'ran')
  line.outcome = outcome
  if (failed !== null && opinion.blocks) line.failed = failed
  line.exitCode = readExitCode(run)
  line.signal = run.ended === 'signalled' ? run.signal : null
  line.timedOut = run.ended === 'timed-out'
  if (startMs !== undefined) line.startMs = startMs
  line.durationMs = run.durationMs
  line.stdoutBytes = stdout.bytes
  line.stderrBytes = stderr.bytes
  line.truncated = stdout.bytes > stdout.kept.length || stderr.bytes > stderr.kept.length
  if (tail !== null) {
    line.stdoutTail = tail(stdout.kept, input)
    line.stderrTail = tail(stderr.kept, input)
  }
  if ('launcher' in run && run.launcher !== undefined) line.launcher = run.launcher
  if ('usage' in run) addSpending(line, run)
  line.answer = answer
  return Object.assign(line, { warnings: [...hook.warnings, ...warnings] })
}

const returnedLines = new WeakMap<ConfiguredHook, Mutable<HookLine>>()

/** The line of a function that returned, without what differs from run to run. */
function makeReturnedLine(hook: ConfiguredHook): Mutable<HookLine> {
  const known = returnedLines.get(hook)
  if (known) return known
  const ended = {
    outcome: 'success',
    exitCode: null,
    signal: null,
    timedOut: false,
    startMs: 0,
    durationMs: 0,
  } as const
  const written = { stdoutBytes: 0, stderrBytes: 0, truncated: false }
  const made = { ...startLine(hook, 'ran'), ...ended, ...written, answer: null, warnings: [] }
  returnedLines.set(hook, made)
  return made
}

/** Reads the code of a program, or the status of a server's answer. */
function readExitCode(run: Run): number | null {
  if (run.ended === 'exited') return run.code
  return run.ended === 'replied' ? run.status : null
}

/** Adds what a model's judgement took, as far as it is known. */
function addSpending(line: Mutable<Omit<HookLine, 'warnings'>>, { model, usage, turns, attempts }: Spent): void {
  if (model !== null) line.model = removeControls(model)
  if (usage.inputTokens !== null) line.inputTokens = usage.inputTokens
  if (usage.outputTokens !== null) line.outputTokens = usage.outputTokens
  if (turns !== null) line.turns = turns
  if (attempts > 1) line.attempts = attempts
}

/** The line of a hook that was to run and of which there is nothing to read. */
export function makeUnreadLine(
  hook: ConfiguredHook,
  verdict: HookLine['verdict'],
  because?: string,
): Mutable<HookLine> {
  return { ...makeLine(hook, verdict, because) }
}
