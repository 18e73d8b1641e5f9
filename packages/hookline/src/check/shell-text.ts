/**
 * Reads the beginning of a command as far as it is certain what runs. It is apart from the parser that `rule/` loads: that
 * takes whole scripts of bash apart, with all that is nested in them, so as to miss nothing. Here a text may be for any shell
 * and need not parse; wanted is what surely runs first, with keywords as the words they are, and of each word its place and
 * whether its variables are quoted, so that a fix can quote them.
 */

/** A word of a shell command, as far as it can be told without running anything. */
export interface ShellWord {
  /** What it comes to; null when that depends on what happens at run time. */
  readonly value: string | null
  readonly raw: string
  readonly offset: number
  /** Variables in it, and whether they stand outside quotes. */
  readonly variables: readonly { readonly name: string; readonly written: string; readonly bare: boolean }[]
}

/** A command between operators: its words, and the operator behind it. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[]
  /** Files that its output and input are redirected to and from. */
  readonly redirects: readonly ShellWord[]
  /** The operator that ends it; null at the end, or where the text becomes too complicated to follow. */
  readonly operator: string | null
}

/** The values of variables that are known, and the home folder behind `~`. */
export type KnownVariables = Readonly<Record<string, string>>

/**
 * The simple commands of a shell text, up to the first construct that only a shell can follow: a substitution, a
 * subshell, a here-document. What it gives is certain; what it leaves out is unknown.
 */
export function simpleCommands(text: string, known: KnownVariables): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let words: ShellWord[] = []
  let redirects: ShellWord[] = []
  const end = (operator: string | null): void => {
    if (words.length + redirects.length > 0) commands.push({ words, redirects, operator })
    words = []
    redirects = []
  }
  let target = words
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at, known)
    if (token.kind === 'unknown') {
      end(text.includes('||', at) ? '||' : null) // what follows may provide for its failure
      break
    }
    if (token.kind === 'operator') end(token.text)
    if (token.kind === 'word') target.push(token.word)
    if (token.kind !== 'space') target = token.kind === 'redirect' ? redirects : words
    at = token.end
  }
  end(null)
  return commands
}

type Token =
  | { readonly kind: 'space' | 'redirect' | 'unknown'; readonly end: number }
  | { readonly kind: 'operator'; readonly text: string; readonly end: number }
  | { readonly kind: 'word'; readonly word: ShellWord; readonly end: number }

const SPACE = /(?:[ \t]|\\\r?\n)+|#[^\n]*/y
const REDIRECT = /&>>?|\d*(?:>>|>\||>&|<&|<>|[<>])(?![<(])/y
const OPERATOR = /&&|\|\||;;|\|&|[;&|\n]|\r\n/y

function tokenAt(text: string, at: number, known: KnownVariables): Token {
  const space = matchAt(SPACE, text, at)
  if (space) return { kind: 'space', end: at + space.length }
  const redirect = matchAt(REDIRECT, text, at)
  if (redirect) return { kind: 'redirect', end: at + redirect.length }
  const operator = matchAt(OPERATOR, text, at)
  if (operator) return { kind: 'operator', text: operator, end: at + operator.length }
  const word = wordAt(text, at, known)
  return word ? { kind: 'word', word, end: at + word.raw.length } : { kind: 'unknown', end: at }
}

/** One piece of a word; `value` null where only a shell knows it. */
interface Piece {
  readonly value: string | null
  readonly variables: ShellWord['variables']
}

const SINGLE = /'[^']*'/y
const DOUBLE = /"(?:[^"\\`$]|\\[\s\S]|\$(?!\())*"/y
const VARIABLE = /\$(?:\w+|\{[^{}"'`$]*\}|[@*#?$!-])/y
const ESCAPED = /\\[\s\S]/y
const PLAIN = /[^\s'"\\`$;&|<>()]+/y

/** The word that starts at an offset; null when it has a substitution in it. */
function wordAt(text: string, offset: number, known: KnownVariables): ShellWord | null {
  const pieces: Piece[] = []
  let at = offset
  for (;;) {
    const [raw, piece] = pieceAt(text, at, known)
    if (raw === '') break
    pieces.push(piece)
    at += raw.length
  }
  if (at === offset || /[`$()'"]/.test(text[at] ?? '')) return null
  const raw = text.slice(offset, at)
  const value = pieces.map((piece) => piece.value)
  const home = raw === '~' || raw.startsWith('~/') ? (known.HOME ?? null) : ''
  const whole = value.includes(null) || home === null ? null : home + value.join('').slice(home === '' ? 0 : 1)
  return { raw, offset, value: whole, variables: pieces.flatMap(({ variables }) => variables) }
}

function pieceAt(text: string, at: number, known: KnownVariables): readonly [string, Piece] {
  const single = matchAt(SINGLE, text, at)
  if (single) return [single, { value: single.slice(1, -1), variables: [] }]
  const double = matchAt(DOUBLE, text, at)
  if (double) return [double, quoted(double.slice(1, -1), known)]
  const variable = matchAt(VARIABLE, text, at)
  if (variable) return [variable, expanded(variable, known, { bare: true })]
  const escaped = matchAt(ESCAPED, text, at)
  if (escaped) return [escaped, { value: escaped.slice(1), variables: [] }]
  const plain = matchAt(PLAIN, text, at)
  if (plain) return [plain, { value: isPattern(plain) ? null : plain, variables: [] }]
  return ['', { value: null, variables: [] }]
}

/** The inside of double quotes. */
function quoted(text: string, known: KnownVariables): Piece {
  const parts = text.split(/(\$(?:\w+|\{[^}]*\}|[@*#?$!-])|\\[\s\S])/)
  const pieces = parts.map((part): Piece => {
    if (part.startsWith('$')) return expanded(part, known, { bare: false })
    if (part.startsWith('\\')) return { value: /^\\["\\$`]$/.test(part) ? part.slice(1) : part, variables: [] }
    return { value: part, variables: [] }
  })
  const values = pieces.map(({ value }) => value)
  return {
    value: values.includes(null) ? null : values.join(''),
    variables: pieces.flatMap(({ variables }) => variables),
  }
}

function expanded(written: string, known: KnownVariables, { bare }: { bare: boolean }): Piece {
  const name = /^\$\{?(?<name>[A-Za-z_]\w*)\}?$/.exec(written)?.groups?.name
  if (name === undefined) return { value: null, variables: [] }
  return {
    value: Object.hasOwn(known, name) ? (known[name] ?? null) : null,
    variables: [{ name, written, bare }],
  }
}

/** Whether a shell would look for files that fit; a bracket by itself is the test command. */
function isPattern(plain: string): boolean {
  return /[*?]|[[{].*[\]}]/.test(plain)
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}
