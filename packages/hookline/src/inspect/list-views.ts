import type { EventSummary } from '../log/event-summary.ts'
import type { SessionSummary } from '../log/sessions.ts'
import type { SessionAnswer, SessionRow, SessionsAnswer } from './api.ts'

/** Part of a list that a page asks for. */
export interface ListRange {
  readonly offset: number
  readonly limit: number
}

/** Choice of sessions. */
export interface SessionsFilter extends ListRange {
  readonly text: string
  /** Values that are asked for, by the name of their filter. */
  readonly words: Readonly<Record<string, string>>
  /** Milliseconds since 1970; 0: all. */
  readonly since: number
}

/** The sessions that fit a filter, in the order in which they are given. */
export function filterSessions(
  sessions: readonly SessionSummary[],
  { text, words, since, offset, limit }: SessionsFilter,
): SessionsAnswer {
  const wanted = text.toLowerCase()
  const found = sessions.filter(
    (one) =>
      SESSION_FILTERS.every((name) => words[name] === undefined || words[name] === one[name]) &&
      Date.parse(one.to) >= since &&
      (wanted === '' ||
        [one.id, one.project, one.agent, one.slowest?.hook ?? ''].some((word) => word.toLowerCase().includes(wanted))),
  )
  const listValues = (name: (typeof SESSION_FILTERS)[number]): string[] =>
    [...new Set(sessions.map((one) => one[name]))].filter((value) => value !== '').sort()
  return {
    total: found.length,
    all: sessions.length,
    offset,
    rows: found.slice(offset, offset + limit),
    filters: SESSION_FILTERS.map((name) => ({ name, values: listValues(name).slice(0, MAX_CHOICES) })),
  }
}

/** Filters of sessions that logs have. */
const SESSION_FILTERS = ['project', 'agent'] as const
/** Values that a filter offers. */
const MAX_CHOICES = 200

/** Kinds of events that a filter keeps. */
export const EVENT_CHOICES = ['all', 'spoke', 'refused', 'failed', 'slow'] as const

/** Choice of events of a session. */
export interface EventsFilter extends ListRange {
  readonly text: string
  readonly only: (typeof EVENT_CHOICES)[number]
  /** Id of a subagent, `main` for the session's own loop, or empty for all. */
  readonly lane: string
  /** False shows silent events one by one. */
  readonly fold: boolean
  /** Ids of the first events of runs that are not folded. */
  readonly open: ReadonlySet<string>
}

const MIN_FOLDED = 3
const MIN_IDLE_MS = 60_000
const SLOW_MS = 500

const CHOICES: Readonly<Record<EventsFilter['only'], (event: EventSummary) => boolean>> = {
  all: () => true,
  spoke: ({ silent }) => !silent,
  refused: ({ outcome }) => outcome === 'denied' || outcome === 'blocked' || outcome === 'halted',
  failed: ({ outcome, runs }) => outcome === 'FAILED' || runs.some((run) => run.failed),
  slow: ({ durationMs }) => durationMs >= SLOW_MS,
}

/** The rows of a session: its events, with silent runs folded and idle time told. */
export function layOutSession(
  session: SessionSummary | null,
  events: readonly EventSummary[],
  filter: EventsFilter,
): SessionAnswer {
  const lanes = [...new Set(events.flatMap(({ agentId }) => (agentId === undefined ? [] : [agentId])))]
  const text = filter.text.toLowerCase()
  const found = events.filter(
    (event) =>
      CHOICES[filter.only](event) &&
      (filter.lane === '' || (event.agentId ?? 'main') === filter.lane) &&
      (text === '' || hasText(event, text)),
  )
  const isWhole = text === '' && filter.only === 'all'
  const toRow = makeRows(events, lanes)
  const rows = isWhole ? foldRows(found, filter, toRow) : found.map(toRow)
  return {
    session,
    total: rows.length,
    matching: found.length,
    offset: filter.offset,
    rows: rows.slice(filter.offset, filter.offset + filter.limit),
    lanes,
    namesHooks: events.some(({ configured, runs }) => configured + runs.length > 0),
    longestMs: events.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0),
  }
}

function hasText({ label, call, reason, event, outcome, runs }: EventSummary, text: string): boolean {
  return [label, call, reason, event, outcome, ...runs.map(({ name }) => name)].some((word) =>
    word.toLowerCase().includes(text),
  )
}

/** Lanes that are drawn as columns; further ones share the last. */
const MAX_DRAWN_LANES = 8

/** Makes rows of events: each knows its lane, and the lanes of subagents that are at work at that time. */
function makeRows(events: readonly EventSummary[], lanes: readonly string[]): (event: EventSummary) => SessionRow {
  const numbers = new Map(lanes.map((lane, at) => [lane, at + 1]))
  const spans = new Map<number, { from: number; to: number }>()
  for (const { agentId, at } of events) {
    const lane = agentId === undefined ? 0 : (numbers.get(agentId) ?? 0)
    if (lane > 0) spans.set(lane, { from: Math.min(at, spans.get(lane)?.from ?? at), to: at })
  }
  const drawn = [...spans].slice(0, MAX_DRAWN_LANES)
  return (event) => ({
    kind: 'event',
    lane: event.agentId === undefined ? 0 : (numbers.get(event.agentId) ?? 0),
    working: drawn.filter(([, { from, to }]) => from <= event.at && event.at <= to).map(([lane]) => lane),
    ...event,
  })
}

function foldRows(
  events: readonly EventSummary[],
  { fold, open }: Pick<EventsFilter, 'fold' | 'open'>,
  toRow: (event: EventSummary) => SessionRow,
): SessionRow[] {
  const rows: SessionRow[] = []
  for (let at = 0; at < events.length; ) {
    const first = events[at]
    if (first === undefined) break
    const before = events[at - 1]
    const idle = before === undefined ? 0 : first.at - before.at - before.durationMs
    if (idle >= MIN_IDLE_MS) rows.push({ kind: 'idle', id: first.id, ms: idle })
    let end = at
    while (fold && isFoldable(events[end]) && !isAfterPause(events, end, at)) end++
    if (end - at >= MIN_FOLDED && !open.has(first.id)) {
      const last = events[end - 1] ?? first
      rows.push({ kind: 'silent', id: first.id, count: end - at, from: first.at, to: last.at })
      at = end
      continue
    }
    const shown = events.slice(at, Math.max(end, at + 1))
    for (const event of shown) rows.push(toRow(event))
    at += shown.length
  }
  return rows
}

/** True of an event at which no hook spoke, and for which nobody waited long. */
function isFoldable(event: EventSummary | undefined): boolean {
  return event?.silent === true && event.durationMs < SLOW_MS
}

/** True if there was a pause before an event that is not the first of its run. */
function isAfterPause(events: readonly EventSummary[], at: number, first: number): boolean {
  const [before, event] = [events[at - 1], events[at]]
  if (at === first || before === undefined || event === undefined) return false
  return event.at - before.at - before.durationMs >= MIN_IDLE_MS
}
