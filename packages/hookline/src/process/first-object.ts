const OPENING = 0x7b
const CLOSING = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Space, tab, line feed and carriage return. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Looks for the end of an object that a stream begins with. Whether it is JSON is for others to say. */
export class FirstObject {
  /** How many bytes there are up to its last brace; null as long as that was not seen. */
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

/** How many bytes the object takes that a text begins with; null when there is none, or no end of it. */
export function firstObjectEnd(bytes: Buffer): number | null {
  const scan = new FirstObject()
  scan.read(bytes)
  return scan.end
}
