/** The one listener of a signal that somebody else made, and those that it calls. */
interface SharedListener {
  readonly listeners: Set<() => void>
  readonly tell: () => void
}

const sharedListeners = new WeakMap<AbortSignal, SharedListener>()

/**
 * Calls back when a signal aborts, or at once when it has; the answer takes that back. However many listen, the signal has one listener:
 * Node warns of a leak at eleven, and a host may well run more calls than that at a time. It has none once nobody listens.
 */
export function listenToAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => {}
  }
  const own = sharedListeners.get(signal) ?? shareListener(signal)
  const { listeners, tell } = own
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || sharedListeners.get(signal) !== own) return
    sharedListeners.delete(signal)
    signal.removeEventListener('abort', tell)
  }
}

function shareListener(signal: AbortSignal): SharedListener {
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const one of listeners) one()
    listeners.clear()
  }
  const made = { listeners, tell }
  sharedListeners.set(signal, made)
  signal.addEventListener('abort', tell, { once: true })
  return made
}
