import type { AlarmRow, AlarmsAnswer } from '../../../hookline/src/inspect/api.ts'
import { ask } from '../ask.ts'
import { useAnswer } from '../fetched.ts'
import { formatAmount, formatCount } from '../format.ts'
import { useGrowing } from '../growing.tsx'
import { news, state } from '../live.ts'
import { toAddress } from '../router.ts'
import { Failure, NoLog } from './empty.tsx'

const KINDS: readonly (readonly [AlarmRow['kind'], string])[] = [
  ['silent-guard', 'Hooks that run everywhere else and not here'],
  ['gap', 'Gaps without a reason'],
  ['failing-hook', 'Hooks that fail'],
]

/** Alarms of a fleet: a guard that is silent on one machine, a gap without a reason, a hook that fails. */
export function Alarms() {
  const { answer, failure, isWaiting } = useAnswer(() => ask<AlarmsAnswer>('alarms'), [news.value.count])
  return (
    <>
      <header class="bar">
        <h1>Alarms</h1>
        {answer !== null && (
          <span class="dim">
            {formatAmount(answer.alarms.length, 'alarm')} of the last {answer.days} days
          </span>
        )}
      </header>
      <Failure text={failure} />
      {isWaiting && answer === null && <p class="empty">Reading the store …</p>}
      {answer !== null && answer.alarms.length === 0 && <NoAlarm answer={answer} />}
      {answer !== null && answer.alarms.length > 0 && (
        <div class="inset">
          {KINDS.map(([kind, title]) => {
            const some = answer.alarms.filter((one) => one.kind === kind)
            return some.length === 0 ? null : <Kind key={kind} title={title} alarms={some} />
          })}
        </div>
      )}
    </>
  )
}

function NoAlarm({ answer }: { readonly answer: AlarmsAnswer }) {
  const isUnused = (state.value?.events ?? 0) === 0
  return (
    <div class="empty">
      {isUnused ? (
        <NoLog />
      ) : (
        <>
          <p>Nothing in the last {answer.days} days.</p>
          <p>
            An alarm is a hook that runs on at least half of the machines with the same events and never on one of them,
            records that are missing or were changed, and a hook of whose runs more than{' '}
            {Math.round(answer.maxFailing * 100)} % fail.
          </p>
        </>
      )}
    </div>
  )
}

function Kind({ title, alarms }: { readonly title: string; readonly alarms: readonly AlarmRow[] }) {
  const { shown, end } = useGrowing(alarms.length, title)
  const isOfMachines = alarms.some(({ machine }) => machine !== null)
  return (
    <section>
      <h2>
        {title} <span class="dim">{alarms.length}</span>
      </h2>
      <table class="wide-table thirds">
        <thead>
          <tr>
            <th>{isOfMachines ? 'Machine' : 'Where'}</th>
            <th>About</th>
            <th>Because</th>
          </tr>
        </thead>
        <tbody>
          {alarms.slice(0, shown).map((alarm, at) => (
            <tr key={`${alarm.machine} ${alarm.about} ${at}`} data-alarm={alarm.kind}>
              <td>
                {alarm.machine === null ? (
                  'all machines'
                ) : (
                  <a href={toAddress(`/machines?${new URLSearchParams({ q: alarm.machine })}`)}>
                    <bdi>{alarm.machine}</bdi>
                  </a>
                )}
              </td>
              <td class="mono">
                <bdi>{alarm.about}</bdi>
              </td>
              <td>
                <bdi>{alarm.because}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {alarms.length > shown && (
        <p class="note" ref={end}>
          {formatCount(alarms.length - shown)} more
        </p>
      )}
    </section>
  )
}
