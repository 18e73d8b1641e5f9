import type { CompareAnswer, SessionsAnswer } from '../../../hookline/src/inspect/api.ts'
import type { SessionDifference } from '../../../hookline/src/log/compare-sessions.ts'
import { ask, makeReadable } from '../ask.ts'
import { useAnswer } from '../fetched.ts'
import { formatAmount, formatCount, formatDay } from '../format.ts'
import { useGrowing } from '../growing.tsx'
import { state } from '../live.ts'
import { makeEventPath, query, setQuery } from '../router.ts'
import { Failure, NoLog } from './empty.tsx'

const MAX_CHOICES = 200
/** Shorter texts fit, and need no title. */
const MIN_TITLE_LENGTH = 60

const KINDS: readonly (readonly [SessionDifference['kind'], string])[] = [
  ['decision', 'Decided differently'],
  ['reason', 'Another reason'],
  ['input', 'Input rewritten differently'],
  ['context', 'Other context'],
  ['hook', 'Other hooks'],
  ['order', 'Another order'],
  ['slower', 'Slower'],
  ['faster', 'Faster'],
  ['event', 'Events of one session alone'],
]

/** Two sessions: what was decided differently, by which hook, slower by how much, more or less context; nothing else. */
export function Compare() {
  const [a, b] = [query.value.get('a') ?? '', query.value.get('b') ?? '']
  const { answer: sessions } = useAnswer(
    () => ask<SessionsAnswer>('sessions', { limit: MAX_CHOICES }),
    [state.value?.sessions],
  )
  const { answer, failure, isWaiting } = useAnswer(
    async () => (a === '' || b === '' ? null : ask<CompareAnswer>('compare', { a, b })),
    [a, b],
  )
  return (
    <>
      <header class="bar">
        <h1>Compare</h1>
        <div class="filters">
          <Chooser title="Session A" value={a} sessions={sessions} onChoose={(id) => setQuery({ a: id })} />
          <Chooser title="Session B" value={b} sessions={sessions} onChoose={(id) => setQuery({ b: id })} />
        </div>
      </header>
      <Failure text={failure} />
      {sessions !== null && sessions.all === 0 ? (
        <div class="empty">
          <NoLog />
        </div>
      ) : (
        (a === '' || b === '') && (
          <div class="empty">
            <p>Choose two sessions. Events are compared that have the same name and are about the same call.</p>
            <p>
              To compare a session with what today's hooks do: <code>hookline replay LOG --log replayed.jsonl</code>{' '}
              runs them in a copy of the project, then <code>hookline inspect --log LOG --log replayed.jsonl</code>.
              This page runs nothing.
            </p>
          </div>
        )
      )}
      {isWaiting && a !== '' && b !== '' && <p class="empty">Comparing …</p>}
      {answer !== null && <Differences answer={answer} />}
    </>
  )
}

interface ChooserProps {
  readonly title: string
  readonly value: string
  readonly sessions: SessionsAnswer | null
  readonly onChoose: (id: string) => void
}

function Chooser({ title, value, sessions, onChoose }: ChooserProps) {
  const rows = sessions?.rows ?? []
  return (
    <select
      class="wide"
      aria-label={title}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      <option value="">{title}</option>
      {value !== '' && !rows.some(({ id }) => id === value) && <option value={value}>{makeReadable(value)}</option>}
      {rows.map((row) => (
        <option key={row.id} value={row.id}>
          {formatDay(Date.parse(row.to))} {row.project} {makeReadable(row.id).slice(0, 60)} (
          {formatAmount(row.events, 'event')})
        </option>
      ))}
    </select>
  )
}

function Differences({ answer }: { readonly answer: CompareAnswer }) {
  const { differences, paired, problem } = answer
  const none = problem === null ? 'They went the same way.' : 'No other.'
  return (
    <div class="inset">
      {problem !== null && <p class="note">{problem}</p>}
      <p>
        {formatAmount(paired, 'event')} in both.{' '}
        {differences.length === 0 ? none : `${formatAmount(differences.length, 'difference')}.`}
      </p>
      {KINDS.map(([kind, title]) => {
        const some = differences.filter((one) => one.kind === kind)
        return some.length === 0 ? null : <Kind key={kind} title={title} differences={some} answer={answer} />
      })}
    </div>
  )
}

function Kind({
  title,
  differences,
  answer,
}: {
  readonly title: string
  readonly differences: readonly SessionDifference[]
  readonly answer: CompareAnswer
}) {
  const { shown, end } = useGrowing(differences.length, title)
  return (
    <section>
      <h2>
        {title} <span class="dim">{differences.length}</span>
      </h2>
      <table class="wide-table sides">
        <thead>
          <tr>
            <th>Event</th>
            <th>Hook</th>
            <th>A</th>
            <th>B</th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, shown).map((one, at) => (
            <tr key={`${one.ids.join(' ')} ${one.hook} ${at}`}>
              <td class="mono">
                <bdi class="clamp" title={one.event.length > MIN_TITLE_LENGTH ? one.event : undefined}>
                  {one.event}
                </bdi>
              </td>
              <td class="mono">
                <bdi>{one.hook ?? ''}</bdi>
              </td>
              <Side title="A" text={one.a} session={answer.a?.id ?? ''} id={one.ids[0]} />
              <Side title="B" text={one.b} session={answer.b?.id ?? ''} id={one.ids[1]} />
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length > shown && (
        <p class="note" ref={end}>
          {formatCount(differences.length - shown)} more
        </p>
      )}
    </section>
  )
}

interface SideProps {
  readonly title: string
  readonly text: string
  readonly session: string
  readonly id: string | null
}

function Side({ title, text, session, id }: SideProps) {
  const shown = makeReadable(text) || '(none)'
  return (
    <td data-title={title}>
      <bdi class="clamp" title={shown.length > MIN_TITLE_LENGTH ? shown : undefined}>
        {id === null ? shown : <a href={makeEventPath(session, id)}>{shown}</a>}
      </bdi>
    </td>
  )
}
