import { useMemo, useSyncExternalStore } from 'react'
import { createStore } from '../state/store.ts'

/** As `useState`, but a change is drawn before the next key is taken, however fast keys come. */
export function useValue<Value>(initial: Value): [Value, (next: Value) => void] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first value counts, as with useState
  const { get, set, subscribe } = useMemo(() => createStore(initial), [])
  const value = useSyncExternalStore(subscribe, get)
  return [value, (next) => set(() => next)]
}
