import { inspect } from 'node:util'

/** Tools may give anything: what JSON cannot write becomes text. */
export function asJson(output: unknown): unknown {
  try {
    JSON.stringify(output)
    return output
  } catch {
    return inspect(output) // it refers to itself, or holds what JSON has no word for
  }
}
