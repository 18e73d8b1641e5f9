import type * as z from 'zod'
import type { EventFacts } from '../src/protocol/event-row.ts'
import { DEFAULT_PROFILE } from '../src/protocol/profiles.ts'
import type { EventDefinition, EventTable } from '../src/protocol/schemas/event-definition.ts'
import { makeCommonInputSchema } from '../src/protocol/schemas/input.ts'
import { EVENT_TABLES, RULE_TABLES } from '../src/protocol/schemas/tables.ts'
import { usual } from '../src/protocol/usual.ts'

/** The page of a profile's events: the table for people, and a section for each event. */
export function eventsPage(profile: string): string {
  const tables: Readonly<Record<string, EventTable>> = EVENT_TABLES
  const rows = Object.entries(tables[profile] ?? {})
  return [
    profile === DEFAULT_PROFILE.name ? '# Events' : `# Events of ${profile}`,
    '',
    `<!-- Generated from packages/hookline/src/protocol/schemas/events/${profile}.ts by \`npm run generate\`. -->`,
    '',
    `The \`${profile}\` profile has ${rows.length} events; ${others(profile)}.`,
    '',
    ...commonFields(profile, rows),
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

function others(profile: string): string {
  const links = Object.keys(EVENT_TABLES).flatMap((name) => {
    if (name === profile) return []
    return `[those of \`${name}\`](${name === DEFAULT_PROFILE.name ? 'events.md' : `events-${name}.md`})`
  })
  return `${links.join(', ')} are on a page of their own, and [classic and current](classic-and-current.md) compares them`
}

/** The fields that events have beside their own: all of them where the host knows them, and those that only some have. */
function commonFields(profile: string, rows: readonly (readonly [string, EventDefinition])[]): string[] {
  const rules = RULE_TABLES[profile as keyof typeof RULE_TABLES] // both have every profile
  const always = ['hook_event_name', 'session_id', 'cwd']
  const known = Object.keys(makeCommonInputSchema(rules).shape).filter(
    (field) => !always.includes(field) && field !== 'permission_mode',
  )
  const named = (fields: readonly string[]): string => fields.map((field) => `\`${field}\``).join(', ')
  const moded = rows.flatMap(([name, { permissionMode }]) => (permissionMode ? [link(name)] : []))
  return [
    `Every input also carries ${named(always)} and, where the host knows them, ${named(known)}. \`permission_mode\` is on`,
    `${moded.join(', ')}. Fields that are not known pass through untouched.`,
  ]
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
    `A block: ${row.onBlock}.${hookTypes(row)}`,
    ...(row.merges === 'exit-code' ? ['Only the exit code decides; a `decision` in JSON is not honoured.'] : []),
    ...unusual(row),
    '',
    ...(Object.keys(row.answer.shape).length > 0 ? fieldTable('under `hookSpecificOutput`', row.answer) : []),
  ]
}

/** Which types of hooks run, where not all do. */
function hookTypes({ hookTypes: types }: EventFacts): string {
  if (types === 'all') return ''
  const inFiles = types.filter((type) => type !== 'function')
  const last = inFiles.at(-1)
  return ` Only ${inFiles.length === 1 ? last : `${inFiles.slice(0, -1).join(', ')} and ${last}`} hooks run here.`
}

/** What an author may expect to be otherwise. */
function unusual(row: EventFacts): string[] {
  const { function: _inMemory, ...seconds } = row.seconds
  const times = Object.entries(seconds).map(([type, each]) => `${each} for ${type}`)
  const allSame = new Set(Object.values(seconds)).size === 1
  return [
    ...(row.canHalt ? [] : ['`continue: false` does nothing here.']),
    ...(row.systemMessageTo === 'user' ? [] : [MESSAGES[row.systemMessageTo]]),
    ...(row.takesIf ? ['Hooks may have a condition, `if`.'] : []),
    ...(row.matcherNames === usual.matcherNames
      ? []
      : [
          'In a list of names its matchers know bars alone; what has a comma, a space or a hyphen is a regular expression.',
        ]),
    ...(row.matchValue === usual.matchValue ? [] : [`Matchers see the last part of the path in \`${row.matchOn}\`.`]),
    ...(times.length === 0
      ? []
      : [`Without a \`timeout\` a hook may take ${allSame ? Object.values(seconds)[0] : times.join(', ')} seconds.`]),
    ...(row.secondsTogether === null ? [] : [`All hooks together may take ${row.secondsTogether} seconds.`]),
    ...(row.onTimeout === 'block' ? ['A hook that takes too long blocks.'] : []),
    ...(row.specificOnlyAtExit0 ? ['`hookSpecificOutput` counts with exit code 0 alone.'] : []),
  ]
}

const MESSAGES = {
  model: '`systemMessage` goes to the model.',
  none: '`systemMessage` is shown to no one.',
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
