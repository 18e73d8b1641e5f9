import type { MachineRow, MachinesAnswer } from '../../../hookline/src/inspect/api.ts'
import { ask, makeReadable } from '../ask.ts'
import { useAnswer } from '../fetched.ts'
import { Figure } from '../figure.tsx'
import { formatAmount, formatCount, formatDate, formatFigure, formatMs } from '../format.ts'
import { useGrowing } from '../growing.tsx'
import { news } from '../live.ts'
import { query, setQuery, toAddress } from '../router.ts'
import { Failure, NoLog } from './empty.tsx'

/** Milliseconds after which a machine counts as one that has not been seen for long. */
const LONG_MS = 24 * 3_600_000

/** The machines of a fleet: version, when each was seen last, how far its records came, gaps, and hooks that never run there. */
export function Machines() {
  const { answer, failure, isWaiting } = useAnswer(() => ask<MachinesAnswer>('machines'), [news.value.count])
  const text = query.value.get('q') ?? ''
  const machines = (answer?.machines ?? []).filter((machine) => hasText(machine, text.toLowerCase()))
  const { shown, end } = useGrowing(machines.length, text)
  return (
    <>
      <header class="bar">
        <h1>Machines</h1>
        {answer !== null && (
          <span class="dim">
            {answer.isCut ? 'the first ' : ''}
            {formatAmount(answer.machines.length, 'machine')}
          </span>
        )}
        <search class="filters">
          <input
            type="search"
            placeholder="Filter  /"
            aria-label="Filter machines"
            value={text}
            onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
          />
        </search>
      </header>
      <Failure text={failure} />
      {isWaiting && answer === null && <p class="empty">Reading the store …</p>}
      {answer !== null && answer.machines.length === 0 && (
        <div class="empty">
          <NoLog />
        </div>
      )}
      {answer !== null && answer.machines.length > 0 && machines.length === 0 && (
        <p class="empty">
          No machine fits the filter. <a href={toAddress('/machines')}>Show all</a>
        </p>
      )}
      {machines.length > 0 && (
        <table class="wide-table">
          <thead>
            <tr>
              <th>Machine</th>
              <th>Version</th>
              <th>Last seen</th>
              <th class="number">Records</th>
              <th class="number">Sessions</th>
              <th>Head</th>
              <th class="number">Gaps</th>
              <th>Hooks that never run there</th>
            </tr>
          </thead>
          <tbody>
            {machines.slice(0, shown).map((machine) => (
              <Row key={machine.id} machine={machine} />
            ))}
          </tbody>
        </table>
      )}
      {machines.length > shown && (
        <p class="note" ref={end}>
          {formatCount(machines.length - shown)} more
        </p>
      )}
    </>
  )
}

function hasText({ id, name, version, silent }: MachineRow, text: string): boolean {
  return text === '' || [id, name, version ?? '', ...silent].some((word) => word.toLowerCase().includes(text))
}

function Row({ machine }: { readonly machine: MachineRow }) {
  const { id, name, version, seenAt, enrolledAt, records, sessions, gaps, head, silent } = machine
  return (
    <tr data-machine={id}>
      <td class="hook-name">
        <a href={toAddress(`/?${new URLSearchParams({ machine: name })}`)} title={makeReadable(id)}>
          <bdi>{name}</bdi>
        </a>
      </td>
      <td class="short">
        <bdi>{version ?? '–'}</bdi>
      </td>
      <td class="short">{describeSeen(seenAt, enrolledAt)}</td>
      <Figure title="Records">{formatFigure(records)}</Figure>
      <Figure title="Sessions">{formatFigure(sessions)}</Figure>
      <td class="mono short">
        {head === null ? '–' : `${head.seq} ${head.digest.slice(0, 8)}`}
        {head?.ended && <span class="dim"> ended</span>}
      </td>
      <Figure title="Gaps">{formatFigure(gaps)}</Figure>
      <td class="mono">
        <bdi class="clamp" title={silent.length > 1 ? silent.join(', ') : undefined}>
          {silent.length === 0 ? '·' : silent.join(', ')}
        </bdi>
      </td>
    </tr>
  )
}

function describeSeen(seenAt: number | null, enrolledAt: number): string {
  if (seenAt === null) return `never; enrolled ${formatDate(enrolledAt)}`
  const ago = Math.max(0, Date.now() - seenAt)
  return ago < LONG_MS ? `${formatMs(ago)} ago` : `${formatDate(seenAt)}, ${formatMs(ago)} ago`
}
