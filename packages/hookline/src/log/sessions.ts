import type { PastRecord } from '../protocol/record/record.ts'
import { type LogSource, readEntries } from './log.ts'
import { findBridgedAgent } from './query.ts'
import type { LogEntry, ReadOptions } from './record-store.ts'
import {
  addToGroup,
  countInjectedCharacters,
  type Group,
  type GroupStatistics,
  groupStatistics,
  makeGroup,
} from './statistics.ts'

/** A recorded session: its figures, and where it took place. */
export interface SessionSummary extends Omit<GroupStatistics, 'name'> {
  readonly id: string
  /** Name of the project's folder; empty where the records do not say. */
  readonly project: string
  /** The agent whose hooks these were; empty where the records do not say. */
  readonly agent: string
  /** Version of the agent; empty where the records do not say. */
  readonly version: string
  /** Subagents that had events of their own. */
  readonly subagents: number
}

/** Sums of a session while its events are read. Plain data. */
export interface SessionTally {
  readonly group: Group
  project: string
  agent: string
  version: string
  readonly subagents: string[]
}

/** Subagents that are told apart; further ones are one. */
const MAX_SUBAGENTS = 1000

/** Makes the sums of a session before its first event. */
export function makeSessionTally({ sessionId, at }: PastRecord): SessionTally {
  return { group: makeGroup(sessionId, at), project: '', agent: '', version: '', subagents: [] }
}

/** Adds an event to the sums of its session. */
export function addToSession(tally: SessionTally, entry: LogEntry): void {
  const { record, input } = entry
  const characters = [...countInjectedCharacters(record.decision).values()].reduce((sum, one) => sum + one, 0)
  addToGroup(tally.group, record, characters)
  const folder = typeof input?.cwd === 'string' ? (input.cwd.split(/[/\\]/).at(-1) ?? '') : ''
  tally.project ||= record.project?.name ?? folder
  tally.agent ||= findBridgedAgent(entry) ?? record.host?.client ?? ''
  tally.version ||= record.host?.version ?? ''
  const { agentId } = record
  if (agentId === undefined || tally.subagents.includes(agentId) || tally.subagents.length >= MAX_SUBAGENTS) return
  tally.subagents.push(agentId)
}

/** Corrects the sums of a session: an event that was added is known better now. */
export function replaceInSession(tally: SessionTally, before: LogEntry, after: LogEntry): void {
  const [was, now] = [before, after].map((entry) => {
    const alone = makeSessionTally(entry.record)
    addToSession(alone, entry)
    return alone.group
  })
  if (was === undefined || now === undefined) return
  for (const sum of SUMS) tally.group[sum] += now[sum] - was[sum]
  if ((now.slowest?.durationMs ?? -1) > (tally.group.slowest?.durationMs ?? -1)) tally.group.slowest = now.slowest
}

const SUMS = ['events', 'blocked', 'failed', 'ran', 'total', 'characters'] as const

/** Figures of a session. */
export function summariseSession({ group, subagents, ...words }: SessionTally): SessionSummary {
  const { name, ...figures } = groupStatistics(group)
  return { id: name, ...figures, ...words, subagents: subagents.length }
}

/** Lists the sessions that were recorded, the newest first. */
export async function listSessions(source: LogSource, options: ReadOptions = {}): Promise<SessionSummary[]> {
  const tallies = new Map<string, SessionTally>()
  for await (const entries of readEntries(source, options)) {
    for (const entry of entries) {
      const { sessionId } = entry.record
      const tally = tallies.get(sessionId) ?? makeSessionTally(entry.record)
      tallies.set(sessionId, tally)
      addToSession(tally, entry)
    }
  }
  return [...tallies.values()].map(summariseSession).sort(compareNewest)
}

/** Puts the session that ended last first. */
export function compareNewest(a: SessionSummary, b: SessionSummary): number {
  return Date.parse(b.to) - Date.parse(a.to) || (a.id < b.id ? -1 : 1)
}
