import { readRuns } from '../protocol/record/hook-line.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'
import { describeEvent } from './describe-event.ts'
import { describeReasons, findScriptName, hasSpoken, nameOutcome, type OutcomeWord } from './describe-outcome.ts'
import { hasFailed, hasRun } from './query.ts'
import type { LogEntry } from './record-store.ts'
import { countInjectedCharacters, toTokens } from './statistics.ts'

/** One recorded event in a line: what a list of events shows. */
export interface EventSummary {
  /** Names the event: the id of its record, or its moment where the record has none. */
  readonly id: string
  /** Beginning of the event: milliseconds since 1970. */
  readonly at: number
  readonly event: string
  /** The tool of a call; of other events their name. */
  readonly label: string
  /** The command, file or prompt, cut. */
  readonly call: string
  readonly outcome: OutcomeWord
  /** Reason of the outcome, cut; empty where there is none. */
  readonly reason: string
  /** Milliseconds until there was a decision. */
  readonly durationMs: number
  /** The subagent that it happened in. */
  readonly agentId?: string
  /** Number of hooks that were configured for the event. */
  readonly configured: number
  /** Hooks that were started. */
  readonly runs: readonly RunSummary[]
  /** Hooks of today by name, with what they would do: of transcripts, where nothing was run. */
  readonly planned?: readonly string[]
  /** About as many tokens as hooks put before the model. */
  readonly tokens: number
  /** True if nobody could notice that hooks ran. */
  readonly silent: boolean
}

/** A hook that was started for an event. */
export interface RunSummary {
  readonly name: string
  /** Milliseconds from the beginning of the event; missing where the record does not say. */
  readonly startMs?: number
  readonly durationMs: number
  /** Noticed by the model or the user. */
  readonly spoke: boolean
  readonly failed: boolean
}

const MAX_CALL_LENGTH = 160
const MAX_REASON_LENGTH = 200
const MAX_NAME_LENGTH = 48
/** Runs of one event that a list shows; all are in the event. */
const MAX_RUNS = 40

/** The id that names an entry: that of its record, or its moment where the record has none. */
export function readEntryId({ record }: LogEntry): string {
  return record.id ?? record.at
}

/** Says in a line what was recorded of an event. */
export function summariseEvent(entry: LogEntry): EventSummary {
  const { record, input } = entry
  const { label, call } = describeEvent(record.event, input)
  const ran = record.hooks.filter(hasRun)
  const runs = ran.slice(0, MAX_RUNS).map((line) => summariseRun(line, record))
  const planned = record.hooks
    .filter((line) => line.planned)
    .slice(0, MAX_RUNS)
    .map(describePlanned)
  const reason = describeReasons(record)
  const tokens = toTokens([...countInjectedCharacters(record.decision).values()].reduce((sum, one) => sum + one, 0))
  const outcome = nameOutcome(record)
  return {
    id: readEntryId(entry),
    at: Date.parse(record.at),
    event: record.event,
    label: cut(label, MAX_CALL_LENGTH),
    call: cut(call, MAX_CALL_LENGTH),
    outcome,
    reason: cut(reason, MAX_REASON_LENGTH),
    durationMs: measureWait(record),
    ...(record.agentId === undefined ? {} : { agentId: record.agentId }),
    configured: record.hooks.length,
    runs,
    ...(planned.length === 0 ? {} : { planned }),
    tokens,
    silent: isSilent({ outcome, reason, tokens }) && planned.length === 0 && !runs.some(({ spoke }) => spoke),
  }
}

/** Milliseconds until there was a decision: what the record says, or until the last hook that was seen had ended. */
export function measureWait({ durationMs, hooks }: PastRecord): number {
  const ends = hooks.map((line) => (line.startMs ?? 0) + (line.durationMs ?? 0))
  return durationMs ?? Math.max(0, ...ends)
}

function isSilent({ outcome, reason, tokens }: Pick<EventSummary, 'outcome' | 'reason' | 'tokens'>): boolean {
  return (outcome === '-' || outcome === 'passed') && reason === '' && tokens === 0
}

function summariseRun(line: HookLine, record: PastRecord): RunSummary {
  const { startMs, durationMs = 0 } = line
  return {
    name: nameHook(line),
    ...(startMs === undefined ? {} : { startMs }),
    durationMs,
    spoke: hasSpoken(line, record),
    failed: hasFailed(line),
  }
}

/** Words on a hook that was not run: that it would, or what it would have answered. */
function describePlanned(line: HookLine): string {
  const name = nameHook(line)
  if (line.outcome === undefined) return `${name} would run`
  return cut(`${name} ${nameWouldHave(line.outcome)}: ${line.because ?? ''}`, MAX_REASON_LENGTH)
}

/** Words on the answer that a hook would have given: it refuses, or asks. */
export function nameWouldHave(outcome: HookLine['outcome']): string {
  return outcome === 'blocking' ? 'would have refused' : 'would have asked'
}

/** Name by which people know a hook: its script, or the beginning of what it runs. */
export function nameHook(line: HookLine): string {
  return cut(findScriptName(line) ?? readRuns(line) ?? line.id, MAX_NAME_LENGTH)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
