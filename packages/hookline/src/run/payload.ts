import { HooklineError } from '../files/error.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { stringifyAsWritten } from '../text/written-json.ts'

/** Deeper values are left to the way over JSON, which needs no calls for depth. */
const MAX_COPY_DEPTH = 50

/** An event as hooks get it: written once, however many read it. */
export class Payload {
  readonly #input: object
  #text: string | undefined
  #line: string | undefined
  #bytes: Buffer | undefined
  #copy: EventInput | undefined

  /** Throws a HooklineError for what JSON cannot write. An event that functions alone read need not be written for it. */
  constructor(input: object, { onlyFunctions }: { onlyFunctions: boolean }) {
    this.#input = input
    if (onlyFunctions) this.#copy = copyPlain(input) as EventInput | undefined // the input is one
    if (this.#copy === undefined) this.#text = stringifyInput(input)
  }

  /** Line that commands read from stdin. */
  get line(): string {
    this.#text ??= stringifyInput(this.#input)
    this.#line ??= `${this.#text}\n`
    return this.#line
  }

  /** The same in UTF-8. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.line)
    return this.#bytes
  }

  /** Copy that functions read: it cannot be changed, and it shares nothing with the host. */
  get copy(): EventInput {
    this.#copy ??= freezeDeep(JSON.parse(this.line))
    return this.#copy as EventInput // just made from one
  }
}

/** Freezes a value of JSON all the way down; a loop, since a value may be nested deeper than calls can be. */
function freezeDeep<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    Object.freeze(next)
    for (const inner of Object.values(next)) waiting.push(inner)
  }
  return value
}

function stringifyInput(input: object): string {
  try {
    return stringifyAsWritten(input)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new HooklineError(`The event cannot be written as JSON: ${why}.`)
  }
}

/**
 * Copies a value as if it was written as JSON and read again, frozen all the way down. Quicker than that way, but for
 * plain data alone: undefined when something in it is anything else.
 */
function copyPlain<Value extends object>(value: Value): Value | undefined {
  return copyValue(value, 0) as Value | undefined // of the same shape
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null // JSON knows no -0
  if (typeof value !== 'object' || depth > MAX_COPY_DEPTH || 'toJSON' in value) return undefined
  return Array.isArray(value) ? copyList(value, depth) : copyObject(value, depth)
}

function copyList(list: readonly unknown[], depth: number): readonly unknown[] | undefined {
  const copy: unknown[] = []
  for (const item of list) {
    const one = copyValue(item, depth + 1)
    if (one === undefined) return undefined
    copy.push(one)
  }
  return Object.freeze(copy)
}

function copyObject(value: object, depth: number): object | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const fields = value as Record<string, unknown> // an object without a class
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const field = name === '__proto__' ? undefined : copyValue(fields[name], depth + 1)
    if (field === undefined) return undefined
    copy[name] = field
  }
  return Object.freeze(copy)
}
