/** Calls back once when the user has pressed no key for a while. */
export class IdleTimer {
  readonly #afterMs: number
  readonly #tell: () => void
  #timer: NodeJS.Timeout | undefined
  #waits = false

  constructor(afterMs: number, tell: () => void) {
    this.#afterMs = afterMs
    this.#tell = tell
  }

  /** From now on the user is waited for. */
  start(): void {
    this.#waits = true
    this.restart()
  }

  /** The user is there: the time begins again. */
  restart(): void {
    clearTimeout(this.#timer)
    if (!this.#waits) return
    this.#timer = setTimeout(() => {
      this.#waits = false
      this.#tell()
    }, this.#afterMs)
  }

  /** The user is not waited for any more. */
  close(): void {
    this.#waits = false
    clearTimeout(this.#timer)
  }
}
