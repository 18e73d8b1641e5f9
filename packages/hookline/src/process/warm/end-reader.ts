import { END_OF_CODE } from './loaders.ts'

/** Part of a stdout: bytes of the program, and the exit code once the interpreter has told it. */
export interface ReadOutput {
  readonly output: Buffer
  readonly code: number | null
}

const NOTHING = Buffer.alloc(0)

/** Reads out of a stdout what an interpreter says of its end: a mark that nothing else knows, the exit code, and a line end. */
export class EndReader {
  readonly #mark: Buffer
  /** Bytes that may be the beginning of the mark. */
  #held: Buffer = NOTHING

  constructor(mark: string) {
    this.#mark = Buffer.from(`\0${mark}`)
  }

  read(chunk: Buffer): ReadOutput {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const at = this.#findMark(bytes)
    const end = at < 0 ? -1 : bytes.indexOf(END_OF_CODE, at)
    if (end < 0) {
      this.#held = at < 0 ? NOTHING : Buffer.from(bytes.subarray(at))
      return { output: at < 0 ? bytes : bytes.subarray(0, at), code: null }
    }
    this.#held = NOTHING
    const code = Number(bytes.toString('latin1', at + this.#mark.length, end))
    return { output: Buffer.concat([bytes.subarray(0, at), bytes.subarray(end + 1)]), code }
  }

  /** Bytes that were none of the mark, since nothing comes behind them. */
  takeRest(): Buffer {
    const rest = this.#held
    this.#held = NOTHING
    return rest
  }

  /** Place of the mark, or of its beginning at the end; -1: neither is there. */
  #findMark(bytes: Buffer): number {
    const whole = bytes.indexOf(this.#mark)
    if (whole >= 0) return whole
    for (let at = bytes.lastIndexOf(0); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0, at - 1)) {
      if (bytes.length - at >= this.#mark.length) return -1
      if (bytes.subarray(at).equals(this.#mark.subarray(0, bytes.length - at))) return at
    }
    return -1
  }
}
