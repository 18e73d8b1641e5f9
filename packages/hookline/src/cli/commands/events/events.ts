import { findProfileOfEvent } from '../../../protocol/auto/profile.ts'
import type { EventRow } from '../../../protocol/event-row.ts'
import { listTypesInFiles } from '../../../protocol/hook-fields.ts'
import type { Profile } from '../../../protocol/profile.ts'
import { findEventRow } from '../../input/event-argument.ts'
import { readProfileSchema } from '../../input/schemas.ts'
import { ENGINE_FLAGS, ENGINE_USAGE, readArguments, readProfilesInForce, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { formatColumns, indentText } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

export const usage = `hookline events [<Event>] [flags]

Shows the events; for one event its fields with an example input, what its hooks
can decide, who sees what, and what exit 2 does.

  hookline events
  hookline events PreToolUse
  hookline events --json

${ENGINE_USAGE}
Exit codes: 0; 1 a mistake in the call.
`

/** A field of an input or an answer, for showing. */
interface Field {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
}

interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

/** Runs `hookline events`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, ENGINE_FLAGS)
  const [name, extra] = positionals
  if (extra !== undefined) throw new UsageError(`"${extra}" is not expected here.`)
  const profile = (await readProfilesInForce(values)).project
  const terminal = openCommandTerminal(values)
  const row = name === undefined ? undefined : findEventRow(name, profile)
  if (values.json)
    printJson(row ? toEventJson(row, profile) : [...profile.events.values()].map((one) => toEventJson(one, profile)))
  else print(`${(row ? formatEvent(row, profile, terminal) : formatEventTable(profile, terminal)).join('\n')}\n`)
  return 0
}

function toEventJson(row: EventRow, profile: Profile): object {
  const { checkInput: _input, checkAnswer: _answer, rules: _rules, knownAnswerFields: _known, ...more } = row
  const { readings: _readings, ...facts } = more
  return {
    ...facts,
    input: listSchemaFields(facts.name, 'input', profile),
    answer: listSchemaFields(facts.name, 'answer', profile),
  }
}

function formatEventTable({ name, events, twin }: Profile, { width, paint }: Terminal): string[] {
  const rows = [...events.values()].map((row) => [row.name, row.matchOn ?? '-', row.canBlock ? 'yes' : 'no', row.when])
  return [
    paint.bold(`The ${events.size} events of ${twin ? `${name} and ${twin.name}` : `the ${name} profile`}`),
    '',
    ...formatColumns([['event', 'matched on', 'blocks', 'fires when'], ...rows], width),
    '',
    'hookline events <Event> shows one of them.',
  ]
}

const USUAL_FACTS = {
  verbose: 'is shown in the verbose view',
  context: 'becomes context for the model',
  instructions: 'is added to the compaction instructions',
  path: 'gives the path, in its last line',
}

const REASONS = { model: 'the model; the user sees it too', user: 'the user only', none: 'no one' }

const MESSAGES = { model: 'systemMessage goes to the model.', none: 'systemMessage goes to no one.' }

/** The types of the profile whose hooks have no say on an event. */
function listUnrunTypes({ hookTypes }: EventRow, { hookTypes: all }: Profile): string[] {
  const others = hookTypes === 'all' ? [] : listTypesInFiles(all).filter((type) => !hookTypes.includes(type))
  return others.length === 0 ? [] : [`${others.join(', ').replace(/, ([^,]*)$/, ' and $1')} hooks do not run here`]
}

function formatEvent(row: EventRow, profile: Profile, { width, paint }: Terminal): string[] {
  const formatEventSection = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint.bold(title), ...lines]
  const answers = listSchemaFields(row.name, 'answer', profile).filter(({ name }) => row.answerFields.includes(name))
  return [
    `${paint.bold(row.name)}  fires when: ${row.when}`,
    ...formatEventSection('Matcher', [
      indentText(
        row.matchOn === null ? 'It takes no matcher; a matcher is ignored.' : `It is tested against ${row.matchOn}.`,
        '  ',
        width,
      ),
      ...(row.values.length > 0 ? [indentText(`Known values: ${row.values.join(', ')}.`, '  ', width)] : []),
    ]),
    ...formatEventSection('Input', formatFields(listSchemaFields(row.name, 'input', profile), width)),
    ...formatEventSection(
      'Example',
      JSON.stringify({ hook_event_name: row.name, ...row.example }, null, 2)
        .split('\n')
        .map((line) => `  ${line}`),
    ),
    ...formatEventSection('What its hooks can decide', [
      ...(row.merges === 'block' ? ['  decision: "block" with a reason, at the top level'] : []),
      ...(row.merges === 'exit-code' ? ['  only exit code 2 blocks; a decision in JSON is not honoured'] : []),
      ...(row.merges === 'nothing' ? ['  nothing can be blocked here'] : []),
      ...formatFields(answers, width),
      row.canHalt ? '  continue: false halts the agent' : '  continue: false has no effect here',
    ]),
    ...formatEventSection('Who sees what', [
      indentText(`exit 2: ${row.onBlock}.`, '  ', width),
      ...(row.canBlock ? [indentText(`The reason of a block goes to ${REASONS[row.reasonTo]}.`, '  ', width)] : []),
      ...(row.systemMessageTo === 'user' ? [] : [indentText(MESSAGES[row.systemMessageTo], '  ', width)]),
      indentText(`Plain stdout of a hook that exits 0 ${USUAL_FACTS[row.plainStdout]}.`, '  ', width),
      indentText(
        row.blocksOn === 'any-failure'
          ? 'Every other exit code except 0 does the same as 2.'
          : 'Any other exit code blocks nothing; the first line of stderr goes to the user.',
        '  ',
        width,
      ),
    ]),
    ...formatEventSection('Limits', [
      ...listUnrunTypes(row, profile).map((line) => indentText(line, '  ', width)),
      ...(row.takesIf ? ['  an "if" on a hook is checked against the call'] : []),
      ...(row.component ? ['  can be used in the frontmatter of skills, agents and slash commands'] : []),
      ...(row.envFile ? ['  hooks may write variables into the file CLAUDE_ENV_FILE names'] : []),
    ]),
  ]
}

function formatFields(fields: readonly Field[], width: number): string[] {
  const rows = fields.map(({ name, type, required, description }) => [
    `  ${name}`,
    type,
    required ? 'required' : '',
    description,
  ])
  return formatColumns(rows, width)
}

/** The fields of an event's input, or of what its hooks may answer under `hookSpecificOutput`. */
function listSchemaFields(event: string, which: 'input' | 'answer', profile: Profile): Field[] {
  const text = readProfileSchema(`${event}.${which}`, findProfileOfEvent(profile, event).name)
  if (text === null) return [] // an event of a profile that the host made
  const whole: JsonSchema = JSON.parse(text)
  const schema = which === 'input' ? whole : whole.properties?.hookSpecificOutput
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    type: describeType(field),
    required: schema?.required?.includes(name) ?? false,
    description: field.description ?? '',
  }))
}

function describeType({ type, const: only, enum: values }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (values !== undefined) return values.join(' | ')
  return type ?? 'anything'
}
