/** Bytes of a server that wait for the end of calls; what comes beyond them is dropped. */
const MAX_HELD_BYTES = 4 * 1024 * 1024

interface HeldAnswer<Call> {
  readonly line: Buffer
  readonly waitsFor: Set<Call>
}

/** Lines that wait for the end of calls. One that any of its calls drops is not sent. */
export class HeldLines<Call> {
  readonly #send: (line: Buffer) => void
  #held: HeldAnswer<Call>[] = []
  #bytes = 0

  constructor(send: (line: Buffer) => void) {
    this.#send = send
  }

  /** Keeps a line until all of these calls have ended. False: too much waits already, and it is dropped. */
  hold(line: Buffer, calls: readonly Call[]): boolean {
    if (this.#bytes + line.length > MAX_HELD_BYTES) return false
    this.#bytes += line.length
    this.#held.push({ line, waitsFor: new Set(calls) })
    return true
  }

  /** A call has ended, and its result is the client's to read: what waited for it alone is sent, in order. */
  release(call: Call): void {
    for (const { waitsFor } of this.#held) waitsFor.delete(call)
    for (const { line } of this.#take(({ waitsFor }) => waitsFor.size === 0)) this.#send(line)
  }

  /** A call has ended, and its result is not for the client: what was said while it ran is not either. */
  drop(call: Call): void {
    this.#take(({ waitsFor }) => waitsFor.has(call))
  }

  #take(isMeant: (held: HeldAnswer<Call>) => boolean): HeldAnswer<Call>[] {
    const taken = this.#held.filter(isMeant)
    if (taken.length === 0) return taken
    this.#held = this.#held.filter((one) => !isMeant(one))
    this.#bytes -= taken.reduce((sum, { line }) => sum + line.length, 0)
    return taken
  }
}
