import type { Engine } from 'hookline'

/** Calls of the status line within this time come to one. */
const DEBOUNCE_MS = 300

/** Runs the configured status line: one at a time, the newest wins. */
export class StatusLine {
  readonly #show: (text: string | null) => void
  readonly #tell: (fault: string) => void
  #told = false
  #timer: NodeJS.Timeout | undefined
  #running: AbortController | null = null

  /** `tell` hears once why it failed. */
  constructor(show: (text: string | null) => void, tell: (fault: string) => void) {
    this.#show = show
    this.#tell = tell
  }

  /** Asks for the status line anew, in a moment. */
  refresh(engine: Engine, statusOf: () => Readonly<Record<string, unknown>>): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(engine, statusOf()), DEBOUNCE_MS)
  }

  /** Ends what runs; nothing is shown afterwards. */
  close(): void {
    clearTimeout(this.#timer)
    this.#running?.abort()
    this.#running = null
  }

  async #run(engine: Engine, status: Readonly<Record<string, unknown>>): Promise<void> {
    this.#running?.abort()
    const mine = new AbortController()
    this.#running = mine
    const text = await engine.runStatusLine(status, { signal: mine.signal, onFault: (fault) => this.#hear(fault) })
    if (this.#running !== mine) return
    this.#running = null
    const padding = ' '.repeat(engine.statusLinePadding)
    this.#show(text === null ? null : text.replaceAll(/^/gm, padding))
  }

  #hear(fault: string): void {
    if (!this.#told) this.#tell(`${fault}. It is told once; the line stays empty while it fails.`)
    this.#told = true
  }
}
