import type * as z from 'zod'
import type { EventFacts } from '../src/protocol/event-row.ts'
import { listTypesInFiles } from '../src/protocol/hook-fields.ts'
import { FACTS_IN_WORDS, RULES_IN_WORDS } from '../src/protocol/in-words.ts'
import { KNOWN_HOOK_TYPES } from '../src/protocol/profiles.ts'
import type { EventDefinition } from '../src/protocol/schemas/event-definition.ts'
import { makeCommonInputSchema } from '../src/protocol/schemas/input.ts'
import { EVENT_TABLES, RULE_TABLES } from '../src/protocol/schemas/tables.ts'
import { type JsonSchema, jsonSchema } from './shapes.ts'

const { classic, current } = EVENT_TABLES
const old: Readonly<Record<string, EventDefinition>> = classic
const today: Readonly<Record<string, EventDefinition>> = current

/** `docs/classic-and-current.md`: the two profiles side by side, from their tables. */
export function profilesPage(): string {
  const added = Object.keys(today).filter((event) => !Object.hasOwn(old, event))
  const gone = Object.keys(old).filter((event) => !Object.hasOwn(today, event))
  const both = Object.keys(old).filter((event) => Object.hasOwn(today, event))
  return [
    '# classic and current',
    '',
    '<!-- Generated from the rules, events and hook types in packages/hookline/src/protocol by `npm run generate`. -->',
    '',
    '```sh',
    'hookline profile                         # which one is in force, and who chose it',
    'hookline profile current                 # chooses it for this project',
    "hookline validate --profile current      # what would be wrong with today's files",
    '```',
    '',
    'A *profile* is a version of the hooks protocol. `current` is what Claude Code runs today; `classic` is the older protocol with its 14 events, which many other agents',
    `speak, and with expressions as matchers. Where no one chose, hooks are read both ways and the stricter outcome counts ([configuration](configuration.md#no-profile-chosen)). In a host, \`openEngine({ profile: 'current' })\` chooses.`,
    'Most hooks run unchanged under both: a program that exits with 2 to block, or prints an answer and exits with 0, means the same. This page has everything that differs.',
    '',
    '## Rules',
    '',
    ...ruleSections(),
    '## Events',
    '',
    ...(gone.length > 0 ? [`Only \`classic\` has ${gone.map((event) => `\`${event}\``).join(', ')}.`, ''] : []),
    `[${Object.keys(old).length} events](events.md) of \`classic\`, [${Object.keys(today).length}](events-current.md) of \`current\`. Only \`current\` has:`,
    '',
    '| event | fires when |',
    '|---|---|',
    ...added.map((event) => `| [${event}](events-current.md#${event.toLowerCase()}) | ${today[event]?.when} |`),
    '',
    ...both.flatMap(eventSection),
    '## Hook types',
    '',
    '[Hook types](hook-types.md) has every field with its meaning.',
    '',
    '| type | fields of `classic` | fields of `current` |',
    '|---|---|---|',
    ...typeRows(),
    '',
  ].join('\n')
}

interface Leaf {
  readonly about: string
  readonly says: Readonly<Record<string, string>> | ((value: never) => string)
}

/** Rules that belong together, by their names. */
interface Group {
  readonly about: string
}

/** One table a group of rules; those that belong to no group come last. */
function ruleSections(): string[] {
  const rules = Object.entries<Leaf | Group>({ ...RULES_IN_WORDS })
  return [
    ...rules.flatMap(([rule, words]) => (isLeaf(words) ? [] : groupTables(words, [rule]))),
    '### All else',
    '',
    ...HEAD,
    ...rules.flatMap(([rule, words]) => (isLeaf(words) ? ruleRow(words, [rule]) : [])),
    '',
  ]
}

const HEAD = ['| | `classic` | `current` |', '|---|---|---|']

/** The table of a group, then those of the groups in it. */
function groupTables(group: Group, path: readonly string[]): string[] {
  const { about, ...rules } = group
  const parts = Object.entries<Leaf | Group>({ ...rules })
  return [
    `### ${about}`,
    '',
    ...HEAD,
    ...parts.flatMap(([name, part]) => (isLeaf(part) ? ruleRow(part, [...path, name]) : [])),
    '',
    ...parts.flatMap(([name, part]) => (isLeaf(part) ? [] : groupTables(part, [...path, name]))),
  ]
}

function isLeaf(words: Leaf | Group): words is Leaf {
  return 'says' in words
}

function ruleRow(leaf: Leaf, path: readonly string[]): string {
  const [of, to] = [RULE_TABLES.classic, RULE_TABLES.current].map((rules) => said(leaf, at(rules, path)))
  return `| ${leaf.about} | ${of} | ${of === to ? 'the same' : to} |`
}

/** The words for a value. */
function said({ says }: Leaf, value: unknown): string {
  if (typeof says === 'function') return says(value as never) // the words of a rule take its values
  return says[String(value)] ?? String(value)
}

function at(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value
  return at((value as Readonly<Record<string, unknown>>)[first], rest) // the words have the form of the rules
}

/** What differs about an event that both have. */
function eventSection(event: string): string[] {
  const [before, after] = [old[event], today[event]]
  if (before === undefined || after === undefined) return []
  const canBlock = before.merges !== 'nothing' || after.merges !== 'nothing'
  const facts = Object.entries(FACTS_IN_WORDS).flatMap(([fact, words]) => {
    if (words === null || (!canBlock && OF_BLOCKS.has(fact))) return []
    const [of, to] = [before, after].map((row) => said(words, row[fact as keyof EventFacts])) // its own key
    return [[words.about, of, to]]
  })
  const rows = [
    ...facts,
    ...fieldRows('own input fields', before.input, after.input),
    ...fieldRows('under `hookSpecificOutput`', before.answer, after.answer),
  ].filter(([, of, to]) => of !== to)
  if (rows.length === 0) return []
  return [`### ${event}`, '', ...HEAD, ...rows.map((cells) => `| ${cells.join(' | ')} |`), '']
}

/** Facts that say nothing about an event that cannot be blocked. */
const OF_BLOCKS = new Set<string>(['reasonTo', 'noReason', 'reasonRequired'] satisfies (keyof EventFacts)[])

/** The fields that only one of two has, then those that both have and that may hold something else. */
function fieldRows(about: string, ...schemas: readonly [z.ZodObject, z.ZodObject]): string[][] {
  const [before, after] = schemas.map(fieldsOf) as [Fields, Fields] // one for each
  const own = (fields: Fields, other: Fields): string => {
    const names = Object.keys(fields).filter((name) => !Object.hasOwn(other, name))
    return names.length === 0 ? '' : `has ${names.map((name) => `\`${name}\``).join(', ')} too`
  }
  const shared = Object.keys(before).filter((name) => Object.hasOwn(after, name))
  return [
    [about, own(before, after), own(after, before)],
    ...shared.map((name) => [`\`${name}\``, before[name] ?? '', after[name] ?? '']),
  ]
}

/** What each field of a schema may hold, but for the fields of every event. */
type Fields = Readonly<Record<string, string>>

/** What every event of either profile may have. */
const OF_ANY_EVENT = new Set(
  Object.values(RULE_TABLES).flatMap((rules) => Object.keys(makeCommonInputSchema(rules).shape)),
)

function fieldsOf(schema: z.ZodObject): Fields {
  const { properties = {}, required = [] } = jsonSchema(schema)
  const own = Object.entries(properties).filter(([name]) => !OF_ANY_EVENT.has(name))
  return Object.fromEntries(
    own.map(([name, field]) => [name, `${valuesOf(field)}${required.includes(name) ? ', required' : ''}`]),
  )
}

function valuesOf({ type, enum: values, anyOf }: JsonSchema): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  if (anyOf) return anyOf.map(valuesOf).join(' or ')
  return [type ?? 'anything'].flat().join(' or ')
}

function typeRows(): string[] {
  const [before = {}, after = {}] = [KNOWN_HOOK_TYPES.classic, KNOWN_HOOK_TYPES.current]
  const types = new Set([...listTypesInFiles(before), ...listTypesInFiles(after)])
  const fields = (table: typeof before, type: string): string =>
    Object.keys(table[type]?.fields ?? {})
      .map((field) => `\`${field}\``)
      .join(', ') || 'not a type'
  return [...types].map(
    (type) => `| [\`${type}\`](hook-types.md#${type}) | ${fields(before, type)} | ${fields(after, type)} |`,
  )
}
