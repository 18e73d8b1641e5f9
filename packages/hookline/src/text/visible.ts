import { replaceHidden } from './clean.ts'

/** A text from outside on one line, with hidden characters made visible. */
export function toVisible(text: string): string {
  return toVisibleLines(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** The same for what the user decides about: its lines stay lines, and its tabs tabs. */
export function toVisibleLines(text: string): string {
  // Spaces that are letters to a shell, and glyphs that fonts draw differently or not at all.
  return toReadableLines(text).replace(/(?! )[\p{Zs}\p{Co}]/gu, escapeLetter)
}

/** A text for the user with its lines, in which what is invisible or what a terminal would obey is written as an escape. */
export function toReadableLines(text: string): string {
  return replaceHidden(text, escapeLetter)
}

/** A value as JSON that is safe to print: the same value to a parser, and plain letters to a terminal. */
export function toSafeJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent))
}

/** A text of JSON, or of YAML with double quotes, in which hidden characters are written as JSON's escapes. */
export function escapeJson(json: string): string {
  return replaceHidden(json, (letter) => letter.split('').map(escapeUnit).join(''))
}

function escapeLetter(letter: string): string {
  return letter === '\r' ? '\\r' : `\\u{${toHexCode(letter)}}`
}

const escapeUnit = (unit: string): string => `\\u${toHexCode(unit).padStart(4, '0')}`

const toHexCode = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16)
