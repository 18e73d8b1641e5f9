import type { ParsedScript } from 'unbash'
import type { EventRow } from '../protocol/event-row.ts'
import type { Profile } from '../protocol/profile.ts'
import { nameProgram, SHELL } from './invocation.ts'
import { parseShell, readShellWord, removeShellComments, walk } from './shell-words.ts'

/** A text that a hook runs: its command, a script that it names, or what either hands to an interpreter. */
export interface Code {
  /** Without its comments. */
  readonly text: string
  /** The shell that reads it: `sh`, or one that knows more; null: it is in another language. */
  readonly shell: 'sh' | 'bash' | null
  /** Null where it is in another language, or where no shell would read it to its end. */
  readonly syntax: ParsedScript | null
  /** The script that it is, or is a part of; null: the command itself, or a part of it. */
  readonly script: ScriptFile | null
  /** True for code that also serves other events than the one that is asked about. */
  readonly servesOthers: boolean
}

/** A script that a hook names. */
export interface ScriptFile {
  /** Path as the hook names it. */
  readonly file: string
  readonly path: string
  /** Text without its comments, line by line as in the file. */
  readonly text: string
}

/** The command itself. */
export function readCommandCode(text: string): Code {
  return { ...parseShellCode(text, 'sh'), script: null, servesOthers: false }
}

/** A script, as the program reads it that it is handed to; null: it is started by itself. */
export function readScriptCode(
  text: string,
  { file, path, program, isGivenArguments, row, profile }: ScriptReading,
): Code {
  const shell = program === null ? readShebangShell(text) : findShellNamed(program)
  const code = shell === null ? { text: removeComments(text), shell, syntax: null } : parseShellCode(text, shell)
  const hasModes = isGivenArguments && READS_ARGUMENTS.test(code.text)
  const servesOthers = hasModes || hasOtherEvent(code.text, row, profile)
  return { ...code, script: { file, path, text: code.text }, servesOthers }
}

/** Facts about a script beside its text. */
interface ScriptReading extends Pick<ScriptFile, 'file' | 'path'> {
  /** Program that reads it; null: it is started by itself. */
  readonly program: string | null
  readonly isGivenArguments: boolean
  readonly row: EventRow
  readonly profile: Profile
}

/** A script that looks at its arguments does one thing or another by them. */
const READS_ARGUMENTS = /\$\{?[1@*]|\bargv\b|\bargparse\b|\bgetopts\b/

/** Lists what a shell text hands to interpreters as a text, `bash -c '…'` and `node -e '…'`, at any depth. */
export function listCodeInside({ syntax, script, servesOthers }: Code): Code[] {
  return listCommandLines(syntax).flatMap((line) => listCodeHanded(line, { script, servesOthers }))
}

/** The same of a program that is started with these arguments, and no shell between. */
export function listCodeHanded(
  [program = '', ...operands]: readonly string[],
  where: Pick<Code, 'script' | 'servesOthers'>,
): Code[] {
  const name = nameProgram(program)
  const shell = findShellNamed(name)
  const option = shell === null ? HANDS_OVER.find(([interpreter]) => interpreter.test(name))?.[1] : /^-[a-z]*c$/
  const at = option === undefined ? -1 : operands.findIndex((operand) => option.test(operand))
  const text = at < 0 ? undefined : operands[at + 1]
  if (text === undefined) return []
  const code = { ...(shell === null ? { text, shell, syntax: null } : parseShellCode(text, shell)), ...where }
  return [code, ...listCodeInside(code)]
}

const HANDS_OVER: readonly (readonly [interpreter: RegExp, option: RegExp])[] = [
  [/^(?:node|bun|ruby|perl)$/, /^-[a-z]*e$|^--eval$/],
  [/^python[\d.]*$/, /^-[a-zA-Z]*c$/],
]

/** The words of every command of a shell text, as far as they can be told without running it. */
function listCommandLines(syntax: ParsedScript | null): string[][] {
  const lines: string[][] = []
  if (syntax === null) return lines
  walk(syntax, (node) => {
    if (node.type !== 'Command' || !node.name) return
    const words = [node.name, ...node.args].map((word) => (word.type === 'Word' ? readShellWord(word, {}).value : null))
    lines.push(words.map((value, at) => value ?? (at === 0 ? '' : (node.args[at - 1]?.text ?? ''))))
  })
  return lines
}

function parseShellCode(text: string, shell: 'sh' | 'bash'): Pick<Code, 'text' | 'shell' | 'syntax'> {
  return { text: removeShellComments(text), shell, syntax: parseShell(text) }
}

function findShellNamed(program: string): Code['shell'] {
  const name = nameProgram(program)
  if (!SHELL.test(name)) return null
  return /^(?:da)?sh$/.test(name) ? 'sh' : 'bash'
}

/** The shell that reads a script which is started by itself: the one of its first line, or `sh` where it names none. */
function readShebangShell(text: string): Code['shell'] {
  const [first = ''] = text.split(/\r?\n/, 1)
  if (!first.startsWith('#!')) return 'sh'
  return (
    first
      .slice(2)
      .split(/\s+/)
      .map(findShellNamed)
      .find((shell) => shell !== null) ?? null
  )
}

/** Of a script in another language, or in none that is known. */
function removeComments(text: string): string {
  return text.replace(/^[ \t]*(?:#|\/\/|\/?\*).*$/gm, '')
}

/** True if a script asks which event it is, or names another one: what it says then need not be about this event. */
function hasOtherEvent(text: string, row: EventRow, { events }: Profile): boolean {
  if (text.includes('hook_event_name')) return true
  return [...events.keys()].some((name) => name !== row.name && makeSpellingPattern(name).test(text))
}

/** An event's name as scripts write it: `PreToolUse`, `pre-tool-use`, `pre_tool_use`. A single word counts as it is. */
function makeSpellingPattern(name: string): RegExp {
  const words = name.match(/[A-Z][a-z]*/g) ?? []
  return words.length < 2 ? new RegExp(`\\b${name}\\b`) : new RegExp(`(?<![a-z])${words.join('[-_]?')}(?![a-z])`, 'i')
}
