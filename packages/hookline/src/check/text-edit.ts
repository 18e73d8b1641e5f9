import { listRepeatedKeys, type Place, type SourceField, type SourceNode } from '../config/source.ts'
import { formatInPlace } from '../files/json-edit.ts'
import { findFindingExtent } from './finding.ts'

/** A stretch of a text and what replaces it. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A member of an object in a file. */
export interface FoundField extends SourceField {
  readonly name: string
  readonly object: SourceNode
}

/** The member whose key or value starts at a place; the innermost where several do. */
export function findFieldByPlace(node: SourceNode, place: Place): FoundField | null {
  const isHere = ({ line, column }: Place): boolean => line === place.line && column === place.column
  const inner = [...(node.fields ?? [])].map(([, field]) => field.node).concat(node.items ?? [])
  for (const child of inner) {
    const found = findFieldByPlace(child, place)
    if (found) return found
  }
  for (const [name, field] of node.fields ?? []) {
    if (isHere(field.key) || isHere(field.node)) return { ...field, name, object: node }
  }
  return null
}

/** A text with all edits made. Where two of them meet, one is left for the next time. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let from = text.length
  let result = text
  for (const edit of edits.toSorted((a, b) => b.from - a.from)) {
    if (edit.to > from) continue
    result = result.slice(0, edit.from) + edit.text + result.slice(edit.to)
    from = edit.from
  }
  return result
}

/** The text, name or number at a place, replaced. */
export function makeReplacement(place: Place, by: string, text: string): Edit {
  const from = toOffset(text, place)
  return { from, to: findPlaceEnd(place, text), text: by }
}

/** An object or list written anew, on one line where it stood on one; null where that would lose a comment or a repeated key. */
export function makeRewrite(node: SourceNode, value: unknown, text: string): Edit | null {
  const from = toOffset(text, node)
  const to = endOfValue(text, from)
  const before = text.slice(from, to)
  if (listRepeatedKeys(node).length > 0 || before.replaceAll(STRING, '').includes('/')) return null
  return { from, to, text: formatInPlace(text, from, value, { lines: before.includes('\n') }) }
}

// A string or a comment that is not closed goes to the end: else each of its letters would be a start to try.
const STRING = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs
const BRACKETS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{}]/gs

/** Finds the end of the object or list that begins at an offset. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (const { 0: word, index } of text.slice(from).matchAll(BRACKETS)) {
    if (word === '{' || word === '[') depth++
    else if (word === '}' || word === ']') depth--
    if (depth === 0) return from + index + 1
  }
  return text.length
}

/** The object that begins at a place and is an element of a list; the innermost where several do. */
export function findElementByPlace(node: SourceNode, place: Place): SourceNode | null {
  const inner = [...(node.fields?.values() ?? [])].map((field) => field.node).concat(node.items ?? [])
  for (const child of inner) {
    const found = findElementByPlace(child, place)
    if (found) return found
  }
  return (
    node.items?.find(({ line, column, fields }) => fields && line === place.line && column === place.column) ?? null
  )
}

/** A key under another name, unless that name is taken. */
export function makeRename({ key, object }: FoundField, name: string | undefined, text: string): Edit | null {
  return name === undefined || object.fields?.has(name) ? null : makeReplacement(key, JSON.stringify(name), text)
}

/** A member with a simple value taken out, together with its comma; null when it has members, or a comment stands in the way. */
export function makeRemoval({ key, node, object }: FoundField, text: string): Edit | null {
  if (node.fields || node.items) return null
  const from = toOffset(text, key)
  const to = findPlaceEnd(node, text)
  const [behind] = /^\s*,\s*(?=")/.exec(text.slice(to)) ?? []
  if (behind !== undefined) return { from, to: to + behind.length, text: '' }
  const [before] = /,\s*$/.exec(text.slice(0, from)) ?? []
  const isLast = [...(object.fields?.values() ?? [])].at(-1)?.key === key
  return isLast && before !== undefined ? { from: from - before.length, to, text: '' } : null
}

function findPlaceEnd(place: Place, text: string): number {
  const from = toOffset(text, place)
  const line = text.slice(from - place.column + 1).split('\n', 1)[0] ?? ''
  return from + findFindingExtent(line, place.column)
}

function toOffset(text: string, { line, column }: Place): number {
  let start = 0
  for (let left = line; left > 1; left--) start = text.indexOf('\n', start) + 1
  return start + column - 1
}
