import { relative } from 'node:path'
import { toSafeJson, toVisibleLines } from 'hookline/internal'

/** Fields by which users know a call, in this order. */
const TELLING = ['command', 'file_path', 'pattern', 'url', 'query', 'skill', 'subject', 'description', 'plan', 'prompt']

/** A call's input in one line: the field that tells most, else JSON. */
export function formatInput(input: unknown, cwd: string): string {
  if (typeof input !== 'object' || input === null) return foldToOneLine(JSON.stringify(input) ?? '')
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const name = findTellingField(fields)
  if (name === undefined) return Object.keys(fields).length === 0 ? '' : foldToOneLine(JSON.stringify(fields))
  const text = String(fields[name])
  return foldToOneLine(name === 'file_path' ? shortenPath(text, cwd) : text)
}

/** The field of an input by which users know the call. */
export function findTellingField(fields: Readonly<Record<string, unknown>>): string | undefined {
  return TELLING.find((each) => typeof fields[each] === 'string')
}

/** A value of an input as a text. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (toSafeJson(value) ?? '')
}

/** Formats what the user is asked about a call, in a line. */
export function formatCallQuestion(tool: string, input: unknown, cwd: string): string {
  const fields: Readonly<Record<string, unknown>> = { ...Object(input) }
  if (tool === 'Bash') return 'Run this command?'
  if (findTellingField(fields) === 'file_path')
    return foldToOneLine(`${tool} ${shortenPath(String(fields.file_path), cwd)}?`)
  return `Use ${foldToOneLine(tool)}?`
}

/** A path from here where it lies here. */
export function shortenPath(path: string, cwd: string): string {
  const way = relative(cwd, path)
  return way === '' || way.startsWith('..') ? path : way
}

/** A text with nothing hidden in it, and signs where its lines end. */
export function foldToOneLine(text: string): string {
  return toVisibleLines(text.trim())
    .replace(/(?<!\s)\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ')
}
