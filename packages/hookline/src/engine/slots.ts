import { availableParallelism } from 'node:os'

/** Lets a bounded number of tasks run at a time, first come, first served. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count = Math.max(8, 2 * availableParallelism())) {
    this.#free = count
  }

  /** Runs a task when its turn comes. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
