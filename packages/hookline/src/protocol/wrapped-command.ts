import { quoteForShell } from '../text/quote.ts'

/** The commands of Hookline that stand around a hook: `wrap` translates for other agents, `tap` records. */
export type Wrapper = 'wrap' | 'tap'

/** A command that `hookline wrap install` or `hookline tap install` wrote, taken apart. */
export interface WrappedCommand {
  /** Command of the hook. */
  readonly command: string
  /** There, even if empty: `command` is a program, and no shell reads these. */
  readonly args?: readonly string[]
  /** Flags of the wrapper beside it. */
  readonly flags: readonly string[]
}

const WRAPPERS: readonly Wrapper[] = ['wrap', 'tap']
/** The program that every wrapped command names. */
const PROGRAM = 'hookline'

/** Way in which a wrapped command comes to us: by the launcher, which asks the resident engine, or by the PATH. */
export type WrapperWay = 'launcher' | 'path'

/** Beginnings of the command of a recorder; by them the recorder is known again, whatever else of its entry was edited. */
export const RECORDERS: Readonly<Record<WrapperWay, string>> = {
  launcher: '~/.hookline/bin/hookline tap record',
  path: 'hookline tap record',
}

/** True for the command of a recorder that `hookline tap install` wrote. */
export const isRecorderCommand = (command: string): boolean =>
  Object.values(RECORDERS).some((begin) => command === begin || command.startsWith(`${begin} `))

/** Text around the words of a wrapper. */
interface Start {
  readonly begin: (by: Wrapper) => string
  readonly end: string
}

/** The launcher below the home of the user who runs the hook: a file of a project is for everyone. */
const LAUNCHER = '~/.hookline/bin/hookline'

/**
 * The launcher is read into the shell that runs the hook: nothing is started where it is missing, and where it is cut off, or
 * finds nothing to start, the shell comes to what stands behind it. On the PATH a wrapper is asked whether it is ready before it gets the
 * payload: a program that is missing, cut off, another one of that name, or without its Node says nothing of the kind, and the shell
 * runs what stands behind the semicolon. Once it has said so it takes over for good: no exit code of a hook starts that hook again.
 */
const WAYS: Readonly<Record<WrapperWay, Start>> = {
  launcher: {
    begin: (by) => `[ -r ${LAUNCHER} ] && set -- ${by}`,
    end: ` && . ${LAUNCHER}; set --; `,
  },
  path: {
    begin: (by) => `[ "$(hookline ${by} --ready </dev/null 2>/dev/null)" = ready ] && exec hookline ${by}`,
    end: '; ',
  },
}
/** Texts of wrapped commands, those that are written no more last. */
const STARTS: readonly Start[] = [
  ...Object.values(WAYS),
  { begin: (by) => `command -v hookline >/dev/null 2>&1 && exec hookline ${by}`, end: '; ' },
]

/** A word that a shell reads as it is, or one in single quotes. */
const SHELL_WORD = /(?:[\w.:,=-]+|'(?:[^']|'\\'')*')/.source
const SHELL_WORDS = new RegExp(SHELL_WORD, 'g')
const WRITTEN_WORDS = new RegExp(`^(?: ${SHELL_WORD})+`)

/** Replacement for `args` in an entry that is wrapped: a comment, of which the entry is made again. */
export const SET_ASIDE = '_args'

/**
 * Shell text that runs a command through a wrapper, or by itself where there is no Hookline. A program with `args` becomes
 * shell text too: an agent that does not know `args` would start the program alone, with the payload as its script.
 */
export function wrapCommand(wrapped: WrappedCommand, by: Wrapper = 'wrap', way: WrapperWay = 'launcher'): string {
  return writeWrapped(wrapped, by, WAYS[way])
}

/** Writes what stands before the command itself, which is the rest of the text. */
export function writeWrapperOnly(wrapped: WrappedCommand, by: Wrapper = 'wrap', way: WrapperWay = 'launcher'): string {
  return writeWrapper(wrapped, by, WAYS[way])
}

function writeWrapped(wrapped: WrappedCommand, by: Wrapper, start: Start): string {
  const { command, args } = wrapped
  const alone = args === undefined ? command : `exec ${[command, ...args].map(toShellText).join(' ')}`
  return `${writeWrapper(wrapped, by, start)}${alone}`
}

function writeWrapper({ command, args, flags }: WrappedCommand, by: Wrapper, start: Start): string {
  const words =
    args === undefined ? ['--', quoteForShell(command)] : ['--exec', '--', ...[command, ...args].map(quoteWord)]
  return `${[start.begin(by), ...flags.map(quoteWord), ...words].join(' ')}${start.end}`
}

/** A program and its arguments with the project's folder filled in, as in an entry with `args`. */
export function withProject(words: readonly [string, ...string[]], project: string | undefined): [string, ...string[]] {
  const [first, ...rest] = words.map((word) => (project === undefined ? word : word.replaceAll(PROJECT, () => project)))
  return [first ?? '', ...rest]
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PROJECT = '${CLAUDE_PROJECT_DIR}'

/** The word to a shell, which has the project's folder as a variable. */
const toShellText = (word: string): string =>
  word
    .split(PROJECT)
    .map((part) => (part === '' && word !== '' ? '' : quoteWord(part)))
    .join(`"${PROJECT}"`)

/**
 * Reads what the fields of a hook run that `wrapCommand` wrote, to the letter, inside of all its wrappers; null for any other: then
 * only a shell knows what it does. The one place that sees through it, for everything that reads, shows or runs hooks.
 */
export function unwrapEntry(fields: Readonly<Record<string, unknown>>): WrappedCommand | null {
  const text = readShellText(fields)
  if (text === null || !text.includes(PROGRAM)) return null // as most are
  const outer = WRAPPERS.map((by) => unwrapCommand(text, by)).find((one) => one !== null)
  if (outer === undefined || outer === null) return null
  return unwrapEntry({ command: outer.command }) ?? outer
}

/** Reads what the fields of a hook run inside of one wrapper, when that is the outermost. */
export function unwrapOuter(fields: Readonly<Record<string, unknown>>, by: Wrapper): WrappedCommand | null {
  const text = readShellText(fields)
  return text === null ? null : unwrapCommand(text, by)
}

/**
 * The part of a shell text that a wrapper put before a command, whatever became of the command since; empty when there is
 * none.
 */
export function findWrapperText(text: string, by: Wrapper): string {
  const found = findWrapper(text, by)
  return found === null || readWords(found).length === 0 ? '' : found.text
}

/** True if a text begins with a wrapper that the PATH leads to, and not the launcher. */
export function isAskedByPath(text: string, by: Wrapper): boolean {
  const found = findWrapper(text, by)
  return found !== null && found.start !== WAYS.launcher
}

function readShellText({ command, args, shell }: Readonly<Record<string, unknown>>): string | null {
  return typeof command === 'string' && args === undefined && shell !== 'powershell' ? command : null
}

function unwrapCommand(text: string, by: Wrapper): WrappedCommand | null {
  const found = findWrapper(text, by)
  if (found === null) return null
  return readWords(found).find((wrapped) => writeWrapped(wrapped, by, found.start) === text) ?? null
}

/** A wrapper that a text begins with, up to the command that stands behind it. */
interface FoundWrapper {
  readonly text: string
  /** Text between its beginning and its end. */
  readonly words: string
  readonly start: Start
}

function findWrapper(text: string, by: Wrapper): FoundWrapper | null {
  for (const start of STARTS) {
    const begin = start.begin(by)
    const [words] = (text.startsWith(begin) && WRITTEN_WORDS.exec(text.slice(begin.length))) || []
    if (words === undefined || !text.startsWith(start.end, begin.length + words.length)) continue
    return { text: `${begin}${words}${start.end}`, words, start }
  }
  return null
}

/** Lists the commands that a wrapper may have been made of: shell text, and a program with arguments. */
function readWords({ words: text }: FoundWrapper): WrappedCommand[] {
  const words = (text.match(SHELL_WORDS) ?? []).map(unquoteWord)
  const [dashes, last = ''] = words.slice(-2)
  const shellText = dashes === '--' ? [{ command: last, flags: words.slice(0, -2) }] : []
  const at = words.findIndex((word, index) => word === '--exec' && words[index + 1] === '--')
  const [command, ...args] = words.slice(at + 2)
  if (at < 0 || command === undefined) return shellText
  return [...shellText, { command, args, flags: words.slice(0, at) }]
}

const quoteWord = (word: string): string => (/^[\w.:,=-]+$/.test(word) ? word : quoteForShell(word))

const unquoteWord = (word: string): string => (word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word)
