import type { Cost } from '../log/cost.ts'
import type { EventSummary } from '../log/event-summary.ts'
import type { LogEntry } from '../log/record-store.ts'
import type { SessionSummary } from '../log/sessions.ts'
import type { SessionsAnswer } from './api.ts'
import type { SessionsFilter } from './list-views.ts'

/** Records that views are made of: the logs of this machine, or a store that others fill. */
export interface RecordSource {
  /** Takes in what is new. Resolves with the ids of the sessions that changed. */
  readonly update: () => Promise<ReadonlySet<string>>
  /** The sessions that fit a filter, the newest first, and the choices that its filters have. */
  readonly findSessions: (filter: SessionsFilter) => Promise<SessionsAnswer>
  /** A session by its id, or by the beginning of it where that is one alone. */
  readonly findSession: (id: string) => Promise<SessionSummary | null>
  /** The events of a session in a line each, by time. */
  readonly summariseEvents: (session: string) => Promise<readonly EventSummary[]>
  /** One event, whole; null where the session has none with this id. Throws a RefusedQuestion where it is gone. */
  readonly findEntry: (session: string, id: string) => Promise<LogEntry | null>
  /** Reads the events of a session whole, by time, and gives what was kept of each. */
  readonly readEntries: <Kept>(session: string, keep: (entry: LogEntry) => Kept) => Promise<readonly Kept[]>
  /** Costs of hooks, in all sessions that fit or in one. */
  readonly measureCost: (filter: CostFilter) => Promise<Cost>
}

/** Choice of sessions whose costs are added up. */
export interface CostFilter {
  /** Id of a session; empty for all. */
  readonly session: string
  /** Values that are asked for, by the name of their filter, as `SessionsAnswer` offers them. */
  readonly words: Readonly<Record<string, string>>
}
