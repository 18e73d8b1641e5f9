import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { loadProfiles, type ProfileChoices } from '../../config/profile-choice.ts'
import { makeProfileSource } from '../../engine/profiles.ts'
import { readErrorCode } from '../../files/read.ts'
import type { EventInput } from '../../protocol/event-input.ts'
import type { EventRow } from '../../protocol/event-row.ts'
import { describeUnknownEvent } from '../../protocol/other-profiles.ts'
import type { Profile } from '../../protocol/profile.ts'
import { findNearest } from '../../text/nearest.ts'
import { UsageError } from '../start/flags.ts'

/** The flag that names an input, for commands that take an event. */
export const INPUT_FLAGS = { input: { type: 'string' } } as const

export const INPUT_USAGE = `  --input FILE|-           the event as JSON, from a file or from stdin
`

/** A field as it stands on the command line. */
interface Assignment {
  readonly path: readonly string[]
  readonly text: string
}

type EventFields = Record<string, unknown>

/** Deeper fields are a slip of the hand. */
const MAX_ARGUMENT_DEPTH = 64

/** The event that a call means: its name, fields on top of an input or of the event's example. */
export async function readEventInput(
  [name, ...words]: readonly string[],
  flags: { readonly input?: string | undefined },
  choices: ProfileChoices,
): Promise<EventInput> {
  const base = flags.input === undefined ? undefined : await readEventFile(flags.input)
  const event = name ?? base?.hook_event_name
  if (typeof event !== 'string')
    throw new UsageError('which event? Give its name, or an --input with a "hook_event_name".')
  const row = findEventRow(event, await listEventsUnder(choices))
  const given = parseAssignments(words)
  for (const [field = '', inner] of given.map(({ path }) => path)) {
    refuseMisspelt(field, row.inputFields, row.name)
    const known = base === undefined && !isOtherThanExample(row, given) ? row.example[field] : undefined
    if (inner !== undefined && typeof known === 'object' && known !== null)
      refuseMisspelt(inner, Object.keys(known), `${field} of ${row.name}`)
  }
  return { ...withFields(row, base, given), hook_event_name: row.name }
}

/** A field that no event has goes to the hooks as it is; one that is nearly right is a slip, and would fire another event than was meant. */
function refuseMisspelt(field: string, known: readonly string[], where: string): void {
  const near = known.includes(field) ? undefined : findNearest(field, known)
  if (near === undefined) return
  throw new UsageError(
    `${where} has no field "${field}". Did you mean "${near}"? What is really called so goes into an --input.`,
  )
}

/** Every event that can be fired where these profiles are in force; of one that both have, the row of the user's. */
export async function listEventsUnder(choices: ProfileChoices): Promise<Pick<Profile, 'name' | 'events'>> {
  const { own, project } = await loadProfiles(choices, makeProfileSource(undefined))
  if (project === own || project === own.twin) return own
  return { name: own.name, events: new Map([...project.events, ...own.events]) }
}

/** The row of an event that the user named. */
export function findEventRow(name: string | undefined, profile: Pick<Profile, 'name' | 'events'>): EventRow {
  if (name === undefined) throw new UsageError('for which event? hookline events lists them.')
  const row = profile.events.get(name)
  if (!row) throw new UsageError(describeUnknownEvent(name, profile))
  return row
}

async function readEventFile(source: string): Promise<Record<string, unknown>> {
  const written = source === '-' ? await text(process.stdin) : await readContent(source)
  const event = parseEventJson(written, source)
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new UsageError(`${source} is not a JSON object.`)
  }
  return event as Record<string, unknown> // an object
}

async function readContent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${readErrorCode(error)}).`)
  }
}

function parseEventJson(json: string, source: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${error instanceof Error ? error.message : error}.`)
  }
}

/** Reads `name=value` and `outer.inner=value`. */
export function parseAssignments(words: readonly string[]): Assignment[] {
  return words.map((word) => {
    const at = word.indexOf('=')
    const path = word.slice(0, Math.max(0, at)).split('.')
    if (at < 1) throw new UsageError(`"${word}" is not of the form field=value.`)
    if (path.length > MAX_ARGUMENT_DEPTH || path.includes(''))
      throw new UsageError(`"${word.slice(0, 60)}" does not name a field.`)
    return { path, text: word.slice(at + 1) }
  })
}

/** An event's input: what is given, on top of a whole input or of the event's example. */
export function withFields(row: EventRow, base: EventFields | undefined, given: readonly Assignment[]): EventFields {
  if (given.length === 0) return base ?? row.example
  const start = base ?? makeExample(row, given)
  const read = given.reduce((input, { path, text }) => assign(input, path, readValue(text)), start)
  const mustBeText = row.checkInput({ ...read, hook_event_name: row.name }).filter(({ kind }) => kind === 'string')
  const asText = given.filter(({ path }) => mustBeText.some((misfit) => misfit.path.join('.') === path.join('.')))
  return asText.reduce((input, { path, text }) => assign(input, path, text), read)
}

/** The example's fields, less those that would not fit what is given. */
function makeExample(row: EventRow, given: readonly Assignment[]): EventFields {
  const names = new Set(given.map(({ path }) => path[0]))
  const other = isOtherThanExample(row, given)
  const kept = Object.entries(row.example).filter(
    ([name, value]) => !names.has(name) && !(other && typeof value === 'object'),
  )
  return Object.fromEntries(kept)
}

/** True if what is given is about another tool than the example, or another value of what matchers see. */
function isOtherThanExample({ example, matchOn }: EventRow, given: readonly Assignment[]): boolean {
  return matchOn !== null && given.some(({ path, text }) => path[0] === matchOn && text !== example[matchOn])
}

/** JSON where it is JSON, else text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // most values are plain words
  }
}

function assign(target: EventFields, [name = '', ...rest]: readonly string[], value: unknown): EventFields {
  if (rest.length === 0) return { ...target, [name]: value }
  const inner = target[name]
  const fields = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as EventFields) : {} // an object
  return { ...target, [name]: assign(fields, rest, value) }
}
