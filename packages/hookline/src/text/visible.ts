import { withoutHidden } from './clean.ts'

/** A text from outside on one line, with hidden characters made visible. */
export function visible(text: string): string {
  return visibleLines(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** The same for what the user decides about: its lines stay lines, and its tabs tabs. */
export function visibleLines(text: string): string {
  // Spaces that are letters to a shell, and glyphs that fonts draw differently or not at all.
  return readableLines(text).replace(/(?! )[\p{Zs}\p{Co}]/gu, escaped)
}

/** A text for the user with its lines, in which what is invisible or what a terminal would obey is written as an escape. */
export function readableLines(text: string): string {
  return withoutHidden(text, escaped)
}

/** A value as JSON that is safe to print: the same value to a parser, and plain letters to a terminal. */
export function safeJson(value: unknown, indent?: number): string {
  return jsonEscaped(JSON.stringify(value, null, indent))
}

/** A text of JSON, or of YAML with double quotes, in which hidden characters are written as JSON's escapes. */
export function jsonEscaped(json: string): string {
  return withoutHidden(json, (letter) => letter.split('').map(unitEscaped).join(''))
}

function escaped(letter: string): string {
  return letter === '\r' ? '\\r' : `\\u{${codeOf(letter)}}`
}

const unitEscaped = (unit: string): string => `\\u${codeOf(unit).padStart(4, '0')}`

const codeOf = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16)
