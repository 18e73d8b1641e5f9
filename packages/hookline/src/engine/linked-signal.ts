/** A signal that follows others for a while. */
export interface LinkedSignal {
  readonly signal: AbortSignal
  /** Stops following; a signal that outlives many events must not gather their listeners. */
  readonly unlink: () => void
}

/** Aborts as soon as one of the signals does; a missing one never does. */
export function linkSignals(first: AbortSignal | undefined, second: AbortSignal): LinkedSignal {
  if (first === undefined) return { signal: second, unlink: () => {} }
  const sources = [first, second]
  const linked = new AbortController()
  const abort = (): void => linked.abort()
  for (const source of sources) {
    if (source.aborted) abort()
    else source.addEventListener('abort', abort, { once: true })
  }
  const unlink = (): void => {
    for (const source of sources) source.removeEventListener('abort', abort)
  }
  return { signal: linked.signal, unlink }
}
