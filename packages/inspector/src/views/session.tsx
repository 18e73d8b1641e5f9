import { useState } from 'preact/hooks'
import type { SessionAnswer, SessionRow } from '../../../hookline/src/inspect/api.ts'
import { ask, makeReadable } from '../ask.ts'
import {
  formatAmount,
  formatCount,
  formatDate,
  formatDay,
  formatMs,
  formatTime,
  isSameDay,
  joinLines,
} from '../format.ts'
import { List, type RowView } from '../list.tsx'
import { news } from '../live.ts'
import { go, makeEventPath, makeSessionPath, query, setQuery, toAddress } from '../router.ts'
import { NoHookRecorded } from './empty.tsx'

const COLUMNS = [
  { title: 'Outcome', kind: 'outcome' },
  { title: 'Event', kind: 'subject' },
  { title: 'Hooks', kind: 'text wide' },
  { title: 'Took', kind: 'bar' },
] as const

const CHOICES = [
  ['all', 'all events'],
  ['spoke', 'a hook spoke'],
  ['refused', 'refused'],
  ['failed', 'a hook failed'],
  ['slow', '500 ms and more'],
] as const

/** A session: a row for each event, with silent runs folded. */
export function Session({ id }: { readonly id: string }) {
  const [about, setAbout] = useState<SessionAnswer | null>(null)
  const words = query.value
  const filter = {
    q: words.get('q') ?? '',
    only: words.get('only') ?? 'all',
    lane: words.get('lane') ?? '',
    fold: words.get('fold') ?? '',
  }
  const open = words.getAll('open')
  const load = async (offset: number, limit: number): Promise<SessionAnswer> => {
    const answer = await ask<SessionAnswer>('session', { id, ...filter, open, offset, limit })
    setAbout(answer)
    const known = answer.session?.id ?? id
    if (known !== id) go(`${makeSessionPath(known)}${location.search}`, { replace: true }) // an address that has its beginning alone
    return answer
  }
  const summary = about?.session ?? null
  const longest = Math.max(1, about?.longestMs ?? 1)
  const isOfDays = summary !== null && !isSameDay(Date.parse(summary.from), Date.parse(summary.to))
  const isFiltered = filter.q !== '' || filter.only !== 'all' || filter.lane !== ''
  return (
    <>
      <header class="bar">
        <h1 title={makeReadable(id)}>
          <a href={toAddress('/')}>Sessions</a> / <span class="mono">{makeReadable(id) || '(no id)'}</span>
        </h1>
        <search class="filters">
          <input
            type="search"
            placeholder="Filter  /"
            aria-label="Filter events"
            value={filter.q}
            onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
          />
          <select
            aria-label="Events"
            value={filter.only}
            onChange={({ currentTarget }) =>
              setQuery({ only: currentTarget.value === 'all' ? '' : currentTarget.value })
            }
          >
            {CHOICES.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
          {(about?.lanes.length ?? 0) > 0 && (
            <select
              aria-label="Lane"
              value={filter.lane}
              onChange={({ currentTarget }) => setQuery({ lane: currentTarget.value })}
            >
              <option value="">all lanes</option>
              <option value="main">main loop</option>
              {about?.lanes.map((lane, at) => (
                <option key={lane} value={lane}>
                  {formatLaneMark(at + 1)} {makeReadable(lane)}
                </option>
              ))}
            </select>
          )}
          <label class="check">
            <input
              type="checkbox"
              checked={filter.fold !== '0'}
              onChange={({ currentTarget }) => setQuery({ fold: currentTarget.checked ? '' : '0', open: '' })}
            />
            fold silent
          </label>
          <a class="button" href={toAddress(`/compare?a=${encodeURIComponent(id)}`)}>
            Compare
          </a>
        </search>
      </header>
      {summary !== null && <Figures summary={summary} />}
      {about !== null && summary !== null && summary.events > 0 && !about.namesHooks && <NoHookRecorded />}
      <List<SessionRow>
        name={JSON.stringify([id, filter, open])}
        version={news.value.changed.has(id) || news.value.changed.size === 0 ? news.value.count : -1}
        label="Events of the session"
        columns={[{ title: 'Time', kind: isOfDays ? 'when' : 'time' }, ...COLUMNS]}
        load={load}
        rowOf={(row) =>
          showRow(row, {
            session: id,
            longest,
            lanes: about?.lanes.length ?? 0,
            open,
            formatAt: isOfDays ? formatDay : formatTime,
            quiet: about?.namesHooks ? 'all silent' : 'no hook named',
          })
        }
        empty={
          isFiltered ? (
            <p>
              No event of the session fits the filter. <a href={makeSessionPath(id)}>Show all</a>
            </p>
          ) : (
            <p>The session has no events.</p>
          )
        }
        followEnd
      />
    </>
  )
}

function Figures({ summary }: { readonly summary: NonNullable<SessionAnswer['session']> }) {
  const { slowest } = summary
  const figures: [string, string][] = [
    ['from', formatDate(Date.parse(summary.from))],
    ['to', formatDate(Date.parse(summary.to))],
    ['project', summary.project || '–'],
    ['agent', [summary.agent, summary.version].filter((word) => word !== '').join(' ') || '–'],
    ['events', formatCount(summary.events)],
    ['refused', formatCount(summary.blocked)],
    ['failed', formatCount(summary.failed)],
    ['hooks took', formatMs(summary.total)],
    ['slowest', slowest === null ? '–' : `${formatMs(slowest.durationMs)}  ${slowest.hook}`],
    ['context', formatAmount(summary.tokens, 'token')],
  ]
  return (
    <ul class="figures">
      {figures.map(([word, figure]) => (
        <li key={word}>
          {word} <bdi>{figure}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Letters for lanes: A to Z, then numbers; none for the main loop. */
function formatLaneMark(lane: number): string {
  if (lane === 0) return ''
  return lane <= 26 ? String.fromCharCode(64 + lane) : String(lane)
}

interface About {
  readonly session: string
  readonly longest: number
  readonly lanes: number
  readonly open: readonly string[]
  /** A moment, with its day where the session has several. */
  readonly formatAt: (at: number) => string
  /** Words for events that are folded. */
  readonly quiet: string
}

function showRow(row: SessionRow, { session, longest, lanes, open, formatAt, quiet }: About): RowView {
  if (row.kind === 'idle') return { to: null, kind: 'idle', cells: [`idle for ${formatMs(row.ms)}`] }
  if (row.kind === 'silent') {
    const until = isSameDay(row.from, row.to) ? formatTime(row.to) : formatDay(row.to)
    const next = new URLSearchParams(query.value)
    for (const one of [...open.filter((known) => known !== row.id), row.id].slice(-20))
      if (!next.getAll('open').includes(one)) next.append('open', one)
    return {
      to: `${makeSessionPath(session)}?${next}`,
      kind: 'silent',
      cells: [formatAt(row.from), '', `${formatAmount(row.count, 'event')}, ${quiet}, until ${until}`],
    }
  }
  return {
    to: makeEventPath(session, row.id),
    kind: `event ${row.outcome}`,
    styles: { bar: drawBars(row, longest), subject: drawLanes(row, lanes) },
    cells: [
      formatAt(row.at),
      row.outcome,
      `${lanes === 0 ? '' : formatLaneMark(row.lane).padEnd(2)}${joinLines(`${row.label.padEnd(LABEL_WIDTH)} ${row.call}`)}`,
      joinLines(describeHooks(row)),
      row.durationMs === 0 ? '·' : formatMs(row.durationMs),
    ],
  }
}

type EventRow = Extract<SessionRow, { kind: 'event' }>

/** Letters that most names of tools have at most. */
const LABEL_WIDTH = 8

/** Hooks that said something, and why; else how many ran. */
function describeHooks({ runs, planned = [], reason, durationMs: waited }: EventRow): string {
  if (planned.length > 0) return `${reason === '' ? '' : `${reason}. `}today: ${planned.join(', ')}`
  const spoke = runs.filter((run) => run.spoke).map(({ name, durationMs }) => `${name} ${formatMs(durationMs)}`)
  const slow = runs.filter((run) => !run.spoke && waited >= SLOW_MS && run.durationMs >= waited / 2)
  const quiet = runs.length - spoke.length - slow.length
  const named = slow.map(({ name, durationMs }) => `${name} ${formatMs(durationMs)}`)
  const words = [...spoke, ...named, ...(quiet > 0 ? [`${quiet} silent`] : [])].join(', ')
  return reason === '' ? words : `${reason}${words === '' ? '' : `  (${words})`}`
}

/** Milliseconds from which the hooks that a call waited for are named, silent or not. */
const SLOW_MS = 500
const LANE_WIDTH = 12
const MAX_LANES = 8

/** Draws the lanes at work as lines, a column each, and the one of this event with a mark. */
function drawLanes({ lane, working }: EventRow, lanes: number): Record<string, string> {
  if (lanes === 0) return {}
  const columns = Math.min(lanes, MAX_LANES)
  const own = Math.min(lane, MAX_LANES)
  const marks = own === 0 ? [] : [{ lane: own, width: 6, height: 6, colour: 'var(--accent)' }]
  const lines = working.map((one) => ({ lane: one, width: 2, height: 26, colour: 'var(--line)' }))
  const drawn = [...marks, ...lines]
  return {
    '--indent': `${columns * LANE_WIDTH + 6}px`,
    '--lanes': drawn.map(({ colour }) => `linear-gradient(${colour}, ${colour})`).join(', '),
    backgroundPosition: drawn.map((one) => `${(one.lane - 1) * LANE_WIDTH + (6 - one.width) / 2}px center`).join(', '),
    backgroundSize: drawn.map(({ width, height }) => `${width}px ${height}px`).join(', '),
    backgroundRepeat: 'no-repeat',
  }
}

/** Rows of bars that one row has room for. */
const MAX_BARS = 4
const BAR_HEIGHT = 4

/** Draws the runs of an event as bars below each other: where each began, and how long it took. */
function drawBars({ runs, durationMs }: EventRow, longest: number): Record<string, string> {
  const width = Math.max(durationMs, 1)
  const share = Math.max(0.02, Math.sqrt(width / longest)) * 100 // a root: short events stay visible beside long ones
  const shown = [...runs].sort((a, b) => b.durationMs - a.durationMs).slice(0, MAX_BARS)
  const bars = shown.map((run) => {
    const from = (Math.min(run.startMs ?? 0, width) / width) * share
    const to = Math.max(from + 0.8, (Math.min((run.startMs ?? 0) + run.durationMs, width) / width) * share)
    return `linear-gradient(to right, transparent ${from}%, var(--bar) ${from}% ${to}%, transparent ${to}%)`
  })
  return {
    backgroundImage: bars.join(', '),
    backgroundPosition: bars.map((_, at) => `0 ${3 + at * (BAR_HEIGHT + 1)}px`).join(', '),
    backgroundSize: bars.map(() => `calc(100% - 66px) ${BAR_HEIGHT}px`).join(', '),
    backgroundRepeat: 'no-repeat',
  }
}
