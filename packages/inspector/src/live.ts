import { computed, signal } from '@preact/signals'
import type { StateAnswer } from '../../hookline/src/inspect/api.ts'
import { ask, lost } from './ask.ts'
import { pageKey } from './page-key.ts'
import { toAddress } from './router.ts'

/** State of the logs; null before the first answer. */
export const state = signal<StateAnswer | null>(null)

/** True for the page of a fleet: its store knows nothing of today's settings, nor of what hooks put before models. */
export const isOfFleet = computed(() => state.value?.views.includes('machines') === true)

/** Sessions that changed with the last news, and the number of news so far. */
export const news = signal<{ readonly count: number; readonly changed: ReadonlySet<string> }>({
  count: 0,
  changed: new Set(),
})

/** Number of times that hooks were configured anew while the page was open. */
export const configured = signal(0)

/** News, as the server sends them. */
interface News {
  readonly changed: readonly string[]
  readonly isConfigured?: boolean
}

/** Milliseconds between two signs of life of a page that is not seen. */
const HIDDEN_PING_MS = 5 * 60_000
const READING_LOOK_MS = 250

let source: EventSource | null = null

/** Listens for news while the page is seen. A page in the background lets go of its connection. */
export function listenForNews(): void {
  const follow = (): void => {
    if (document.visibilityState === 'hidden') {
      source?.close()
      source = null
      return
    }
    if (source !== null) return
    source = new EventSource(toAddress(pageKey === '' ? '/api/live' : `/api/live?page=${pageKey}`))
    source.onmessage = (message) => take(JSON.parse(String(message.data)) as News) // from our server
    source.onopen = () => {
      lost.value = null
      void refreshState()
    }
    source.onerror = () => void refreshState() // says so where nobody answers any more
  }
  document.addEventListener('visibilitychange', () => {
    follow()
    if (document.visibilityState === 'visible') take({ changed: [] })
  })
  setInterval(() => {
    if (document.visibilityState === 'hidden') void refreshState()
  }, HIDDEN_PING_MS)
  follow()
}

function take({ changed, isConfigured = false }: News): void {
  if (isConfigured) configured.value++
  news.value = { count: news.value.count + 1, changed: new Set(changed) }
  void refreshState()
}

/** Asks for the state again; while logs are read for the first time, until they are. */
export async function refreshState(): Promise<void> {
  const wasReading = state.value?.reading === true
  state.value = await ask<StateAnswer>('state').catch(() => state.value) // `lost` says so
  if (state.value?.reading) setTimeout(() => void refreshState(), READING_LOOK_MS)
  else if (wasReading) take({ changed: [] })
}
