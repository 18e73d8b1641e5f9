import { withoutHidden } from './hidden.ts'

/** Spaces that are not the space: to a shell they are letters. */
const OTHER_SPACES = /(?! )\p{Zs}/gu
/** Glyphs that everybody's font draws differently, or not at all. */
const PRIVATE = /\p{Co}/gu

/** A stranger's text with everything in it to be seen, on one line. */
export function visible(text: string): string {
  return visibleLines(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** The same for what somebody decides about: its lines stay lines, and its tabs tabs. */
export function visibleLines(text: string): string {
  return readableLines(text).replace(OTHER_SPACES, escaped).replace(PRIVATE, escaped)
}

/** A text for people with its lines, in which what nobody would see or a terminal would obey is written as an escape. */
export function readableLines(text: string): string {
  return withoutHidden(text, escaped)
}

/** A value as JSON that is safe to print: the same value to whoever reads it, and plain letters to a terminal. */
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
