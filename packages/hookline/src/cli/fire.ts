import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { suggestion } from '../config/nearest.ts'
import { problemLine } from '../config/problem.ts'
import { errorCode } from '../config/read-file.ts'
import { type Engine, openEngine } from '../engine/engine.ts'
import { driverDefaults } from './driver-defaults.ts'
import { assignments, withFields } from './fields.ts'
import { ENGINE_FLAGS, ENGINE_USAGE, engineOptions, readArguments, UsageError } from './flags.ts'
import { recordText } from './record-text.ts'

export const usage = `hookline fire <Event> [field=value …] [--input FILE|-] [flags]

Dispatches one event to the configured hooks and prints what happened.
Fields are set by name, nested ones with dots; what is left out has a default.

  hookline fire PreToolUse tool_name=Bash tool_input.command='rm -rf /'
  hookline fire Stop stop_hook_active=true --json
  hookline fire PostToolUse --input event.json --trust

  --input FILE|-           the event as JSON, from a file or from stdin
${ENGINE_USAGE}
Exit codes: 0 nothing objected; 2 blocked, denied or halted; 1 a mistake in the
call or a settings file that cannot be read; 3 a fault of Hookline.
`

/** Runs `hookline fire`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...ENGINE_FLAGS, input: { type: 'string' } })
  const [event, ...fields] = positionals
  const options = engineOptions(values)
  const base = values.input === undefined ? undefined : await eventIn(values.input)
  const name = event ?? base?.hook_event_name
  if (typeof name !== 'string')
    throw new UsageError('which event? Give its name, or an --input with a "hook_event_name".')
  const row = options.profile?.events.get(name)
  if (!row) throw new UsageError(`"${name}" is not an event.${suggestion(name, options.profile?.events.keys() ?? [])}`)
  const input = withFields(row, base, assignments(fields))

  const engine = await openEngine(driverDefaults(options))
  return abortable(engine, async (signal) => {
    for (const problem of engine.problems) process.stderr.write(`${problemLine(problem)}\n`)
    const record = await engine.dispatch({ ...input, hook_event_name: row.name }, { signal })
    process.stdout.write(values.json ? `${JSON.stringify(record)}\n` : recordText(record))
    for (const delivery of await engine.drain()) process.stderr.write(`${JSON.stringify({ delivered: delivery })}\n`)
    if (record.decision.blocked || record.decision.halt) return 2
    return engine.problems.some(({ rule }) => rule === 'V-HK-01') ? 1 : 0
  })
}

/** Does something with an engine and closes it; an interrupt ends what runs first. */
export async function abortable(engine: Engine, act: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const code = await act(interrupted.signal)
    return interrupted.signal.aborted ? 130 : code
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await engine.close()
  }
}

async function eventIn(source: string): Promise<Record<string, unknown>> {
  const written = source === '-' ? await text(process.stdin) : await contentOf(source)
  const event = parsed(written, source)
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new UsageError(`${source} is no JSON object.`)
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
