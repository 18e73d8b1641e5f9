import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { EventAnswer, EventHook, TodayAnswer } from '../../../hookline/src/inspect/api.ts'
import { ask, makeReadable } from '../ask.ts'
import { formatAmount, formatDate, formatMs } from '../format.ts'
import { isOfFleet, news } from '../live.ts'
import { makeEventPath, makeSessionPath, toAddress } from '../router.ts'
import { NoHookRecorded } from './empty.tsx'

/** One event, whole: every configured hook, what was decided, and who reads what. */
export function Event({ session, id }: { readonly session: string; readonly id: string }) {
  const [answer, setAnswer] = useState<EventAnswer | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    ask<EventAnswer>('event', { session, id }, stop.signal).then(
      (event) => {
        setAnswer(event)
        setFailure(null)
      },
      (error: Error) => error.name !== 'AbortError' && setFailure(error.message),
    )
    return () => stop.abort()
  }, [session, id, news.value.changed.has(session) ? news.value.count : 0])
  return (
    <>
      <header class="bar">
        <h1 title={makeReadable(session)}>
          <a href={toAddress('/')}>Sessions</a> /{' '}
          <a href={makeSessionPath(session)} class="mono">
            {makeReadable(session) || '(no id)'}
          </a>{' '}
          / Event
        </h1>
        {answer !== null && (
          <nav class="filters" aria-label="Neighbours">
            <Neighbour session={session} id={answer.previous} title="Previous" keyName="[" />
            <Neighbour session={session} id={answer.next} title="Next" keyName="]" />
          </nav>
        )}
      </header>
      {failure !== null && (
        <p class="note" role="alert">
          {failure} <a href={makeSessionPath(session)}>Back to the session</a>
        </p>
      )}
      {answer === null ? null : <Whole answer={answer} session={session} id={id} />}
    </>
  )
}

function Neighbour({
  session,
  id,
  title,
  keyName,
}: {
  readonly session: string
  readonly id: string | null
  readonly title: string
  readonly keyName: string
}) {
  if (id === null) return <span class="button dim">{title}</span>
  return (
    <a class="button" href={makeEventPath(session, id)} data-key={keyName}>
      {title}
    </a>
  )
}

function Whole({
  answer,
  session,
  id,
}: {
  readonly answer: EventAnswer
  readonly session: string
  readonly id: string
}) {
  const { summary, hooks } = answer
  return (
    <article class="event-page">
      <div class={`headline ${summary.outcome}`}>
        <span class="outcome">{summary.outcome}</span>
        <h2>
          <span>{summary.label}</span> <bdi class="mono">{summary.call}</bdi>
        </h2>
        <span class="dim">
          {formatDate(summary.at)}, {formatMs(summary.durationMs)}
        </span>
      </div>
      {summary.reason !== '' && (
        <p class="reason">
          <bdi>{summary.reason}</bdi>
        </p>
      )}
      <Actions answer={answer} />
      <Section
        title={answer.namesHooks ? `${formatAmount(hooks.length, 'hook')} configured, ${describeRuns(hooks)}` : 'Hooks'}
      >
        {!answer.namesHooks && <NoHookRecorded />}
        {answer.namesHooks && hooks.length === 0 && <p class="dim">No hook is configured for this event.</p>}
        {answer.partial && <p class="note">{isOfFleet.value ? FACTS_ALONE : NO_MORE_HOOKS}</p>}
        <ul class="hooks">
          {hooks.map((hook) => (
            <Hook key={hook.id} hook={hook} total={Math.max(1, summary.durationMs)} />
          ))}
        </ul>
      </Section>
      {answer.change !== null && (
        <Section title="Rewritten by hooks">
          <pre class="diff">
            {answer.change.map((line, at) => (
              <span key={at} class={DIFF_CLASSES[line.sign]}>{`${line.sign} ${line.text}\n`}</span>
            ))}
          </pre>
        </Section>
      )}
      {answer.decided.length > 0 && (
        <Section title="Decided">
          <Facts facts={answer.decided} />
        </Section>
      )}
      {answer.notices.length > 0 && (
        <Section title="Notes">
          {answer.notices.map((notice) => (
            <p key={notice}>{notice}</p>
          ))}
        </Section>
      )}
      {!isOfFleet.value && <Today session={session} id={id} />}
      <Section title="Facts">
        <Facts facts={answer.facts.map(([word, text]) => [word, makeReadable(text)])} />
      </Section>
      <Fold title="Input">{answer.input ?? 'The input of this event was not kept.'}</Fold>
      <Fold title="Record">{answer.record}</Fold>
    </article>
  )
}

const NO_MORE_HOOKS = 'The hooks that did not run are not in this log any more.'
const FACTS_ALONE =
  'The level of this machine sends facts alone: hooks that ran or should have, by their keys (hookline list), and no text.'

function describeRuns(hooks: readonly EventHook[]): string {
  const planned = hooks.filter((hook) => hook.planned).length
  if (planned > 0) return `${planned} would ${hooks.some(isAnswered) ? 'have spoken' : 'run'} today`
  return `${hooks.filter(({ result }) => result !== null).length} ran`
}

/** True of a hook that was not run, and whose answer is known all the same. */
function isAnswered({ planned, result }: EventHook): boolean {
  return planned && result !== null
}

const DIFF_CLASSES = { '+': 'added', '-': 'removed', ' ': 'same' } as const

function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Fold({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <details>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>{children}</pre>
    </details>
  )
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <dl class="facts">
      {facts.map(([word, text]) => (
        <div key={`${word} ${text}`}>
          <dt>{word}</dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function nameVerdict({ verdict, planned, result }: EventHook): string {
  if (!planned) return verdict
  if (result !== null) return result
  return verdict === 'ran' ? 'would run' : 'would run in background'
}

const READERS = { model: 'to the model', user: 'to the user', verbose: 'in the verbose view' } as const

function Hook({ hook, total }: { readonly hook: EventHook; readonly total: number }) {
  const { startMs, durationMs } = hook
  const from = startMs === null ? 0 : Math.min(100, (startMs / total) * 100)
  const width = durationMs === null ? 0 : Math.max(0.5, Math.min(100 - from, (durationMs / total) * 100))
  const verdict = hook.blocked ? 'blocked' : nameVerdict(hook)
  return (
    <li class={`hook ${hook.verdict} ${hook.blocked ? 'blocked' : ''} ${hook.failed ? 'failed' : ''}`}>
      <div class="line">
        <span class="outcome">{hook.failed ? 'failed' : verdict}</span>
        <bdi class="name mono">{hook.name}</bdi>
        <bdi class="dim">{hook.place}</bdi>
        <span class="dim">{hook.scope}</span>
        <span class="number">{durationMs === null ? '' : formatMs(durationMs)}</span>
        <span class="track" aria-hidden="true">
          {durationMs !== null && <span class="bar" style={{ left: `${from}%`, width: `${width}%` }} />}
        </span>
      </div>
      <dl class="facts small">
        {listHookFacts(hook).map(([word, text]) => (
          <div key={`${word} ${text}`}>
            <dt>{word}</dt>
            <dd class={CODE.has(word) ? 'mono' : undefined}>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

/** Facts about a hook that are code, or what a program wrote. */
const CODE: ReadonlySet<string> = new Set(['matcher', 'command', 'answer', 'stdout', 'stderr'])

function listHookFacts(hook: EventHook): [string, string][] {
  const facts: [string, string | null][] = [
    ['because', hook.because],
    ['matcher', hook.matcher],
    [hook.type, hook.runs === hook.name || hook.runs === '' ? null : hook.runs],
    ['result', hook.result],
    ...hook.messages.map(({ to, text }): [string, string] => [READERS[to] ?? to, text]),
    ...hook.context.map((text): [string, string] => ['context', text]),
    ['answer', hook.answer],
    ['stdout', hook.stdoutTail],
    ['stderr', hook.stderrTail],
    ...hook.warnings.map((warning): [string, string] => ['warning', warning]),
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')
}

function Actions({ answer }: { readonly answer: EventAnswer }) {
  const [told, setTold] = useState('')
  const copy = (text: string, what: string) => async (): Promise<void> => {
    await navigator.clipboard.writeText(text).then(
      () => setTold(`Copied ${what}.`),
      () => setTold('The browser does not let this page copy. The text is in Input and Record below.'),
    )
  }
  if (answer.fire === null && answer.testCase === null)
    return <p class="dim">The input of this event was not kept whole, so it cannot be fired again.</p>
  return (
    <p class="actions">
      {answer.fire !== null && (
        <button type="button" onClick={copy(answer.fire, 'the command')}>
          Copy as hookline fire
        </button>
      )}
      {answer.testCase !== null && (
        <button type="button" onClick={copy(answer.testCase, 'the test case')}>
          Copy as test case
        </button>
      )}
      <output>{told}</output>
    </p>
  )
}

function Today({ session, id }: { readonly session: string; readonly id: string }) {
  const [answer, setAnswer] = useState<TodayAnswer | null>(null)
  useEffect(() => setAnswer(null), [id])
  const look = async (): Promise<void> => {
    const explainFailure = (error: Error): TodayAnswer => ({ lines: [], problem: error.message })
    setAnswer(await ask<TodayAnswer>('today', { session, id }).catch(explainFailure))
  }
  const changed = answer?.lines.filter((line) => line.changed) ?? []
  const isKnown = answer?.lines.every(({ before }) => before !== 'not recorded')
  return (
    <Section title="Today">
      {answer === null && (
        <p>
          <button type="button" onClick={look}>
            What would happen today
          </button>{' '}
          <span class="dim">with the settings as they are now; nothing is run</span>
        </p>
      )}
      {answer?.problem && <p class="note">{answer.problem}</p>}
      {answer !== null && answer.problem === null && (
        <>
          <p>
            {changed.length > 0 && `${formatAmount(changed.length, 'hook')} would be different.`}
            {changed.length === 0 && (isKnown ? 'The same hooks would run.' : 'Which hooks ran then was not recorded.')}
          </p>
          <table>
            <thead>
              <tr>
                <th>Hook</th>
                <th>Then</th>
                <th>Today</th>
                <th>Because</th>
              </tr>
            </thead>
            <tbody>
              {answer.lines.map((line, at) => (
                <tr key={at} class={line.changed ? 'changed' : ''}>
                  <td class="mono">
                    <bdi>{line.name}</bdi>
                  </td>
                  <td>{line.before ?? 'not configured'}</td>
                  <td>{line.today ?? 'not configured'}</td>
                  <td>
                    <bdi>{line.because ?? ''}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Section>
  )
}
