import { setMaxListeners } from 'node:events'
import type { Denial } from '../output/result.ts'

/** A turn of the user, with everything that every agent does for it. */
export interface Turn {
  /** Aborts when the turn is interrupted, by the user or on their behalf. */
  readonly signal: AbortSignal
  readonly interrupt: () => void
  /** Names the prompt that began it; null: none did. */
  readonly promptId: string | null
  /** Calls that were refused in it. */
  readonly denials: Denial[]
}

/** Begins a turn that the given signal interrupts too. */
export function beginTurn(outer: AbortSignal, { promptId = null }: Partial<Pick<Turn, 'promptId'>> = {}): Turn {
  const inner = new AbortController()
  const signal = AbortSignal.any([outer, inner.signal])
  setMaxListeners(0, signal) // every agent under way listens to it
  return { signal, interrupt: () => inner.abort(), promptId, denials: [] }
}
