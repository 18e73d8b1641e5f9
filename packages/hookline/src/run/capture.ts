import type { Captured } from './run.ts'

const NEWLINE = 0x0a

/** Collects a stream: keeps the first bytes, counts all of them. */
export class Capture {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #kept = 0
  #bytes = 0
  #onFirstLine: ((line: string) => void) | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length
    const room = this.#limit - this.#kept
    if (room <= 0) return
    const kept = chunk.length <= room ? chunk : chunk.subarray(0, room)
    this.#chunks.push(kept)
    this.#kept += kept.length
    if (this.#onFirstLine && kept.includes(NEWLINE)) this.#announce()
  }

  /** The first line, when it is complete; never settles for a stream that has none. */
  firstLine(): Promise<string> {
    return new Promise((resolve) => {
      this.#onFirstLine = resolve
      if (this.#chunks.some((chunk) => chunk.includes(NEWLINE))) this.#announce()
    })
  }

  /** The first line of a stream that has ended, newline or not; null when nothing was written. */
  wholeFirstLine(): string | null {
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return text === '' ? null : (text.split('\n', 1)[0] ?? null)
  }

  /** What there is so far. */
  captured(): Captured {
    return { kept: Buffer.concat(this.#chunks), bytes: this.#bytes }
  }

  #announce(): void {
    this.#onFirstLine?.(this.wholeFirstLine() ?? '')
    this.#onFirstLine = undefined
  }
}
