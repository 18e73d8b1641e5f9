/** Tells once that nobody has pressed a key for a while. */
export class IdleTimer {
  readonly #afterMs: number
  readonly #tell: () => void
  #timer: NodeJS.Timeout | undefined
  #waits = false

  constructor(afterMs: number, tell: () => void) {
    this.#afterMs = afterMs
    this.#tell = tell
  }

  /** From now on somebody is waited for. */
  start(): void {
    this.#waits = true
    this.stir()
  }

  /** Somebody is there. */
  stir(): void {
    clearTimeout(this.#timer)
    if (!this.#waits) return
    this.#timer = setTimeout(() => {
      this.#waits = false
      this.#tell()
    }, this.#afterMs)
  }

  /** Nobody is waited for. */
  close(): void {
    this.#waits = false
    clearTimeout(this.#timer)
  }
}
