import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

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
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
  }

  /**
   * Milliseconds, as the program measured them itself.
   * @param {string} line
   */
  async ask(line) {
    this.#child.stdin.write(`${line}\n`)
    const { value } = await this.#lines.next()
    if (Number.isNaN(Number.parseFloat(value))) throw new Error(`${this.#child.spawnfile} said ${value} to "${line}"`)
    return Number(value)
  }

  close() {
    this.#child.stdin.end()
  }
}
