import { findProfileOfEvent } from '../../../protocol/auto/profile.ts'
import type { Profile } from '../../../protocol/profile.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { toProgramText } from '../../../text/program-text.ts'
import { RECORD_SCHEMA, readProfileSchema, readSharedRecordSchema } from '../../input/schemas.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  readArguments,
  readProfilesInForce,
  refusePositionals,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printForProgram, printJson } from '../../start/print.ts'
import { formatColumns } from '../../view/layout.ts'

export const usage = `hookline schema [settings|record|hook-test|<Event>] [flags]

Prints a JSON Schema: of a settings file, of a dispatch record, of a file of
cases, of an event's input, or of what its hooks may answer. Without a name it
lists them. The schema of records fits those of every profile, unless one was
chosen: then it fits the records of that profile alone.

  hookline schema
  hookline schema settings > settings.schema.json
  hookline schema PreToolUse
  hookline schema PreToolUse --answer
  hookline schema settings --profile current
  hookline schema record --profile classic

  --answer                 what hooks of the event may answer
${ENGINE_USAGE}
Exit codes: 0; 1 a mistake in the call.
`

const SINGLE: Readonly<Record<string, string>> = {
  settings: 'a settings file, as far as hooks are concerned',
  record: 'what the engine says about an event (--json)',
  'hook-test': 'a file of cases for hookline test',
}

/** Runs `hookline schema`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...ENGINE_FLAGS, answer: { type: 'boolean' } })
  const [name, ...rest] = positionals
  refusePositionals(rest)
  const inForce = (await readProfilesInForce(values)).project
  const { events } = inForce
  const names = [...Object.keys(SINGLE), ...events.keys()]
  if (name === undefined) {
    const rows = names.map((one) => [one, SINGLE[one] ?? `an event: its input, and with --answer its answer`])
    const { width } = openCommandTerminal(values)
    if (values.json) printJson(names)
    else print(`${formatColumns(rows, width).join('\n')}\n`)
    return 0
  }
  if (!names.includes(name)) throw new UsageError(`there is no schema "${name}".${formatSuggestion(name, names)}`)
  if (values.answer && !events.has(name)) throw new UsageError(`--answer is for events; "${name}" is not one.`)
  const file = events.has(name) ? `${name}.${values.answer ? 'answer' : 'input'}` : name
  const profile = findSchemaOwner(inForce, name)
  const isOfAll = name === RECORD_SCHEMA && inForce.twin !== undefined
  const text = isOfAll ? readSharedRecordSchema() : readProfileSchema(file, profile)
  if (text === null) throw new TypeError(`the schema of ${file} of ${profile} is not in the package`)
  printForProgram(toProgramText(text))
  return 0
}

/** The profile whose schema is meant: that of the event; of settings that no one chose a profile for, the one of Claude Code. */
function findSchemaOwner(profile: Profile, name: string): string {
  if (profile.events.has(name)) return findProfileOfEvent(profile, name).name
  return profile.twin === undefined ? profile.name : CLAUDE_CODE_PROFILE
}
