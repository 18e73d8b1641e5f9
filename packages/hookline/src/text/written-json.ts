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
/** Objects that were written with a key twice, each with that key. */
const doubledKeys = new WeakMap<object, string>()
let hasDoubledKeys = false

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
  if (stringifyJson(value) === text) return
  hasNotes = true
  noteAll(text, value)
}

/**
 * Finds a key that stands twice in an object of a value: of two programs that read its text each may take another one. Null where
 * there is none, and for values that were not parsed by `parseAsWritten`.
 */
export function findDoubledKey(value: unknown): string | null {
  if (!hasDoubledKeys) return null
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const key = doubledKeys.get(next)
    if (key !== undefined) return key
    for (const inner of Object.values(next)) waiting.push(inner)
  }
  return null
}

/** The same value, written without the values of a key that do not count; the value itself when no key stands twice. */
export function removeDoubledKeys(value: unknown): unknown {
  return findDoubledKey(value) === null ? value : parseAsWritten(stringifyAsWritten(value))
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
  const doubled = doubledKeys.get(Object(original))
  if (doubled !== undefined && members.some(({ key }) => key === doubled)) doubledKeys.set(copy, doubled)
}

/**
 * Writes a value as JSON on one line. What was parsed and has not changed since stands as it was written; `writePlain` writes
 * everything else.
 */
export function stringifyAsWritten(value: unknown, writePlain: (value: unknown) => string = stringifyJson): string {
  if (!hasNotes) return writePlain(value)
  try {
    return writeValue(value, undefined, writePlain)
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
    return isSame(pair) ? original : parseAsWritten(restoreText(pair))
  } catch (error) {
    if (error instanceof RangeError) return changed // nested deeper than calls can be
    throw error
  }
}

/** An object or a list whose text is being read. */
interface OpenContainer {
  readonly start: number
  readonly value: unknown
  readonly isObject: boolean
  readonly members: Member[]
  readonly keys: Set<string>
  doubled: string | undefined
}

/** Notes every object and list of a value. The last of several values of a key counts. A loop, since values may be nested deeper than calls can be. */
function noteAll(text: string, value: unknown): void {
  const open: OpenContainer[] = []
  let at = endOfSpace(text, 0)
  let next: { readonly value: unknown } | null = { value }
  while (true) {
    const inner = open.at(-1)
    if (next !== null) {
      const isObject = text[at] === '{'
      if (isObject || text[at] === '[') {
        open.push({ start: at, value: next.value, isObject, members: [], keys: new Set(), doubled: undefined })
        at = endOfSpace(text, at + 1)
        next = null
        continue
      }
      at = text[at] === '"' ? endOfString(text, at) : endOfScalar(text, at)
    } else if (inner !== undefined && (text[at] === '}' || text[at] === ']')) {
      at++
      open.pop()
      noteContainer(text, inner, at)
    } else if (inner !== undefined) {
      const key = inner.isObject ? readKey(text, at) : { key: String(inner.members.length), keyText: '', valueAt: at }
      at = key.valueAt
      if (inner.isObject && inner.keys.has(key.key)) inner.doubled ??= key.key
      inner.keys.add(key.key)
      inner.members.push({ key: key.key, keyText: key.keyText, start: at, end: at })
      next = { value: findMember(inner.value, key.key) }
      continue
    }
    const outer = open.at(-1)
    if (outer === undefined) return
    const member = outer.members.pop()
    if (member !== undefined) outer.members.push({ ...member, end: at })
    at = endOfSpace(text, at)
    if (text[at] === ',') at = endOfSpace(text, at + 1)
    next = null
  }
}

function readKey(
  text: string,
  at: number,
): { readonly key: string; readonly keyText: string; readonly valueAt: number } {
  const end = endOfString(text, at)
  const keyText = text.slice(at, end)
  return { key: String(JSON.parse(keyText)), keyText, valueAt: endOfSpace(text, endOfSpace(text, end) + 1) }
}

function findMember(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function noteContainer(text: string, { start, value, isObject, members, doubled }: OpenContainer, end: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) === isObject) return
  writings.set(value, { source: text, members, span: { start, end } })
  if (doubled === undefined) return
  doubledKeys.set(value, doubled)
  hasDoubledKeys = true
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
function writeValue(value: unknown, text: string | undefined, writePlain: (value: unknown) => string): string {
  if (typeof value !== 'object' || value === null)
    return text !== undefined && isWrittenSo(value, text) ? text : writePlain(value)
  if ('toJSON' in value) return writePlain(value)
  const writing = writings.get(value)
  const known = new Map(writing?.members.map((member) => [member.key, member]))
  const fields = value as Record<string, unknown> // a list has its items by their numbers
  const writeMember = (key: string): string => {
    const { start, end } = known.get(key) ?? { start: 0, end: 0 }
    return writeValue(fields[key], start === end ? undefined : writing?.source.slice(start, end), writePlain)
  }
  if (Array.isArray(value)) {
    const items = Array.from(value, (_, at) => writeMember(String(at))) // JSON has null for a hole
    return replaceInPlace(writing, Object.keys(items), items) ?? `[${items.join(',')}]`
  }
  const keys = listWrittenKeys(fields, writing)
  const texts = keys.map(writeMember)
  const named = keys.map((key, at) => `${known.get(key)?.keyText ?? writePlain(key)}:${texts[at]}`)
  return replaceInPlace(writing, keys, texts) ?? `{${named.join(',')}}`
}

/** The keys of an object that JSON has, those that were written in that order first. */
function listWrittenKeys(fields: Readonly<Record<string, unknown>>, writing: Writing | undefined): string[] {
  const own = Object.keys(fields).filter((key) => fields[key] !== undefined && typeof fields[key] !== 'function')
  if (writing === undefined || writing.span === null) return own
  const written = new Set(writing.members.map(({ key }) => key))
  const present = new Set(own)
  return [...[...written].filter((key) => present.has(key)), ...own.filter((key) => !written.has(key))]
}

/** The source with these texts for its members, if they are the same members; null: they are not, or it has several lines. */
function replaceInPlace(
  writing: Writing | undefined,
  keys: readonly string[],
  texts: readonly string[],
): string | null {
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

function restoreText(pair: Pair): string {
  const { original, changed, before, after } = pair
  if (isSame(pair)) return writeValue(original, before, stringifyJson)
  if (Array.isArray(original) && Array.isArray(changed))
    return `[${pairItems(original, changed).map(restoreText).join(',')}]`
  if (!isPlainObject(original) || !isPlainObject(changed)) return writeValue(changed, after, stringifyJson)
  const kept = listWrittenKeys(original, writings.get(original)).filter((key) => Object.hasOwn(changed, key))
  const added = listWrittenKeys(changed, writings.get(changed)).filter((key) => !kept.includes(key))
  const members = [
    ...kept.map((key) => `${findKeyText(original, key)}:${restoreText(pairMembers(original, changed, key))}`),
    ...added.map(
      (key) => `${findKeyText(changed, key)}:${writeValue(changed[key], findMemberText(changed, key), stringifyJson)}`,
    ),
  ]
  return `{${members.join(',')}}`
}

type Fields = Record<string, unknown>

const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds for each item the one that it was: from both ends, then the first that is left and the same, then by its place. */
function pairItems(original: readonly unknown[], changed: readonly unknown[]): Pair[] {
  const makePair = (at: number, old: number): Pair => ({
    original: original[old],
    changed: changed[at],
    before: findMemberText(original, String(old)),
    after: findMemberText(changed, String(at)),
  })
  const shorter = Math.min(original.length, changed.length)
  let head = 0
  while (head < shorter && isSame(makePair(head, head))) head++
  let tail = 0
  while (tail < shorter - head && isSame(makePair(changed.length - 1 - tail, original.length - 1 - tail))) tail++
  const left = new Set([...original.keys()].slice(head, original.length - tail))
  return Array.from(changed, (_, at) => {
    if (at < head) return makePair(at, at)
    if (at >= changed.length - tail) return makePair(at, at - changed.length + original.length)
    const old = [...left].find((one) => isSame(makePair(at, one))) ?? (original.length === changed.length ? at : -1)
    left.delete(old)
    return makePair(at, old)
  })
}

function pairMembers(original: Fields, changed: Fields, key: string): Pair {
  const before = findMemberText(original, key)
  const after = findMemberText(changed, key)
  return { original: original[key], changed: changed[key], before, after }
}

function findMemberText(container: object, key: string): string | undefined {
  const writing = writings.get(container)
  const member = writing?.members.findLast((one) => one.key === key)
  return member === undefined ? undefined : writing?.source.slice(member.start, member.end)
}

function findKeyText(container: object, key: string): string {
  return writings.get(container)?.members.find((one) => one.key === key)?.keyText ?? JSON.stringify(key)
}

/** True if a program that did not touch the value may have written the other one for it. */
function isSame(pair: Pair): boolean {
  const { original, changed, before, after } = pair
  if (typeof original === 'number') {
    if (changed === null) return !Number.isFinite(original) // as JavaScript writes what no double holds
    return typeof changed === 'number' && isSameNumber(before ?? String(original), after ?? String(changed))
  }
  if (typeof original === 'string') return changed === original || changed === replaceHalves(original)
  if (typeof original !== 'object' || original === null) return original === changed
  if (Array.isArray(original)) {
    if (!Array.isArray(changed) || original.length !== changed.length) return false
    return Object.keys(original).every((key) => isSame(pairMembers(Object(original), Object(changed), key)))
  }
  if (!isPlainObject(original) || !isPlainObject(changed)) return false
  const keys = listWrittenKeys(original, undefined)
  if (keys.length !== listWrittenKeys(changed, undefined).length) return false
  return keys.every((key) => Object.hasOwn(changed, key) && isSame(pairMembers(original, changed, key)))
}

/** Halves of characters as programs write them that have none. */
const replaceHalves = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

/** Number that stands for what no double holds, where a program did not write a number. */
export const OUT_OF_RANGE = '1e999'

/** Digits that tell every double from every other. */
const DOUBLE_DIGITS = 17

function isSameNumber(original: string, changed: string): boolean {
  const number = Number(original)
  const digits = toDecimal(changed)
  if (!Number.isFinite(number) && changed.replace('-', '') === OUT_OF_RANGE) return Number(changed) === number
  if (!Number.isFinite(number) && Number(changed) === Math.sign(number) * Number.MAX_VALUE) return true // as jq writes it
  return [original, String(number), number.toPrecision(DOUBLE_DIGITS)].some((text) => toDecimal(text) === digits)
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/

/** A number in one form of the many that it can be written in. */
function toDecimal(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  if (sign === undefined) return text // Infinity
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/(?<!0)0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}
