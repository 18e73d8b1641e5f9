import type * as z from 'zod'
import type { EventDefinition } from '../src/protocol/event-definition.ts'
import { DEFAULT_PROFILE } from '../src/protocol/profiles.ts'
import { DEFAULT_EVENTS } from '../src/protocol/tables.ts'

/** `docs/events.md`: the table for people, and a section for each event. */
export function eventsPage(): string {
  const rows = Object.entries<EventDefinition>(DEFAULT_EVENTS)
  return [
    '# Events',
    '',
    `<!-- Generated from packages/hookline/src/protocol/${DEFAULT_PROFILE.name}/events.ts by \`npm run generate\`. -->`,
    '',
    `The \`${DEFAULT_PROFILE.name}\` profile has ${rows.length} events. Every input also carries \`hook_event_name\`, \`session_id\`, \`cwd\` and, where`,
    'the host knows them, `transcript_path`, `permission_mode` and `agent_id`. Fields nobody knows pass through untouched.',
    '',
    '| event | fires when | matcher is tested against | exit 2 | plain stdout | frontmatter |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ([name, row]) =>
        `| ${[link(name), row.when, matchedOn(row), row.onBlock, stdout(row), component(row)].join(' | ')} |`,
    ),
    '',
    ...rows.flatMap(([name, row]) => section(name, row)),
  ].join('\n')
}

function section(name: string, row: EventDefinition): string[] {
  return [
    `## ${name}`,
    '',
    `Fires when: ${row.when}.`,
    '',
    '```json',
    JSON.stringify({ hook_event_name: name, ...row.example }, null, 2),
    '```',
    '',
    ...fieldTable('own input field', row.input),
    ...(row.values.length > 0
      ? [`Values of \`${row.matchOn}\` known today: ${row.values.map((value) => `\`${value}\``).join(', ')}.`, '']
      : []),
    `A block: ${row.onBlock}.${row.hookTypes !== 'all' ? ' Prompt and agent hooks do not run here.' : ''}`,
    ...(row.merges === 'exit-code' ? ['Only the exit code decides; a `decision` in JSON is not honoured.'] : []),
    '',
    ...(Object.keys(row.answer.shape).length > 0 ? fieldTable('under `hookSpecificOutput`', row.answer) : []),
  ]
}

function fieldTable(title: string, schema: z.ZodObject): string[] {
  const lines = Object.entries(schema.shape).map(([field, type]) => {
    const { description } = type.meta() ?? {}
    return `| \`${field}\` | ${type.safeParse(undefined).success ? 'no' : 'yes'} | ${typeof description === 'string' ? description : ''} |`
  })
  return [`| ${title} | required | meaning |`, '|---|---|---|', ...lines, '']
}

const link = (name: string): string => `[${name}](#${name.toLowerCase()})`
const matchedOn = ({ matchOn }: EventDefinition): string => (matchOn === null ? '(none)' : `\`${matchOn}\``)
const component = (row: EventDefinition): string => (row.component ? 'yes' : 'no')

const STDOUT = {
  verbose: 'verbose view',
  context: 'context for the model',
  instructions: 'compaction instructions',
  path: 'the path, in its last line',
}
const stdout = (row: EventDefinition): string => STDOUT[row.plainStdout]
