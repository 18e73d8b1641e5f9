import { signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PlaygroundAnswer, PlaygroundFinding } from '../../../hookline/src/inspect/playground-answer.ts'
import { toReadableLines } from '../../../hookline/src/text/visible.ts'
import { makeFragment, readFragment, type Typed } from './fragment.ts'

/** The code of the commands, bundled for a browser. */
interface PlaygroundEngine {
  readonly answerPlayground: (question: Pick<Typed, 'event' | 'profile'>) => Promise<PlaygroundAnswer>
  readonly setFile: (path: string, text: string) => void
}

interface Example {
  readonly title: string
  readonly settings: string
  readonly event: string
}

const ENGINE = './engine.js'
const SETTINGS = '/project/.claude/settings.json'
const PROFILES = [
  ['auto', 'by the file'],
  ['classic', 'classic'],
  ['current', 'current'],
] as const

const examples = JSON.parse(document.getElementById('examples')?.textContent ?? '[]') as readonly Example[] // of the build
const first: Typed = { settings: examples[0]?.settings ?? '{}', event: examples[0]?.event ?? '', profile: 'auto' }
const typed = signal<Typed>(readFragment(location.hash) ?? first)
const answer = signal<PlaygroundAnswer | null>(null)
const failure = signal<string | null>(null)

let last: Promise<unknown> = Promise.resolve()

/** Asks again, one question after the other; the newest answer counts. */
function look(): void {
  const asked = typed.value
  last = last.then(async () => {
    if (asked !== typed.value) return
    try {
      const engine = (await import(ENGINE)) as PlaygroundEngine // built beside this page
      engine.setFile(SETTINGS, asked.settings)
      answer.value = await engine.answerPlayground(asked)
      failure.value = null
    } catch (error) {
      failure.value = `The playground failed: ${error instanceof Error ? error.message : String(error)}`
    }
  })
}

function change(part: Partial<Typed>): void {
  typed.value = { ...typed.value, ...part }
  history.replaceState(null, '', `#${makeFragment(typed.value)}`)
  look()
}

function Playground() {
  useEffect(look, [])
  const { settings, event, profile } = typed.value
  return (
    <main>
      <header>
        <h1>Hookline playground</h1>
        <p>
          A settings file and an event in, findings and verdicts out, with the code of <code>hookline validate</code>{' '}
          and <code>hookline explain</code>. It runs in this browser alone: nothing is sent, no hook is started, and no
          disk is looked at. The address holds what you typed.
        </p>
        <div class="choices">
          <select
            aria-label="Example"
            value=""
            onChange={({ currentTarget }) => {
              const example = examples[Number(currentTarget.value)]
              if (example !== undefined) change({ settings: example.settings, event: example.event })
            }}
          >
            <option value="">Examples of the docs</option>
            {examples.map(({ title }, at) => (
              <option key={title} value={at}>
                {title}
              </option>
            ))}
          </select>
          <label>
            Profile{' '}
            <select value={profile} onChange={({ currentTarget }) => change({ profile: currentTarget.value })}>
              {PROFILES.map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </div>
      </header>
      <div class="columns">
        <section>
          <h2>
            <label for="settings">.claude/settings.json</label>
          </h2>
          <textarea
            id="settings"
            spellcheck={false}
            rows={24}
            value={settings}
            onInput={({ currentTarget }) => change({ settings: currentTarget.value })}
          />
          <h2>
            <label for="event">Event</label>
          </h2>
          <textarea
            id="event"
            spellcheck={false}
            rows={10}
            value={event}
            onInput={({ currentTarget }) => change({ event: currentTarget.value })}
          />
        </section>
        <section aria-live="polite">
          {failure.value !== null && <p role="alert">{failure.value}</p>}
          {answer.value === null ? <p>Loading …</p> : <Answer answer={answer.value} />}
        </section>
      </div>
    </main>
  )
}

function Answer({ answer: { profile, findings, plan, problem } }: { readonly answer: PlaygroundAnswer }) {
  const running = plan?.hooks.filter(({ planned }) => planned).length ?? 0
  return (
    <>
      <h2>Findings</h2>
      {findings.length === 0 && <p>None. Profile: {profile}.</p>}
      <ul class="findings">
        {findings.map((finding) => (
          <Finding key={`${finding.rule} ${finding.line} ${finding.column} ${finding.message}`} finding={finding} />
        ))}
      </ul>
      <p class="dim">Scripts and programs: not looked at.</p>
      <h2>{plan === null ? 'Plan' : `${plan.event}: ${running} of ${plan.hooks.length} would run`}</h2>
      {problem !== null && <p role="alert">{toReadableLines(problem)}</p>}
      {plan?.hooks.length === 0 && <p>No hook of this file listens to the event.</p>}
      <ol class="plan">
        {plan?.hooks.map((line) => (
          <li key={line.id} class={line.planned ? 'runs' : ''}>
            <strong>{line.planned ? 'would run' : line.verdict}</strong>{' '}
            <code>{toReadableLines(line.command ?? line.prompt ?? line.url ?? line.id)}</code>{' '}
            <span class="dim">{toReadableLines(line.matcher ?? '*')}</span>
            {line.because !== undefined && <p>{toReadableLines(line.because)}</p>}
          </li>
        ))}
      </ol>
    </>
  )
}

function Finding({ finding }: { readonly finding: PlaygroundFinding }) {
  const { severity, rule, line, column, message } = finding
  return (
    <li class={severity}>
      <strong>{severity}</strong>{' '}
      <span class="dim">
        {line}:{column}
      </span>{' '}
      {toReadableLines(message)} <span class="dim">{rule}</span>
    </li>
  )
}

addEventListener('hashchange', () => {
  const read = readFragment(location.hash)
  if (read === null) return
  typed.value = read
  look()
})

const app = document.getElementById('app')
if (app !== null) render(<Playground />, app)
