import type { EventRow } from '../../../protocol/event-row.ts'
import { DEFAULT_PROFILE } from '../../../protocol/profiles.ts'
import { quoteForShell } from '../../../text/quote.ts'
import { listPossibleAnswers, type PossibleAnswer, type Reply } from './possible-answers.ts'

/** The languages that a hook can be made in, and what their files end in. */
export const LANGUAGES = { sh: 'sh', node: 'mjs', ts: 'ts', python: 'py' } as const

export type Language = keyof typeof LANGUAGES

/** A language, or Python with the package `hookline` for it. */
export type ScriptKind = Language | 'python-package'

/** A script that reads its event, says that it ran, and shows what else hooks of this event may say. */
export function writeHookScript(kind: ScriptKind, name: string, { row, profile }: ScriptEvent): string {
  return WRITERS[kind](name, row, profile)
}

/** The event that a script is for, and the profile that it is of. */
export interface ScriptEvent {
  readonly row: EventRow
  readonly profile: string
}

type Writer = (name: string, row: EventRow, profile: string) => string

const WRITERS: Readonly<Record<ScriptKind, Writer>> = {
  sh: writeSh,
  node: writeNode,
  ts: writeTypeScript,
  python: writePython,
  'python-package': writePythonWithPackage,
}

function writeIntroduction(name: string, { name: event, when }: EventRow): string[] {
  return [
    `${name}: a hook for ${event}, which fires when ${when}.`,
    `Try it with: hookline fire ${event} --trust`,
    'Stdout is for one answer, JSON or text, and nothing else; notes go to stderr.',
  ]
}

const INSTEAD = 'Reports that it ran. Replace it with one of the others; without an answer the hook does not object.'

/** An event whose input tells that a hook has already made the agent go on: without a look at it that never ends. */
const LOOP_FIELD = 'stop_hook_active'
const LOOP_NOTE = 'a hook has already made the agent continue; it has to stop at some point'

const canLoop = ({ example }: EventRow): boolean => Object.hasOwn(example, LOOP_FIELD)

/** Every possible answer as a comment: what it does, and indented below it the line to use. */
function commentAnswers(row: EventRow, mark: string, code: (answer: PossibleAnswer) => string | null): string[] {
  return listPossibleAnswers(row).flatMap((answer) => {
    const line = code(answer)
    return line === null ? [] : [`${mark} ${answer.does}:`, `${mark}   ${line}`]
  })
}

/** Path in a script that has to name one. */
const PATH = '/path/of/the/worktree'

/** True if a message to the user says that a hook ran; on other events no one reads it, and stderr does. */
const isTellingUser = ({ systemMessageTo }: EventRow): boolean => systemMessageTo !== 'none'

const isPathNeeded = ({ plainStdout }: EventRow): boolean => plainStdout === 'path'

function writeSh(name: string, row: EventRow): string {
  const say = (json: object): string => `answer ${quoteForShell(JSON.stringify(json))}`
  return joinScriptLines(
    '#!/bin/sh',
    ...writeIntroduction(name, row).map((line) => `# ${line}`),
    '',
    'input=$(cat) # the event as JSON; a field of it: printf %s "$input" | jq -r .hook_event_name',
    '',
    'answer() { printf \'%s\\n\' "$1"; exit 0; }',
    ...(row.blocksOn !== 'never' ? ['refuse() { printf \'%s\\n\' "$1" >&2; exit 2; }'] : []),
    '',
    ...(canLoop(row) ? [`# ${LOOP_NOTE}:`, `printf %s "$input" | grep -q '"${LOOP_FIELD}": *true' && exit 0`, ''] : []),
    `# ${INSTEAD}`,
    isPathNeeded(row) ? `answer ${quoteForShell(PATH)}` : writeShellRan(name, row, say),
    '',
    ...commentAnswers(row, '#', ({ how }) => {
      if ('exit2' in how) return `refuse ${quoteForShell(how.exit2)}`
      return 'json' in how ? say(how.json) : `answer ${quoteForShell(how.text)}`
    }),
  )
}

function writeShellRan(name: string, row: EventRow, say: (json: object) => string): string {
  return isTellingUser(row) ? say({ systemMessage: `${name} ran` }) : `printf '%s\\n' '${name} ran' >&2`
}

function writeNode(name: string, row: EventRow): string {
  const say = (json: object): string => `answer(${writeLiteral(json, JAVASCRIPT)})`
  return joinScriptLines(
    '#!/usr/bin/env node',
    ...writeIntroduction(name, row).map((line) => `// ${line}`),
    ...(canLoop(row) ? ["import { exit } from 'node:process'"] : []),
    "import { text } from 'node:stream/consumers'",
    '',
    'const input = JSON.parse(await text(process.stdin))',
    ...(canLoop(row) ? [`if (input.${LOOP_FIELD}) exit() // ${LOOP_NOTE}`] : []),
    '',
    `// ${INSTEAD}`,
    isPathNeeded(row)
      ? `process.stdout.write('${PATH}')`
      : writeNodeRan(
          `\`${name} ran on \${input.hook_event_name}\``,
          row,
          (text) => `answer({ systemMessage: ${text} })`,
        ),
    '',
    ...commentAnswers(row, '//', ({ how }) => {
      if ('exit2' in how) return `refuse('${how.exit2}')`
      return 'json' in how ? say(how.json) : `process.stdout.write('${how.text}')`
    }),
    '',
    'function answer(json) {',
    '  process.stdout.write(JSON.stringify(json))',
    '}',
    ...(row.blocksOn !== 'never'
      ? ['', 'function refuse(reason) {', '  console.error(reason)', '  process.exitCode = 2', '}']
      : []),
  )
}

/** A line of JavaScript that says that the hook ran. */
function writeNodeRan(text: string, row: EventRow, tell: (text: string) => string): string {
  return isTellingUser(row) ? tell(text) : `console.error(${text})`
}

function writeTypeScript(name: string, row: EventRow, profile: string): string {
  return joinScriptLines(
    ...writeIntroduction(name, row).map((line) => `// ${line}`),
    "import { defineHook } from 'hookline/hook'",
    '',
    'defineHook({',
    `  ${row.name}(input, reply) {`,
    ...(canLoop(row) ? [`    if (input.${LOOP_FIELD}) return // ${LOOP_NOTE}`] : []),
    `    // ${INSTEAD}`,
    isPathNeeded(row)
      ? `    return reply.worktreePath('${PATH}')`
      : `    ${writeNodeRan(`\`${name} ran on \${input.hook_event_name}\``, row, (text) => `return reply.systemMessage(${text})`)}`,
    '',
    ...commentAnswers(row, '    //', ({ reply }) =>
      reply === null ? null : `return reply.${writeReply(reply, JAVASCRIPT)}`,
    ),
    '  },',
    profile === DEFAULT_PROFILE.name ? '})' : `}, { profile: '${profile}' })`,
  )
}

function writePython(name: string, row: EventRow): string {
  const say = (json: object): string => `answer(${writeLiteral(json, PYTHON)})`
  return joinScriptLines(
    '#!/usr/bin/env python3',
    ...writeIntroduction(name, row).map((line) => `# ${line}`),
    'import json',
    'import sys',
    '',
    '',
    'def answer(reply):',
    '    print(reply if isinstance(reply, str) else json.dumps(reply))',
    '    sys.exit(0)',
    '',
    '',
    ...(row.blocksOn !== 'never'
      ? ['def refuse(reason):', '    print(reason, file=sys.stderr)', '    sys.exit(2)', '', '']
      : []),
    'event = json.load(sys.stdin.buffer)',
    ...(canLoop(row) ? [`if event.get("${LOOP_FIELD}"):`, `    sys.exit(0)  # ${LOOP_NOTE}`] : []),
    '',
    `# ${INSTEAD}`,
    isPathNeeded(row) ? `answer("${PATH}")` : writePythonRan(name, row),
    '',
    ...commentAnswers(row, '#', ({ how }) => {
      if ('exit2' in how) return `refuse("${how.exit2}")`
      return 'json' in how ? say(how.json) : `answer("${how.text}")`
    }),
  )
}

function writePythonRan(name: string, row: EventRow): string {
  const text = `f"${name} ran on {event['hook_event_name']}"`
  return isTellingUser(row) ? `answer({"systemMessage": ${text}})` : `print(${text}, file=sys.stderr)`
}

function writePythonWithPackage(name: string, row: EventRow): string {
  const ran = `f"${name} ran on {event.hook_event_name}"`
  return joinScriptLines(
    '#!/usr/bin/env python3',
    ...writeIntroduction(name, row)
      .slice(0, -1) // output of such a hook goes to stderr
      .map((line) => `# ${line}`),
    'from hookline import hook',
    '',
    '',
    `@hook.${toSnakeCase(row.name)}`,
    `def answer(event: hook.${row.name}):`,
    ...(canLoop(row) ? [`    if event.${LOOP_FIELD}:`, `        return None  # ${LOOP_NOTE}`] : []),
    `    # ${INSTEAD}`,
    `    ${isPathNeeded(row) ? `return hook.worktree_path("${PATH}")` : writePackageRan(ran, row)}`,
    '',
    ...commentAnswers(row, '    #', ({ reply }) => writePythonReply(reply)),
  )
}

const writePackageRan = (text: string, row: EventRow): string =>
  isTellingUser(row) ? `return hook.warn(${text})` : `print(${text})`

/** A reply in the words of the Python package; null where it has none. */
function writePythonReply(reply: Reply | null): string | null {
  if (reply === null || reply.length > 2) return null
  const [name, ...values] = reply
  const word = name === 'systemMessage' ? 'warn' : toSnakeCase(name)
  return `return hook.${writeReply([word, ...values], PYTHON)}`
}

/** `PreToolUse` becomes `pre_tool_use`. */
const toSnakeCase = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

const writeReply = ([name, ...values]: Reply, notation: Notation): string =>
  `${name}(${values.map((value) => writeLiteral(value, notation)).join(', ')})`

/** Notation of a language for values other than texts, numbers and lists. */
interface Notation {
  readonly words: Readonly<Record<string, string>>
  readonly key: (name: string) => string
}

const JAVASCRIPT: Notation = { words: {}, key: (name) => name }
const PYTHON: Notation = { words: { true: 'True', false: 'False', null: 'None' }, key: (name) => JSON.stringify(name) }

function writeLiteral(value: unknown, notation: Notation): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeLiteral(item, notation)).join(', ')}]`
  if (typeof value !== 'object' || value === null) {
    const written = JSON.stringify(value)
    return notation.words[written] ?? written
  }
  const fields = Object.entries(value).map(([name, inner]) => `${notation.key(name)}: ${writeLiteral(inner, notation)}`)
  return `{ ${fields.join(', ')} }`
}

const joinScriptLines = (...all: string[]): string => `${all.join('\n')}\n`
