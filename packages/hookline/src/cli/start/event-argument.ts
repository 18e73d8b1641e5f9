import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../files/read.ts'
import type { EventInput } from '../../protocol/event-input.ts'
import { suggestion } from '../../text/nearest.ts'
import { assignments, withFields } from './fields.ts'
import { profileOf, UsageError } from './flags.ts'

/** The flag that names an input, for commands that take an event. */
export const INPUT_FLAGS = { input: { type: 'string' } } as const

export const INPUT_USAGE = `  --input FILE|-           the event as JSON, from a file or from stdin
`

/** The event that a call means: its name, fields on top of an input or of the event's example. */
export async function eventInput(
  [name, ...words]: readonly string[],
  flags: { readonly input?: string | undefined; readonly profile?: string | undefined },
): Promise<EventInput> {
  const base = flags.input === undefined ? undefined : await eventIn(flags.input)
  const event = name ?? base?.hook_event_name
  if (typeof event !== 'string')
    throw new UsageError('which event? Give its name, or an --input with a "hook_event_name".')
  const { events } = profileOf(flags.profile)
  const row = events.get(event)
  if (!row) throw new UsageError(`"${event}" is not an event.${suggestion(event, events.keys())}`)
  return { ...withFields(row, base, assignments(words)), hook_event_name: row.name }
}

async function eventIn(source: string): Promise<Record<string, unknown>> {
  const written = source === '-' ? await text(process.stdin) : await contentOf(source)
  const event = parsed(written, source)
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new UsageError(`${source} is no JSON object.`)
  }
  return event as Record<string, unknown> // an object
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${errorCode(error)}).`)
  }
}

function parsed(json: string, source: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${error instanceof Error ? error.message : error}.`)
  }
}
