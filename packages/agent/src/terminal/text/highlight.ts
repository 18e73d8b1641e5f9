/** Kind of a stretch of code. */
export type Code = 'keyword' | 'string' | 'number' | 'comment' | 'added' | 'removed'

interface CodeSpan {
  readonly text: string
  readonly style: 'plain' | Code
}

const C_LIKE =
  'js jsx ts tsx javascript typescript java c h cpp c++ cs c# go rust rs swift kotlin kt scala php dart json jsonc css scss'
const HASHED = 'sh bash shell zsh console python py ruby rb yaml yml toml perl r make makefile dockerfile'
const DASHED = 'sql lua haskell hs'

/** Beginnings of comments of a language, as the source of an expression. */
const COMMENTS: Readonly<Record<string, string>> = Object.fromEntries([
  ...C_LIKE.split(' ').map((name) => [name, '//.*|/\\*.*?(?:\\*/|$)']),
  ...HASHED.split(' ').map((name) => [name, '(?<=^|\\s)#.*']),
  ...DASHED.split(' ').map((name) => [name, '--.*']),
])

const KEYWORDS = new Set(
  [
    'abstract as assert async await break case catch class const continue def default defer del do done elif else end enum',
    'esac except export extends false fi final finally fn for foreach from func function global go if impl implements import',
    'in instanceof interface is lambda let local loop match mod module mut namespace new nil none None not null of or and pass',
    'private protected pub public raise readonly return select self static struct super switch then this throw trait true try',
    'True False type typeof undefined unless until use using val var void where while with yield select insert update delete',
    'SELECT FROM WHERE INSERT INTO UPDATE DELETE JOIN ON GROUP BY ORDER LIMIT AND OR NOT NULL CREATE TABLE SET VALUES',
  ]
    .join(' ')
    .split(' '),
)

const STRINGS = '"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`'
const NUMBERS = '\\b\\d[\\w.]*'
const IDENTIFIER = '[A-Za-z_$][\\w$]*'

/** Longer lines are data, and are not coloured: strings that never end are looked for at every quotation mark. */
const MAX_COLOURED_CHARS = 4000

/** A line of code in stretches that are coloured alike; one of an unknown language, or a very long one, is a single one. */
export function highlightLine(source: string, language: string): CodeSpan[] {
  if (language === 'diff' || language === 'patch') return [{ text: source, style: DIFF[source.charAt(0)] ?? 'plain' }]
  const comments = COMMENTS[language]
  if (comments === undefined || source.length > MAX_COLOURED_CHARS) return [{ text: source, style: 'plain' }]
  const tokens = new RegExp(`(${comments})|(${STRINGS})|(${NUMBERS})|(${IDENTIFIER})`, 'g')
  const spans: CodeSpan[] = []
  let end = 0
  for (const match of source.matchAll(tokens)) {
    const style = chooseStyle(match)
    if (style === 'plain') continue
    if (match.index > end) spans.push({ text: source.slice(end, match.index), style: 'plain' })
    spans.push({ text: match[0], style })
    end = match.index + match[0].length
  }
  if (end < source.length || spans.length === 0) spans.push({ text: source.slice(end), style: 'plain' })
  return spans
}

const DIFF: Readonly<Record<string, Code>> = { '+': 'added', '-': 'removed' }

function chooseStyle([, comment, string, number, word]: RegExpMatchArray): CodeSpan['style'] {
  if (comment !== undefined) return 'comment'
  if (string !== undefined) return 'string'
  if (number !== undefined) return 'number'
  return word !== undefined && KEYWORDS.has(word) ? 'keyword' : 'plain'
}
