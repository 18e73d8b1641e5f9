import { parseStrictly } from '../text/strict-json.ts'
import { endOfString } from '../text/written-json.ts'

/** A text in braces, and what is in it if it is JSON. */
export interface BracedText {
  readonly source: string
  readonly parsed: ReturnType<typeof parseStrictly>
}

/**
 * The outermost texts in braces among other text, in order. What stands inside of one is not looked at by itself, and
 * one that is never closed goes to the end; so this is linear in time.
 */
export function findBracedTexts(text: string): BracedText[] {
  const found: BracedText[] = []
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start)) {
    const end = findClosingBrace(text, start)
    const source = text.slice(start, end ?? text.length)
    found.push({ source, parsed: end === null ? { fault: 'it is not closed', isJson: false } : parseKindly(source) })
    start += source.length
  }
  return found
}

/** The offset behind the brace that closes an object; null when it is never closed. Braces in strings do not count. */
function findClosingBrace(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') at = endOfString(text, at) - 1
    if (letter === '{') depth++
    if (letter === '}') depth--
    if (depth === 0) return at + 1
  }
  return null
}

/** As strict JSON, or else as what models make of it: a comma too many, lines in a string, Python's words. */
function parseKindly(source: string): BracedText['parsed'] {
  const strict = parseStrictly(source)
  if ('value' in strict) return strict
  const kind = parseStrictly(repairJson(source))
  return 'value' in kind ? kind : strict
}

function repairJson(source: string): string {
  const parts: string[] = []
  for (let at = 0; at < source.length; ) {
    const isString = source[at] === '"'
    const quote = source.indexOf('"', at)
    const behind = quote < 0 ? source.length : quote
    const end = isString ? endOfString(source, at) : behind
    const part = source.slice(at, end)
    parts.push(isString ? mendString(part) : repairCode(part))
    at = end
  }
  return parts.join('')
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }

const mendString = (part: string): string => part.replace(/[\n\r\t]/g, (letter) => ESCAPES[letter] ?? letter)

function repairCode(part: string): string {
  return part.replace(/\b(?:True|False|None)\b/g, (word) => PYTHON_WORDS[word] ?? word).replace(/,(?=\s*[}\]])/g, '')
}
