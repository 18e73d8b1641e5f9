import { HooklineError } from '../files/error.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { jsonText } from '../text/json-text.ts'
import { plainCopy } from './plain-copy.ts'

/** An event as hooks get it: written once, however many read it. */
export class Payload {
  readonly #input: object
  #text: string | undefined
  #bytes: Buffer | undefined
  #copy: EventInput | undefined

  /** Throws a HooklineError for what JSON cannot write. An event that functions alone read need not be written for it. */
  constructor(input: object, { onlyFunctions }: { onlyFunctions: boolean }) {
    this.#input = input
    if (onlyFunctions) this.#copy = plainCopy(input) as EventInput | undefined // the input is one
    if (this.#copy === undefined) this.#text = written(input)
  }

  /** What commands read from stdin. */
  get line(): string {
    return `${this.#written}\n`
  }

  /** The same in UTF-8. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.line)
    return this.#bytes
  }

  /** What functions read: nobody can change it, and it shares nothing with the host. */
  get copy(): EventInput {
    this.#copy ??= frozen(JSON.parse(this.#written))
    return this.#copy as EventInput // just made from one
  }

  get #written(): string {
    this.#text ??= written(this.#input)
    return this.#text
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
    return jsonText(input)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new HooklineError(`The event cannot be written as JSON: ${why}.`)
  }
}
