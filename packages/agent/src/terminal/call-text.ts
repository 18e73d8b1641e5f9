import { relative } from 'node:path'
import { cleanText } from 'hookline'

/** Fields by which people know a call, in this order. */
const TELLING = ['command', 'file_path', 'pattern', 'url', 'query', 'skill', 'subject', 'description', 'prompt']

/** A call's input in one line: the field that tells most, else JSON. */
export function inputText(input: unknown, cwd: string): string {
  if (typeof input !== 'object' || input === null) return oneLine(JSON.stringify(input) ?? '')
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const name = TELLING.find((each) => typeof fields[each] === 'string')
  if (name === undefined) return Object.keys(fields).length === 0 ? '' : oneLine(JSON.stringify(fields))
  const text = String(fields[name])
  return oneLine(name === 'file_path' ? shortPath(text, cwd) : text)
}

/** A path from here where it lies here. */
function shortPath(path: string, cwd: string): string {
  const way = relative(cwd, path)
  return way === '' || way.startsWith('..') ? path : way
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}
