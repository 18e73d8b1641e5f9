import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The longest wait for an answer, in milliseconds; the first one includes the start of the program. */
const PROGRAM_TIMEOUT_MS = 120_000

/** A program that reads a line, does what it says, and prints how many milliseconds that took. */
export class TimedProgram {
  #child
  #lines

  /**
   * @param {string} file
   * @param {readonly string[]} args
   */
  constructor(file, args) {
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdin.on('error', () => {}) // a program that has ended gives no answer either
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
  }

  /**
   * Milliseconds, as the program measured them itself.
   * @param {string} line
   */
  async ask(line) {
    this.#child.stdin.write(`${line}\n`)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), PROGRAM_TIMEOUT_MS)
    const { value } = await this.#lines.next()
    clearTimeout(timer)
    if (Number.isNaN(Number.parseFloat(value)))
      throw new Error(`${this.#child.spawnargs.join(' ')} said ${value} to "${line}"`)
    return Number(value)
  }

  close() {
    this.#child.stdin.end()
  }
}
