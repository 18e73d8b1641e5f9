import { listenToAbort } from '../process/abort.ts'

/** Ends what listens to it, once. An AbortSignal does the same for more than many a hook costs. */
export class StopSignal {
  readonly #listeners = new Set<() => void>()
  #isStopped = false

  get isStopped(): boolean {
    return this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }

  /** Calls back when it stops, or at once when it has; the answer takes that back. */
  listen(listener: () => void): () => void {
    if (this.#isStopped) listener()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Stops as soon as one of two does, until it is unlinked: what outlives many events must not gather their listeners. */
export function linkStopSignals(
  first: AbortSignal | StopSignal | undefined,
  second: StopSignal,
): { readonly stop: StopSignal; readonly unlink: (() => void) | null } {
  if (first === undefined) return { stop: second, unlink: null }
  const linked = new StopSignal()
  const stop = (): void => linked.stop()
  const unlinkFirst = first instanceof StopSignal ? first.listen(stop) : listenToAbort(first, stop)
  const unlinkSecond = second.listen(stop)
  const unlink = (): void => {
    unlinkFirst()
    unlinkSecond()
  }
  return { stop: linked, unlink }
}
