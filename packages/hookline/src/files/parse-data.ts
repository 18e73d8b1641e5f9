import { type ParseError, parse as parseWithComments, printParseErrorCode } from 'jsonc-parser'
import { parse as parseToml, TomlError } from 'smol-toml'

/**
 * Ways in which programs read their settings. `json-with-comments` allows comments, `jsonc` trailing commas as well;
 * `json-cut-at-slashes` takes whatever follows two slashes for a comment, inside of a string too.
 */
export type DataFormat = 'json' | 'json-with-comments' | 'jsonc' | 'json-cut-at-slashes' | 'toml'

/** The data of a text, or why it has none: a sentence without its subject. */
export type ParsedData = { readonly value: unknown } | { readonly fault: string }

/** Reads a text as a program with that format does. Never throws. */
export function parseData(text: string, format: DataFormat): ParsedData {
  return PARSERS[format](text)
}

/** Names of the formats. */
export const DATA_FORMATS = ['json', 'json-with-comments', 'jsonc', 'json-cut-at-slashes', 'toml'] as const

const PARSERS: Readonly<Record<DataFormat, (text: string) => ParsedData>> = {
  json: (text) => parsePlainJson(text),
  'json-with-comments': (text) => parseLenientJson(text, { allowTrailingComma: false }),
  jsonc: (text) => parseLenientJson(text, { allowTrailingComma: true }),
  'json-cut-at-slashes': (text) => parsePlainJson(text.replaceAll(/\/\/.*$/gm, '')),
  toml: parseTomlText,
}

function parsePlainJson(text: string): ParsedData {
  if (text.trim() === '') return EMPTY_FAULT
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const lenient = parseLenientJson(text.replace(/^\uFEFF/, ''), { allowTrailingComma: true })
    const why = 'value' in lenient ? COMMENTED : String(error instanceof Error ? error.message : error)
    return { fault: `is not plain JSON: ${why}` }
  }
}

/** Fault of a file that an editor or a full disk left without a word. */
const EMPTY_FAULT: ParsedData = { fault: 'is empty' }

const COMMENTED = 'it has comments, a trailing comma or a byte order mark'

function parseLenientJson(text: string, options: { readonly allowTrailingComma: boolean }): ParsedData {
  if (text.trim() === '') return EMPTY_FAULT
  const errors: ParseError[] = []
  const value: unknown = parseWithComments(text, errors, options)
  const [error] = errors
  if (error === undefined) return { value }
  const line = text.slice(0, error.offset).split('\n').length
  const isExtended = !options.allowTrailingComma && 'value' in parseLenientJson(text, { allowTrailingComma: true })
  const why = isExtended ? 'a comma too many' : printParseErrorCode(error.error)
  return { fault: `is not JSON: line ${line}, ${why}` }
}

function parseTomlText(text: string): ParsedData {
  try {
    return { value: parseToml(text, { integersAsBigInt: 'asNeeded' }) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [first = ''] = error.message.split('\n', 1) // the rest draws the place
    return { fault: `is not TOML: line ${error.line}, ${first.replace(/^Invalid TOML document: /, '')}` }
  }
}
