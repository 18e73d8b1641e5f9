import { TAKES_WORDS, TEXT_LETTERS, TEXT_OPTIONS } from '../programs/command-table.ts'
import { isHandingOption, isOwnProgram } from '../programs/handing-options.ts'
import { isProgramName } from '../programs/table.ts'
import { findOwn } from '../text/table.ts'
import { noteHarm, readAside } from './aside.ts'
import {
  type Context,
  enterStep,
  fillScript,
  listRunnable,
  lowerCertainty,
  noteChange,
  noteFlows,
  noteUnknownScript,
  noteUnseen,
  readFilled,
  resolveOne,
  takeFirst,
} from './context.ts'
import {
  type Content,
  dropStart,
  EMPTY_CONTENT,
  readKnownStart,
  readWord,
  showValue,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'

/** Words of one call that are looked at for commands. */
export const MAX_HANDED_WORDS = 512

/** Options that take a command by their name, whatever the program: `--exec`, `--to-command`, `--upload-pack`, `--on-change`. */
const TAKES_COMMAND =
  /^--?(?:[\w-]*-)?(?:exec(?:ute)?(?:-\w+)?|command|cmd|run|shell|script|hook|program|pager|editor|viewer|browser|opener|handler|eval|rsh|(?:upload|receive)-pack|pre|filter|post|before|after|on-[\w-]+|prepare|setup|cleanup|teardown|preprocessor|action|callback|wrapper|launcher|askpass|proxy-?command|in-pager|shellflags)$/i

/** Variables of a tool that take a command by their name: `SHELL=…`, `RUN_CMD=…`. */
const COMMAND_VARIABLE =
  /^\.?\w*(?:SHELL|SHELLFLAGS|COMMAND|CMD|EXEC|HOOK|RUNNER|LAUNCHER|WRAPPER|CC|CXX|CPP|LD|AR|AS|MAKE|INSTALL|PYTHON|NODE|NPM|RM|MKDIR|TEST|BIN|TOOL|COMPILER|LINKER)$/i

/** True for a text that begins with a program of the table, and gives it words. */
export function isCommandLine(text: string): boolean {
  const words = text.trim().replace(/^(?:[|!:-]+\s*|-c\s+)+/, '')
  const name = /^(?:\w+=\S*\s+)*([\w./+-]+)(?:\s|$)/.exec(words)?.[1]
  return name !== undefined && /[\s;|&]/.test(words) && isProgramName(name)
}

/** Runs a text as a script that a program starts by a way of its own; once. */
export function runHandedScript(context: Context, text: string): void {
  const script = text.trim().replace(/^(?:[|!:-]+\s*|-c\s+)+/, '')
  if (context.reading.scripts.has(script)) return
  context.reading.runScript(lowerCertainty(enterStep(context), 'likely'), script)
}

/** Commands in `$(shell …)` of make. Behind the last bracket that closes, none does. */
export function listMakeShells(text: string): readonly string[] {
  const closed = text.slice(0, Math.max(text.lastIndexOf(')'), text.lastIndexOf('}')) + 1)
  return [...closed.matchAll(/\$[({]shell\s([^)}]*)[)}]/g)].map((match) => (match[1] ?? '').trim())
}

/** Runs the command lines in those words of a call that take one by the name of their option. */
export function runOptionCommands(context: Context, args: readonly Value[]): void {
  for (const word of takeFirst(context, args, MAX_HANDED_WORDS, 'words of a program')) {
    // Editors and pagers start with a command of theirs: `less +!make`, `vim '+:silent !make'`.
    const text = readWord(word) ?? ''
    const line = text.startsWith('+') ? /^\+:?(?:sil\w*!?\s+)?!(.+)/s.exec(text)?.[1] : undefined
    if (line !== undefined) runHandedScript(context, line)
  }
  for (const { option, value } of listOptionValues(args)) {
    const text = readWord(value)
    if (text === null || !isCommandLine(text)) continue
    if (option.endsWith('=') ? COMMAND_VARIABLE.test(option.slice(0, -1)) : TAKES_COMMAND.test(option))
      runTentatively(context, text)
  }
}

/** Notes the programs and libraries of its own that a program is handed by an option. */
export function noteHandedPrograms(context: Context, name: string, args: readonly Value[]): void {
  for (const { option, value } of listOptionValues(args)) {
    const text = readWord(value)
    if (text !== null && isOwnProgram(text) && !/\s/.test(text) && isHandingOption(name, option))
      noteHandedProgram(context, option, value)
  }
}

/** Notes a program or a library that lies where anyone may write, and that a program is told to start or to load. */
function noteHandedProgram(context: Context, option: string, value: Value): void {
  const path = resolveOne(context, value)
  if (path?.place !== 'temp' || context.reading.files.has(path.text)) return
  noteChange(context, 'machine', 'startup', `${option} runs ${path.text}`, 'likely')
}

/** Runs what looks like a command in the words of a program that is not known: a word that is a command line, or words that begin with a program. */
export function runWordCommands(context: Context, name: string, args: readonly Value[]): Content {
  const letters = (findOwn(TEXT_LETTERS, name) ?? '-m').split(' ')
  let before = ''
  for (const [at, word] of takeFirst(context, args, MAX_HANDED_WORDS, name).entries()) {
    const text = readWord(word)
    const isProse = TEXT_OPTIONS.test(before) || letters.includes(before)
    before = text ?? ''
    if (text === null || isProse) continue
    const equals = /^--?[\w-]+=/.exec(text)?.[0].length ?? 0
    if (equals > 0 && TEXT_OPTIONS.test(text.slice(0, equals - 1))) continue
    if (isCommandLine(text.slice(equals))) runTentatively(context, text.slice(equals))
    else if (at > 0 && isStarted(text, args[at + 1]))
      return context.reading.runWords(lowerCertainty(enterStep(context), 'likely'), args.slice(at), EMPTY_CONTENT)
  }
  return EMPTY_CONTENT
}

/** Runs a text that may be a command line; what no shell could read is code of the program's own. */
function runTentatively(context: Context, text: string): void {
  const found = readAside(context, (inner) => runHandedScript(inner, text))
  const name = /^\s*([\w-]+)/.exec(text)?.[1] ?? ''
  const isOther =
    found.unseen.some(({ reason }) => reason === 'not-parsed') && (TAKES_WORDS.has(name) || /[(;]|::|->/.test(text))
  if (!isOther) {
    runHandedScript(context, text)
    return
  }
  noteUnseen(context, 'code', text, 'run')
  noteHarm(context, found)
}

/** True for a word that names a program, where the next one is an option or a path: a command behind the words of the program itself. */
function isStarted(text: string, next: Value | undefined): boolean {
  if (!/^[\w./+-]+$/.test(text) || text.startsWith('-') || !isProgramName(text)) return false
  return next !== undefined && /^(?:-|~|\/|\.{1,2}\/)/.test(readKnownStart(next))
}

interface OptionValue {
  /** The option, or the name of a variable with its sign: `SHELL=`. */
  readonly option: string
  readonly value: Value
}

function listOptionValues(args: readonly Value[]): readonly OptionValue[] {
  return args.slice(0, MAX_HANDED_WORDS).flatMap((word, at) => {
    const start = readKnownStart(word)
    const equals = start.indexOf('=')
    if (equals > 0 && /^-{0,2}[.\w-]+$/.test(start.slice(0, equals))) {
      const name = start.slice(0, equals)
      return [{ option: name.startsWith('-') ? name : `${name}=`, value: dropStart(word, equals + 1) }]
    }
    const next = args[at + 1]
    return start.startsWith('-') && next ? [{ option: start, value: next }] : []
  })
}

/** Runs a word as a script; what of it is not known is left out. */
export function runScriptWord(context: Context, word: Value, input: Content = EMPTY_CONTENT): Content {
  const text = readFilled(context, word)
  noteFlows(context, listRunnable(word.carries), 'run', 'sh')
  if (text === null) {
    if (isWhollyPrinted(word)) noteUnknownScript(context, word.carries, 'sh')
    noteUnseen(context, word.carries.has('fetch') ? 'code' : 'value', showValue(word), 'run')
    const filled = fillScript(context, word)
    return filled === null ? UNKNOWN_CONTENT : context.reading.runScript(enterStep(context), filled, input)
  }
  return context.reading.runScript(enterStep(context), text, input)
}

/** True for a word of nothing but what a command would print. */
function isWhollyPrinted({ pieces }: Value): boolean {
  return pieces.length > 0 && pieces.every((piece) => piece.is === 'unknown' && piece.name === '(…)')
}
