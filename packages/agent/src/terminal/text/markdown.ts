import { type Code, highlightLine } from './highlight.ts'

/** A stretch of a line. */
export interface Span {
  readonly text: string
  readonly style: 'plain' | 'bold' | 'italic' | 'strike' | 'code' | 'link' | Code
  /** Target of a link, when its text does not say it. */
  readonly url?: string
}

/** A line of a text with light Markdown. */
export interface MarkdownLine {
  readonly kind: 'text' | 'heading' | 'item' | 'code' | 'quote' | 'rule'
  /** Columns before it. */
  readonly indent: number
  /** Mark before an item: a sign for `-`, its number for `1.`. */
  readonly mark: string
  /** Of an item that is to be done. */
  readonly isDone?: boolean
  readonly spans: readonly Span[]
}

/** A table; every row has as many cells as the first. */
export interface Table {
  readonly kind: 'table'
  readonly rows: readonly (readonly (readonly Span[])[])[]
}

/**
 * Reads the Markdown that models write: headings, lists, check boxes, quotes, rules, tables, fenced code, links, bold,
 * italic and code. All else is text.
 */
export function readMarkdown(text: string): (MarkdownLine | Table)[] {
  const read: (MarkdownLine | Table)[] = []
  const lines = text.split('\n')
  let fence: { readonly marker: string; readonly language: string } | null = null
  for (let at = 0; at < lines.length; at++) {
    const source = lines[at] ?? ''
    const [, marker, language = ''] = /^\s*(```+|~~~+)\s*([\w+#-]*)/.exec(source) ?? []
    if (marker !== undefined && (fence === null || marker.startsWith(fence.marker))) {
      fence = fence === null ? { marker, language: language.toLowerCase() } : null
    } else if (fence !== null) {
      read.push({ kind: 'code', indent: 2, mark: '', spans: highlightLine(source, fence.language) })
    } else {
      const rows = readTableRows(lines, at)
      read.push(
        rows === null ? readMarkdownLine(source) : { kind: 'table', rows: rows.map((cells) => cells.map(splitSpans)) },
      )
      if (rows !== null) at += rows.length // the header, the line below, and the rows
    }
  }
  return read
}

/** The cells of a table that begins at a line, without the line below its header; null: none begins there. */
function readTableRows(lines: readonly string[], at: number): string[][] | null {
  const header = splitCells(lines[at] ?? '')
  const isTable = header.length > 0 && /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$/.test(lines[at + 1] ?? '')
  if (!isTable || splitCells(lines[at + 1] ?? '').length !== header.length) return null
  const rows = [header]
  for (let next = at + 2; (lines[next] ?? '').includes('|'); next++) {
    const cells = splitCells(lines[next] ?? '')
    rows.push(header.map((_, column) => cells[column] ?? ''))
  }
  return rows
}

function splitCells(source: string): string[] {
  const inner = source.trim().replace(/^\||(?<!\\)\|$/g, '')
  return source.includes('|') ? inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')) : []
}

function readMarkdownLine(source: string): MarkdownLine {
  const heading = /^#{1,6}\s+(.*)$/s.exec(source)
  if (heading) return { kind: 'heading', indent: 0, mark: '', spans: splitSpans(heading[1] ?? '') }
  if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(source)) return { kind: 'rule', indent: 0, mark: '', spans: [] }
  const item = /^(\s*)(?:[-*+]|(\d+[.)]))\s+(?:\[([ xX])\]\s+)?(.*)$/s.exec(source)
  if (item) {
    const [, indent = '', mark = '', box, rest = ''] = item
    const done = box === undefined ? {} : { isDone: box !== ' ' }
    return { kind: 'item', indent: indent.length, mark, ...done, spans: splitSpans(rest) }
  }
  const quote = /^>\s?(.*)$/.exec(source)
  if (quote) return { kind: 'quote', indent: 0, mark: '', spans: splitSpans(quote[1] ?? '') }
  return { kind: 'text', indent: 0, mark: '', spans: splitSpans(source) }
}

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|~~([^~]+)~~|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])|!?\[([^\]]{1,1000})\]\(([^()\s]{1,2000})\)|(https?:\/\/[^\s<>)\]]+[^\s<>)\].,;:!?])/g

function splitSpans(text: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) spans.push(toPlainSpan(text.slice(end, match.index)))
    spans.push(toStyledSpan(match))
    end = match.index + match[0].length
  }
  if (end < text.length || spans.length === 0) spans.push(toPlainSpan(text.slice(end)))
  return spans
}

function toStyledSpan([whole, code, bold, strike, italic, linked, url]: RegExpMatchArray): Span {
  if (code !== undefined) return { text: code, style: 'code' }
  if (bold !== undefined) return { text: bold, style: 'bold' }
  if (strike !== undefined) return { text: strike, style: 'strike' }
  if (italic !== undefined) return { text: italic, style: 'italic' }
  if (linked === undefined || url === undefined) return { text: whole, style: 'link' }
  return { text: linked, style: 'link', ...(linked === url ? {} : { url }) }
}

const toPlainSpan = (text: string): Span => ({ text, style: 'plain' })
