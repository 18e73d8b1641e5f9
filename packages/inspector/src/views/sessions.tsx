import { useState } from 'preact/hooks'
import type { SessionsAnswer } from '../../../hookline/src/inspect/api.ts'
import { ask, makeReadable } from '../ask.ts'
import { formatAmount, formatCount, formatDay, formatFigure, formatMs, joinLines } from '../format.ts'
import { List, type RowView } from '../list.tsx'
import { news, state } from '../live.ts'
import { makeSessionPath, query, setQuery, toAddress } from '../router.ts'
import { NoLog } from './empty.tsx'

type SessionRow = SessionsAnswer['rows'][number]

const COLUMNS = [
  { title: 'Last event', kind: 'when' },
  { title: 'Session', kind: 'text session' },
  { title: 'Events', kind: 'number wide' },
  { title: 'Refused', kind: 'number' },
  { title: 'Failed', kind: 'number' },
  { title: 'Slowest hook', kind: 'text wide' },
  { title: 'Tokens', kind: 'number wide' },
] as const

const PERIODS = [
  ['', 'all time'],
  ['1h', 'last hour'],
  ['24h', 'last day'],
  ['7d', 'last week'],
] as const

const PERIOD_MS: Readonly<Record<string, number>> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 }

/** The recorded sessions, the newest first. */
export function Sessions() {
  const [choices, setChoices] = useState<Pick<SessionsAnswer, 'filters' | 'all'>>({ filters: [], all: 0 })
  const words = query.value
  const filter: Record<string, string> = Object.fromEntries(words)
  const load = async (offset: number, limit: number): Promise<SessionsAnswer> => {
    const { period = '', ...fields } = filter
    const ago = PERIOD_MS[period]
    const since = ago === undefined ? '' : Date.now() - ago
    const answer = await ask<SessionsAnswer>('sessions', { ...fields, since, offset, limit })
    setChoices({ filters: answer.filters, all: answer.all })
    return answer
  }
  const isFiltered = Object.values(filter).some((word) => word !== '')
  return (
    <>
      <header class="bar">
        <h1>Sessions</h1>
        <span class="dim">
          {formatAmount(state.value?.sessions ?? 0, 'session')}, {formatAmount(state.value?.events ?? 0, 'event')}
        </span>
        <search class="filters">
          <input
            type="search"
            placeholder="Filter  /"
            aria-label="Filter sessions"
            value={filter.q ?? ''}
            onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
          />
          {choices.filters.map(({ name, values }) => (
            <Choice
              key={name}
              label={`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}
              value={filter[name] ?? ''}
              choices={values}
              onChoose={(value) => setQuery({ [name]: value })}
            />
          ))}
          <select
            aria-label="Time"
            value={filter.period ?? ''}
            onChange={({ currentTarget }) => setQuery({ period: currentTarget.value })}
          >
            {PERIODS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </search>
      </header>
      <List<SessionRow>
        name={JSON.stringify(filter)}
        version={news.value.count}
        label="Sessions"
        columns={COLUMNS}
        load={load}
        rowOf={showRow}
        empty={
          isFiltered ? (
            <p>
              No session fits the filter. <a href={toAddress('/')}>Show all {formatCount(choices.all)}</a>
            </p>
          ) : (
            <NoLog />
          )
        }
      />
    </>
  )
}

function Choice({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string
  readonly value: string
  readonly choices: readonly string[]
  readonly onChoose: (value: string) => void
}) {
  const listed = value === '' || choices.includes(value) ? choices : [value, ...choices]
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      <option value="">{label}: all</option>
      {listed.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}

function showRow(row: SessionRow): RowView {
  const { slowest } = row
  return {
    to: makeSessionPath(row.id),
    kind: row.blocked > 0 || row.failed > 0 ? 'marked' : '',
    cells: [
      formatDay(Date.parse(row.to)),
      [
        ...(row.labels ?? []),
        row.project,
        [row.agent, row.version].filter((word) => word !== '').join(' '),
        makeReadable(row.id) || '(no id)',
      ]
        .filter((word) => word !== '')
        .join(' · '),
      formatCount(row.events),
      formatFigure(row.blocked),
      formatFigure(row.failed),
      slowest === null ? '–' : joinLines(`${formatMs(slowest.durationMs)}  ${slowest.hook}`),
      formatFigure(row.tokens),
    ],
  }
}
