import { HooklineError } from '../config/error.ts'
import type { EventInput } from '../protocol/event-input.ts'

/** An event as hooks get it: written once, however many read it. */
export class Payload {
  readonly #text: string
  #bytes: Buffer | undefined
  #copy: EventInput | undefined

  /** Throws a HooklineError for what JSON cannot write. */
  constructor(input: object) {
    this.#text = written(input)
  }

  /** What commands read from stdin. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(`${this.#text}\n`)
    return this.#bytes
  }

  /** What functions read: nobody can change it, and it shares nothing with the host. */
  get copy(): EventInput {
    this.#copy ??= frozen(JSON.parse(this.#text))
    return this.#copy as EventInput // just made from one
  }
}

/** Freezes a value of JSON all the way down; a loop, since a value may be nested deeper than calls can be. */
function frozen<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    Object.freeze(next)
    for (const inner of Object.values(next)) waiting.push(inner)
  }
  return value
}

function written(input: object): string {
  try {
    return JSON.stringify(input)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new HooklineError(`The event cannot be written as JSON: ${why}.`)
  }
}
