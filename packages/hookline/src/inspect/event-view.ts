import { toCase } from '../cases/cases-from.ts'
import { formatCases } from '../cases/write-case-file.ts'
import { diffFile } from '../config/text-diff.ts'
import { nameHook, nameWouldHave, readEntryId, summariseEvent } from '../log/event-summary.ts'
import { withMissReasons } from '../log/miss-reasons.ts'
import { findBridgedAgent, hasFailed } from '../log/query.ts'
import type { LogEntry } from '../log/record-store.ts'
import { isRepeatable } from '../log/tapped-record.ts'
import { listAskedEffects } from '../protocol/effect.ts'
import { readRuns } from '../protocol/record/hook-line.ts'
import type { Decision, HookLine, PastRecord } from '../protocol/record/record.ts'
import { isRecorderCommand } from '../protocol/wrapped-command.ts'
import { ERASED } from '../text/erase.ts'
import { toShellWord } from '../text/quote.ts'
import { toSafeJson } from '../text/visible.ts'
import type { DiffLine, EventAnswer, EventHook, TodayLine } from './api.ts'

/** Neighbours of an event in its session, and whether that tells of hooks. */
export interface Neighbours {
  readonly previous: string | null
  readonly next: string | null
  /** True if an event of the session names a hook. */
  readonly areHooksNamed: boolean
}

/** Shows one event whole: every hook of its record with its verdict, what was decided, who reads what. */
export async function showEvent(
  entry: LogEntry,
  { previous, next, areHooksNamed, project }: Neighbours & { readonly project: string },
): Promise<EventAnswer> {
  const { record, input } = entry
  const { hooks } = (await withMissReasons(entry)).record
  return {
    session: record.sessionId,
    summary: summariseEvent(entry),
    facts: listFacts(entry),
    hooks: hooks.map((line) => toEventHook(line, record)),
    namesHooks: entry.tapped === undefined || areHooksNamed,
    partial: entry.partial === true,
    decided: listDecided(record.decision),
    messages: record.decision.messages,
    notices: record.notices ?? [],
    change: await diffInput(entry),
    input: input === null ? null : toSafeJson(input, 2),
    record: toSafeJson(record, 2),
    fire: formatFire(entry),
    testCase: formatCase(entry, project),
    previous,
    next,
  }
}

function listFacts(entry: LogEntry): [string, string][] {
  const { record, input, place } = entry
  const facts: [string, string | undefined | null][] = [
    ['id', readEntryId(entry)],
    ['session', record.sessionId],
    ['project', record.project?.name ?? (typeof input?.cwd === 'string' ? input.cwd : null)],
    ['subagent', record.agentId],
    ['agent', findBridgedAgent(entry)],
    ['host', record.host && [record.host.client, record.host.version].filter((word) => word !== undefined).join(' ')],
    ['profile', record.profile],
    ['engine', record.engine],
    ['adds to', record.lateOf],
    ['log', place?.file],
  ]
  return facts.filter((fact): fact is [string, string] => typeof fact[1] === 'string' && fact[1] !== '')
}

const OUTCOMES: Readonly<Record<NonNullable<HookLine['outcome']>, string>> = {
  success: 'success',
  blocking: 'blocked',
  non_blocking_error: 'failed, not blocking',
  cancelled: 'cancelled',
}

function toEventHook(line: HookLine, { decision }: PastRecord): EventHook {
  const { id, file, outcome, planned = false } = line
  return {
    id,
    name: nameHook(line),
    verdict: line.verdict,
    planned,
    because: line.because ?? null,
    scope: line.scope ?? '',
    place: typeof file === 'string' ? `${file}:${line.line}` : id,
    matcher: line.matcher ?? null,
    type: line.type ?? 'hook',
    runs: readRuns(line) ?? '',
    result: nameResult(line),
    startMs: line.startMs ?? null,
    durationMs: line.durationMs ?? null,
    failed: hasFailed(line),
    blocked: outcome === 'blocking' && !planned,
    answer: line.answer === null || line.answer === undefined ? null : toSafeJson(line.answer, 2),
    context: decision.context.filter((_, at) => decision.contextFrom[at]?.hook === id),
    messages: decision.messages.filter(({ hook }) => hook === id),
    stdoutTail: line.stdoutTail ?? null,
    stderrTail: line.stderrTail ?? null,
    warnings: line.warnings ?? [],
  }
}

function nameResult(line: HookLine): string | null {
  if (line.outcome === undefined) return null
  return line.planned ? nameWouldHave(line.outcome) : describeResult(line, OUTCOMES[line.outcome])
}

function describeResult({ timedOut, signal, exitCode, failed, model, turns }: HookLine, outcome: string): string {
  const ended = [
    timedOut ? 'timed out' : null,
    signal ?? null,
    exitCode === null || exitCode === undefined ? null : `exit ${exitCode}`,
    failed === undefined ? null : 'failed closed',
    model ?? null,
    turns === undefined ? null : `${turns} turns`,
  ].filter((fact) => fact !== null)
  return [outcome, ...ended].join(', ')
}

function listDecided(decision: Decision): [string, string][] {
  const { halt, stopReason, blocked, permission, reason, interrupt, updatedPermissions, updatedToolOutput } = decision
  return [
    ...(halt ? ([['halt', stopReason ?? 'no reason given']] as [string, string][]) : []),
    ...(blocked ? ([['block', reason ?? 'no reason given']] as [string, string][]) : []),
    ...(permission === null ? [] : ([['permission', permission]] as [string, string][])),
    ...(reason === null || blocked ? [] : ([['reason', reason]] as [string, string][])),
    ...(interrupt ? ([['interrupt', 'the turn ends']] as [string, string][]) : []),
    ...(updatedPermissions === null || updatedPermissions === undefined
      ? []
      : ([['rules', toSafeJson(updatedPermissions)]] as [string, string][])),
    ...(updatedToolOutput === null || updatedToolOutput === undefined
      ? []
      : ([['output', toSafeJson(updatedToolOutput)]] as [string, string][])),
    ...(decision.instructions === null || decision.instructions === undefined
      ? []
      : ([['compact', decision.instructions]] as [string, string][])),
    ...Object.entries(listAskedEffects(decision)).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : toSafeJson(value),
    ]),
  ]
}

async function diffInput({ record, input }: LogEntry): Promise<DiffLine[] | null> {
  const { updatedInput } = record.decision
  if (updatedInput === null || updatedInput === undefined || input === null) return null
  const before = `${toSafeJson(input.tool_input ?? {}, 2)}\n`
  const change = await diffFile('tool_input', before, `${toSafeJson(updatedInput, 2)}\n`)
  if (change === null) return []
  const lines = change.diff.split('\n').filter((line) => !/^(?:---|\+\+\+|@@|Index|====|\\)/.test(line) && line !== '')
  return lines.map((line) => {
    const [sign] = line
    return { sign: sign === '+' || sign === '-' ? sign : ' ', text: line.slice(1) }
  })
}

/** The command that fires an event again. */
function formatFire(entry: LogEntry): string | null {
  const { record, input } = entry
  if (input === null || !isRepeatable(entry) || input.prompt === ERASED) return null
  return `echo ${toShellWord(toSafeJson(input))} | hookline fire ${toShellWord(record.event)} --input -`
}

function formatCase(entry: LogEntry, project: string): string | null {
  const made = toCase(entry, project)
  return made === null ? null : formatCases([made])
}

/** Word for what becomes of a hook: the verdict, or what is planned. */
function nameVerdict({ verdict, planned, cannotStart }: PlannedLine): string {
  if (cannotStart !== undefined) return 'cannot start'
  if (!planned) return verdict
  return verdict === 'ran' ? 'would run' : 'would run in background'
}

/** A line of `hookline explain --json`. */
export interface PlannedLine extends HookLine {
  readonly cannotStart?: string
  /** Outcome if it were trusted; only where that is what keeps it from running. */
  readonly otherwise?: Pick<PlannedLine, 'verdict' | 'planned' | 'because' | 'cannotStart'>
}

/**
 * Puts what happened to each hook beside what would happen today. Recorders that came since are left out: they decide nothing. An
 * event that a tap saw was of a host that knows nothing of Hookline's trust, and would run its hooks without it today as well.
 */
export function compareWithToday(
  { record, tapped }: Pick<LogEntry, 'record' | 'tapped'>,
  today: readonly PlannedLine[],
): TodayLine[] {
  const makeLineKey = (line: HookLine): string => `${line.id}\n${readRuns(line) ?? ''}`
  const plan = tapped === undefined ? today : today.map(passOverTrust)
  const isNamed = tapped === undefined || record.hooks.length > 0
  const now = new Map(plan.map((line) => [makeLineKey(line), line]))
  const before = record.hooks.map((line): TodayLine => {
    const planned = now.get(makeLineKey(line))
    now.delete(makeLineKey(line))
    const wouldRun = planned?.planned === true && planned.cannotStart === undefined
    const ran = line.verdict === 'ran' || line.verdict === 'backgrounded'
    const isSame = planned !== undefined && (ran ? wouldRun : planned.verdict === line.verdict)
    return {
      name: nameHook(line),
      before: line.verdict,
      today: planned === undefined ? null : nameVerdict(planned),
      because: planned === undefined ? 'no longer configured' : (planned.cannotStart ?? planned.because ?? null),
      changed: !isSame,
    }
  })
  const news = [...now.values()].filter((line) => !isRecorderCommand(readRuns(line) ?? ''))
  const added = news.map(
    (line): TodayLine => ({
      name: nameHook(line),
      before: isNamed ? null : NOT_RECORDED,
      today: nameVerdict(line),
      because: line.cannotStart ?? line.because ?? null,
      changed: isNamed,
    }),
  )
  return [...before, ...added]
}

/** Word for a hook of an event of which a tap saw no hook: those of its host are told only where they are wrapped. */
const NOT_RECORDED = 'not recorded'

function passOverTrust(line: PlannedLine): PlannedLine {
  const { otherwise, because, ...facts } = line
  return otherwise === undefined ? line : { ...facts, ...otherwise }
}
