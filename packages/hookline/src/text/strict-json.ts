import { endOfString, noteWriting, parseAsWritten } from './written-json.ts'

/** Deeper answers are refused: writing them out again would exhaust the stack. */
const MAX_JSON_DEPTH = 64
const LONE_SURROGATE = /[\uD800-\uDFFF]/
/** Text that may stand for a key, a character or a number that is not taken as it is. */
const SUSPICIOUS = /\\u|__proto__|[\uD800-\uDFFF]|[eE]\+?\d{2}|\d{300}/

/**
 * Parses a whole text as JSON and remembers how it was written, or says what is wrong with it. Stricter than `JSON.parse`: no
 * key twice, no deep nesting.
 */
export function parseStrictly(text: string): { readonly value: unknown } | { readonly fault: string } {
  const shape = shapeOf(text)
  if (shape.depth > MAX_JSON_DEPTH) return { fault: `it is nested deeper than ${MAX_JSON_DEPTH} levels` }
  try {
    if (shape.twice === null && !SUSPICIOUS.test(text)) return { value: parseAsWritten(text) }
    let outOfRange: string | undefined
    const value: unknown = JSON.parse(text, (key, inner: unknown) => {
      if (key === '__proto__') return undefined // never data
      if (typeof inner === 'string' && LONE_SURROGATE.test(inner)) return Buffer.from(inner).toString()
      if (typeof inner === 'number' && !Number.isFinite(inner)) outOfRange ??= key
      return inner
    })
    if (outOfRange !== undefined) return { fault: `the number "${outOfRange}" is out of range` }
    if (shape.twice !== null) return { fault: `the key "${shape.twice}" appears in it twice` }
    noteWriting(text, value)
    return { value }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

/** Measures how deep a text nests, and finds a key that an object of it has twice. Means nothing for a text that is no JSON. */
function shapeOf(text: string): { depth: number; twice: string | null } {
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
        const key = unescaped(text.slice(at, end))
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

function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted // the parser will say what is wrong with it
  }
}
