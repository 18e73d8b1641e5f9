import { shellQuoted } from '../text/quote.ts'

/** A command that `hookline wrap install` wrote, taken apart. */
export interface WrappedCommand {
  /** What the hook runs. */
  readonly command: string
  /** What `hookline wrap` is told beside it. */
  readonly flags: readonly string[]
}

/** A shell without Hookline runs what stands behind the semicolon. */
const START = 'command -v hookline >/dev/null 2>&1 && exec hookline wrap'

/** A word that a shell reads as it is, or one in single quotes. */
const WORD = /(?:[\w.:,=-]+|'(?:[^']|'\\'')*')/.source
const WRITTEN = new RegExp(`^((?: ${WORD})*) -- (${WORD}); `)

/** Shell text that runs a command through `hookline wrap`, or by itself where there is no Hookline. */
export function wrapCommand({ command, flags }: WrappedCommand): string {
  return `${wrapperOf({ command, flags })}${command}`
}

/** What stands before the command itself, which is the rest of the text. */
export function wrapperOf({ command, flags }: WrappedCommand): string {
  return `${[START, ...flags.map(written), '--', shellQuoted(command)].join(' ')}; `
}

/**
 * What the fields of a hook run that `wrapCommand` wrote, to the letter; null for any other: then only a shell knows what it
 * does. The one place that sees through it, for everything that reads, shows or runs hooks.
 */
export function unwrapEntry({ command, args, shell }: Readonly<Record<string, unknown>>): WrappedCommand | null {
  return typeof command === 'string' && args === undefined && shell !== 'powershell' ? unwrapCommand(command) : null
}

function unwrapCommand(text: string): WrappedCommand | null {
  if (!text.startsWith(START)) return null
  const [whole = '', flags = '', quoted = ''] = WRITTEN.exec(text.slice(START.length)) ?? []
  if (whole === '') return null
  const wrapped = { command: unquoted(quoted), flags: (flags.match(new RegExp(WORD, 'g')) ?? []).map(unquoted) }
  return wrapCommand(wrapped) === text ? wrapped : null
}

const written = (word: string): string => (/^[\w.:,=-]+$/.test(word) ? word : shellQuoted(word))

const unquoted = (word: string): string => (word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word)
