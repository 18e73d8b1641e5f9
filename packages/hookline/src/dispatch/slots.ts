import { availableParallelism } from 'node:os'
import type { StopSignal } from '../run/stop-signal.ts'
import { VERSION } from '../text/version.ts'

/** Lets a bounded number of tasks run at a time, first come, first served. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count = Math.max(8, 2 * availableParallelism())) {
    this.#free = count
  }

  /** Runs a task when its turn comes, or at once when `stop` stops: a task that is called off does not wait for others. */
  run<T>(task: () => Promise<T>, stop?: StopSignal): Promise<T> {
    if (this.#free === 0) return this.#turn(stop).then((hasSlot) => (hasSlot ? this.#hold(task) : task()))
    this.#free--
    const running = task()
    running.then(this.#release, this.#release)
    return running
  }

  /** Resolves with true when a slot is there for this task, with false when its `stop` stops before. */
  #turn(stop: StopSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = (): void => {
        stopListening?.()
        resolve(true)
      }
      this.#waiting.add(begin)
      const stopListening = stop?.listen(() => {
        this.#waiting.delete(begin)
        resolve(false)
      })
    })
  }

  #hold<T>(task: () => Promise<T>): Promise<T> {
    const running = task()
    running.then(this.#release, this.#release)
    return running
  }

  readonly #release = (): void => {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

/** Room for the processes of all sessions of this host: a server has many, and a burst of events must not start them all at once. */
export interface HostSlots {
  readonly waitedFor: Slots
  /** Hooks in the background may run for hours, and have room of their own. */
  readonly background: Slots
}

/** A process may have loaded this package twice: copies of one version share the room. */
const SHARED = Symbol.for(`hookline host slots ${VERSION}`)
const shared = globalThis as { [SHARED]?: HostSlots } // nothing else has this symbol

/** The room of this host. */
export function findHostSlots(): HostSlots {
  shared[SHARED] ??= makeHostSlots()
  return shared[SHARED]
}

function makeHostSlots(): HostSlots {
  const count = Math.max(32, 8 * availableParallelism())
  return { waitedFor: new Slots(count), background: new Slots(count) }
}
