import type { TerminalHost } from '../terminal/host.ts'

/** The exit code of a process whose terminal is gone. */
export const HUNG_UP = 129

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: HUNG_UP } as const

/** What signals do to a session in a terminal: they end it in order, and SessionEnd hooks still run. */
export class TerminalSignals {
  readonly #listeners: readonly { readonly name: string; readonly listen: () => void }[]
  #code: number | null = null

  /** `interruptsTurns`: Ctrl+C comes as a signal, and means what it means as a key. */
  constructor(host: TerminalHost, { interruptsTurns }: { readonly interruptsTurns: boolean }) {
    this.#listeners = Object.entries(CODES).map(([name, code]) => ({
      name,
      listen: () => {
        if (name === 'SIGINT' && interruptsTurns) return host.cancel()
        this.#code ??= code
        void host.leave('other')
      },
    }))
    for (const { name, listen } of this.#listeners) process.on(name, listen)
  }

  /** What a process that was ended so exits with; null: it was not. */
  get exitCode(): number | null {
    return this.#code
  }

  /** Gives the signals back to the system. */
  release(): void {
    for (const { name, listen } of this.#listeners) process.removeListener(name, listen)
  }
}
