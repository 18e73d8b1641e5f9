import type { Engine } from '../engine/engine-interface.ts'
import type { DispatchRecord, HookLine } from '../protocol/record/record.ts'
import {
  compareSinceThen,
  compareVersionOutcomes,
  type Difference,
  type ReplayOutcome,
  toReplayOutcome,
} from './outcome.ts'
import type { PastEvent } from './past-event.ts'
import { makePlanner } from './planner.ts'
import { iterateEvents, type ReadingOptions, readSessionEvents } from './session-events.ts'
import type { SessionFiles } from './sessions.ts'
import type { Stage, StagedOutcome } from './stage.ts'

/** An event of an old session, and what today's hooks make of it. */
export interface ReplayedEvent {
  readonly event: PastEvent
  /** null: it is not an event of this profile. */
  readonly now: ReplayOutcome | null
  /** Outcome with the other version of the hooks; absent when there is none. */
  readonly against?: ReplayOutcome | null
  readonly difference: Difference
  readonly record: DispatchRecord | null
}

/** Options of a replay besides the sessions. */
export interface ReplayOptions extends ReadingOptions {
  readonly stage: Stage
  /** The other version of the hooks, to compare with instead of what happened then. */
  readonly against?: Stage
  readonly signal?: AbortSignal
}

/** Runs today's hooks on the events of old sessions, one after the other. */
export async function* replay(
  sessions: readonly SessionFiles[],
  { stage, against, signal, ...reading }: ReplayOptions,
): AsyncGenerator<ReplayedEvent, void, undefined> {
  const onSessionEnd = () => Promise.all([stage.closeSessions(), against?.closeSessions()])
  for await (const event of iterateEvents(sessions, { ...reading, signal, onSessionEnd })) {
    if (signal?.aborted) return
    const other = against?.run(event.input, signal) ?? null
    yield makeReplayed(event, await stage.run(event.input, signal), await other)
  }
}

function makeReplayed(event: PastEvent, staged: StagedOutcome, other: StagedOutcome | null): ReplayedEvent {
  const now = toReplayOutcome(staged)
  const record = staged.staged === 'record' ? staged.record : null
  if (other === null) return { event, now, difference: compareSinceThen(event.before, now), record }
  const against = toReplayOutcome(other)
  return { event, now, against, difference: compareVersionOutcomes(against, now), record }
}

/** An event of an old session, and what today's hooks would do. */
export interface PlannedEvent {
  readonly event: PastEvent
  /** The hooks that would run; null: it is not an event of this profile. */
  readonly hooks: readonly HookLine[] | null
  /** A line per configured hook; null: the same. */
  readonly plan: readonly HookLine[] | null
}

/** Matches the events of old sessions against today's hooks, some at a time. Nothing is executed. */
export async function* planReplay(
  sessions: readonly SessionFiles[],
  { engine, signal, ...reading }: ReadingOptions & { readonly engine: Engine; readonly signal?: AbortSignal },
): AsyncGenerator<PlannedEvent[], void, undefined> {
  const plan = makePlanner(engine)
  for (const session of sessions) {
    for await (const events of readSessionEvents(session, reading)) {
      if (signal?.aborted) return
      yield events.map((event) => toPlanned(event, plan(event.input)))
    }
  }
}

function toPlanned(event: PastEvent, plan: readonly HookLine[] | null): PlannedEvent {
  return { event, plan, hooks: plan?.filter(({ planned }) => planned) ?? null }
}
