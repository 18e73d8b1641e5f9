/** Elements whose content is not shown to readers. */
const SKIPPED_ELEMENTS = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'canvas'])
/** Elements that stand on lines of their own. */
const BLOCK_ELEMENTS = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table title tr ul'.split(
    ' ',
  ),
)
/** Marks in front of a block's text. */
const MARKS: Readonly<Record<string, string>> = {
  h1: '# ',
  h2: '## ',
  h3: '### ',
  h4: '#### ',
  h5: '##### ',
  h6: '###### ',
  li: '- ',
}

type Token =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'tag'; readonly name: string; readonly closes: boolean; readonly source: string }

/** The text of an HTML page as a reader would take it down: blocks on their own lines, links with their addresses. */
export function toPlainText(html: string, base: string): string {
  const pieces: string[] = []
  let preformatted = 0
  let link = ''
  for (const token of tokenize(html)) {
    if (token.is === 'text') {
      const text = decodeEntities(token.text)
      pieces.push(preformatted > 0 ? text : text.replace(/\s+/g, ' '))
      continue
    }
    const { name, closes, source } = token
    if (BLOCK_ELEMENTS.has(name)) pieces.push('\n', closes ? '' : (MARKS[name] ?? ''))
    if (name === 'td' || name === 'th') pieces.push(closes ? ' | ' : '')
    if (name === 'pre') preformatted = Math.max(0, preformatted + (closes ? -1 : 1))
    if (name === 'a' && closes && link !== '') pieces.push(` (${link})`)
    if (name === 'a') link = closes ? '' : readAddress(source, base)
  }
  return tidyLines(pieces.join(''))
}

/** Without spaces at the ends of lines, and without more than one empty line at a time. */
function tidyLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd().replace(/^ (?! )/, ''))
  return lines
    .filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '')
    .join('\n')
    .trim()
}

/** Goes through the page once, from left to right; whatever it is, it comes to an end. */
function* tokenize(html: string): Generator<Token> {
  let at = 0
  while (at < html.length) {
    const open = findTagStart(html, at)
    if (open > at) yield { is: 'text', text: html.slice(at, open) }
    if (open === html.length) return
    if (html.startsWith('<!--', open)) {
      at = findAfter(html, '-->', open + 4)
      continue
    }
    const end = findAfter(html, '>', open)
    const source = html.slice(open, end)
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(source)?.[1]?.toLowerCase() ?? ''
    const closes = source.startsWith('</')
    yield { is: 'tag', name, closes, source }
    const isEmpty = source.endsWith('/>') && name === 'svg'
    at = SKIPPED_ELEMENTS.has(name) && !closes && !isEmpty ? findClosingTag(html, name, end) : end
  }
}

/** Finds where the next tag begins; a `<` before anything but a name is text. */
function findTagStart(html: string, from: number): number {
  const tag = /<[a-z/!?]/gi
  tag.lastIndex = from
  return tag.exec(html)?.index ?? html.length
}

function findClosingTag(html: string, name: string, from: number): number {
  const tag = new RegExp(`</${name}`, 'gi')
  tag.lastIndex = from
  return tag.exec(html)?.index ?? html.length
}

function findAfter(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from)
  return found === -1 ? text.length : found + what.length
}

/** The address of a link that leads to another page. */
function readAddress(tag: string, base: string): string {
  const { double, single, bare } =
    /\shref\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"'>]+))/i.exec(tag)?.groups ?? {}
  const href = decodeEntities(double ?? single ?? bare ?? '').trim()
  if (href === '' || href.startsWith('#') || !URL.canParse(href, base)) return ''
  const url = new URL(href, base)
  return /^https?:$/.test(url.protocol) ? url.href : ''
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  euro: '€',
  pound: '£',
  sect: '§',
  deg: '°',
  rarr: '→',
  larr: '←',
}
const LAST_CODE_POINT = 0x10ffff

/** A text with its character references resolved; a name that is not known stays as it is. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= LAST_CODE_POINT && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
  })
}
