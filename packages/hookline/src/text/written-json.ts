import { stringifyJson } from './json.ts'

/** A member of an object or an item of a list, as it was written. */
interface Member {
  readonly key: string
  /** The key with its quotes; empty in a list. */
  readonly keyText: string
  /** Place of its value in the source. */
  readonly start: number
  readonly end: number
}

/** Source of an object or a list. */
interface Writing {
  readonly source: string
  readonly members: readonly Member[]
  /** Place in the source; null: it is a copy, and stands nowhere. */
  readonly span: { readonly start: number; readonly end: number } | null
}

const writings = new WeakMap<object, Writing>()
/** Most processes note nothing, and then `JSON.stringify` alone is quicker. */
let hasNotes = false

/** Parses JSON and remembers how it was written. Throws what `JSON.parse` throws. */
export function parseAsWritten(text: string): unknown {
  const value: unknown = JSON.parse(text)
  noteWriting(text, value)
  return value
}

/**
 * Remembers how a value was written that was parsed from this text: the digits of its numbers, the escapes of its strings, the
 * order of its keys. The value stays what it is; `stringifyAsWritten` writes it, and every part of it, so again.
 */
export function noteWriting(text: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  try {
    if (JSON.stringify(value) === text) return
    hasNotes = true
    noteAt(text, endOfSpace(text, 0), value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // nested deeper than calls can be: written plainly
  }
}

/** Remembers for a copy how the members were written that it took over; `names` has its name of each and the original's. */
export function carryWriting(copy: object, original: unknown, names?: Iterable<readonly [string, string]>): void {
  const writing = typeof original === 'object' && original !== null ? writings.get(original) : undefined
  if (writing === undefined) return
  const byKey = new Map(writing.members.map((member) => [member.key, member]))
  const members = [...(names ?? Object.keys(copy).map((key) => [key, key] as const))].flatMap(([key, old]) => {
    const member = byKey.get(old)
    return member === undefined ? [] : [{ ...member, key, keyText: key === old ? member.keyText : JSON.stringify(key) }]
  })
  writings.set(copy, { source: writing.source, members, span: null })
}

/**
 * Writes a value as JSON on one line. What was parsed and has not changed since stands as it was written; `writePlain` writes
 * everything else.
 */
export function stringifyAsWritten(value: unknown, writePlain: (value: unknown) => string = stringifyJson): string {
  if (!hasNotes) return writePlain(value)
  try {
    return write(value, undefined, writePlain)
  } catch (error) {
    if (error instanceof RangeError) return writePlain(value) // nested deeper than calls can be
    throw error
  }
}

/**
 * The value that a hook made of another one, with everything as it was written that the hook left alone. A number counts as
 * left alone when it comes back as a program writes it that has read it into a double. The original itself: nothing changed.
 */
export function restoreUntouched<Value>(original: unknown, changed: Value): Value | unknown {
  if (!hasNotes || changed === original) return changed
  const pair = { original, changed, before: undefined, after: undefined }
  try {
    return isSame(pair) ? original : parseAsWritten(restoredText(pair))
  } catch (error) {
    if (error instanceof RangeError) return changed // nested deeper than calls can be
    throw error
  }
}

/** Notes the value that begins at an offset; returns the offset of its end. The last of several values of a key counts. */
function noteAt(text: string, start: number, value: unknown): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') return endOfScalar(text, start)
  const inner = Object(value) as Record<string, unknown> // other values have no members
  const members: Member[] = []
  let at = endOfSpace(text, start + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    let key = String(members.length)
    let keyText = ''
    if (first === '{') {
      const end = endOfString(text, at)
      keyText = text.slice(at, end)
      key = String(JSON.parse(keyText))
      at = endOfSpace(text, endOfSpace(text, end) + 1)
    }
    const end = noteAt(text, at, Object.hasOwn(inner, key) ? inner[key] : undefined)
    members.push({ key, keyText, start: at, end })
    at = endOfSpace(text, end)
    if (text[at] === ',') at = endOfSpace(text, at + 1)
  }
  const end = at + 1
  const isOfThisKind = Array.isArray(value) ? first === '[' : first === '{'
  if (typeof value === 'object' && value !== null && isOfThisKind)
    writings.set(value, { source: text, members, span: { start, end } })
  return end
}

/** The offset behind the quote that closes a string. */
export function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at++
  return at
}

const SCALAR = /[-+.\w]+/y

function endOfScalar(text: string, start: number): number {
  SCALAR.lastIndex = start
  SCALAR.exec(text)
  return SCALAR.lastIndex
}

/** `text` is how a value without members was written, if that is known. */
function write(value: unknown, text: string | undefined, writePlain: (value: unknown) => string): string {
  if (typeof value !== 'object' || value === null)
    return text !== undefined && isWrittenSo(value, text) ? text : writePlain(value)
  if ('toJSON' in value) return writePlain(value)
  const writing = writings.get(value)
  const known = new Map(writing?.members.map((member) => [member.key, member]))
  const fields = value as Record<string, unknown> // a list has its items by their numbers
  const member = (key: string): string => {
    const { start, end } = known.get(key) ?? { start: 0, end: 0 }
    return write(fields[key], start === end ? undefined : writing?.source.slice(start, end), writePlain)
  }
  if (Array.isArray(value)) {
    const items = value.map((_, at) => member(String(at)))
    return inPlace(writing, Object.keys(items), items) ?? `[${items.join(',')}]`
  }
  const keys = writtenKeys(fields, writing)
  const texts = keys.map(member)
  const named = keys.map((key, at) => `${known.get(key)?.keyText ?? writePlain(key)}:${texts[at]}`)
  return inPlace(writing, keys, texts) ?? `{${named.join(',')}}`
}

/** The keys of an object that JSON has, those that were written in that order first. */
function writtenKeys(fields: Readonly<Record<string, unknown>>, writing: Writing | undefined): string[] {
  const own = Object.keys(fields).filter((key) => fields[key] !== undefined && typeof fields[key] !== 'function')
  if (writing === undefined || writing.span === null) return own
  const written = new Set(writing.members.map(({ key }) => key))
  const present = new Set(own)
  return [...[...written].filter((key) => present.has(key)), ...own.filter((key) => !written.has(key))]
}

/** The source with these texts for its members, if they are the same members; null: they are not, or it has several lines. */
function inPlace(writing: Writing | undefined, keys: readonly string[], texts: readonly string[]): string | null {
  if (writing === undefined || writing.span === null) return null
  const { source, members, span } = writing
  if (members.length !== keys.length || members.some(({ key }, at) => key !== keys[at])) return null
  const ends = [span.start, ...members.map(({ end }) => end)]
  const gaps = [...members.map(({ start }, at) => source.slice(ends[at], start)), source.slice(ends.at(-1), span.end)]
  if (gaps.some((gap) => /[\n\r]/.test(gap))) return null
  return gaps.map((gap, at) => gap + (texts[at] ?? '')).join('')
}

function isWrittenSo(value: unknown, text: string): boolean {
  if (typeof value === 'number') return /^[-\d]/.test(text) && Object.is(Number(text), value)
  return typeof value === 'string' && text.startsWith('"') && JSON.parse(text) === value
}

/** Two values, and how those were written that have no members. */
interface Pair {
  readonly original: unknown
  readonly changed: unknown
  readonly before: string | undefined
  readonly after: string | undefined
}

function restoredText(pair: Pair): string {
  const { original, changed, before, after } = pair
  if (isSame(pair)) return write(original, before, stringifyJson)
  if (Array.isArray(original) && Array.isArray(changed))
    return `[${pairItems(original, changed).map(restoredText).join(',')}]`
  if (!isPlainObject(original) || !isPlainObject(changed)) return write(changed, after, stringifyJson)
  const kept = writtenKeys(original, writings.get(original)).filter((key) => Object.hasOwn(changed, key))
  const added = writtenKeys(changed, writings.get(changed)).filter((key) => !kept.includes(key))
  const members = [
    ...kept.map((key) => `${keyText(original, key)}:${restoredText(pairMembers(original, changed, key))}`),
    ...added.map((key) => `${keyText(changed, key)}:${write(changed[key], memberText(changed, key), stringifyJson)}`),
  ]
  return `{${members.join(',')}}`
}

type Fields = Record<string, unknown>

const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds for each item the one that it was: from both ends, then the first that is left and the same, then by its place. */
function pairItems(original: readonly unknown[], changed: readonly unknown[]): Pair[] {
  const pairAt = (at: number, old: number): Pair => ({
    original: original[old],
    changed: changed[at],
    before: memberText(original, String(old)),
    after: memberText(changed, String(at)),
  })
  const shorter = Math.min(original.length, changed.length)
  let head = 0
  while (head < shorter && isSame(pairAt(head, head))) head++
  let tail = 0
  while (tail < shorter - head && isSame(pairAt(changed.length - 1 - tail, original.length - 1 - tail))) tail++
  const left = new Set([...original.keys()].slice(head, original.length - tail))
  return changed.map((_, at) => {
    if (at < head) return pairAt(at, at)
    if (at >= changed.length - tail) return pairAt(at, at - changed.length + original.length)
    const old = [...left].find((one) => isSame(pairAt(at, one))) ?? (original.length === changed.length ? at : -1)
    left.delete(old)
    return pairAt(at, old)
  })
}

function pairMembers(original: Fields, changed: Fields, key: string): Pair {
  const before = memberText(original, key)
  const after = memberText(changed, key)
  return { original: original[key], changed: changed[key], before, after }
}

function memberText(container: object, key: string): string | undefined {
  const writing = writings.get(container)
  const member = writing?.members.findLast((one) => one.key === key)
  return member === undefined ? undefined : writing?.source.slice(member.start, member.end)
}

function keyText(container: object, key: string): string {
  return writings.get(container)?.members.find((one) => one.key === key)?.keyText ?? JSON.stringify(key)
}

/** True if a program that did not touch the value may have written the other one for it. */
function isSame(pair: Pair): boolean {
  const { original, changed, before, after } = pair
  if (typeof original === 'number') {
    if (changed === null) return !Number.isFinite(original) // as JavaScript writes what no double holds
    return typeof changed === 'number' && isSameNumber(before ?? String(original), after ?? String(changed))
  }
  if (typeof original !== 'object' || original === null) return original === changed
  if (Array.isArray(original)) {
    if (!Array.isArray(changed) || original.length !== changed.length) return false
    return Object.keys(original).every((key) => isSame(pairMembers(Object(original), Object(changed), key)))
  }
  if (!isPlainObject(original) || !isPlainObject(changed)) return false
  const keys = writtenKeys(original, undefined)
  if (keys.length !== writtenKeys(changed, undefined).length) return false
  return keys.every((key) => Object.hasOwn(changed, key) && isSame(pairMembers(original, changed, key)))
}

/** Digits that tell every double from every other. */
const DOUBLE_DIGITS = 17

function isSameNumber(original: string, changed: string): boolean {
  const number = Number(original)
  const digits = toDecimal(changed)
  return [original, String(number), number.toPrecision(DOUBLE_DIGITS)].some((text) => toDecimal(text) === digits)
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/

/** A number in one form of the many that it can be written in. */
function toDecimal(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  if (sign === undefined) return text // Infinity
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}
