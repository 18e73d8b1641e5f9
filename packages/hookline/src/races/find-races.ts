import type { Profile } from '../protocol/profile.ts'
import type { PastEvent } from '../replay/past-event.ts'
import { iterateEvents, type ReadingOptions } from '../replay/session-events.ts'
import type { SessionFiles } from '../replay/sessions.ts'
import type { Stage } from '../replay/stage.ts'
import { findRacesBetween, listHookAnswers, type Race, type RaceKind } from './races.ts'

/** Two hooks that conflict, with the first event that showed it. */
export interface FoundRace extends Race {
  readonly event: PastEvent
  /** Number of events showed it. */
  readonly times: number
}

/** Calls that were looked at and races that were found. */
export interface RaceReport {
  /** Events that hooks can refuse or rewrite. */
  readonly calls: number
  /** Calls that two hooks or more answered. */
  readonly contested: number
  /** By pair and kind, in the order in which they were found. */
  readonly races: readonly FoundRace[]
}

/** Runs each matching hook once per call of old sessions, and tries the orders in which they might have ended. */
export async function findRaces(
  sessions: readonly SessionFiles[],
  {
    stage,
    events,
    signal,
    ...reading
  }: ReadingOptions & { stage: Stage; events: Profile['events']; signal?: AbortSignal },
): Promise<RaceReport> {
  const races = new Map<string, FoundRace>()
  let calls = 0
  let contested = 0
  const onSessionEnd = () => stage.closeSessions()
  for await (const event of iterateEvents(sessions, { ...reading, signal, onSessionEnd })) {
    const row = events.get(event.input.hook_event_name)
    if (!row || row.rewrites === null || signal?.aborted) continue
    calls++
    const staged = await stage.run(event.input, signal)
    if (staged.staged === 'unfit') continue
    const answers = listHookAnswers(staged.record, row)
    if (answers.length > 1) contested++
    for (const race of findRacesBetween(answers, staged.record.decision)) note(races, race, event)
  }
  return { calls, contested, races: [...races.values()] }
}

function note(races: Map<string, FoundRace>, race: Race, event: PastEvent): void {
  const key = makeRaceKey(race.kind, race.hooks)
  const known = races.get(key)
  races.set(key, known ? { ...known, times: known.times + 1 } : { ...race, event, times: 1 })
}

const makeRaceKey = (kind: RaceKind, hooks: readonly string[]): string => [kind, ...hooks].join(' ')
