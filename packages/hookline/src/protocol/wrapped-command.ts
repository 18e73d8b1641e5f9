import { shellQuoted } from '../text/quote.ts'

/** The commands of Hookline that stand around a hook: `wrap` translates for other agents, `tap` records. */
export type Wrapper = 'wrap' | 'tap'

/** A command that `hookline wrap install` or `hookline tap install` wrote, taken apart. */
export interface WrappedCommand {
  /** What the hook runs. */
  readonly command: string
  /** What the wrapper is told beside it. */
  readonly flags: readonly string[]
}

/** A shell without Hookline runs what stands behind the semicolon. */
const START = 'command -v hookline >/dev/null 2>&1 && exec hookline '
const WRAPPERS: readonly Wrapper[] = ['wrap', 'tap']

/** A word that a shell reads as it is, or one in single quotes. */
const WORD = /(?:[\w.:,=-]+|'(?:[^']|'\\'')*')/.source
const WRITTEN = new RegExp(`^((?: ${WORD})*) -- (${WORD}); `)

/** Shell text that runs a command through a wrapper, or by itself where there is no Hookline. */
export function wrapCommand({ command, flags }: WrappedCommand, by: Wrapper = 'wrap'): string {
  return `${wrapperOf({ command, flags }, by)}${command}`
}

/** What stands before the command itself, which is the rest of the text. */
export function wrapperOf({ command, flags }: WrappedCommand, by: Wrapper = 'wrap'): string {
  return `${[`${START}${by}`, ...flags.map(written), '--', shellQuoted(command)].join(' ')}; `
}

/**
 * What the fields of a hook run that `wrapCommand` wrote, to the letter, inside of all its wrappers; null for any other: then
 * only a shell knows what it does. The one place that sees through it, for everything that reads, shows or runs hooks.
 */
export function unwrapEntry(fields: Readonly<Record<string, unknown>>): WrappedCommand | null {
  const text = shellTextOf(fields)
  const outer = WRAPPERS.map((by) => (text === null ? null : unwrapCommand(text, by))).find((one) => one !== null)
  if (outer === undefined || outer === null) return null
  return unwrapEntry({ command: outer.command }) ?? outer
}

/** What the fields of a hook run inside of one wrapper, when that is the outermost. */
export function unwrapOuter(fields: Readonly<Record<string, unknown>>, by: Wrapper): WrappedCommand | null {
  const text = shellTextOf(fields)
  return text === null ? null : unwrapCommand(text, by)
}

/**
 * The part of a shell text that a wrapper put before a command, whatever became of the command since; empty when there is
 * none.
 */
export function wrapperIn(text: string, by: Wrapper): string {
  const start = `${START}${by}`
  if (!text.startsWith(`${start} `)) return ''
  const [whole = ''] = WRITTEN.exec(text.slice(start.length)) ?? []
  return whole === '' ? '' : `${start}${whole}`
}

function shellTextOf({ command, args, shell }: Readonly<Record<string, unknown>>): string | null {
  return typeof command === 'string' && args === undefined && shell !== 'powershell' ? command : null
}

function unwrapCommand(text: string, by: Wrapper): WrappedCommand | null {
  const before = wrapperIn(text, by)
  if (before === '') return null
  const [, flags = '', quoted = ''] = WRITTEN.exec(before.slice(`${START}${by}`.length)) ?? []
  const wrapped = { command: unquoted(quoted), flags: (flags.match(new RegExp(WORD, 'g')) ?? []).map(unquoted) }
  return wrapCommand(wrapped, by) === text ? wrapped : null
}

const written = (word: string): string => (/^[\w.:,=-]+$/.test(word) ? word : shellQuoted(word))

const unquoted = (word: string): string => (word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word)
