import { type Node, parseTree } from 'jsonc-parser'

/** A stretch of a text, from an offset up to another. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What stands between two values, besides spaces. */
export interface Gap {
  /** Where its comma is; null when it has none. */
  readonly comma: number | null
  /** Where the last comment or comma ends, or the gap begins. */
  readonly end: number
  /** Where the last of them ends that stands on the line where the gap begins or has its comma. */
  readonly sameLine: number
  /** Whether a `//` comment stands there, and last. */
  readonly lineComment: { readonly any: boolean; readonly last: boolean }
  readonly comments: boolean
}

/** The tree of a text that is known to be JSON, comments and trailing commas allowed; offsets are those of the text. */
export function jsonTree(text: string): Node {
  const tree = parseTree(text.replace('\uFEFF', ' '), [], { allowTrailingComma: true })
  if (!tree) throw new TypeError('an empty text is not JSON')
  return tree
}

const TOKEN = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,|\n/g

/** What stands between two offsets that have no value between them. */
export function gapBetween(text: string, { from, to }: Span): Gap {
  const tokens = [...text.slice(from, to).matchAll(TOKEN)].map((match) => ({ word: match[0], at: from + match.index }))
  const solid = tokens.filter(({ word }) => word !== '\n')
  const comma = solid.find(({ word }) => word === ',')
  const lineEnd = tokens.find(({ word, at }) => word === '\n' && at >= (comma?.at ?? from))?.at ?? to
  const ends = solid.map(({ word, at }) => at + word.length)
  const isLineComment = ({ word }: { word: string }): boolean => word.startsWith('//')
  return {
    comma: comma?.at ?? null,
    end: ends.at(-1) ?? from,
    sameLine: ends.findLast((end) => end <= lineEnd) ?? from,
    lineComment: { any: solid.some(isLineComment), last: solid.slice(-1).some(isLineComment) },
    comments: solid.some(({ word }) => word !== ','),
  }
}

/** Where a node ends. */
export function endOf({ offset, length }: Node): number {
  return offset + length
}

/** Between the brackets of a container. */
export function insideOf(container: Node): Span {
  return { from: container.offset + 1, to: endOf(container) - 1 }
}

/** The spaces at the start of the line on which an offset lies. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''
}

/** Whether nothing but spaces stands before an offset on its line, and it is not the first line. */
export function startsItsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset)
  return start > 0 && text.slice(start, offset).trim() === ''
}

/** How the lines of a text end. */
export function lineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}
