import { signal } from '@preact/signals'
import { render } from 'preact'
import { lost } from './ask.ts'
import { moveSelection } from './list.tsx'
import { listenForNews, refreshState, state } from './live.ts'
import { followLinks, go, makeSessionPath, route, toAddress } from './router.ts'
import { Alarms } from './views/alarms.tsx'
import { Compare } from './views/compare.tsx'
import { Cost } from './views/cost.tsx'
import { Event } from './views/event.tsx'
import { Hooks } from './views/hooks.tsx'
import { Machines } from './views/machines.tsx'
import { Session } from './views/session.tsx'
import { Sessions } from './views/sessions.tsx'

const VIEWS = [
  ['sessions', '/', 'Sessions', 'sessions session event'],
  ['hooks', '/hooks', 'Hooks', 'hooks'],
  ['machines', '/machines', 'Machines', 'machines'],
  ['alarms', '/alarms', 'Alarms', 'alarms'],
  ['cost', '/cost', 'Cost', 'cost'],
  ['compare', '/compare', 'Compare', 'compare'],
] as const

/** The views that the source of this page has something for. */
const listViews = () => VIEWS.filter(([view]) => state.value?.views.includes(view) ?? OF_ALL_SOURCES.has(view))

/** The views that every source has, which are led to before it is known which one this is. */
const OF_ALL_SOURCES: ReadonlySet<string> = new Set(['sessions', 'cost', 'compare'])

const isHelpShown = signal(false)

function App() {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it hears clicks on links, which keys cause too
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div class="page" onClick={followLinks}>
      <nav class="views" aria-label="Views">
        <span class="brand">hookline</span>
        {listViews().map(([view, path, title, names]) => (
          <a
            key={view}
            href={toAddress(path)}
            aria-current={names.split(' ').includes(route.value.view) ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
        <span class="dim project">
          <bdi>{state.value?.project ?? ''}</bdi>
        </span>
        <button
          type="button"
          class="plain"
          onClick={() => {
            isHelpShown.value = true
          }}
        >
          ? Keys
        </button>
      </nav>
      {lost.value !== null && (
        <p class="note" role="alert">
          {lost.value}
        </p>
      )}
      {(state.value?.notes ?? []).map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <main tabIndex={0}>
        <View />
      </main>
      {isHelpShown.value && <Help />}
    </div>
  )
}

function View() {
  const now = route.value
  document.title = `${TITLES[now.view]} · Hookline inspector`
  if (now.view === 'session') return <Session key={now.id} id={now.id} />
  if (now.view === 'event') return <Event session={now.session} id={now.id} />
  if (now.view === 'sessions') return <Sessions />
  if (now.view === 'hooks') return <Hooks />
  if (now.view === 'machines') return <Machines />
  if (now.view === 'alarms') return <Alarms />
  if (now.view === 'cost') return <Cost />
  if (now.view === 'compare') return <Compare />
  return (
    <p class="empty">
      There is no such view. <a href={toAddress('/')}>Sessions</a>
    </p>
  )
}

const TITLES = {
  sessions: 'Sessions',
  session: 'Session',
  event: 'Event',
  hooks: 'Hooks',
  machines: 'Machines',
  alarms: 'Alarms',
  cost: 'Cost',
  compare: 'Compare',
  missing: 'Not found',
} as const

const KEYS = [
  ['j  k  ↓  ↑', 'next and previous row'],
  ['Enter', 'open the row'],
  ['u  Esc', 'one level up'],
  ['[  ]', 'previous and next event'],
  ['/', 'filter'],
  ['1 … 5', 'the views at the top'],
  ['?', 'this list'],
] as const

function Help() {
  return (
    <dialog open class="help" aria-label="Keys">
      <h2>Keys</h2>
      <dl class="facts">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt class="mono">{key}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        autofocus
        onClick={() => {
          isHelpShown.value = false
        }}
      >
        Close
      </button>
    </dialog>
  )
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  j: () => moveSelection.value?.(1),
  ArrowDown: () => moveSelection.value?.(1),
  k: () => moveSelection.value?.(-1),
  ArrowUp: () => moveSelection.value?.(-1),
  PageDown: () => moveSelection.value?.(20),
  PageUp: () => moveSelection.value?.(-20),
  u: goUp,
  Escape: goUp,
  '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
  '?': () => {
    isHelpShown.value = !isHelpShown.value
  },
  '[': () => document.querySelector<HTMLElement>('[data-key="["]')?.click(),
  ']': () => document.querySelector<HTMLElement>('[data-key="]"]')?.click(),
  1: () => goToView(0),
  2: () => goToView(1),
  3: () => goToView(2),
  4: () => goToView(3),
  5: () => goToView(4),
}

function goToView(nth: number): void {
  const path = listViews()[nth]?.[1]
  if (path !== undefined) go(toAddress(path))
}

function goUp(): void {
  if (isHelpShown.value) {
    isHelpShown.value = false
    return
  }
  const now = route.value
  if (now.view === 'event') go(makeSessionPath(now.session))
  else if (now.view === 'session') go(toAddress('/'))
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { target } = event
  const isTyping =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  if (isTyping) {
    if (event.key === 'Escape') target.blur()
    return
  }
  const action = Object.hasOwn(ACTIONS, event.key) ? ACTIONS[event.key] : undefined
  if (action === undefined) return
  event.preventDefault()
  action()
})

const app = document.getElementById('app')
if (app !== null) render(<App />, app)
listenForNews()
void refreshState()
