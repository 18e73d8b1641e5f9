const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
const NOBODY_READS = 141

/** What ends a run in order from outside: the turn is interrupted, SessionEnd hooks still run. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #listeners = Object.entries(SIGNALS).map(([name, code]) => ({ name, listen: () => this.#interrupt(code) }))
  readonly #unread = (): void => this.#interrupt(NOBODY_READS)
  #code: number | null = null

  constructor() {
    // The second signal finds no listener, and ends the process at once.
    for (const { name, listen } of this.#listeners) process.once(name, listen)
    process.stdout.on('error', this.#unread) // as when the output goes to `head`
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** What a process that was ended so exits with; null: it was not. */
  get exitCode(): number | null {
    return this.#code
  }

  /** Gives the signals back to the system. */
  release(): void {
    for (const { name, listen } of this.#listeners) process.removeListener(name, listen)
  }

  #interrupt(code: number): void {
    this.#code ??= code
    this.#controller.abort()
  }
}
