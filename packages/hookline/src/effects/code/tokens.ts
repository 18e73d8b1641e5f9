/** Word, string or sign of code. */
export interface Token {
  readonly is: 'text' | 'name' | 'number' | 'sign' | 'line'
  readonly text: string
  /** Blanks at the beginning of the line that follows, for the end of a line. */
  readonly indent?: number
  /** Values put into a template, by their code. */
  readonly parts?: readonly (string | { readonly code: string })[]
}

/** Cuts code into words, strings and signs. */
export function tokenize(text: string, language: string): Token[] {
  const tokens: Token[] = []
  const isHash =
    language === 'python' ||
    language === 'ruby' ||
    language === 'perl' ||
    language === 'php' ||
    language === 'elixir' ||
    language === 'julia'
  const isSlash = language === 'javascript' || language === 'php'
  const isQuoting = language === 'ruby' || language === 'perl'
  let at = 0
  while (at < text.length) {
    const sign = text[at] ?? ''
    if (sign === ' ') {
      at += 1
      continue
    }
    const two = text.slice(at, at + 2)
    if (sign === '\n')
      tokens.push({ is: 'line', text: '\n', indent: /^[ \t]*/.exec(text.slice(at + 1, at + 200))?.[0].length ?? 0 })
    if (/\s/.test(sign)) at += 1
    else if ((isHash && sign === '#') || (isSlash && two === '//') || (language === 'lua' && two === '--'))
      at = findTextEnd(text, '\n', at)
    else if (isSlash && two === '/*') at = findTextEnd(text, '*/', at + 2) + 2
    else if (sign === '/' && language !== 'python' && isPatternPlace(tokens)) at = skipPattern(text, at, tokens)
    else if (language === 'perl' && sign === '<' && /^<[~/$][^<>\n;]*>/.test(text.slice(at, at + 120))) {
      const end = text.indexOf('>', at)
      const pattern = { is: 'text', text: text.slice(at + 1, end) } as const
      tokens.push({ is: 'name', text: 'glob' }, { is: 'sign', text: '(' }, pattern, { is: 'sign', text: ')' })
      at = end + 1
    } else if (isQuoting && hasQuotedCommand(text, at, language)) at = readQuotedCommand(text, at, tokens)
    else if (sign === '"' || sign === "'" || sign === '`') at = readString(text, at, language, tokens)
    else if (isQuoting && hasQuotedWords(text, at, language)) at = readQuotedWords(text, at, tokens)
    else if (isQuoting && hasQuotedText(text, at, language)) at = readQuotedText(text, at, tokens)
    else if (/[A-Za-z_$@%]/.test(sign) && !(sign === '%' && language !== 'perl' && language !== 'ruby')) {
      const word = /^[$@%]?[\w$]*(?:::\w+)*(?:[?!](?!=))?/.exec(text.slice(at, at + 120))?.[0] || sign
      const clean = /[?!]$/.test(word) && language !== 'ruby' ? word.slice(0, -1) : word
      const quote = text[at + clean.length]
      if ((quote === '"' || quote === "'") && /^[rbuf]{1,2}$/i.test(clean) && language === 'python')
        at = readString(text, at + clean.length, language, tokens, clean)
      else {
        tokens.push({ is: 'name', text: clean })
        at += clean.length
      }
    } else if (/\d/.test(sign)) {
      const number = /^[\d._xXa-fA-F]+/.exec(text.slice(at, at + 60))?.[0] ?? sign
      tokens.push({ is: 'number', text: number })
      at += number.length
    } else {
      // Two points put texts of Lua together.
      const isJoin = language === 'lua' && /^\.\.(?!\.)/.test(text.slice(at, at + 3))
      const long =
        /^(?:=>|->|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\*\*|::|\.\.\.|\+=|<<)/.exec(text.slice(at, at + 3))?.[0] ?? sign
      tokens.push({ is: 'sign', text: isJoin ? '..' : long })
      at += isJoin ? 2 : long.length
    }
  }
  return tokens
}

/** True where a slash begins a pattern, and divides nothing: behind a sign or a word of the language, or at the start. */
function isPatternPlace(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  if (!last || last.is === 'line') return true
  if (last.is === 'name') return /^(?:return|typeof|case|in|of|if|unless|and|or|not|when|split)$/.test(last.text)
  return last.is === 'sign' && !/^[)\]}]$/.test(last.text)
}

/** Steps over a pattern between slashes; where none ends in the line, over the slash alone. */
function skipPattern(text: string, at: number, tokens: Token[]): number {
  const found = /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/.exec(text.slice(at, at + 200))?.[0]
  tokens.push(found ? { is: 'text', text: '' } : { is: 'sign', text: '/' })
  return at + (found?.length ?? 1)
}

/** True for `%x(…)` of Ruby and `qx{…}` of Perl. */
function hasQuotedCommand(text: string, at: number, language: string): boolean {
  const start = text.slice(at, at + 3)
  return language === 'ruby' ? /^%x[({[<|!/]/.test(start) : language === 'perl' && /^qx[({[<|!/]/.test(start)
}

/** True for `q{…}` and `qq~…~` of Perl, `%q(…)` and `%Q[…]` of Ruby: a string between signs of the writer's choice. */
function hasQuotedText(text: string, at: number, language: string): boolean {
  if (/[\w$@%&>]/.test(text[at - 1] ?? '')) return false
  const start = text.slice(at, at + 3)
  return language === 'ruby' ? /^%[qQ][({[<|!/~^]/.test(start) : language === 'perl' && /^qq?[^\w\s,;=)}\]]/.test(start)
}

/** True for `qw(…)` of Perl and `%w[…]` of Ruby: a list of words. */
function hasQuotedWords(text: string, at: number, language: string): boolean {
  if (/[\w$@%&>]/.test(text[at - 1] ?? '')) return false
  const start = text.slice(at, at + 3)
  return language === 'ruby' ? /^%[wWiI][({[<|!/]/.test(start) : language === 'perl' && /^qw[^\w\s,;=)}\]]/.test(start)
}

function readQuotedWords(text: string, at: number, tokens: Token[]): number {
  const open = text[at + 2] ?? ''
  const end = findTextEnd(text, CLOSING[open] ?? open, at + 3)
  // Words in the brackets of a call are its arguments as they are.
  const isBare = tokens.at(-1)?.text === '('
  if (!isBare) tokens.push({ is: 'sign', text: text[at] === '%' ? '[' : '(' })
  for (const [index, word] of text
    .slice(at + 3, end)
    .trim()
    .split(/\s+/)
    .entries()) {
    if (index > 0) tokens.push({ is: 'sign', text: ',' })
    tokens.push({ is: 'text', text: word })
  }
  if (!isBare) tokens.push({ is: 'sign', text: text[at] === '%' ? ']' : ')' })
  return end + 1
}

function readQuotedText(text: string, at: number, tokens: Token[]): number {
  const from = at + (/^(?:qq|%)/.test(text.slice(at, at + 2)) ? 2 : 1)
  const open = text[from] ?? ''
  const end = findTextEnd(text, CLOSING[open] ?? open, from + 1)
  tokens.push({ is: 'text', text: text.slice(from + 1, end) })
  return end + 1
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' }

function readQuotedCommand(text: string, at: number, tokens: Token[]): number {
  const open = text[at + 2] ?? ''
  const end = findTextEnd(text, CLOSING[open] ?? open, at + 3)
  tokens.push({ is: 'name', text: 'system' }, { is: 'sign', text: '(' })
  tokens.push({ is: 'text', text: text.slice(at + 3, end) }, { is: 'sign', text: ')' })
  return end + 1
}

function findTextEnd(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  return at === -1 ? text.length : at
}

function readString(text: string, start: number, language: string, tokens: Token[], prefix = ''): number {
  const quote = text[start] ?? ''
  const isTriple = language === 'python' && text.startsWith(quote.repeat(3), start)
  const open = isTriple ? quote.repeat(3) : quote
  let at = start + open.length
  let plain = ''
  const parts: (string | { code: string })[] = []
  const isRaw = /r/i.test(prefix) || (quote === "'" && language !== 'javascript' && language !== 'python')
  const hole = chooseHoleStart(language, quote, prefix)
  while (at < text.length && !text.startsWith(open, at)) {
    const sign = text[at] ?? ''
    if (sign === '\\') {
      const next = text[at + 1] ?? ''
      plain += isRaw && next !== quote ? sign + next : unescapeSign(text, at)
      at += escapeLength(text, at)
    } else if (hole && text.startsWith(hole, at)) {
      const end = findHoleEnd(text, at + hole.length)
      parts.push(plain, { code: text.slice(at + (language === 'php' ? 1 : hole.length), end) })
      plain = ''
      at = end + 1
    } else if (quote !== "'" && hasBareHoles(language) && /^\$(?:ENV\{|\w)/.test(text.slice(at, at + 5))) {
      const name = /^\$\w+(?:\{[^}]*\})?/.exec(text.slice(at, at + 80))?.[0] ?? '$'
      parts.push(plain, { code: name })
      plain = ''
      at += name.length
    } else {
      plain += sign
      at += 1
    }
  }
  const isCommand = quote === '`' && language !== 'javascript'
  if (isCommand) tokens.push({ is: 'name', text: 'system' }, { is: 'sign', text: '(' })
  const full = plain
  if (parts.length > 0) tokens.push({ is: 'text', text: full, parts: [...parts, plain] })
  else tokens.push({ is: 'text', text: full })
  if (isCommand) tokens.push({ is: 'sign', text: ')' })
  return at + open.length
}

/** True for languages that fill in a name in a string by its sign alone. */
function hasBareHoles(language: string): boolean {
  return language === 'perl' || language === 'php'
}

/** The bracket that ends a hole of a template, behind strings and brackets in it. */
function findHoleEnd(text: string, from: number): number {
  let depth = 1
  const open: string[] = []
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === '\\') at += 1
    else if (sign === open.at(-1)) open.pop()
    else if (open.length > 0 && open.at(-1) !== '`') continue
    else if (/["'`]/.test(sign)) open.push(sign)
    else if (open.length > 0) continue
    else if (sign === '{') depth += 1
    else if (sign === '}' && --depth === 0) return at
  }
  return findTextEnd(text, '}', from)
}

function chooseHoleStart(language: string, quote: string, prefix: string): string | null {
  if (language === 'javascript') return quote === '`' ? '${' : null
  if (language === 'ruby' || language === 'elixir') return quote === "'" ? null : '#{'
  if (language === 'python') return /f/i.test(prefix) ? '{' : null
  return language === 'php' && quote === '"' ? '{$' : null
}

function unescapeSign(text: string, at: number): string {
  const code = /^\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{4,6})\}?|([0-7]{1,3}))/.exec(text.slice(at, at + 10))
  if (code) {
    const number = code[3] ? Number.parseInt(code[3], 8) : Number.parseInt(code[1] ?? code[2] ?? '20', 16)
    return number <= 0x10ffff ? String.fromCodePoint(number) : ''
  }
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }
  const next = text[at + 1] ?? ''
  return signs[next] ?? next
}

function escapeLength(text: string, at: number): number {
  return (
    /^\\(?:x[0-9a-fA-F]{2}|u\{?[0-9a-fA-F]{4,6}\}?|[0-7]{1,3}|[\s\S])/.exec(text.slice(at, at + 10))?.[0].length ?? 1
  )
}
