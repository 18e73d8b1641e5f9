import { type Captured, NOTHING } from './run.ts'

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
    const kept = Buffer.from(chunk.length <= room ? chunk : chunk.subarray(0, room)) // the chunk may be used again
    this.#chunks.push(kept)
    this.#kept += kept.length
    if (this.#onFirstLine && kept.includes(NEWLINE)) this.#announce()
  }

  /** Tells the first line when it is complete; for a stream that has none, nothing. */
  onFirstLine(tell: (line: string) => void): void {
    this.#onFirstLine = tell
    if (this.#chunks.some((chunk) => chunk.includes(NEWLINE))) this.#announce()
  }

  /** What there is so far. */
  captured(): Captured {
    if (this.#bytes === 0) return NOTHING
    return { kept: Buffer.concat(this.#chunks), bytes: this.#bytes }
  }

  /** Removes a text from the end; whether it was there, and kept. */
  takeBack(text: string): boolean {
    const { kept, bytes } = this.captured()
    if (kept.length < bytes || !kept.subarray(-text.length).equals(Buffer.from(text))) return false
    this.#reset(kept.subarray(0, -text.length))
    return true
  }

  /** Forgets everything. */
  clear(): void {
    this.#reset(NOTHING.kept)
  }

  #reset(kept: Buffer): void {
    this.#chunks.splice(0, this.#chunks.length, kept)
    this.#kept = kept.length
    this.#bytes = kept.length
  }

  #announce(): void {
    this.#onFirstLine?.(Buffer.concat(this.#chunks).toString('utf8').split('\n', 1)[0] ?? '')
    this.#onFirstLine = undefined
  }
}
