import { HooklineError } from '../config/error.ts'
import type { EventInput } from '../protocol/event-input.ts'

/** An event as hooks get it: written once, however many read it. */
export class Payload {
  /** What commands read from stdin. */
  readonly bytes: Buffer
  #copy: EventInput | undefined

  /** Throws a HooklineError for what JSON cannot write. */
  constructor(input: object) {
    this.bytes = Buffer.from(`${written(input)}\n`)
  }

  /** What functions read: nobody can change it, and it shares nothing with the host. */
  get copy(): EventInput {
    this.#copy ??= JSON.parse(this.bytes.toString('utf8'), (_key, value: unknown) => Object.freeze(value))
    return this.#copy as EventInput // just made from one
  }
}

function written(input: object): string {
  try {
    return JSON.stringify(input)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new HooklineError(`The event cannot be written as JSON: ${why}.`)
  }
}
