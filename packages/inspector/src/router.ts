import { computed, signal } from '@preact/signals'

/** Beginning of all addresses of the page: empty where it is served at the root of its host. */
const base = document.querySelector<HTMLMetaElement>('meta[name="hookline-base"]')?.content ?? ''

/** The address of a view or of a question, from its path below the page. */
export function toAddress(path: string): string {
  return `${base}${path}`
}

/** Address of the view that is shown: path and query. */
const address = signal(location.pathname + location.search)

addEventListener('popstate', () => {
  address.value = location.pathname + location.search
})

/** A view and what it is about. */
export type Route =
  | { readonly view: 'sessions' | 'hooks' | 'machines' | 'alarms' | 'cost' | 'compare' }
  | { readonly view: 'session'; readonly id: string }
  | { readonly view: 'event'; readonly session: string; readonly id: string }
  | { readonly view: 'missing' }

/** The view that the address names. */
export const route = computed<Route>(() => parsePath((address.value.split('?', 1)[0] ?? '/').slice(base.length)))

/** The query of the address: filters of the view. */
export const query = computed(() => new URLSearchParams(address.value.split('?').slice(1).join('?')))

function parsePath(path: string): Route {
  const [view = '', ...rest] = path.split('/').slice(1).map(decodePart)
  if (view === '' || view === 'sessions') return { view: 'sessions' }
  if (isPlainView(view)) return { view }
  const [id = '', word, event] = rest
  if (view !== 'session' || id === '') return { view: 'missing' }
  if (word === 'event' && event !== undefined) return { view: 'event', session: id, id: event }
  return { view: 'session', id }
}

const PLAIN_VIEWS = ['hooks', 'machines', 'alarms', 'cost', 'compare'] as const

function isPlainView(view: string): view is (typeof PLAIN_VIEWS)[number] {
  return PLAIN_VIEWS.some((one) => one === view)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a percent sign that stands for itself
  }
}

/** The address of a session. */
export function makeSessionPath(id: string): string {
  return toAddress(`/session/${encodeURIComponent(id)}`)
}

/** The address of an event. */
export function makeEventPath(session: string, id: string): string {
  return `${makeSessionPath(session)}/event/${encodeURIComponent(id)}`
}

/** Goes to an address; the browser's back leads here again. */
export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  address.value = location.pathname + location.search
}

/** Changes filters in the address of this view; empty ones are left out. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  go(`${location.pathname}${text === '' ? '' : `?${text}`}`, { replace: true })
}

/** Follows links inside of the page without loading it again. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const to = link?.getAttribute('href')
  if (!to?.startsWith('/') || to.startsWith('//')) return
  event.preventDefault()
  go(to)
}
