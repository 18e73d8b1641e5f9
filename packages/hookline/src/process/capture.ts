import { type CapturedStream, EMPTY_STREAM } from './process-run.ts'

/** Collects a stream: keeps the first bytes, counts all of them. */
export class Capture {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #kept = 0
  #bytes = 0
  #firstObject: { scan: FirstObject | null; readonly tell: (text: string) => void } | undefined

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
    this.#scan(kept)
  }

  /**
   * Tells the first thing that was written, if it is an object, as soon as its last brace is there; for a stream that
   * begins otherwise, nothing. Whether it is JSON is for others to say.
   */
  onFirstObject(tell: (text: string) => void): void {
    this.#firstObject = { scan: null, tell }
    for (const chunk of this.#chunks) this.#scan(chunk)
  }

  /** Output so far. */
  readCaptured(): CapturedStream {
    if (this.#bytes === 0) return EMPTY_STREAM
    return { kept: Buffer.concat(this.#chunks), bytes: this.#bytes }
  }

  /** Removes a text from the end; whether it was there, and kept. */
  takeBack(text: string): boolean {
    const { kept, bytes } = this.readCaptured()
    if (kept.length < bytes || !kept.subarray(-text.length).equals(Buffer.from(text))) return false
    this.#reset(kept.subarray(0, -text.length))
    return true
  }

  /** Forgets everything. */
  clear(): void {
    this.#reset(EMPTY_STREAM.kept)
  }

  #reset(kept: Buffer): void {
    this.#chunks.splice(0, this.#chunks.length, kept)
    this.#kept = kept.length
    this.#bytes = kept.length
  }

  #scan(chunk: Buffer): void {
    if (this.#firstObject === undefined) return
    this.#firstObject.scan ??= new FirstObject()
    const { scan, tell } = this.#firstObject
    scan.read(chunk)
    if (scan.end === null) return
    this.#firstObject = undefined
    tell(Buffer.concat(this.#chunks).toString('utf8', 0, scan.end))
  }
}

const OPENING = 0x7b
const CLOSING = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Space, tab, line feed and carriage return. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Looks for the end of an object that a stream begins with. Whether it is JSON is for others to say. */
class FirstObject {
  /** Number of bytes there are up to its last brace; null as long as that was not seen. */
  end: number | null = null

  #bytes = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isOver = false

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isOver; at++) this.#take(chunk[at] ?? 0)
  }

  #take(byte: number): void {
    this.#bytes++
    if (this.#depth === 0 && byte !== OPENING) {
      this.#isOver = !BLANK.has(byte)
      return
    }
    if (this.#isInString) this.#takeInString(byte)
    else if (byte === QUOTE) this.#isInString = true
    else if (byte === OPENING) this.#depth++
    else if (byte === CLOSING) this.#depth--
    if (this.#depth > 0) return
    this.#isOver = true
    this.end = this.#bytes
  }

  #takeInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isInString = false
  }
}

/** Number of bytes that the object takes that a text begins with; null when there is none, or no end of it. */
export function findFirstObjectEnd(bytes: Buffer): number | null {
  const scan = new FirstObject()
  scan.read(bytes)
  return scan.end
}
