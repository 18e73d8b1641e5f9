import { listAnswerFields } from '../src/protocol/schemas/compile.ts'
import type { EventDefinition } from '../src/protocol/schemas/event-definition.ts'
import { EVENT_TABLES } from '../src/protocol/schemas/tables.ts'
import { jsonSchema } from './shapes.ts'

/** Answers that a field under `hookSpecificOutput` stands for, as the Python package has them. */
const OF_FIELDS: Readonly<Record<string, readonly string[]>> = {
  additionalContext: ['Context'],
  updatedInput: ['Rewrite'],
  updatedToolOutput: ['ReplaceOutput'],
  updatedMCPToolOutput: ['ReplaceOutput'],
  sessionTitle: ['SessionTitle'],
  initialUserMessage: ['InitialUserMessage'],
  watchPaths: ['WatchPaths'],
  reloadSkills: ['ReloadSkills'],
  classifierContext: ['ClassifierContext'],
  displayContent: ['DisplayContent'],
  retry: ['Retry'],
  action: ['Accept', 'Decline', 'Cancel'],
}
const OF_STDOUT: Readonly<Record<string, readonly string[]>> = {
  instructions: ['Instructions'],
  path: ['WorktreePath'],
}
const OF_MERGES: Readonly<Record<string, readonly string[]>> = {
  permission: ['Allow', 'Deny', 'Ask'],
  dialog: ['Allow', 'Deny'],
  block: ['Block'],
  'exit-code': ['Block'],
  nothing: [],
}

const MARK = '"""Generated from the event tables by `npm run generate`."""'

/** An event of any profile: a hook in Python may run under each of them. */
interface JoinedEvent {
  readonly name: string
  readonly rows: readonly EventDefinition[]
}

function joinedEvents(): JoinedEvent[] {
  const tables = Object.values(EVENT_TABLES).map((table): Readonly<Record<string, EventDefinition>> => table)
  const names = [...new Set(tables.flatMap((table) => Object.keys(table)))]
  return names.map((name) => ({
    name,
    rows: tables.flatMap((table) => (table[name] === undefined ? [] : [table[name]])),
  }))
}

/** The source of `_events.py`: the names of events as literals. */
export function pythonEventNames(): string {
  const names = joinedEvents().map(({ name }) => `    "${name}",`)
  return [MARK, '', 'from typing import Literal', '', 'EventName = Literal[', ...names, ']', ''].join('\n')
}

/** The source of `hook.py`: a class and a decorator for each event, with the answers that it knows. */
export function pythonHookModule(): string {
  const events = joinedEvents()
  const answers = [...new Set(events.flatMap(answersOf))].sort()
  const functions = answers.map(snake)
  return [
    '"""Hooks in Python: a function for an event makes the program a hook.',
    '',
    'Generated from the event tables by `npm run generate`.',
    '"""',
    '',
    'from __future__ import annotations',
    '',
    'from ._answers import (',
    ...[...answers, ...functions].map((name) => `    ${name} as ${name},`),
    ')',
    'from ._hook_run import Event as Event',
    'from ._hook_run import register as _register',
    '',
    'TYPE_CHECKING = False',
    'if TYPE_CHECKING:',
    '    from typing import Any, Awaitable, Callable, Dict, List, Optional, Union',
    '',
    ...events.map((event) => {
      const known = answersOf(event)
      const answer = known.length === 0 ? 'None' : `Union[${[...known, 'None'].join(', ')}]`
      return `    ${event.name}Handler = Callable[["${event.name}"], Union[${answer}, Awaitable[${answer}]]]`
    }),
    '',
    ...events.flatMap((event) => [...eventClass(event), '']),
    ...events.flatMap((event) => [...decorator(event), '']),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

function answersOf({ rows }: JoinedEvent): string[] {
  const known = rows.flatMap((row) => [
    ...(OF_MERGES[row.merges] ?? []),
    ...(wordsOf(row).includes('defer') ? ['Defer'] : []),
    ...listAnswerFields(row).flatMap((field) => (Object.hasOwn(OF_FIELDS, field) ? (OF_FIELDS[field] ?? []) : [])),
    ...(OF_STDOUT[row.plainStdout] ?? []),
    ...(row.canHalt ? ['Halt'] : []),
    ...(row.systemMessageTo === 'none' ? [] : ['Warn']),
  ])
  return [...new Set(known)]
}

function wordsOf({ answer }: EventDefinition): readonly unknown[] {
  return jsonSchema(answer).properties?.permissionDecision?.enum ?? []
}

function eventClass(event: JoinedEvent): string[] {
  const { name, rows } = event
  const schemas = rows.map(({ input }) => jsonSchema(input))
  const own = new Map(schemas.flatMap((schema) => Object.entries(schema.properties ?? {})))
  const fields = [...own, ...OF_SUBAGENTS.filter(([field]) => !own.has(field))]
  const example: Readonly<Record<string, unknown>> = Object.assign({}, ...rows.map((row) => row.example))
  const merges = rows.map((row) => row.merges)
  return [
    '',
    `class ${name}(Event):`,
    `    """${rows[0]?.when.replace(/^./, (letter) => letter.toUpperCase()) ?? ''}."""`,
    '',
    `    _name = "${name}"`,
    `    _answers = (${answersOf(event)
      .map((answer) => `${answer},`)
      .join(' ')})`,
    `    _merges = "${merges.find((merge) => merge !== 'nothing') ?? 'nothing'}"`,
    `    _exit_decides = ${merges.includes('exit-code') ? 'True' : 'False'}`,
    ...fields.map(([field, schema]) => {
      const type = pythonType(schema)
      const empty = Object.hasOwn(example, field) ? EMPTY[type] : undefined // clients send it
      return empty === undefined ? `    ${field}: ${optional(type)} = None` : `    ${field}: ${type} = ${empty}`
    }),
  ]
}

/** Fields that every event has inside a subagent, and some have always. */
const OF_SUBAGENTS = [
  ['agent_id', { type: 'string' }],
  ['agent_type', { type: 'string' }],
] as const

interface FieldSchema {
  readonly type?: unknown
  readonly enum?: readonly unknown[]
}

function pythonType({ type }: FieldSchema): string {
  const types: Readonly<Record<string, string>> = {
    string: 'str',
    boolean: 'bool',
    number: 'float',
    integer: 'int',
    object: 'Dict[str, Any]',
    array: 'List[Any]',
  }
  return typeof type === 'string' ? (types[type] ?? 'Any') : 'Any'
}

const EMPTY: Readonly<Record<string, string>> = {
  str: '""',
  bool: 'False',
  float: '0',
  int: '0',
  'Dict[str, Any]': '{}',
  'List[Any]': '[]',
}

const optional = (type: string): string => (type === 'Any' ? type : `Optional[${type}]`)

function decorator({ name }: JoinedEvent): string[] {
  return [
    '',
    `def ${snake(name)}(handler: ${name}Handler) -> ${name}Handler:`,
    `    """Has a function hear ${name}."""`,
    `    return _register(${name}, handler)`,
  ]
}

/** PreToolUse as `pre_tool_use`. */
function snake(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}
