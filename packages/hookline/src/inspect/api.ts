import type { SessionComparison } from '../log/compare-sessions.ts'
import type { EventSummary } from '../log/event-summary.ts'
import type { SessionSummary } from '../log/sessions.ts'
import type { HookStatistics } from '../log/statistics.ts'
import type { HookLine, Message } from '../protocol/record/record.ts'

/** State of what is looked at, for every view. */
export interface StateAnswer {
  readonly version: string
  /** Folder whose hooks are shown. */
  readonly project: string
  /** Views beside sessions and their events that there is something for. */
  readonly views: readonly InspectorView[]
  readonly logs: readonly LogState[]
  /** Places in which logs were looked for. */
  readonly places: string
  readonly events: number
  readonly sessions: number
  /** Sentences about lines that were skipped and files that cannot be read. */
  readonly notes: readonly string[]
  /** True while logs are read for the first time. */
  readonly reading: boolean
  /** Transcripts without a log: outcomes are those of then, hooks are today's, and nothing was run. */
  readonly transcripts: boolean
  /** Words on what to do where nothing was recorded; those for logs where there are none. */
  readonly advice?: string
}

/** A machine of a fleet, as its store knows it. */
export interface MachineRow {
  readonly id: string
  readonly name: string
  /** Version of Hookline; null before the first record. */
  readonly version: string | null
  /** Moments in milliseconds since 1970; null for a machine that never sent anything. */
  readonly seenAt: number | null
  readonly enrolledAt: number
  readonly records: number
  readonly sessions: number
  readonly gaps: number
  /** Newest segment: how far it came, and the digest there; null where there is none. */
  readonly head: {
    readonly epoch: string
    readonly seq: number
    readonly digest: string
    readonly ended: boolean
  } | null
  /** Hooks that run on the other machines with the same events, and never here. */
  readonly silent: readonly string[]
}

/** The machines of a fleet. */
export interface MachinesAnswer {
  readonly machines: readonly MachineRow[]
  /** True if there are more than are shown. */
  readonly isCut: boolean
}

/** An alarm of a fleet: a thing to look at. */
export interface AlarmRow {
  readonly kind: 'silent-guard' | 'gap' | 'failing-hook'
  /** Name of the machine; null where it is about all. */
  readonly machine: string | null
  /** The hook and its event, or the segment and the place in it. */
  readonly about: string
  readonly because: string
}

/** The alarms of a fleet. */
export interface AlarmsAnswer {
  readonly alarms: readonly AlarmRow[]
  /** Days that were looked at, and the share of runs that may fail. */
  readonly days: number
  readonly maxFailing: number
}

/** A view that the page leads to from everywhere. */
export type InspectorView = 'sessions' | 'hooks' | 'machines' | 'alarms' | 'cost' | 'compare'

/** A log that is looked at. */
export interface LogState {
  readonly file: string
  readonly isThere: boolean
  readonly events: number
  readonly problem: string | null
}

/** A page of a list. */
export interface ListAnswer<Row> {
  readonly total: number
  readonly offset: number
  readonly rows: readonly Row[]
}

/** A session as the list shows it. */
export interface ListedSession extends SessionSummary {
  /** Words that the source knows of a session beside these, such as its machine. */
  readonly labels?: readonly string[]
}

/** Sessions that fit a filter. */
export interface SessionsAnswer extends ListAnswer<ListedSession> {
  /** Number of sessions before the filter. */
  readonly all: number
  /** Filters that the source has, in the order in which they are shown: the page sends each by its name. */
  readonly filters: readonly ListFilter[]
}

/** A filter of a list, such as `project`, and the values that it offers. */
export interface ListFilter {
  readonly name: string
  readonly values: readonly string[]
}

/** A row of a session: an event with its lane and the lanes that are at work then, or what is folded between two. */
export type SessionRow =
  | ({ readonly kind: 'event'; readonly lane: number; readonly working: readonly number[] } & EventSummary)
  | { readonly kind: 'silent'; readonly id: string; readonly count: number; readonly from: number; readonly to: number }
  | { readonly kind: 'idle'; readonly id: string; readonly ms: number }

/** Events of a session that fit a filter. */
export interface SessionAnswer extends ListAnswer<SessionRow> {
  readonly session: SessionSummary | null
  /** Number of events that fit the filter, folded ones included. */
  readonly matching: number
  /** Subagents with events of their own, in the order in which they appear. */
  readonly lanes: readonly string[]
  /** True if any event of the session names a hook: a tap alone sees none. */
  readonly namesHooks: boolean
  /** The longest event of the session, in milliseconds: the width of a bar. */
  readonly longestMs: number
}

/** One event, whole. */
export interface EventAnswer {
  readonly session: string
  readonly summary: EventSummary
  /** Word and text of each fact about the event. */
  readonly facts: readonly (readonly [string, string])[]
  readonly hooks: readonly EventHook[]
  /** False where a tap saw the session, and none of its hooks: they may have run. */
  readonly namesHooks: boolean
  /** The log does not hold the hooks that did not run any more. */
  readonly partial: boolean
  /** Word and text of each part of the decision. */
  readonly decided: readonly (readonly [string, string])[]
  readonly messages: readonly Message[]
  readonly notices: readonly string[]
  /** Lines of the input before and after a rewrite; null where hooks rewrote nothing. */
  readonly change: readonly DiffLine[] | null
  /** The input as JSON; null where it was not kept. */
  readonly input: string | null
  readonly record: string
  /** Command that fires the event again; null where its input was not kept whole. */
  readonly fire: string | null
  /** Case for `hookline test`; null where its input was not kept whole. */
  readonly testCase: string | null
  readonly previous: string | null
  readonly next: string | null
}

/** A line of a difference. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** A configured hook of an event. */
export interface EventHook {
  readonly id: string
  readonly name: string
  readonly verdict: HookLine['verdict']
  /** The hook did not run: it would today. */
  readonly planned: boolean
  readonly because: string | null
  readonly scope: string
  /** File and line; the id where it stands in none. */
  readonly place: string
  readonly matcher: string | null
  readonly type: string
  readonly runs: string
  /** End of the run in words; null where it did not run. */
  readonly result: string | null
  readonly startMs: number | null
  readonly durationMs: number | null
  readonly failed: boolean
  readonly blocked: boolean
  readonly answer: string | null
  readonly context: readonly string[]
  readonly messages: readonly Message[]
  readonly stdoutTail: string | null
  readonly stderrTail: string | null
  readonly warnings: readonly string[]
}

/** Today's plan for an event, beside what happened. */
export interface TodayAnswer {
  readonly lines: readonly TodayLine[]
  /** Reason why there is none; null where there is one. */
  readonly problem: string | null
}

/** A hook then and today. */
export interface TodayLine {
  readonly name: string
  readonly before: string | null
  readonly today: string | null
  readonly because: string | null
  readonly changed: boolean
}

/** A configured hook, its state and its figures. */
export interface ConfiguredHookRow {
  readonly id: string
  readonly key: string
  readonly scope: string
  readonly event: string
  readonly matcher: string
  readonly name: string
  readonly runs: string
  readonly type: string
  readonly state: string
  readonly because: string | null
  readonly place: string
  /** An entry that `hookline tap install` wrote, which records and decides nothing. */
  readonly isRecorder: boolean
}

/** Lines of a file around a hook. */
export interface ExcerptAnswer {
  readonly file: string
  readonly lines: readonly { readonly line: number; readonly text: string }[]
}

/** Figures of configured hooks from the logs, as `hookline stats` has them, by the ids of the hooks. */
export interface FiguresAnswer {
  readonly placed: Readonly<Record<string, HookStatistics>>
}

/** A finding of `hookline validate`. */
export interface HookFinding {
  readonly severity: string
  readonly rule: string
  readonly name: string
  readonly place: string
  readonly message: string
}

/** The configuration as it stands. */
export interface HooksAnswer {
  readonly project: string
  readonly profile: string
  /** True if Hookline runs the hooks of the project: other hosts have a trust of their own. */
  readonly isTrusted: boolean
  readonly hooks: readonly ConfiguredHookRow[]
  readonly events: readonly string[]
}

/** The findings of `hookline validate` about the files in play. */
export interface FindingsAnswer {
  /** Findings at hooks, by the ids of these. */
  readonly placed: Readonly<Record<string, readonly HookFinding[]>>
  /** Findings that belong to no hook. */
  readonly others: readonly HookFinding[]
}

/** Two sessions side by side: the differences alone. */
export interface CompareAnswer extends SessionComparison {
  readonly a: SessionSummary | null
  readonly b: SessionSummary | null
}
