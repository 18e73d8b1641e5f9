/** A stretch of a line. */
export interface Span {
  readonly text: string
  readonly style: 'plain' | 'bold' | 'italic' | 'code'
}

/** A line of a text with light Markdown. */
export interface Line {
  readonly kind: 'text' | 'heading' | 'item' | 'code' | 'quote'
  /** Columns before it. */
  readonly indent: number
  /** What stands before an item: a sign for `-`, its number for `1.`. */
  readonly mark: string
  readonly spans: readonly Span[]
}

/** Reads the Markdown that models write: headings, lists, quotes, fenced code, bold, italic and code. All else is text. */
export function readMarkdown(text: string): Line[] {
  let fence: string | null = null
  return text.split('\n').flatMap((source): Line[] => {
    const marker = /^\s*(```+|~~~+)/.exec(source)?.[1]
    if (marker !== undefined && (fence === null || marker.startsWith(fence))) {
      fence = fence === null ? marker : null
      return []
    }
    return [fence === null ? lineOf(source) : { kind: 'code', indent: 2, mark: '', spans: [plain(source)] }]
  })
}

function lineOf(source: string): Line {
  const heading = /^#{1,6}\s+(.*)$/.exec(source)
  if (heading) return { kind: 'heading', indent: 0, mark: '', spans: spansOf(heading[1] ?? '') }
  const item = /^(\s*)(?:[-*+]|(\d+[.)]))\s+(.*)$/.exec(source)
  if (item) return { kind: 'item', indent: item[1]?.length ?? 0, mark: item[2] ?? '', spans: spansOf(item[3] ?? '') }
  const quote = /^>\s?(.*)$/.exec(source)
  if (quote) return { kind: 'quote', indent: 0, mark: '', spans: spansOf(quote[1] ?? '') }
  return { kind: 'text', indent: 0, mark: '', spans: spansOf(source) }
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g

function spansOf(text: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) spans.push(plain(text.slice(end, match.index)))
    spans.push(styled(match))
    end = match.index + match[0].length
  }
  if (end < text.length || spans.length === 0) spans.push(plain(text.slice(end)))
  return spans
}

function styled([whole, code, bold, italic]: RegExpMatchArray): Span {
  if (code !== undefined) return { text: code, style: 'code' }
  if (bold !== undefined) return { text: bold, style: 'bold' }
  return { text: italic ?? whole, style: 'italic' }
}

const plain = (text: string): Span => ({ text, style: 'plain' })
