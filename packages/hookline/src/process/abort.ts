/** Listeners of a signal that somebody else made. */
const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back when a signal aborts, or at once when it has; the answer takes that back. However many listen, the signal has one listener:
 * Node warns of a leak at eleven, and a host may well run more calls than that at a time.
 */
export function listenToAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => {}
  }
  const known = LISTENERS.get(signal)
  const listeners = known ?? new Set()
  listeners.add(listener)
  const tell = (): void => {
    for (const one of listeners) one()
    listeners.clear()
  }
  if (known === undefined) {
    LISTENERS.set(signal, listeners)
    signal.addEventListener('abort', tell, { once: true })
  }
  return () => void listeners.delete(listener)
}
