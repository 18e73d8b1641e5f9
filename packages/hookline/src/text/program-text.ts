import { escapeJson } from './visible.ts'
import { stringifyAsWritten } from './written-json.ts'

const WRITTEN = Symbol('written for a program')

/**
 * Text in the format of the program that reads it. It is not a string: what shows words to people would change it, and does
 * not take it, and a template that it is put into throws.
 */
export interface ProgramText {
  readonly [WRITTEN]: string
}

/** Marks text that is in the format of its reader already: a script, XML, plain text. */
export function toProgramText(text: string): ProgramText {
  return Object.freeze(Object.assign(Object.create(null), { [WRITTEN]: toWellFormed(text) }))
}

/** Nothing to write. */
export const NO_TEXT = toProgramText('')

/** Writes a value as JSON, on one line unless it is indented: the same value to every parser, and plain letters to a terminal. */
export function toJsonText(value: unknown, indent?: number): ProgramText {
  return toProgramText(toPlainJson(value, indent))
}

/** The same on one line, in which what was parsed stands as it was written. */
export function toWrittenJsonText(value: unknown): ProgramText {
  return toProgramText(stringifyAsWritten(value, toPlainJson))
}

function toPlainJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value ?? null, null, indent)
  return escapeJson(json.replace(ESCAPES, (written, half) => (half ? '\ufffd' : written)))
}

/** Joins texts as lines; empty ones are left out. */
export function joinProgramLines(texts: readonly ProgramText[]): ProgramText {
  return toProgramText(texts.flatMap((text) => (isEmptyText(text) ? [] : [text[WRITTEN]])).join('\n'))
}

/** Adds the end of the line to text that has some. */
export function endLine(text: ProgramText): ProgramText {
  return isEmptyText(text) ? text : toProgramText(`${text[WRITTEN]}\n`)
}

/** Encodes text as its reader gets it. */
export function encodeText(text: ProgramText): Buffer {
  return Buffer.from(text[WRITTEN], 'utf8')
}

/** True if there is nothing to write. */
export function isEmptyText(text: ProgramText): boolean {
  return text[WRITTEN] === ''
}

/** Every escape of a text of JSON; of one for half a character, which strict parsers refuse, the first group is that half. */
const ESCAPES = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/gis

/** Replaces halves of characters, which no encoding of text can hold. Most texts have none, and need no classes of characters to be loaded. */
export function toWellFormed(text: string): string {
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/\p{Cs}/gu, '\ufffd') : text
}
