import { relative } from 'node:path'
import { toSafeJson, toVisibleLines } from 'hookline/internal'

/** Fields by which users know a call, in this order. */
const TELLING = ['command', 'file_path', 'pattern', 'url', 'query', 'skill', 'subject', 'description', 'plan', 'prompt']

/** A call's input in one line: the field that tells most, else JSON. */
export function inputText(input: unknown, cwd: string): string {
  if (typeof input !== 'object' || input === null) return onOneLine(JSON.stringify(input) ?? '')
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const name = tellingField(fields)
  if (name === undefined) return Object.keys(fields).length === 0 ? '' : onOneLine(JSON.stringify(fields))
  const text = String(fields[name])
  return onOneLine(name === 'file_path' ? shortPath(text, cwd) : text)
}

/** The field of an input by which users know the call. */
export function tellingField(fields: Readonly<Record<string, unknown>>): string | undefined {
  return TELLING.find((each) => typeof fields[each] === 'string')
}

/** A value of an input as a text. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (toSafeJson(value) ?? '')
}

/** What the user is asked about a call, in a line. */
export function questionText(tool: string, input: unknown, cwd: string): string {
  const fields: Readonly<Record<string, unknown>> = { ...Object(input) }
  if (tool === 'Bash') return 'Run this command?'
  if (tellingField(fields) === 'file_path') return onOneLine(`${tool} ${shortPath(String(fields.file_path), cwd)}?`)
  return `Use ${onOneLine(tool)}?`
}

/** A path from here where it lies here. */
export function shortPath(path: string, cwd: string): string {
  const way = relative(cwd, path)
  return way === '' || way.startsWith('..') ? path : way
}

/** A text with nothing hidden in it, and signs where its lines end. */
export function onOneLine(text: string): string {
  return toVisibleLines(text.trim())
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ')
}
