import { createContext, useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { TerminalHost } from '../host.ts'
import type { Press } from '../keys/press.ts'
import type { State } from '../state/state.ts'
import type { Look, Signs } from '../text/look.ts'

/** Parts of the terminal that every view may use. */
export interface TerminalView {
  readonly host: TerminalHost
  readonly look: Look
  readonly signs: Signs
  /** Columns and rows of the terminal. */
  readonly columns: number
  readonly rows: number
  /** The view that asked last gets the keys; the answer gives them back. */
  readonly listen: (listener: (press: Press) => void) => () => void
}

export const TerminalContext = createContext<TerminalView | null>(null)

/** Gives a view what it can use of the terminal. */
export function useTerminal(): TerminalView {
  const context = useContext(TerminalContext)
  if (context === null) throw new TypeError('a view outside of a terminal')
  return context
}

/** The state, followed. */
export function useTerminalState(): State {
  const { store } = useTerminal().host
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Takes the keys for as long as the view is there and no other came after it. */
export function usePresses(listener: (press: Press) => void): void {
  const { listen } = useTerminal()
  const newest = useRef(listener)
  newest.current = listener
  useLayoutEffect(() => listen((press) => newest.current(press)), [listen])
}
