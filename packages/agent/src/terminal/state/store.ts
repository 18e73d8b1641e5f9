/** State that views follow. */
export interface Store<State> {
  readonly get: () => State
  readonly set: (change: (state: State) => State) => void
  /** Calls back after every change; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Keeps a state and tells who follows it. */
export function createStore<State>(initial: State): Store<State> {
  const listeners = new Set<() => void>()
  let state = initial
  return {
    get: () => state,
    set: (change) => {
      const next = change(state)
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
