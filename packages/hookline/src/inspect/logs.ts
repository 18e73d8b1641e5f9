import { type Cost, measureCost } from '../log/cost.ts'
import type { EventSummary } from '../log/event-summary.ts'
import type { TapReader } from '../log/log-line.ts'
import type { LogEntry } from '../log/record-store.ts'
import { compareNewest, type SessionSummary, summariseSession } from '../log/sessions.ts'
import type { LogState, SessionsAnswer } from './api.ts'
import type { IndexedEvent } from './index-file.ts'
import { IndexedLog } from './indexed-log.ts'
import { filterSessions, type SessionsFilter } from './list-views.ts'
import { RefusedQuestion } from './server.ts'
import type { CostFilter, RecordSource } from './source.ts'

/** An event, and the log that has it. */
interface FoundEvent {
  readonly log: IndexedLog
  readonly event: IndexedEvent
}

/** Sessions whose events are kept in memory. */
const MAX_KEPT_SESSIONS = 4
/** Milliseconds between two looks for logs that are new. */
const FIND_MS = 2000

/** The logs that are looked at, read on when asked. */
export class Logs implements RecordSource {
  readonly #find: () => Promise<readonly string[]>
  readonly #readTap: TapReader
  readonly #logs = new Map<string, IndexedLog>()
  readonly #kept = new Map<string, Promise<readonly FoundEvent[]>>()
  readonly #costs = new Map<string, { readonly events: number; readonly cost: Promise<Cost> }>()
  #sessions: SessionSummary[] | null = null
  #foundAt = 0
  #updating: Promise<ReadonlySet<string>> | null = null
  #isRead = false

  constructor(find: () => Promise<readonly string[]>, readTap: TapReader) {
    this.#find = find
    this.#readTap = readTap
  }

  /** True while everything is read for the first time. */
  get isReading(): boolean {
    return !this.#isRead
  }

  get events(): number {
    return [...this.#logs.values()].reduce((sum, { events }) => sum + events, 0)
  }

  get states(): LogState[] {
    return [...this.#logs.values()].map(({ file, isThere, events, problem }) => ({
      file,
      isThere,
      events,
      problem,
    }))
  }

  /** Lines that were skipped, by the reason. */
  get skipped(): Record<'torn' | 'foreign' | 'partial', number> {
    const all = { torn: 0, foreign: 0, partial: 0 }
    for (const { skipped } of this.#logs.values())
      for (const is of ['torn', 'foreign', 'partial'] as const) all[is] += skipped[is] ?? 0
    return all
  }

  /** Reads what is new. Resolves with the ids of the sessions that changed; calls at the same time share one reading. */
  update(): Promise<ReadonlySet<string>> {
    this.#updating ??= this.#updateNow().finally(() => {
      this.#updating = null
    })
    return this.#updating
  }

  async #updateNow(): Promise<ReadonlySet<string>> {
    const now = Date.now()
    if (now - this.#foundAt >= FIND_MS || !this.#isRead) {
      this.#foundAt = now
      for (const file of await this.#find())
        if (!this.#logs.has(file)) this.#logs.set(file, new IndexedLog(file, this.#readTap))
    }
    const changed = new Set<string>()
    for (const log of this.#logs.values()) for (const id of await log.update()) changed.add(id)
    this.#isRead = true
    if (changed.size > 0) this.#sessions = null
    for (const id of changed) this.#kept.delete(id)
    return changed
  }

  /** The sessions, the newest first. */
  listSessions(): readonly SessionSummary[] {
    this.#sessions ??= this.#mergeSessions()
    return this.#sessions
  }

  #mergeSessions(): SessionSummary[] {
    const merged = new Map<string, SessionSummary>()
    for (const log of this.#logs.values()) {
      for (const [id, { tally }] of log.sessions) {
        const summary = summariseSession(tally)
        const known = merged.get(id)
        merged.set(id, known === undefined ? summary : joinSessions(known, summary))
      }
    }
    return [...merged.values()].sort(compareNewest)
  }

  async findSessions(filter: SessionsFilter): Promise<SessionsAnswer> {
    return filterSessions(this.listSessions(), filter)
  }

  /** A session by its id, or by the beginning of it where that is one alone. */
  async findSession(id: string): Promise<SessionSummary | null> {
    const sessions = this.listSessions()
    const exact = sessions.find((one) => one.id === id)
    if (exact !== undefined) return exact
    const begun = id === '' ? [] : sessions.filter((one) => one.id.startsWith(id))
    return begun.length === 1 ? (begun[0] ?? null) : null
  }

  async summariseEvents(session: string): Promise<readonly EventSummary[]> {
    return (await this.#readSession(session)).map(({ event }) => event.summary)
  }

  /** The events of a session, by time. */
  #readSession(id: string): Promise<readonly FoundEvent[]> {
    const kept = this.#kept.get(id)
    if (kept !== undefined) return kept
    const read = this.#readSessionNow(id)
    read.catch(() => this.#kept.delete(id)) // the caller is told
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= MAX_KEPT_SESSIONS && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(id, read)
    return read
  }

  async #readSessionNow(id: string): Promise<readonly FoundEvent[]> {
    const found: FoundEvent[] = []
    for (const log of this.#logs.values()) for (const event of await log.readSession(id)) found.push({ log, event })
    return found.sort((a, b) => a.event.summary.at - b.event.summary.at)
  }

  /** One event, whole. Where an index led to another one, it is read once more without it. */
  async findEntry(session: string, id: string): Promise<LogEntry | null> {
    const isAsked = ({ event }: FoundEvent): boolean => event.summary.id === id
    const first = (await this.#readSession(session)).find(isAsked)
    if (first === undefined) return null
    const entry = await first.log.readEvent(first.event)
    if (entry !== null) return entry
    await this.update()
    const second = (await this.#readSession(session)).find(isAsked)
    const again = second === undefined ? null : await second.log.readEvent(second.event)
    if (again !== null) return again
    throw new RefusedQuestion(
      410,
      `The event is not in ${first.log.file} any more: the file was moved away or deleted.`,
    )
  }

  /** Reads the events of a session whole, by time. */
  async readEntries<Kept>(id: string, keep: (entry: LogEntry) => Kept): Promise<Kept[]> {
    const found = await this.#readSession(id)
    const kept = new Map<IndexedEvent, Kept>()
    for (const log of new Set(found.map((one) => one.log))) {
      const events = found.filter((one) => one.log === log).map(({ event }) => event)
      await log.readEvents(events, (entry, event) => kept.set(event, keep(entry)))
    }
    return found.flatMap(({ event }) => kept.get(event) ?? [])
  }

  /** Adds up what hooks cost, in all sessions or in one. Kept until there are new events. */
  measureCost({ session }: Pick<CostFilter, 'session'>): Promise<Cost> {
    const kept = this.#costs.get(session)
    if (kept?.events === this.events) return kept.cost
    const files = [...this.#logs.values()].filter(({ problem }) => problem === null).map(({ file }) => file)
    const cost = measureCost(files, session === '' ? {} : { session })
    cost.catch(() => this.#costs.delete(session)) // the caller is told
    const [oldest] = this.#costs.keys()
    if (this.#costs.size >= MAX_KEPT_SESSIONS && oldest !== undefined) this.#costs.delete(oldest)
    this.#costs.set(session, { events: this.events, cost })
    return cost
  }

  /** Writes the indexes that are worth it. */
  async save(): Promise<void> {
    for (const log of this.#logs.values()) await log.save()
  }

  async close(): Promise<void> {
    for (const log of this.#logs.values()) await log.close()
  }
}

/** One session that several logs have parts of. */
function joinSessions(a: SessionSummary, b: SessionSummary): SessionSummary {
  const slowest = (a.slowest?.durationMs ?? -1) >= (b.slowest?.durationMs ?? -1) ? a.slowest : b.slowest
  return {
    id: a.id,
    from: [a.from, b.from].sort()[0] ?? a.from,
    to: [a.to, b.to].sort()[1] ?? a.to,
    events: a.events + b.events,
    blocked: a.blocked + b.blocked,
    failed: a.failed + b.failed,
    ran: a.ran + b.ran,
    total: a.total + b.total,
    slowest,
    tokens: a.tokens + b.tokens,
    project: a.project || b.project,
    agent: a.agent || b.agent,
    version: a.version || b.version,
    subagents: Math.max(a.subagents, b.subagents),
  }
}
