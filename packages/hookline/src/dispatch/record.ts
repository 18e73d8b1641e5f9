import type { ConfiguredHook } from '../config/hook.ts'
import { decide } from '../decide/decision.ts'
import { type Listeners, makeLine, startLine } from '../match/plan.ts'
import { EMPTY_STREAM, measureMs } from '../process/process-run.ts'
import { findProfileOfEvent } from '../protocol/auto/profile.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Decision, DispatchRecord, HookLine, Mutable } from '../protocol/record/record.ts'
import type { Result } from '../read/result.ts'
import type { ConfiguredLines } from '../record/log-line.ts'
import type { OutputTail } from '../record/output-tail.ts'
import type { Run, Spent } from '../run/run.ts'
import { removeControls } from '../text/clean.ts'
import { digestText } from '../text/digest.ts'
import { VERSION } from '../text/version.ts'
import { eraseInput, eraseLine } from './erasure.ts'
import { tellHost } from './host-listeners.ts'
import { type EndedHook, type EventPlan, type FiredEvent, type LateEnd, passStages, type Session } from './pipe.ts'

/** Outcome of the steps before. */
interface EventOutcome {
  readonly plan: EventPlan
  readonly runs: readonly EndedHook[]
  readonly decision: Decision
}

/** The record of an event; takes the notices that have gathered, and is noted in the log and by those who listen. */
export function recordEvent(
  session: Session,
  event: FiredEvent,
  { plan, runs, decision }: EventOutcome,
): DispatchRecord {
  const { notices, recordLog, recordListeners, spool } = session
  const { configured } = plan
  const durationMs = event.started === null ? Date.now() - event.began : measureMs(event.started)
  const lines = runs.length === 0 ? plan.lines : [...plan.lines]
  for (const { at, line } of runs) (lines as HookLine[])[at] = line // a copy, where there are runs
  const made = startRecord(session, event, { durationMs, lines, decision, configured })
  if (notices.length > 0) made.notices = notices.splice(0)
  const { record: told, input } = passStages('record', session, event, { record: made, input: event.input })
  const record = spool === null ? told : spool.keep({ record: told, input, configured }, event.row)
  recordLog?.add(record, input, configured)
  if (recordListeners.size > 0) tellHost(session, record, input)
  const { early } = event
  event.early = null
  if (early !== null) for (const end of early) passOnLate(session, event, end) // background hooks that ended before the outcome of their event
  return record
}

/** Tells those of the host who listen how a hook of an earlier event ended in the background. The log has what counted. */
export function passOnLate(session: Session, event: FiredEvent, end: LateEnd): void {
  if (session.recordListeners.size === 0) return
  if (event.early !== null) {
    event.early.push(end)
    return
  }
  const { row, input, id } = event
  const { delivery, durationMs, erase, configured } = end
  const { context, messages, hook } = delivery
  const contextFrom = context.map(() => ({ hook, kind: 'context' as const }))
  const decision = { ...decide(row, []), context: [...context], contextFrom, messages: [...messages] }
  const lines = [erase === null ? end.line : eraseLine(end.line, erase)]
  const record = {
    ...startRecord(session, { ...event, id: session.origin.nextId() }, { durationMs, lines, decision, configured }),
    lateOf: id,
  }
  tellHost(session, record, erase === null ? input : eraseInput(row, input, erase))
}

/** Facts of a record that its event does not have. */
interface RecordedFacts {
  readonly durationMs: number
  readonly lines: readonly HookLine[]
  readonly decision: Decision
  readonly configured: ConfiguredLines
}

function startRecord(
  session: Session,
  { id, began, row, input }: Pick<FiredEvent, 'id' | 'began' | 'row' | 'input'>,
  { durationMs, lines, decision, configured }: RecordedFacts,
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
    profile: configured.profile,
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

const configuredBy = new WeakMap<readonly Listeners[], ConfiguredLines>()

/** The hooks that listen to an event, as their lines stand when no matcher matches. Made once for the same listeners. */
export function listConfigured(session: Session, row: EventRow, all: readonly Listeners[]): ConfiguredLines {
  const known = configuredBy.get(all)
  if (known) return known
  const lines: HookLine[] = []
  for (const { missLines, places } of all)
    for (const [at, line] of missLines.entries()) lines[places?.[at] ?? at] = line
  const profile = nameRecordedProfile(session, row)
  const made = { digest: digestText(JSON.stringify(lines)), lines, profile }
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
  const { stdout, stderr } = 'stdout' in run ? run : { stdout: EMPTY_STREAM, stderr: EMPTY_STREAM }
  const line = startLine(hook, 'ran')
  line.outcome = outcome
  if (failed !== null && opinion.blocks) line.failed = failed
  line.exitCode = run.ended === 'exited' ? run.code : null
  if (run.ended === 'replied') line.exitCode = run.status // of a server's answer
  line.signal = run.ended === 'signalled' ? run.signal : null
  const notStarted = run.ended === 'exited' ? run.notStarted : undefined
  if (notStarted !== undefined) line.notStarted = removeControls(notStarted)
  else if (run.ended === 'not-started') line.notStarted = removeControls(run.reason)
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
