import { availableParallelism } from 'node:os'

/** Lets a bounded number of tasks run at a time, first come, first served. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count = Math.max(8, 2 * availableParallelism())) {
    this.#free = count
  }

  /** Runs a task when its turn comes. */
  run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free === 0)
      return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#hold(task))
    this.#free--
    return this.#hold(task)
  }

  #hold<T>(task: () => Promise<T>): Promise<T> {
    const running = task()
    running.then(this.#release, this.#release)
    return running
  }

  readonly #release = (): void => {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
