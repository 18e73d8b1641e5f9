import { endOfString, noteWriting, OUT_OF_RANGE, parseAsWritten } from './written-json.ts'

/** Deeper answers are refused: writing them out again would exhaust the stack. */
const MAX_JSON_DEPTH = 64
const LONE_SURROGATE = /[\uD800-\uDFFF]/
/** Text that may stand for a key or a character that is not taken as it is. */
const SUSPICIOUS = /\\u|__proto__|[\uD800-\uDFFF]/

/** A value, or what is wrong with its text. `isJson`: a laxer parser would take it. */
export type ParsedText = { readonly value: unknown } | { readonly fault: string; readonly isJson: boolean }

/**
 * Parses a whole text as JSON and remembers how it was written, or says what is wrong with it. Stricter than `JSON.parse`: no
 * key twice, no deep nesting. The value is what is written, for texts that are handed on.
 */
export function parseUnambiguously(text: string): ParsedText {
  return parseChecked(text, parseAsWritten)
}

/**
 * The same for answers, of which parts are told and written again: without keys called `__proto__` and halves of characters. Of a
 * number that no double holds the digits stay; `Infinity`, as Python writes one that it has read, counts as such a number.
 */
export function parseStrictly(text: string): ParsedText {
  const parsed = parseChecked(text, parseSafely)
  if ('value' in parsed || parsed.isJson || !text.includes('Infinity')) return parsed
  const repaired = parseChecked(replaceInfinity(text), parseSafely)
  return 'value' in repaired ? repaired : parsed
}

function parseChecked(text: string, parse: (text: string) => unknown): ParsedText {
  const shape = measureShape(text)
  const fault =
    shape.depth > MAX_JSON_DEPTH
      ? `it is nested deeper than ${MAX_JSON_DEPTH} levels`
      : shape.twice !== null && `the key "${shape.twice}" appears in it twice`
  try {
    if (fault === false) return { value: parse(text) }
    JSON.parse(text)
    return { fault, isJson: true }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { fault: fault || why, isJson: error instanceof RangeError } // nested deeper than calls can be
  }
}

function parseSafely(text: string): unknown {
  if (!SUSPICIOUS.test(text)) return parseAsWritten(text)
  const value: unknown = JSON.parse(text, (key, inner: unknown) => {
    if (key === '__proto__') return undefined // never data
    return typeof inner === 'string' && LONE_SURROGATE.test(inner) ? Buffer.from(inner).toString() : inner
  })
  noteWriting(text, value)
  return value
}

/** Writes a number that no double holds for each `Infinity` outside of strings. */
function replaceInfinity(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\bInfinity\b/gs, (part) => (part === 'Infinity' ? OUT_OF_RANGE : part))
}

/** Measures how deep a text nests, and finds a key that an object of it has twice. Means nothing for a text that is no JSON. */
function measureShape(text: string): { depth: number; twice: string | null } {
  const open: (Set<string> | null)[] = [] // the keys of an object; null for a list
  let depth = 0
  let twice: string | null = null
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '{' || letter === '[') depth = Math.max(depth, open.push(letter === '{' ? new Set() : null))
    else if (letter === '}' || letter === ']') open.pop()
    else if (letter === '"') {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) {
        const key = unescapeKey(text.slice(at, end))
        if (keys.has(key)) twice ??= key
        keys.add(key)
      }
      at = end - 1
    }
  }
  return { depth, twice }
}

function isKey(text: string, end: number): boolean {
  let at = end
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at++
  return text[at] === ':'
}

function unescapeKey(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted // the parser will say what is wrong with it
  }
}
