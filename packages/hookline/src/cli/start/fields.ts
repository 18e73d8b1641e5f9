import type { EventRow } from '../../protocol/event-row.ts'
import { UsageError } from './flags.ts'

/** A field as it stands on the command line. */
interface Assignment {
  readonly path: readonly string[]
  readonly text: string
}

type Fields = Record<string, unknown>

/** Deeper fields are a slip of the hand. */
const DEEPEST = 64

/** Reads `name=value` and `outer.inner=value`. */
export function assignments(words: readonly string[]): Assignment[] {
  return words.map((word) => {
    const at = word.indexOf('=')
    const path = word.slice(0, Math.max(0, at)).split('.')
    if (at < 1) throw new UsageError(`"${word}" is no field=value.`)
    if (path.length > DEEPEST || path.includes('')) throw new UsageError(`"${word.slice(0, 60)}" names no field.`)
    return { path, text: word.slice(at + 1) }
  })
}

/** An event's input: what is given, on top of a whole input or of the event's example. */
export function withFields(row: EventRow, base: Fields | undefined, given: readonly Assignment[]): Fields {
  const start = base ?? exampleFor(row, given)
  const read = given.reduce((input, { path, text }) => assign(input, path, readValue(text)), start)
  const mustBeText = row.checkInput({ ...read, hook_event_name: row.name }).filter(({ kind }) => kind === 'string')
  const asText = given.filter(({ path }) => mustBeText.some((misfit) => misfit.path.join('.') === path.join('.')))
  return asText.reduce((input, { path, text }) => assign(input, path, text), read)
}

/** The example's fields, less those that would not fit what is given. */
function exampleFor({ example, matchOn }: EventRow, given: readonly Assignment[]): Fields {
  const names = new Set(given.map(({ path }) => path[0]))
  const other = matchOn !== null && given.some(({ path, text }) => path[0] === matchOn && text !== example[matchOn])
  const kept = Object.entries(example).filter(
    ([name, value]) => !names.has(name) && !(other && typeof value === 'object'),
  )
  return Object.fromEntries(kept)
}

/** JSON where it is JSON, else text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // most values are plain words
  }
}

function assign(target: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  if (rest.length === 0) return { ...target, [name]: value }
  const inner = target[name]
  const fields = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Fields) : {} // an object
  return { ...target, [name]: assign(fields, rest, value) }
}
