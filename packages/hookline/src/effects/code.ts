import { posix } from 'node:path'
import { findProgramRow } from '../programs/table.ts'
import { runByShape } from './code-shape.ts'
import {
  type Context,
  deletePath,
  enterStep,
  lowerCertainty,
  MAX_DEPTH,
  noteChange,
  noteFlows,
  noteShownSecret,
  noteUnseen,
  readPath,
  resolveOne,
  sendTo,
  spend,
  writePath,
} from './context.ts'
import { isCommandLine, runHandedScript } from './handed-commands.ts'
import { reachAddress } from './readers/network.ts'
import { noteSql } from './readers/systems.ts'
import { runFile } from './run-file.ts'
import {
  type Content,
  carry,
  dropStart,
  EMPTY_CONTENT,
  join,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'
import type { Carried } from './view.ts'
import { isSecretVariable } from './words.ts'

/** Longer code is not read. */
const MAX_CODE_CHARS = 64 * 1024

/** Names that share out one list. */
const MAX_NAMES = 12

/** Elements of a list that are kept. */
const MAX_ITEMS = 200

/** Depth of brackets in one expression. */
const MAX_NESTING = 60

interface Token {
  readonly is: 'text' | 'name' | 'number' | 'sign' | 'line'
  readonly text: string
  /** Blanks at the beginning of the line that follows, for the end of a line. */
  readonly indent?: number
  /** Values put into a template, by their code. */
  readonly parts?: readonly (string | { readonly code: string })[]
}

/** Operand of an expression: a value, a name of a library, a list. */
interface Thing {
  readonly value: Value
  /** Dotted name of a library or function. */
  readonly name: string | null
  readonly items: readonly Thing[] | null
  readonly fields: ReadonlyMap<string, Thing> | null
  /** File whose content it is. */
  readonly source?: string
  /** The function that it is, where the code itself defines it. */
  readonly body?: FunctionBody
}

/** A function of the code: its parameters and the tokens of its body. */
interface FunctionBody {
  readonly parameters: readonly Parameter[]
  readonly tokens: readonly Token[]
  readonly from: number
  readonly end: number
}

interface Code {
  readonly context: Context
  readonly language: string
  tokens: readonly Token[]
  readonly names: Map<string, Thing>
  /** Modules whose names are all imported. */
  readonly stars: string[]
  /** Functions that the code defines, and those that were called. */
  readonly bodies: Set<FunctionBody>
  readonly called: Set<FunctionBody>
  at: number
  nesting: number
}

const NOTHING: Thing = { value: toUnknownWord('value'), name: null, items: null, fields: null }

/** Reads code of a language and notes what its calls do, as far as their arguments are known. */
export function runCode(context: Context, language: string, text: string): Content {
  if (context.depth > MAX_DEPTH) {
    noteUnseen(context, 'too-deep', language, 'run')
    return UNKNOWN_CONTENT
  }
  if (text.length > MAX_CODE_CHARS) {
    noteUnseen(context, 'too-much', language, 'run')
    return UNKNOWN_CONTENT
  }
  if (language === 'sql') {
    noteSql(context, text, '')
    return UNKNOWN_CONTENT
  }
  if (language === 'osascript') return runAppleScript(context, text)
  const family = FAMILIES[language] ?? language
  spend(context, 1 + (text.length >> 5))
  if (!KNOWN_FAMILIES.has(family)) {
    runByShape(context, language, text)
    return UNKNOWN_CONTENT
  }
  const carried = walk(context, family, text)
  return { ...UNKNOWN_CONTENT, carries: carried }
}

const FAMILIES: Readonly<Record<string, string>> = {
  node: 'javascript',
  python3: 'python',
  typescript: 'javascript',
  lua: 'lua',
  luajit: 'lua',
}
const KNOWN_FAMILIES = new Set(['javascript', 'python', 'ruby', 'perl', 'php', 'lua'])

function runAppleScript(context: Context, text: string): Content {
  for (const match of text.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/g))
    context.reading.runScript(enterStep(context), (match[1] ?? '').replaceAll('\\"', '"').replaceAll('\\\\', '\\'))
  if (/delete\s+(?:every|item|items|file|folder|disk|POSIX)|empty (?:the )?trash/i.test(text)) {
    noteUnseen(context, 'code', 'osascript', 'delete')
    deletePath(
      lowerCertainty(context, 'likely'),
      toKnownWord(posix.join(context.reading.world.home, 'Documents')),
      'tree',
    )
  }
  if (/make (?:new )?login item/i.test(text)) noteChange(context, 'machine', 'startup', 'osascript: login item')
  if (/(?:shut down|restart|log out)\s*$/m.test(text)) noteChange(context, 'machine', 'power', 'osascript')
  return UNKNOWN_CONTENT
}

function walk(context: Context, language: string, text: string): ReadonlySet<Carried> {
  const code: Code = {
    context,
    language,
    tokens: tokenize(text, language),
    names: new Map(),
    stars: [],
    bodies: new Set(),
    called: new Set(),
    at: 0,
    nesting: 0,
  }
  noteForks(context, language, text)
  bindLoops(code)
  bindFunctions(code)
  const carries = readStatements(code).map(({ value }) => value.carries)
  // Functions that nothing here calls may be called by a name that is not seen.
  for (const body of code.bodies)
    if (!code.called.has(body)) callBody({ ...code, context: lowerCertainty(context, 'likely') }, body, [])
  noteReverseShell(context, text)
  return mergeCarried(carries)
}

/** Reads all statements of the code from its beginning. */
function readStatements(code: Code): readonly Thing[] {
  const things: Thing[] = []
  code.at = 0
  while (code.at < code.tokens.length) {
    const before = code.at
    things.push(readStatement(code))
    if (code.at === before) code.at += 1
  }
  return things
}

/** Words that define a function by its name, by language. */
const DEFINES: Readonly<Record<string, RegExp>> = {
  python: /^def$/,
  ruby: /^def$/,
  javascript: /^function$/,
  php: /^(?:function|fn)$/,
  lua: /^function$/,
}

/** Binds functions before anything is read, since they may be called ahead of their place. */
function bindFunctions(code: Code): void {
  const defines = DEFINES[code.language]
  if (!defines) return
  code.tokens.forEach(({ is, text }, at) => {
    if (is !== 'name') return
    const next = code.tokens[at + 1]
    if (text === 'class' && next?.is === 'name') {
      code.names.set(next.text, { ...NOTHING, body: { parameters: [], tokens: [], from: 0, end: 0 } })
      return
    }
    if (!defines.test(text) && !isMethodHead(code, at)) return
    const found = readDefinition(code, at)
    if (found?.name) code.names.set(found.name, { ...NOTHING, body: found.body })
    if (found) code.bodies.add(found.body)
  })
}

/** True for `name(…) {` of JavaScript: a method of a class or of an object. */
function isMethodHead({ tokens, language }: Code, at: number): boolean {
  const token = tokens[at]
  if (language !== 'javascript' || token?.is !== 'name' || tokens[at + 1]?.text !== '(') return false
  if (/^(?:if|for|while|switch|catch|with|function|await|return)$/.test(token.text)) return false
  const isBehind = tokens[at - 1]?.text === '.' || tokens[at - 1]?.text === 'new'
  return !isBehind && tokens[findClosing(tokens, at + 1) + 1]?.text === '{'
}

interface Parameter {
  readonly name: string
  /** Tokens of the value that it has unless it is given one. */
  readonly otherwise: readonly Token[]
}

interface Definition {
  readonly name: string | null
  readonly body: FunctionBody
  /** The first token behind it. */
  readonly end: number
}

const definitions = new WeakMap<Token, Definition | null>()

/** Reads the definition of a function at a token; null where it has a shape that is not known. */
function readDefinition(code: Code, at: number): Definition | null {
  const token = code.tokens[at]
  if (!token) return null
  const known = definitions.get(token)
  if (known !== undefined) return known
  const found = findDefinition(code, at)
  definitions.set(token, found)
  return found
}

function findDefinition({ tokens, language }: Code, start: number): Definition | null {
  const isMethod = language === 'javascript' && tokens[start]?.text !== 'function'
  let at = isMethod ? start : start + 1
  if (tokens[at]?.text === '*') at += 1
  const name = tokens[at]?.is === 'name' ? (tokens[at]?.text ?? null) : null
  if (name !== null) at += 1
  const hasList = tokens[at]?.text === '('
  const close = hasList ? findClosing(tokens, at) : at
  const parameters = hasList ? listParameters(tokens.slice(at + 1, close)) : []
  if (hasList) at = close + 1
  if (language === 'python') {
    while (at < tokens.length && tokens[at]?.text !== ':' && tokens[at]?.is !== 'line') at += 1
    const end = findBlockEnd(tokens, start, at + 1)
    return { name, body: { parameters, tokens, from: at + 1, end }, end }
  }
  if (language === 'ruby' || language === 'lua') {
    const end = findEndWord(tokens, at)
    return { name, body: { parameters, tokens, from: at, end }, end: end + 1 }
  }
  while (at < tokens.length && tokens[at]?.text !== '{' && tokens[at]?.text !== ';') at += 1
  if (tokens[at]?.text !== '{') return null
  const end = findClosing(tokens, at)
  return { name, body: { parameters, tokens, from: at + 1, end }, end: end + 1 }
}

const OPENING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }

const pairs = new WeakMap<readonly Token[], ReadonlyMap<number, number>>()

/** The place of the bracket that closes the one at a place; the end of the code where there is none. */
function findClosing(tokens: readonly Token[], at: number): number {
  let found = pairs.get(tokens)
  if (!found) {
    found = pairBrackets(tokens)
    pairs.set(tokens, found)
  }
  return found.get(at) ?? tokens.length
}

function pairBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const open: number[] = []
  tokens.forEach(({ is, text }, at) => {
    if (is !== 'sign') return
    if (OPENING[text]) open.push(at)
    else if (/^[)}\]]$/.test(text)) {
      const start = open.pop()
      if (start !== undefined) found.set(start, at)
    }
  })
  return found
}

/** The end of an indented block of Python. */
function findBlockEnd(tokens: readonly Token[], start: number, from: number): number {
  let line = start
  while (line > 0 && tokens[line]?.is !== 'line') line -= 1
  const indent = tokens[line]?.indent ?? 0
  const isOneLine = tokens[from]?.is !== 'line'
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.is !== 'line') continue
    if (isOneLine) return at
    if (tokens[at + 1]?.is !== 'line' && (token.indent ?? 0) <= indent) return at
  }
  return tokens.length
}

/** The `end` that closes what begins before a place, in Ruby and Lua. */
function findEndWord(tokens: readonly Token[], from: number): number {
  let depth = 1
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.is !== 'name') continue
    const isFirst = at === from || tokens[at - 1]?.is === 'line' || tokens[at - 1]?.text === ';'
    if (/^(?:do|def|function|class|module|begin|case)$/.test(token.text)) depth += 1
    // Behind a statement these are conditions of it, without an end.
    if (/^(?:if|unless|while|until|for)$/.test(token.text) && isFirst) depth += 1
    if (token.text === 'end') depth -= 1
    if (depth === 0) return at
  }
  return tokens.length
}

/** Parameters by name, those taken out of an object by the names in it. */
function listParameters(tokens: readonly Token[]): readonly Parameter[] {
  return splitAtCommas(tokens).flatMap((part) => {
    const name = part.find(({ is }) => is === 'name')
    const equals = part.findIndex(({ is, text }) => is === 'sign' && text === '=')
    return name ? [{ name: name.text, otherwise: equals === -1 ? [] : part.slice(equals + 1) }] : []
  })
}

function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.is === 'sign' && OPENING[token.text]) depth += 1
    if (token.is === 'sign' && /^[)}\]]$/.test(token.text)) depth -= 1
    if (token.is === 'sign' && token.text === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/** Calls of functions of the code that are looked at, one inside the other. */
const MAX_CALLS = 12

/** Reads the body of a function with what it is called with. */
function callBody(code: Code, body: FunctionBody, args: readonly Thing[]): Thing {
  const isAgain = code.called.has(body) && code.nesting > 0 && code.names.get('\0body')?.body === body
  if (isAgain || code.nesting > MAX_NESTING - MAX_CALLS) return NOTHING
  spend(code.context, 1 + ((body.end - body.from + code.names.size) >> 4))
  code.called.add(body)
  const names = new Map(code.names)
  names.set('\0body', { ...NOTHING, body })
  const own = /^(?:self|cls)$/.test(body.parameters[0]?.name ?? '') ? body.parameters.slice(1) : body.parameters
  const options = args.find(({ fields }) => fields !== null)?.fields
  own.forEach(({ name, otherwise }, at) => {
    const given = options?.get(name) ?? args[at]
    const usual = otherwise.length > 0 ? readExpression({ ...code, tokens: otherwise, at: 0 }) : undefined
    names.set(name, given ?? usual ?? { ...NOTHING, value: toUnknownWord(name) })
  })
  const tokens = body.tokens.slice(body.from, body.end)
  const inner: Code = { ...code, tokens, names, nesting: code.nesting + MAX_NESTING / MAX_CALLS, at: 0 }
  bindLoops(inner)
  const things = readStatements(inner)
  return things.findLast((thing) => thing !== NOTHING) ?? NOTHING
}

function noteForks(context: Context, language: string, text: string): void {
  const isLoop =
    /while\s*\(?\s*(?:True|1|true)\b|fork\s+while|while\s*\(?\s*fork|for\s*\(\s*;\s*;|loop\s*(?:do|\{)|:loop/.test(text)
  const isFork =
    /\bfork\s*(?:\(|while\b|;|\}|\bdo\b|$)|os\.fork\b/.test(text) ||
    (language === 'javascript' && /(?:spawn|fork|exec)\s*\(\s*(?:process\.|__filename)/.test(text))
  if (isLoop && isFork) noteChange(context, 'machine', 'fork-bomb', `${language} that forks without end`)
}

/** A shell whose input and output are a connection. */
function noteReverseShell(context: Context, text: string): void {
  const isConnection = /\bsocket\b|TCPSocket|net\.(?:connect|Socket|createConnection)|IO::Socket|fsockopen|INET/.test(
    text,
  )
  const isShell =
    /pty\.spawn|dup2|proc_open|puts?[ (]+`#\{|\/bin\/(?:ba|z)?sh|["'](?:ba|z)?sh["']\s*,?\s*(?:\[?\s*["']-i|\))|exec\s*\(?["'](?:\/bin\/)?(?:ba)?sh/.test(
      text,
    )
  const host = /["']((?:\d{1,3}\.){3}\d{1,3}|[\w-]+(?:\.[\w-]+)+)["']/.exec(text)?.[1]
  if (isConnection && isShell) noteFlows(context, ['shell'], 'send', host ?? 'a host')
}

/** Cuts code into words, strings and signs. */
function tokenize(text: string, language: string): Token[] {
  const tokens: Token[] = []
  const isHash =
    language === 'python' ||
    language === 'ruby' ||
    language === 'perl' ||
    language === 'php' ||
    language === 'elixir' ||
    language === 'julia'
  const isSlash = language === 'javascript' || language === 'php'
  let at = 0
  while (at < text.length) {
    const sign = text[at] ?? ''
    const two = text.slice(at, at + 2)
    if (sign === '\n')
      tokens.push({ is: 'line', text: '\n', indent: /^[ \t]*/.exec(text.slice(at + 1, at + 200))?.[0].length ?? 0 })
    if (/\s/.test(sign)) at += 1
    else if ((isHash && sign === '#') || (isSlash && two === '//') || (language === 'lua' && two === '--'))
      at = endOf(text, '\n', at)
    else if (isSlash && two === '/*') at = endOf(text, '*/', at + 2) + 2
    else if (sign === '/' && language !== 'python' && isPatternPlace(tokens)) at = skipPattern(text, at, tokens)
    else if (language === 'perl' && /^<[~/$][^<>\n;]*>/.test(text.slice(at, at + 120))) {
      const end = text.indexOf('>', at)
      const pattern = { is: 'text', text: text.slice(at + 1, end) } as const
      tokens.push({ is: 'name', text: 'glob' }, { is: 'sign', text: '(' }, pattern, { is: 'sign', text: ')' })
      at = end + 1
    } else if (hasQuotedCommand(text, at, language)) at = readQuotedCommand(text, at, tokens)
    else if (sign === '"' || sign === "'" || sign === '`') at = readString(text, at, language, tokens)
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
      const long =
        /^(?:=>|->|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\*\*|::|\.\.\.|\+=|<<)/.exec(text.slice(at, at + 3))?.[0] ?? sign
      tokens.push({ is: 'sign', text: long })
      at += long.length
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

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' }

function readQuotedCommand(text: string, at: number, tokens: Token[]): number {
  const open = text[at + 2] ?? ''
  const end = endOf(text, CLOSING[open] ?? open, at + 3)
  tokens.push({ is: 'name', text: 'system' }, { is: 'sign', text: '(' })
  tokens.push({ is: 'text', text: text.slice(at + 3, end) }, { is: 'sign', text: ')' })
  return end + 1
}

function endOf(text: string, end: string, from: number): number {
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
  return endOf(text, '}', from)
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

/** Binds the names of loops before anything is read: a comprehension uses its name ahead of the loop. */
function bindLoops(code: Code): void {
  const { tokens } = code
  tokens.forEach((token, at) => {
    if (token.is !== 'name' || (token.text !== 'in' && token.text !== 'of')) return
    const name = tokens[at - 1]
    if (name?.is !== 'name' || !isLoopHead(tokens, at)) return
    code.at = at + 1
    spend(code.context, 1 + (code.names.size >> 4))
    const quiet: Code = { ...code, context: code.context, names: new Map(code.names) }
    const list = readExpression(quiet)
    code.names.set(name.text, takeElement(list))
  })
}

function isLoopHead(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 8), at).some(({ is, text }) => is === 'name' && text === 'for')
}

function takeElement(list: Thing): Thing {
  if (list.items && list.items.length > 0) return list.items[0] ?? NOTHING
  return { ...NOTHING, value: list.value }
}

function peek(code: Code, ahead = 0): Token | undefined {
  return code.tokens[code.at + ahead]
}

function take(code: Code, text: string): boolean {
  const token = peek(code)
  if (token?.is !== 'sign' || token.text !== text) return false
  code.at += 1
  return true
}

function skipLines(code: Code): void {
  while (peek(code)?.is === 'line') code.at += 1
}

function readStatement(code: Code): Thing {
  spend(code.context)
  skipLines(code)
  const token = peek(code)
  if (!token) return NOTHING
  if (token.is === 'name' && (token.text === 'import' || token.text === 'from') && peek(code, 1)?.text !== '(')
    return readImport(code)
  if (token.is === 'name' && /^(?:const|let|var|my|our|local)$/.test(token.text)) code.at += 1
  if (token.is === 'name' && /^(?:require|use)$/.test(token.text) && code.language !== 'javascript') {
    code.at += 1
    return NOTHING
  }
  if (token.is === 'name' && /^for(?:each)?$/.test(token.text) && readLoopHead(code)) return NOTHING
  if (code.language === 'perl') bindModifier(code)
  const start = peek(code)
  const next = peek(code, 1)
  if (start?.is === 'sign' && start.text === '{' && code.language === 'javascript') return readDestructuring(code)
  if (code.language === 'javascript' && next?.text === ':' && start?.is === 'name') skipType(code)
  if (bindSeveral(code)) return NOTHING
  if (start?.is === 'name' && peek(code, 1)?.is === 'sign' && /^\+?=$/.test(peek(code, 1)?.text ?? '')) {
    const isAdding = peek(code, 1)?.text === '+='
    code.at += 2
    const value = readExpression(code)
    const before = isAdding ? code.names.get(start.text) : undefined
    code.names.set(start.text, before ? { ...NOTHING, value: join([before.value, value.value]) } : value)
    return value
  }
  if (start?.is === 'name' && (DEFINES[code.language]?.test(start.text) || isMethodHead(code, code.at))) {
    const found = readDefinition(code, code.at)
    if (found?.name) {
      code.at = found.end
      return NOTHING
    }
  }
  if (start?.is === 'name' && KEYWORDS.has(start.text)) {
    code.at += 1
    return NOTHING
  }
  return readExpression(code)
}

/** Binds the name of `foreach (LIST as $name)` in PHP, of `for my $name (LIST)` in Perl; false where the loop is another. */
function readLoopHead(code: Code): boolean {
  const start = code.at
  if (code.language === 'php' && peek(code, 1)?.text === '(') {
    code.at += 2
    const list = readExpression(code)
    if (peek(code)?.text === 'as') {
      const end = code.tokens.findIndex(({ text }, at) => at > code.at && text === ')')
      const name = code.tokens.slice(code.at + 1, end).findLast(({ is }) => is === 'name')
      if (name) code.names.set(name.text, takeElement(list))
      if (end > 0) code.at = end + 1
      return true
    }
  }
  if (code.language === 'perl') {
    code.at += /^(?:my|our)$/.test(peek(code, 1)?.text ?? '') ? 2 : 1
    const variable = peek(code)?.text.startsWith('$') ? peek(code)?.text : undefined
    if (variable) code.at += 1
    if (take(code, '(')) {
      const [list = NOTHING, ...more] = readList(code, ')')
      code.names.set(variable ?? '$_', takeElement(more.length > 0 ? { ...NOTHING, items: [list, ...more] } : list))
      return true
    }
  }
  code.at = start
  return false
}

/** Binds `$_` of a Perl statement that ends with `for LIST`. */
function bindModifier(code: Code): void {
  const start = code.at
  const end = code.tokens.findIndex(({ text }, at) => at > start && /^(?:;|\{|\})$/.test(text))
  const at = code.tokens.findIndex(
    ({ is, text }, index) =>
      index > start && is === 'name' && /^for(?:each)?$/.test(text) && code.tokens[index - 1]?.text !== '}',
  )
  if (at < 0 || (end >= 0 && at > end)) return
  code.at = at + 1
  code.names.set('$_', takeElement(readExpression(code)))
  code.at = start
}

/** Steps over the type of a variable in TypeScript, `const x: string = …`; the name is put in front of the sign again. */
function skipType(code: Code): void {
  const name = code.at
  let at = name + 2
  while (at < code.tokens.length && /^(?:name|text)$/.test(code.tokens[at]?.is ?? '')) at += 1
  const token = code.tokens[name]
  if (code.tokens[at]?.text !== '=' || !token) return
  spend(code.context, 1 + (code.tokens.length >> 8))
  code.tokens = [...code.tokens.slice(0, at - 1), token, ...code.tokens.slice(at)]
  code.at = at - 1
}

/** Binds names that share out a list: `a, b = 1, 2`, `const [a, b] = list`. */
function bindSeveral(code: Code): boolean {
  const isList = peek(code)?.text === '['
  const names: string[] = []
  let at = code.at + (isList ? 1 : 0)
  while (code.tokens[at]?.is === 'name' && names.length < MAX_NAMES) {
    names.push(code.tokens[at]?.text ?? '')
    at += 1
    if (code.tokens[at]?.text !== ',') break
    at += 1
  }
  if (isList && code.tokens[at]?.text !== ']') return false
  if (isList) at += 1
  if (names.length < (isList ? 1 : 2) || code.tokens[at]?.text !== '=') return false
  code.at = at + 1
  const things = [readExpression(code)]
  while (!isList && take(code, ',')) things.push(readExpression(code))
  const [only] = things
  const shared = things.length === 1 && only?.items ? only.items : things
  names.forEach((name, place) => {
    code.names.set(name, shared[place] ?? { ...NOTHING, value: toUnknownWord(name) })
  })
  return true
}

const KEYWORDS = new Set(
  'if elif else while for do end try except finally with as return def function class async in of not and or is lambda yield raise throw catch then unless until begin rescue ensure pass break continue global nonlocal print_ assert_ del_ export default static public private foreach my our sub package echo'.split(
    ' ',
  ),
)

function readImport(code: Code): Thing {
  const words: Token[] = []
  while (code.at < code.tokens.length && peek(code)?.is !== 'line' && peek(code)?.text !== ';') {
    const token = peek(code)
    if (token) words.push(token)
    code.at += 1
  }
  const texts = words.map(({ text }) => text)
  const bind = (name: string, full: string) => code.names.set(name, { ...NOTHING, name: full })
  if (code.language === 'python' && texts[0] === 'from') {
    const at = texts.indexOf('import')
    const module = texts.slice(1, at).join('')
    const list = texts
      .slice(at + 1)
      .filter((text) => text !== '(' && text !== ')')
      .join(' ')
      .split(',')
    for (const each of list) {
      const [name = '', , alias = name] = each.trim().split(' ')
      if (name === '*') code.stars.push(module)
      else bind(alias, `${module}.${name}`)
    }
    return NOTHING
  }
  if (code.language === 'python') {
    for (const each of texts.slice(1).join(' ').replaceAll(' . ', '.').split(',')) {
      const [name = '', , alias] = each.trim().split(' ')
      bind(alias ?? name.split('.')[0] ?? '', alias ? name : (name.split('.')[0] ?? ''))
      runLocalModule(code, name)
    }
    return NOTHING
  }
  const module = words.findLast(({ is }) => is === 'text')?.text.replace(/^node:/, '') ?? ''
  const from = texts.indexOf('from')
  const names = texts.slice(1, from === -1 ? 1 : from)
  const braces = names.indexOf('{')
  if (braces === -1) bind(names.at(-1) ?? '', module)
  else {
    if (braces > 0) bind(names[0] ?? '', module)
    const list = names
      .slice(braces + 1)
      .filter((text) => text !== '}')
      .join(' ')
      .split(',')
    for (const each of list) {
      const [name = '', , alias = name] = each.trim().split(' ')
      bind(alias, `${module}.${name}`)
    }
  }
  return NOTHING
}

/** A module of Python that lies beside inline code, or in a folder that the code itself names. */
function runLocalModule({ context, tokens }: Code, name: string): void {
  if (!isInline(context) || !/^\w+$/.test(name)) return
  const folders = [
    '.',
    ...tokens.filter(({ is, text }) => is === 'text' && /^[\w./-]{1,80}$/.test(text)).map(({ text }) => text),
  ]
  for (const folder of folders.slice(0, 6)) {
    const file = toKnownWord(`${folder}/${name}.py`)
    if (resolveOne(context, file)?.exists) {
      runFile(context, file, [], { language: 'python' })
      return
    }
  }
}

function readDestructuring(code: Code): Thing {
  const names: { readonly member: string; readonly name: string }[] = []
  const start = code.at
  code.at += 1
  while (code.at < code.tokens.length && peek(code)?.text !== '}' && names.length < 40) {
    const token = peek(code)
    const alias = peek(code, 1)?.text === ':' ? peek(code, 2) : undefined
    const isComputed = token?.text === '[' && peek(code, 1)?.is === 'text' && peek(code, 3)?.text === ':'
    const computed = isComputed ? peek(code, 4) : undefined
    if (computed) names.push({ member: peek(code, 1)?.text ?? '', name: computed.text })
    else if (token?.is === 'name')
      names.push({ member: token.text, name: alias?.is === 'name' ? alias.text : token.text })
    if (computed) code.at += 5
    else code.at += alias?.is === 'name' ? 3 : 1
  }
  code.at += 1
  if (!take(code, '=')) {
    code.at = start + 1
    return NOTHING
  }
  const source = readExpression(code)
  for (const { member, name } of names)
    code.names.set(name, source.name ? toNamed(`${source.name}.${member}`) : (source.fields?.get(member) ?? NOTHING))
  return source
}

function readExpression(code: Code): Thing {
  if (code.nesting > MAX_NESTING) {
    noteUnseen(code.context, 'too-deep', code.language, 'run')
    code.at = code.tokens.length
    return NOTHING
  }
  code.nesting += 1
  let left = readOperand(code)
  for (;;) {
    const token = peek(code)
    if (token?.is !== 'sign') break
    const isConcat = token.text === '+' || (token.text === '.' && (code.language === 'perl' || code.language === 'php'))
    const isPath = token.text === '/' && code.language === 'python'
    if (!isConcat && !isPath && !/^(?:\?\?|\|\||&&|==|===|!=|!==|<|>|<=|>=|%|\*|-|\/|\?|:|=>)$/.test(token.text)) break
    if (token.text === ':' || token.text === '=>') break
    code.at += 1
    skipLines(code)
    const right = readOperand(code)
    if (isConcat)
      left = {
        ...NOTHING,
        value: join([left.value, right.value]),
        items: left.items && right.items ? [...left.items, ...right.items] : null,
      }
    else if (token.text === '%' && readWord(left.value) !== null)
      left = formatText(left, right.items ?? [right], /%(?:\(\w+\))?[-\d.]*[sdifrxXoeg]/)
    else if (isPath) left = { ...NOTHING, name: null, value: join([left.value, toKnownWord('/'), right.value]) }
    else if (token.text === '??' || token.text === '||')
      left =
        readWord(left.value) === null && left.name === null && !left.items
          ? {
              ...right,
              value: { pieces: right.value.pieces, carries: mergeCarried([left.value.carries, right.value.carries]) },
            }
          : left
    else
      left = {
        ...NOTHING,
        value: toUnknownWord('value', { carries: mergeCarried([left.value.carries, right.value.carries]) }),
      }
  }
  code.nesting -= 1
  return left
}

function readOperand(code: Code): Thing {
  spend(code.context)
  skipLines(code)
  const token = peek(code)
  if (!token) return NOTHING
  if (token.is === 'name' && /^(?:await|new|not|typeof|void|return|yield|delete|in|async)$/.test(token.text)) {
    code.at += 1
    return readOperand(code)
  }
  if (isFunctionHead(code)) return readPostfix(code, readFunction(code))
  if (
    token.is === 'sign' &&
    (token.text === '!' ||
      token.text === '-' ||
      token.text === '...' ||
      token.text === '*' ||
      token.text === '\\' ||
      token.text === '&')
  ) {
    code.at += 1
    return readOperand(code)
  }
  const first = readPrimary(code)
  return readPostfix(code, first)
}

/** True where a function without a name begins: `lambda x:`, `function (x) {`, `(x) =>`, `x =>`. */
function isFunctionHead(code: Code): boolean {
  const token = peek(code)
  if (code.language === 'python') return token?.is === 'name' && token.text === 'lambda'
  if (token?.is === 'name' && DEFINES[code.language]?.test(token.text) === true)
    return readDefinition(code, code.at) !== null
  if (code.language !== 'javascript') return false
  if (token?.is === 'name') return peek(code, 1)?.text === '=>'
  return token?.text === '(' && code.tokens[findClosing(code.tokens, code.at) + 1]?.text === '=>'
}

function readFunction(code: Code): Thing {
  const token = peek(code)
  const isDefined = token?.is === 'name' && DEFINES[code.language]?.test(token.text)
  const found = isDefined ? readDefinition(code, code.at) : readArrow(code)
  if (!found) return NOTHING
  code.at = found.end
  code.bodies.add(found.body)
  return { ...NOTHING, body: found.body }
}

/** Reads `(x) => y`, `(x) => { … }` and `lambda x: y`. */
function readArrow({ tokens, language, at: start }: Code): Definition {
  const isLambda = language === 'python'
  const close = tokens[start]?.text === '(' ? findClosing(tokens, start) : start
  let at = isLambda ? start : close + 1
  while (isLambda && at < tokens.length && tokens[at]?.text !== ':') at += 1
  const list =
    isLambda || close === start ? tokens.slice(isLambda ? start + 1 : start, at) : tokens.slice(start + 1, close)
  const parameters = listParameters(list)
  at += 1
  if (tokens[at]?.text === '{') {
    const end = findClosing(tokens, at)
    return { name: null, body: { parameters, tokens, from: at + 1, end }, end: end + 1 }
  }
  const end = findExpressionEnd(tokens, at)
  return { name: null, body: { parameters, tokens, from: at, end }, end }
}

/** The end of an expression: a comma, a closing bracket or the end of a line that nothing goes on from. */
function findExpressionEnd(tokens: readonly Token[], from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.is === 'sign' && OPENING[token.text]) at = findClosing(tokens, at)
    else if (token?.is === 'sign' && /^[,;)}\]]$/.test(token.text)) return at
    else if (token?.is === 'line' && at > from && tokens[at + 1]?.text !== '.') return at
  }
  return tokens.length
}

function readPrimary(code: Code): Thing {
  const token = peek(code)
  if (!token) return NOTHING
  if (token.is === 'text') {
    code.at += 1
    return { ...NOTHING, value: readTemplate(code, token) }
  }
  if (token.is === 'number') {
    code.at += 1
    return { ...NOTHING, value: toKnownWord(token.text) }
  }
  if (token.is === 'name') {
    code.at += 1
    return findName(code, token.text)
  }
  if (token.text === ':' && code.language === 'ruby' && peek(code, 1)?.is === 'name') {
    const name = peek(code, 1)?.text ?? ''
    code.at += 2
    return { ...NOTHING, value: toKnownWord(name) }
  }
  if (token.text === '(') return readGroup(code)
  if (token.text === '[') {
    code.at += 1
    const items = readList(code, ']')
    return {
      value:
        items.length === 1
          ? (items[0]?.value ?? toKnownWord(''))
          : { pieces: toUnknownWord('list').pieces, carries: mergeCarried(items.map(({ value }) => value.carries)) },
      name: null,
      items,
      fields: null,
    }
  }
  if (token.text === '{') return readRecord(code)
  return NOTHING
}

function readGroup(code: Code): Thing {
  code.at += 1
  if (isFunctionHead(code)) {
    const thing = readFunction(code)
    skipLines(code)
    take(code, ')')
    return thing
  }
  const items = readList(code, ')')
  if (peek(code)?.text === '=>') return NOTHING
  const only = items.length === 1 ? items[0] : undefined
  return only ?? { ...NOTHING, items }
}

/** A template behind a tag that runs it: what is put into it is one word of the command each. */
function readTagged(code: Code, token: Token): Thing {
  code.at += 1
  return { ...NOTHING, value: readTemplate(code, token, { quoted: true }) }
}

function quoteHole(value: Value): Value {
  const text = readWord(value)
  const isPlain = text === null || /^[\w./:@%+=,~-]*$/.test(text)
  return isPlain ? value : toKnownWord(`'${text.replaceAll("'", "'\\''")}'`, value.carries)
}

function readTemplate(code: Code, token: Token, { quoted = false } = {}): Value {
  if (!token.parts) return toKnownWord(token.text)
  return join(
    token.parts.map((part) => {
      if (typeof part === 'string') return toKnownWord(part)
      const inner: Code = {
        ...code,
        tokens: tokenize(
          code.language === 'python' ? part.code.replace(/(?<=[\w)\]])(?::[^:'"]*|![rs])$/, '') : part.code,
          code.language,
        ),
        at: 0,
      }
      const { value } = readExpression(inner)
      return quoted ? quoteHole(value) : value
    }),
  )
}

function findName(code: Code, name: string): Thing {
  const bound = code.names.get(name)
  if (bound) return bound
  const star = code.stars.find((module) => FUNCTIONS.some(([shape]) => shape.test(`${module}.${name}`)))
  if (star) return toNamed(`${star}.${name}`)
  const { world } = code.context.reading
  if (name === '__file__' || name === '__filename')
    return { ...NOTHING, value: toKnownWord(posix.join(world.folder, 'script')) }
  if (name === '__dirname' || name === '__dir__' || name === '__DIR__')
    return { ...NOTHING, value: toKnownWord(world.folder) }
  if (/^\$\w/.test(name) && name !== '$ENV' && name !== '$_ENV' && name !== '$_SERVER')
    return { ...NOTHING, value: toUnknownWord(name.slice(1)) }
  return toNamed(name.replace(/^[$@%]/, '') || name)
}

/** Names of the whole environment. */
const ENVIRONMENT = /^(?:os\.environ|process\.env|ENV|_ENV|environ|Deno\.env\.toObject|System\.get_env)$/

/** A library, a function or a variable of one, by its full name. */
function toNamed(name: string): Thing {
  const isEnvironment = ENVIRONMENT.test(name)
  return {
    ...NOTHING,
    name,
    value: isEnvironment ? toUnknownWord('environment', { carries: carry('environment') }) : NOTHING.value,
  }
}

function readRecord(code: Code): Thing {
  code.at += 1
  const fields = new Map<string, Thing>()
  const carries: Value['carries'][] = []
  while (code.at < code.tokens.length && !take(code, '}')) {
    skipLines(code)
    const key = peek(code)
    const next = peek(code, 1)
    if (key && next && (next.text === ':' || next.text === '=>') && (key.is === 'name' || key.is === 'text')) {
      code.at += 2
      const value = readExpression(code)
      fields.set(key.text, value)
      carries.push(value.value.carries)
    } else {
      const before = code.at
      const statement = readStatement(code)
      if (key?.is === 'name') fields.set(key.text, statement)
      carries.push(statement.value.carries)
      if (code.at === before) code.at += 1
    }
    take(code, ',')
    take(code, ';')
  }
  return { ...NOTHING, value: toUnknownWord('record', { carries: mergeCarried(carries) }), fields }
}

function readList(code: Code, end: string): Thing[] {
  const items: Thing[] = []
  const fields = new Map<string, Thing>()
  while (code.at < code.tokens.length) {
    skipLines(code)
    if (take(code, end)) break
    const before = code.at
    const key = peek(code)
    const isNamed =
      key?.is === 'name' &&
      ((peek(code, 1)?.text === '=' && peek(code, 2)?.text !== '=') ||
        (peek(code, 1)?.text === ':' && code.language === 'ruby'))
    if (isNamed && key) {
      code.at += 2
      fields.set(key.text, readExpression(code))
    } else items.push(readArgument(code))
    skipLines(code)
    if (!take(code, ',') && !take(code, ';') && peek(code)?.text !== end) {
      readStatement(code)
    }
    if (code.at === before) code.at += 1
  }
  if (fields.size > 0)
    items.push({
      ...NOTHING,
      fields,
      value: toUnknownWord('options', {
        carries: mergeCarried([...fields.values()].map(({ value }) => value.carries)),
      }),
    })
  return items
}

/** An argument; the parameter of a function that is handed over is an element of what it is called on. */
function readArgument(code: Code): Thing {
  const token = peek(code)
  const isArrow = token?.is === 'name' && peek(code, 1)?.text === '=>'
  const isGroup =
    token?.text === '(' && peek(code, 1)?.is === 'name' && peek(code, 2)?.text === ')' && peek(code, 3)?.text === '=>'
  const isEmpty = token?.text === '(' && peek(code, 1)?.text === ')' && peek(code, 2)?.text === '=>'
  if (!isArrow && !isGroup && !isEmpty) {
    const thing = readExpression(code)
    // A callee calls the functions that it is handed.
    if (thing.body && !code.called.has(thing.body))
      callBody(code, thing.body, [takeElement(code.names.get('\0receiver') ?? NOTHING)])
    return thing
  }
  const parameter = isGroup ? peek(code, 1) : token
  const name = isEmpty ? undefined : parameter?.text
  const [arrowLength, groupLength, emptyLength] = [2, 4, 3]
  if (isArrow) code.at += arrowLength
  else code.at += isGroup ? groupLength : emptyLength
  if (name) code.names.set(name, takeElement(code.names.get('\0receiver') ?? NOTHING))
  return peek(code)?.text === '{' ? readRecord(code) : readExpression(code)
}

function readPostfix(code: Code, start: Thing): Thing {
  let thing = start
  for (;;) {
    const token = peek(code)
    if (token?.is === 'line') {
      const next = code.tokens.slice(code.at).find(({ is }) => is !== 'line')
      if (next?.text !== '.') return thing
      skipLines(code)
      continue
    }
    if (code.language === 'ruby' && bindBlock(code, thing)) continue
    const isDot =
      token?.is === 'sign' &&
      (token.text === '.' ||
        token.text === '->' ||
        token.text === '::' ||
        (token.text === '?' && peek(code, 1)?.text === '.'))
    if (
      token &&
      isDot &&
      (code.language !== 'php' || token.text !== '.') &&
      (code.language !== 'perl' || token.text !== '.')
    ) {
      if (token.text === '?' && peek(code, 2)?.text === '(') {
        code.at += 2
        continue
      }
      code.at += token.text === '?' ? 2 : 1
      const member = peek(code)
      if (member?.is !== 'name') return thing
      code.at += 1
      const isCall = peek(code)?.text === '('
      const isBareCall = !isCall && code.language === 'ruby'
      thing =
        isCall || isBareCall ? callMember(code, thing, member.text, isBareCall) : readMember(code, thing, member.text)
      continue
    }
    if (token?.text === '?' && peek(code, 1)?.text === '.' && peek(code, 2)?.text === '(') code.at += 2
    if (peek(code)?.is === 'sign' && peek(code)?.text === '(' && isCallable(code, thing, start)) {
      code.at += 1
      const args = readList(code, ')')
      thing = callThing(code, thing, args)
      continue
    }
    if (token?.is === 'sign' && (token.text === '[' || (token.text === '{' && thing.name === 'ENV'))) {
      code.at += 1
      const [index] = readList(code, token.text === '[' ? ']' : '}')
      thing = readIndex(code, thing, index ?? NOTHING)
      continue
    }
    if (token?.is === 'text' && thing.name !== null && (thing === start || thing.name.endsWith('.$'))) {
      const isTagged = code.language === 'javascript'
      const isCommand =
        code.language === 'ruby' ||
        code.language === 'perl' ||
        code.language === 'php' ||
        code.language === 'lua' ||
        isTagged
      if (!isCommand) return thing
      const args = isTagged ? [readTagged(code, token)] : readBareArguments(code)
      thing = callFunction(
        code,
        isTagged && /^(?:\$|sh|execa\.\$|Bun\.\$|zx\.\$|shelljs\.exec)$/.test(thing.name)
          ? 'child_process.exec'
          : thing.name,
        args,
      )
      continue
    }
    if (
      code.language === 'perl' &&
      thing === start &&
      thing.name !== null &&
      /^(?:unlink|rmdir|rmtree|remove_tree|system|exec|open|rename|eval|glob)$/.test(thing.name) &&
      token?.text !== ')'
    ) {
      const isOfDefault = !token || /^(?:;|\}|for|foreach|if|unless)$/.test(token.text)
      thing = callFunction(code, thing.name, isOfDefault ? [findName(code, '$_')] : readBareArguments(code))
      continue
    }
    if (
      code.language === 'ruby' &&
      thing === start &&
      thing.name !== null &&
      /^(?:system|exec|eval|spawn|puts|print|p)$/.test(thing.name) &&
      token &&
      (token.is === 'name' || token.is === 'text')
    ) {
      thing = callFunction(code, thing.name, readBareArguments(code))
      continue
    }
    return thing
  }
}

/** True for what a bracket behind it calls: a name, a function of the code, a value in brackets or of a list. */
function isCallable(code: Code, thing: Thing, start: Thing): boolean {
  return thing.name !== null || thing.body !== undefined || thing === start || code.language === 'javascript'
}

/** Calls what a value is: a function of the code, one by its name, one whose name is in a text. */
function callThing(code: Code, thing: Thing, args: readonly Thing[]): Thing {
  if (thing.body) return callBody(code, thing.body, args)
  if (thing.name !== null) return callFunction(code, thing.name, args)
  const text = code.language === 'php' ? readWord(thing.value) : null
  if (text !== null && /^\w+$/.test(text)) return callFunction(code, text, args)
  noteUnseen(code.context, 'code', `a call of ${showValue(thing.value)}`, 'run')
  return {
    ...NOTHING,
    value: toUnknownWord('result', { carries: mergeCarried(args.map(({ value }) => value.carries)) }),
  }
}

/** Binds the parameter of a Ruby block to an element of what it is called on, and steps over its head. */
function bindBlock(code: Code, thing: Thing): boolean {
  const token = peek(code)
  const isOpen = token?.text === '{' || token?.text === 'do'
  const name = peek(code, 2)
  if (!isOpen || peek(code, 1)?.text !== '|' || name?.is !== 'name' || peek(code, 3)?.text !== '|') return false
  code.names.set(name.text, takeElement(thing))
  code.at += 4
  readStatement(code)
  return false
}

function readBareArguments(code: Code): Thing[] {
  const args: Thing[] = []
  do {
    if (peek(code)?.is === 'line' || peek(code)?.text === ';') break
    args.push(readExpression(code))
  } while (take(code, ',') && args.length < 20)
  return args
}

function readIndex(code: Code, thing: Thing, index: Thing): Thing {
  const key = readWord(index.value) ?? index.name
  if (thing.name && /^(?:os\.environ|process\.env|ENV|_ENV|_SERVER|environ)$/.test(thing.name))
    return readEnvironment(code, key)
  if (thing.name === 'Dir' && key !== null) return { ...NOTHING, value: mapToGlob(index.value) }
  if (thing.name !== null && key !== null && /^[a-z_]\w*$/i.test(key)) return toNamed(`${thing.name}.${key}`)
  const field = key === null ? undefined : thing.fields?.get(key)
  if (field) return field
  if (thing.items && key !== null && /^\d+$/.test(key)) return thing.items[Number(key)] ?? NOTHING
  return { ...NOTHING, value: toUnknownWord('item', { carries: thing.value.carries }) }
}

function readEnvironment({ context }: Code, name: string | null): Thing {
  const { world } = context.reading
  if (name === 'HOME' || name === 'USERPROFILE') return { ...NOTHING, value: toKnownWord(world.home) }
  if (name === 'PWD') return { ...NOTHING, value: toKnownWord(world.folder) }
  if (name === 'USER') return { ...NOTHING, value: toKnownWord(world.user) }
  if (name === 'TMPDIR') return { ...NOTHING, value: toKnownWord(world.temp[0] ?? '/tmp') }
  return {
    ...NOTHING,
    value: toUnknownWord(
      name ?? 'variable',
      name !== null && isSecretVariable(name) ? { carries: carry('secret-variable') } : {},
    ),
  }
}

function readMember(code: Code, thing: Thing, member: string): Thing {
  if (thing.name && /^(?:process\.env|import\.meta\.env)$/.test(thing.name)) return readEnvironment(code, member)
  const field = thing.fields?.get(member)
  if (field) return field
  if (thing.name !== null) return toNamed(`${thing.name}.${member}`)
  if (member === 'parent') return { ...NOTHING, value: mapText(thing.value, (text) => posix.dirname(text)) }
  return {
    ...NOTHING,
    value: thing.value.carries.size > 0 ? toUnknownWord(member, { carries: thing.value.carries }) : thing.value,
  }
}

function mapText(value: Value, change: (text: string) => string): Value {
  const text = readWord(value)
  return text === null
    ? value
    : {
        pieces: value.pieces.some(({ is }) => is === 'glob')
          ? toPatternWord(change(text)).pieces
          : toKnownWord(change(text)).pieces,
        carries: value.carries,
      }
}

function callMember(code: Code, thing: Thing, member: string, isBare: boolean): Thing {
  code.names.set('\0receiver', thing)
  let args: Thing[] = []
  if (!isBare) {
    code.at += 1
    args = readList(code, ')')
  } else if (peek(code)?.is === 'text' || hasBareName(code, thing, member)) args = readBareArguments(code)
  const field = thing.fields?.get(member)
  if (field?.body || field?.name) return callThing(code, field, args)
  if (thing.body && /^(?:call|apply|bind)$/.test(member)) return callBody(code, thing.body, args.slice(1))
  const own = thing.name === null || !/^[a-z]/.test(thing.name) ? code.names.get(member)?.body : undefined
  if (own) return callBody(code, own, args)
  if (thing.name !== null) return callFunction(code, `${thing.name}.${member}`, args)
  return callMethod(code, thing, member, args)
}

/** True for a call of Ruby without parentheses whose first argument is a name. */
function hasBareName(code: Code, thing: Thing, member: string): boolean {
  const next = peek(code)
  if (thing.name === null || !next || (next.is !== 'name' && next.text !== '[')) return false
  const full = `${thing.name}.${member}`
  return !KEYWORDS.has(next.text) && FUNCTIONS.some(([shape]) => shape.test(full))
}

type Action = (code: Code, args: readonly Thing[], name: string) => Thing

const takeArgument = (args: readonly Thing[], at = 0): Value => args[at]?.value ?? toKnownWord('')

const remove =
  (how: 'tree' | 'file'): Action =>
  ({ context }, args) => {
    for (const value of listValues(args[0])) deletePath(context, value, how)
    return NOTHING
  }

function listValues(thing: Thing | undefined): readonly Value[] {
  if (!thing) return []
  return thing.items ? thing.items.map(({ value }) => value) : [thing.value]
}

const read: Action = ({ context }, args) => {
  const value = takeArgument(args)
  if (/^https?:/.test(readKnownStart(value)))
    return {
      ...NOTHING,
      value: toUnknownWord('content', {
        carries: reachAddress(context, value, { carries: new Set(), isSending: false }).carries,
      }),
    }
  const content = readPath(context, value)
  return { ...NOTHING, value: toValue(content), ...(content.source === null ? {} : { source: content.source }) }
}

function toValue({ text, carries }: Content): Value {
  return text === null ? toUnknownWord('content', { carries }) : toKnownWord(text, carries)
}

const write =
  (how: 'replace' | 'append'): Action =>
  ({ context }, args) => {
    const data = takeArgument(args, 1)
    const text = readWord(data)
    writePath(context, takeArgument(args), how, {
      ...UNKNOWN_CONTENT,
      text: args.length > 1 ? text : null,
      carries: data.carries,
    })
    return { ...NOTHING, value: takeArgument(args) }
  }

const openFile: Action = (code, args, name) => {
  const mode =
    readWord(takeArgument(args, 1)) ??
    readWord(args.find(({ fields }) => fields?.has('mode'))?.fields?.get('mode')?.value ?? toKnownWord('')) ??
    'r'
  const path = takeArgument(args)
  if (name === 'open' && code.language === 'perl') return openPerl(code, args)
  if (code.language === 'ruby' && readKnownStart(path).startsWith('|'))
    return runShellText(code, [{ ...NOTHING, value: toKnownWord((readWord(path) ?? '').slice(1)) }], name)
  if (/^[wx]|^>|\+/.test(mode)) writePath(code.context, path, 'replace')
  else if (/^a/.test(mode)) writePath(code.context, path, 'append')
  else return read(code, args, name)
  return { ...NOTHING, value: path }
}

function openPerl({ context }: Code, args: readonly Thing[]): Thing {
  const mode = readWord(takeArgument(args, 1)) ?? ''
  const target = args[2]
    ? takeArgument(args, 2)
    : mapText(takeArgument(args, 1), (text) => text.replace(/^\s*[<>+]+\s*/, ''))
  if (/^\s*>>/.test(mode)) writePath(context, target, 'append')
  else if (/^\s*\+?>/.test(mode)) writePath(context, target, 'replace')
  else if (/\||-\|/.test(mode))
    context.reading.runScript(enterStep(context), (readWord(target) ?? '').replace(/^\s*\||\|\s*$/g, ''))
  else readPath(context, target)
  return NOTHING
}

const runShellText: Action = ({ context }, args) => {
  const options = args[0]?.fields
  const first = options?.get('command') ?? options?.get('cmd') ?? options?.get('args') ?? args[0]
  if (!first) return NOTHING
  if (
    first.items ||
    (args.length > 1 &&
      args[1]?.fields === null &&
      readWord(takeArgument(args, 1)) !== null &&
      first.items === null &&
      readWord(first.value) !== null &&
      !/\s/.test(readWord(first.value) ?? ' '))
  )
    return runWordList({ context }, args)
  const text = readWord(first.value)
  noteFlows(
    context,
    [...first.value.carries].filter((each) => each === 'fetch' || each === 'decode'),
    'run',
    'sh',
  )
  if (text === null) noteUnseen(context, 'value', showValue(first.value), 'run')
  const filled =
    text ??
    first.value.pieces
      .map((piece) => (piece.is === 'unknown' ? (piece.otherwise ?? '"$UNKNOWN"') : piece.text))
      .join('')
  const output =
    filled.replaceAll('"$UNKNOWN"', '').trim() === ''
      ? UNKNOWN_CONTENT
      : context.reading.runScript(enterStep(context), filled)
  return { ...NOTHING, value: toValue(output) }
}

function runWordList({ context }: Pick<Code, 'context'>, args: readonly Thing[]): Thing {
  const [first, second] = args
  const words = first?.items
    ? first.items
    : [first ?? NOTHING, ...(second?.items ?? args.slice(1).filter(({ fields }) => fields === null))]
  const output = context.reading.runWords(
    enterStep(context),
    words.map(({ value }) => value),
    EMPTY_CONTENT,
  )
  return { ...NOTHING, value: toValue(output) }
}

/** A program and its words; a single string with a shell, or with blanks, is a script. */
const runProgram: Action = (code, args, name) => {
  const options = args.find(({ fields }) => fields !== null)?.fields
  // Words may come by the name of their parameter: `Popen(args=…)`, `new Deno.Command('rm', { args: … })`.
  const words = options?.get('args') ?? options?.get('command') ?? options?.get('cmd')
  const named = args[0]?.fields ? words : undefined
  const first = named ?? args[0]
  if (words && first !== words && first)
    return runWordList(code, [{ ...NOTHING, items: [first, ...(words.items ?? [words])] }])
  const isShell =
    options?.has('shell') &&
    readWord(options.get('shell')?.value ?? toKnownWord('')) !== 'False' &&
    options.get('shell')?.name !== 'False' &&
    options.get('shell')?.name !== 'false'
  if (first?.items && !isShell) return runWordList(code, args)
  if (first?.items) return runShellText(code, [first.items[0] ?? NOTHING], name)
  if (isShell || /\s/.test(readWord(first?.value ?? toKnownWord('')) ?? '') || args.length === 1)
    return runShellText(code, [first ?? NOTHING], name)
  return runWordList(code, args)
}

/** `execlp(file, argv0, …)` and `execvp(file, argv)` name the program twice. */
const replaceProgram: Action = (code, args) => {
  const rest = args[1]?.items ? args[1].items : args.slice(1)
  return runWordList(code, [args[0] ?? NOTHING, { ...NOTHING, items: rest.slice(1) }])
}

const evaluate: Action = ({ context, language }, args, name) => {
  const isFunction = name === 'Function' && args.length > 1
  if (isFunction) noteUnseen(context, 'code', 'Function', 'run')
  const value = takeArgument(args, isFunction ? args.length - 1 : 0)
  const text = readWord(value)
  noteFlows(
    context,
    [...value.carries].filter((each) => each === 'fetch' || each === 'decode'),
    'run',
    language,
  )
  const source = args[0]?.source
  if (source !== undefined) {
    runFile(context, toKnownWord(source), [], { language })
    return NOTHING
  }
  const isFetching = text === null && context.reading.effects.some(({ does }) => does === 'fetch')
  if (isFetching) noteFlows(lowerCertainty(context, 'likely'), ['fetch'], 'run', language)
  if (text === null || args[0]?.name) noteUnseen(context, 'code', showValue(value), 'run')
  else context.reading.runCode(enterStep(context), language, text, EMPTY_CONTENT)
  return NOTHING
}

const fetchUrl: Action = ({ context }, args) => {
  const options = args.find(({ fields }) => fields !== null)?.fields
  const method = readWord(options?.get('method')?.value ?? toKnownWord('GET')) ?? 'GET'
  const isSending =
    options?.has('body') === true ||
    options?.has('data') === true ||
    options?.has('json') === true ||
    options?.has('files') === true ||
    /^(?:POST|PUT|PATCH|DELETE)$/i.test(method)
  const carries = mergeCarried(args.slice(1).map(({ value }) => value.carries))
  const address = args[0]?.fields?.get('url')?.value ?? takeArgument(args)
  const content = reachAddress(context, address, { carries, isSending })
  return { ...NOTHING, value: toUnknownWord('content', { carries: content.carries }) }
}

const post: Action = ({ context }, args) => {
  const carries = mergeCarried(args.slice(1).map(({ value }) => value.carries))
  sendTo(context, takeArgument(args), { carries })
  return { ...NOTHING, value: toUnknownWord('content', { carries: carry('fetch') }) }
}

const decodeBase64: Action = (_, args) => decodeText(args, 'base64')

/** Notes variables that hold a secret and are printed: the model reads what a call prints. */
function printArgument(code: Code, args: readonly Thing[]): Thing {
  for (const { value } of args) noteShownSecret(code.context, value)
  return returnArgument(code, args, 'print')
}

function decodeText(args: readonly Thing[], encoding: 'base64' | 'hex'): Thing {
  const text = readWord(takeArgument(args))
  const carries = carry('decode', takeArgument(args).carries)
  return {
    ...NOTHING,
    value:
      text === null
        ? toUnknownWord('decoded', { carries })
        : toKnownWord(Buffer.from(text, encoding).toString('utf8'), carries),
  }
}

const joinSegments: Action = (_, args) => {
  const values = args.map(({ value }) => value)
  const last = values.findLastIndex((value) => readKnownStart(value).startsWith('/'))
  return { ...NOTHING, value: join(values.slice(Math.max(last, 0)), '/') }
}

const returnArgument: Action = (_, args) => ({ ...NOTHING, value: takeArgument(args), items: args[0]?.items ?? null })

const listFolder: Action = ({ context }, args) => {
  readPath(context, args.length > 0 ? takeArgument(args) : toKnownWord('.'), 'name')
  return { ...NOTHING, value: toPatternWord('*') }
}

const walkFolder: Action = (_, args) => ({
  ...NOTHING,
  value: join([args.length > 0 ? takeArgument(args) : toKnownWord('.'), toPatternWord('/**')]),
})

const returnHome: Action = ({ context }) => ({ ...NOTHING, value: toKnownWord(context.reading.world.home) })

const moveFile: Action = ({ context }, args) => {
  context.reading.runWords(
    enterStep(context),
    [toKnownWord('mv'), takeArgument(args), takeArgument(args, 1)],
    EMPTY_CONTENT,
  )
  return NOTHING
}

const copyFile: Action = ({ context }, args) => {
  if (/^https?:/.test(readKnownStart(takeArgument(args)))) {
    const content = reachAddress(context, takeArgument(args), { carries: new Set(), isSending: false })
    writePath(context, takeArgument(args, 1), 'replace', content)
    return NOTHING
  }
  context.reading.runWords(
    enterStep(context),
    [toKnownWord('cp'), toKnownWord('-r'), takeArgument(args), takeArgument(args, 1)],
    EMPTY_CONTENT,
  )
  return NOTHING
}

const makePath: Action = ({ context }, args) => {
  for (const value of listValues(args[0])) writePath(context, value, 'create')
  return { ...NOTHING, value: takeArgument(args) }
}

const linkFile: Action = ({ context }, args) => {
  context.reading.runWords(
    enterStep(context),
    [toKnownWord('ln'), toKnownWord('-s'), takeArgument(args), takeArgument(args, 1)],
    EMPTY_CONTENT,
  )
  return NOTHING
}

const loadModule: Action = (code, args) => {
  const name = readWord(takeArgument(args))
  if (name === null) {
    noteUnseen(code.context, 'code', showValue(takeArgument(args)), 'run')
    return NOTHING
  }
  if (/^\.{0,2}\//.test(name) && isInline(code.context))
    runFile(code.context, addEnding(code.context, name, '.js'), [], { language: 'javascript' })
  return { ...NOTHING, name: name.replace(/^node:/, '') }
}

/** True for code of the command itself, not of a file. */
function isInline({ steps }: Context): boolean {
  return steps.every(({ at }) => at === undefined)
}

function addEnding(context: Context, name: string, ending: string): Value {
  const path = resolveOne(context, toKnownWord(name))
  return toKnownWord(path && !path.exists && !/\.\w+$/.test(name) ? `${name}${ending}` : name)
}

const connect: Action = ({ context }, args) => {
  const host = args
    .flatMap((each) => (each.items ? each.items : [each]))
    .map(({ value }) => readWord(value) ?? '')
    .find((text) => /[a-z.]/i.test(text) && !/^\d+$/.test(text))
  if (host && !/^(?:localhost|127\.|\/)/.test(host)) sendTo(context, toKnownWord(host), { carries: new Set() })
  return NOTHING
}

const truncateFile: Action = ({ context }, args) => {
  deletePath(context, takeArgument(args), 'truncate', { follow: true })
  return NOTHING
}

const changeMode: Action = ({ context }, args) => {
  writePath(context, takeArgument(args), 'mode')
  return NOTHING
}

const killProcess: Action = ({ context }, args) => {
  if (readWord(takeArgument(args)) === '-1') noteChange(context, 'machine', 'process', 'os.kill(-1)')
  return NOTHING
}

const moveTo: Action = ({ context }, args) => {
  context.reading.runWords(context, [toKnownWord('cd'), takeArgument(args)], EMPTY_CONTENT)
  return NOTHING
}

/** `exec` is code in Python and JavaScript, and a command elsewhere. */
const runExec: Action = (code, args, name) =>
  code.language === 'python' || code.language === 'javascript'
    ? evaluate(code, args, name)
    : runShellText(code, args, name)

/** Functions by their full names, the first that matches. */
const FUNCTIONS: readonly (readonly [RegExp, Action])[] = [
  [/^exec$/, runExec],
  [
    /^(?:shutil\.rmtree|distutils\.dir_util\.remove_tree|send2trash(?:\.send2trash)?|fs(?:\.promises|\/promises|-extra|e)?\.(?:rm|rmSync|rmdir|rmdirSync|remove|removeSync|emptyDir|emptyDirSync)|Deno\.remove(?:Sync)?|rimraf(?:\.sync|\.rimraf|\.rimrafSync|Sync|\.native)?|del|trash|FileUtils\.(?:rm_r|rm_rf|remove_dir|remove_entry\w*|rmtree|remove_tree)|Dir\.(?:delete|rmdir|unlink)|rmtree|remove_tree|File::Path::\w+|File\.rm_rf!?|os\.removedirs|os\.rmdir)$/,
    remove('tree'),
  ],
  [
    /^(?:os\.(?:remove|unlink)|fs(?:\.promises|\/promises|-extra)?\.(?:unlink|unlinkSync)|FileUtils\.(?:rm|rm_f|remove|safe_unlink)|File\.(?:delete|unlink|rm!?)|unlink|rmdir|os_remove)$/,
    remove('file'),
  ],
  [/^(?:fs(?:\.promises|\/promises)?\.truncate(?:Sync)?|os\.truncate)$/, truncateFile],
  [
    /^(?:fs(?:\.promises|\/promises|-extra)?\.(?:writeFile|writeFileSync|createWriteStream|outputFile|outputFileSync|writeJson|writeJsonSync)|Deno\.write(?:Text)?File(?:Sync)?|Bun\.write|File\.write|IO\.write|File\.binwrite|file_put_contents|File\.write!|write)$/,
    write('replace'),
  ],
  [/^(?:fs(?:\.promises|\/promises|-extra)?\.appendFile(?:Sync)?)$/, write('append')],
  [
    /^(?:shutil\.move|os\.(?:rename|replace|renames)|fs(?:\.promises|\/promises|-extra)?\.(?:rename|renameSync|move|moveSync)|FileUtils\.(?:mv|move)|File\.rename|rename|Deno\.rename(?:Sync)?)$/,
    moveFile,
  ],
  [
    /^(?:shutil\.copy\w*|fs(?:\.promises|\/promises|-extra)?\.(?:copyFile|copyFileSync|cp|cpSync|copy|copySync)|FileUtils\.(?:cp|cp_r|copy\w*)|copy|Deno\.copyFile(?:Sync)?|File\.cp)$/,
    copyFile,
  ],
  [
    /^(?:os\.(?:symlink|link)|fs(?:\.promises)?\.(?:symlink|symlinkSync|link|linkSync)|FileUtils\.ln_s\w*|File\.symlink|symlink)$/,
    linkFile,
  ],
  [/^(?:os\.ch(?:mod|own)|fs(?:\.promises)?\.ch(?:mod|own)(?:Sync)?|File\.ch(?:mod|own)|chmod)$/, changeMode],
  [
    /^(?:fs(?:\.promises|\/promises|-extra)?\.(?:readFile|readFileSync|createReadStream|readJson\w*)|File\.(?:read|readlines|foreach|binread|read!)|IO\.(?:read|readlines|foreach)|file_get_contents|readfile|file|Deno\.read(?:Text)?File(?:Sync)?|Bun\.file|linecache\.getlines|io\.lines)$/,
    read,
  ],
  [
    /^(?:open|io\.open|codecs\.open|File\.open|File\.new|fopen|fs\.openSync|fs\.open|builtins\.open|gzip\.open)$/,
    openFile,
  ],
  [
    /^(?:os\.(?:system|popen)|commands\.getoutput|subprocess\.get(?:status)?output|child_process\.(?:exec|execSync)|(?:Kernel\.)?(?:system|exec|spawn|`)|asyncio\.create_subprocess_shell|ctypes\.CDLL\.system|Kernel\.exec|shell_exec|passthru|popen|proc_open|IO\.popen|Open3\.\w+|os\.execute|io\.popen|execSync|sh|System\.cmd|execa\.(?:command|commandSync|execaCommand)|shelljs\.exec|shell\.exec|pty\.spawn|qx)$/,
    runShellText,
  ],
  [
    /^(?:subprocess\.(?:run|call|check_call|check_output|Popen)|child_process\.(?:spawn|spawnSync|execFile|execFileSync|fork)|Deno\.Command|Bun\.spawn(?:Sync)?|execa(?:\.execa|\.execaSync|Sync)?|cross-spawn|os\.(?:spawn\w*|posix_spawn\w*)|asyncio\.create_subprocess_exec|pcntl_exec|sh\.Command|pexpect\.(?:run|spawn))$/,
    runProgram,
  ],
  [/^os\.exec[lv]p?e?$/, replaceProgram],
  [
    /^(?:exec|eval|compile|builtins\.(?:exec|eval)|Function|vm\.(?:runIn\w+|compileFunction|Script)|instance_eval|class_eval|assert|runpy\.run_module|marshal\.loads|pickle\.loads?|globalThis\.eval|window\.eval|Code\.eval_string|loadstring|load|include_string)$/,
    evaluate,
  ],
  [
    /^(?:urllib\.request\.(?:urlopen|urlretrieve)|urllib2?\.urlopen|requests\.(?:get|head|request)|httpx\.(?:get|stream)|fetch|axios(?:\.get)?|https?\.get|got(?:\.get)?|undici\.(?:fetch|request)|Net::HTTP\.get(?:_response)?|URI\.(?:open|parse)|LWP::Simple\.get|aiohttp\.request|open-uri|needle\.get|superagent\.get|node-fetch|globalThis\.fetch|HTTParty\.get|Faraday\.get|curl_init|wget\.download)$/,
    fetchUrl,
  ],
  [
    /^(?:requests\.(?:post|put|patch|delete)|httpx\.(?:post|put|patch)|axios\.(?:post|put|patch|delete|request)|https?\.request|got\.(?:post|put)|Net::HTTP\.(?:post|post_form|put)|needle\.post|superagent\.post|HTTParty\.post|Faraday\.post|urllib\.request\.Request)$/,
    post,
  ],
  [
    /^(?:base64\.(?:b64decode|standard_b64decode|urlsafe_b64decode|decodebytes)|atob|Base64\.(?:decode64|strict_decode64)|base64_decode|decode_base64|MIME::Base64::decode)$/,
    decodeBase64,
  ],
  [/^(?:bytes\.fromhex|bytearray\.fromhex|binascii\.unhexlify|hex2bin)$/, (_, args) => decodeText(args, 'hex')],
  [
    /^Buffer\.from$/,
    (_, args) =>
      args[1]
        ? decodeText(args, readWord(takeArgument(args, 1)) === 'hex' ? 'hex' : 'base64')
        : returnArgument(_, args, ''),
  ],
  [
    /^(?:codecs\.decode|zlib\.decompress|gzip\.decompress|gzinflate|str_rot13|lzma\.decompress|bz2\.decompress|zlib\.\w*[iI]nflate\w*|zlib\.gunzip\w*|unescape|unpack|urllib\.parse\.unquote)$/,
    (_, args) => ({
      ...NOTHING,
      value: toUnknownWord('decoded', { carries: carry('decode', takeArgument(args).carries) }),
    }),
  ],
  [
    /^pack$/,
    (_, args) => ({ ...NOTHING, value: unpackHex({ ...NOTHING, value: takeArgument(args, 1) }, [args[0] ?? NOTHING]) }),
  ],
  [
    /^String\.from(?:CharCode|CodePoint)$/,
    (_, args) => ({
      ...NOTHING,
      value: toKnownWord(
        args.map(({ value }) => String.fromCharCode(Number(readWord(value) ?? 32))).join(''),
        carry('decode'),
      ),
    }),
  ],
  [
    /^chr$/,
    (_, args) => ({
      ...NOTHING,
      value: toKnownWord(String.fromCharCode(Number(readWord(takeArgument(args)) ?? 32)), carry('decode')),
    }),
  ],
  [
    /^(?:os\.path\.expanduser|File\.expand_path|os\.path\.expandvars)$/,
    ({ context }, args) => ({
      ...NOTHING,
      value: mapText(takeArgument(args), (text) =>
        text.replace(/^~(?=\/|$)/, context.reading.world.home).replace(/^\$HOME/, context.reading.world.home),
      ),
    }),
  ],
  [
    /^(?:os\.path\.join|posixpath\.join|path\.(?:join|resolve)|path\.posix\.join|File\.join|Path\.join|joinpath)$/,
    joinSegments,
  ],
  [
    /^(?:os\.path\.(?:abspath|realpath|normpath)|path\.normalize|str|String|bytes|bytearray|pathlib\.(?:Path|PurePath|PosixPath)|Path|Pathname(?:\.new)?|list|sorted|tuple|set|Array\.from|fs\.realpathSync|shlex\.quote|repr|iter|reversed|URL|encodeURIComponent|JSON\.stringify|json\.dumps|json\.load|json\.loads|JSON\.parse|base64\.b64encode|Base64\.encode64|btoa|base64_encode|Buffer\.concat|readlines|shlex\.split)$/,
    returnArgument,
  ],
  [
    /^(?:print|println|pprint(?:\.pprint)?|console\.(?:log|info|error|dir|table)|(?:process|sys)\.(?:stdout|stderr)\.write|puts|echo|pp?|print_r|var_dump|say|io\.write)$/,
    printArgument,
  ],
  [/^(?:pathlib\.Path\.home|Path\.home|os\.homedir|Dir\.home|os\.userInfo)$/, returnHome],
  [
    /^(?:pathlib\.Path\.cwd|Path\.cwd|os\.getcwd|process\.cwd|Dir\.pwd|getcwd)$/,
    ({ context }) => ({
      ...NOTHING,
      value: toKnownWord(context.shell.folders[0]?.path ?? context.reading.world.folder),
    }),
  ],
  [
    /^(?:tempfile\.\w+|os\.tmpdir|Dir\.(?:tmpdir|mktmpdir)|fs(?:\.promises)?\.mkdtemp(?:Sync)?|sys_get_temp_dir|tempnam)$/,
    ({ context }) => ({ ...NOTHING, value: toKnownWord(`${context.reading.world.temp[0] ?? '/tmp'}/x`) }),
  ],
  [
    /^(?:os\.environ\.get|os\.getenv|getenv|ENV\.fetch|process\.env\.get|Deno\.env\.get|System\.get_env)$/,
    (code, args) => readEnvironment(code, readWord(takeArgument(args))),
  ],
  [
    /^(?:glob\.i?glob|Dir\.(?:glob|\[\])|glob|globSync|fast-glob|fg|fg\.sync)$/,
    ({ context, language }, args) => {
      const home = toKnownWord(context.reading.world.home)
      const pattern = takeArgument(args)
      const isHome = language === 'perl' && /^~(?=\/|$)/.test(readKnownStart(pattern))
      return { ...NOTHING, value: mapToGlob(isHome ? join([home, dropStart(pattern, 1)]) : pattern) }
    },
  ],
  [
    /^(?:os\.(?:listdir|scandir)|fs(?:\.promises|\/promises)?\.readdir(?:Sync)?|Dir\.(?:children|entries|each_child)|scandir)$/,
    listFolder,
  ],
  [/^os\.(?:walk|fwalk)$/, walkFolder],
  [/^(?:(?:.*\.)?require|import|__import__|importlib\.import_module|process\.binding)$/, loadModule],
  [/^(?:array_map|array_walk|array_filter|map|filter|call_user_func(?:_array)?)$/, callHanded],
  [/(?:^|\.)(?:send|public_send|__send__)$/, callSent],
  [
    /^(?:runpy\.run_path|execfile|Code\.require_file|load_file|dofile|require_relative|include|require_once|include_once|source)$/,
    runOtherFile,
  ],
  [
    /^(?:socket\.create_connection|net\.(?:connect|createConnection)|tls\.connect|TCPSocket\.(?:new|open)|fsockopen|IO::Socket::INET\.new|stream_socket_client)$/,
    connect,
  ],
  [
    /^dotenv\.(?:config|parse|load\w*|dotenv_values|values)$|^(?:dotenv_values|load_dotenv)$/,
    ({ context }) => {
      readPath(context, toKnownWord('.env'), 'name')
      return { ...NOTHING, value: toUnknownWord('settings', { carries: carry('secret-variable') }) }
    },
  ],
  [
    /^(?:os\.(?:makedirs|mkdir)|fs(?:\.promises|\/promises|-extra)?\.(?:mkdir|mkdirSync|ensureDir|ensureDirSync|mkdirp|mkdirpSync)|FileUtils\.(?:mkdir_p|mkdir|touch)|Dir\.mkdir|Deno\.mkdir(?:Sync)?|mkdir|touch)$/,
    makePath,
  ],
  [/^os\.kill$/, killProcess],
  [/^os\.ch(?:dir|root)$|^process\.chdir$|^Dir\.chdir$|^chdir$/, moveTo],
  [
    /^getattr$/,
    (_, args) => ({
      ...NOTHING,
      name:
        args[0]?.name && readWord(takeArgument(args, 1)) !== null
          ? `${args[0].name}.${readWord(takeArgument(args, 1))}`
          : null,
    }),
  ],
  [
    /^(?:sqlite3|psycopg2?|pymysql|MySQLdb|mysql\.connector|asyncpg|pg|mysql2?|better-sqlite3|duckdb|sqlalchemy)\.\w*(?:connect|Client|Pool|Database|create\w*|engine)\w*$|^(?:PDO|SQLite3|DBI\.connect)$/,
    (_, args) => ({ ...NOTHING, value: args.length > 0 ? takeArgument(args) : toUnknownWord('database') }),
  ],
  [/\.(?:execute|executescript|executemany|query|exec|unsafe|\$executeRawUnsafe|run|prepare|do)$/, runSql],
]

/** Actions of functions that do something by themselves, wherever they are called. */
const RISKY_ACTIONS: ReadonlySet<Action> = new Set(
  FUNCTIONS.filter(([shape]) =>
    ['os.system', 'os.remove', 'shutil.rmtree', 'fs.writeFileSync', 'subprocess.run', 'eval', 'exec', 'os.execvp'].some(
      (name) => shape.test(name),
    ),
  ).map(([, action]) => action),
)

/** A function that is handed to another, and called with what that one is given. */
function callHanded(code: Code, args: readonly Thing[]): Thing {
  const [handed, ...rest] = args
  const name = handed?.name ?? readWord(handed?.value ?? toKnownWord(''))
  if (name === 'chr') return { ...NOTHING, value: decodeCharacters(rest[0]) }
  if (name === null || name === '') return { ...NOTHING, value: rest[0]?.value ?? NOTHING.value }
  return callFunction(code, name, [takeElement(rest[0] ?? NOTHING), ...rest.slice(1)])
}

/** The text that a list of character codes means. */
function decodeCharacters(list: Thing | undefined): Value {
  const codes = list?.items?.map(({ value }) => Number(readWord(value) ?? Number.NaN))
  if (!codes || codes.some((each) => !Number.isInteger(each) || each < 0 || each > 0x10ffff))
    return toUnknownWord('decoded', { carries: carry('decode') })
  return toKnownWord(codes.map((each) => String.fromCodePoint(each)).join(''), carry('decode'))
}

/** `send(:system, …)` of Ruby calls by a name. */
function callSent(code: Code, args: readonly Thing[]): Thing {
  const name = args[0] ? (readWord(args[0].value) ?? args[0].name) : null
  return name ? callFunction(code, name.replace(/^:/, ''), args.slice(1)) : runLikelyCommand(code, args.slice(1))
}

/** A file of code that is run from code. */
function runOtherFile({ context, language }: Code, args: readonly Thing[]): Thing {
  runFile(context, takeArgument(args), [], { language })
  return NOTHING
}

function mapToGlob(value: Value): Value {
  const text = readWord(value)
  if (text === null) return value
  return /[*?[]/.test(text) ? toPatternWord(text) : toKnownWord(text)
}

function runSql(code: Code, args: readonly Thing[], name = ''): Thing {
  const { context } = code
  const text = readWord(takeArgument(args))
  if (text !== null && /^\s*(?:drop|truncate|delete|update|alter|grant|copy|with|begin)\b/i.test(text))
    noteSql(context, text, '')
  else if (/\.run$/.test(name)) return runLikelyCommand(code, args)
  return NOTHING
}

/** Calls a function that another is handed to, or that is called in a roundabout way; null for any other. */
function callIndirectly(code: Code, name: string, args: readonly Thing[]): Thing | null {
  const [, target, way] = /^(.+)\.(call|apply|bind)$/.exec(name) ?? []
  if (target && way && code.language === 'ruby') return callFunction(code, target, args)
  if (target && way && code.language === 'javascript') {
    const given = way === 'apply' ? (args[1]?.items ?? args.slice(1)) : args.slice(1)
    const result = callFunction(code, target, given)
    return way === 'bind' ? { ...NOTHING, name: target } : result
  }
  if (name === 'Reflect.apply' && args[0]) return callThing(code, args[0], args[2]?.items ?? [])
  if (/(?:^|\.)promisify$/.test(name) && args[0]) return args[0]
  if (/^(?:vars|dict)$/.test(name) && args[0]?.name) return args[0]
  if (/^method$/.test(name)) return toNamed(readWord(takeArgument(args)) ?? args[0]?.name ?? 'method')
  const options = args.find(({ fields }) => fields !== null)?.fields
  const handed = options?.get('target') ?? options?.get('func') ?? options?.get('function') ?? args[0]
  const isHanded = handed !== undefined && (handed.body !== undefined || (handed.name !== null && isRisky(handed.name)))
  if (!isHanded) return null
  const named = options?.get('args')
  const list = named ? (named.items ?? [named]) : args.slice(1).filter((each) => each !== handed)
  const given = /(?:^|\.)(?:map|starmap|imap|submit|apply_async|run_in_executor|filter|map_async)$/.test(name)
    ? list.map(takeElement)
    : list
  if (handed.body && code.called.has(handed.body) && given.length === 0) return null
  callThing({ ...code, context: lowerCertainty(code.context, 'likely') }, handed, given)
  return { ...NOTHING, name: handed.name, value: toUnknownWord('result') }
}

/** True for a function that does something by itself. */
function isRisky(name: string): boolean {
  const short = name.replace(/^(?:builtins|globalThis|global|window)\./, '')
  const found = FUNCTIONS.find(([shape]) => shape.test(short))
  return found !== undefined && RISKY_ACTIONS.has(found[1])
}

/** Names of the first parameter of functions, by which it may be given. */
const FIRST_PARAMETERS = 'path filename file name src source url cmd args command target top fd'.split(' ')

/** The arguments with the first one in its place, where all of them are given by name. */
function putNamedFirst(args: readonly Thing[]): readonly Thing[] {
  const fields = args.length === 1 ? args[0]?.fields : undefined
  const name = fields ? FIRST_PARAMETERS.find((each) => fields.has(each)) : undefined
  const first = name === undefined ? undefined : fields?.get(name)
  return first ? [first, ...args] : args
}

/** Functions and methods that only make values of others. */
const PURE =
  /^(?:len|range|int|float|bool|max|min|sum|abs|round|pow|divmod|enumerate|zip|any|all|isinstance|issubclass|type|dict|format|hash|id|ord|hex|oct|bin|next|object|super|slice|frozenset|input|callable|hasattr|setattr|property|staticmethod|classmethod|dir|exit|quit|sleep|Error|Exception|\w+Error|Promise|Map|Set|WeakMap|Symbol|Number|Boolean|Date|RegExp|Array|Object|BigInt|parseInt|parseFloat|isNaN|structuredClone|queueMicrotask|clear(?:Timeout|Interval)|alert|die|say|lc|uc|defined|ref|scalar|keys|values|join|split|push|pop|shift|unshift|sprintf|printf|substr|length|strlen|count|implode|explode|trim|str_replace|in_array|array_\w+|is_\w+|json_(?:en|de)code|var_export|die|raise|warn|attr_\w+|gets|rand|srand|lambda|proc|pcall|pairs|ipairs|tostring|tonumber|Struct|describe|it|test|expect|beforeEach|afterEach|fs\.(?:exists|stat|lstat|access|existsSync|statSync|lstatSync|accessSync|constants)(?:Sync)?|os\.(?:getcwd|getpid|cpus|platform|uname|cpu_count|sep|linesep|path|type|arch|hostname)|ast\.\w+)$/
const PURE_MODULES =
  /^(?:math|re|json|datetime|time|random|string|collections|itertools|functools|operator|textwrap|hashlib|hmac|uuid|statistics|decimal|fractions|enum|dataclasses|typing|copy|pprint|argparse|logging|struct|unicodedata|difflib|calendar|locale|platform|sys|traceback|inspect|warnings|contextlib|heapq|bisect|array|numbers|abc|types|secrets|console|Math|Object|Array|Number|String|JSON|Promise|Date|Symbol|BigInt|Intl|RegExp|Set|Map|process\.(?:std\w+|exit|cwd|on|once|hrtime|nextTick|uptime|memoryUsage|emitWarning)|path|url|util|crypto|assert|events|stream|readline|perf_hooks|querystring|os\.path|performance|np|numpy|pd|pandas|plt|Time|Random|Comparable)(?:\.|$)/
const PURE_METHODS =
  /^(?:append|extend|insert|add|push|pop|shift|unshift|concat|slice|splice|sort|sorted|reverse|keys|values|items|entries|get|set|has|update|setdefault|copy|count|index|find\w*|indexOf|includes|some|every|reduce|flat\w*|fill|at|lower|upper|title|capitalize|toLowerCase|toUpperCase|startswith|endswith|startsWith|endsWith|isdigit|isalpha|is\w+|zfill|ljust|rjust|center|padStart|padEnd|repeat|charAt|charCodeAt|codePointAt|match\w*|search|test|group|groups|sub|subn|finditer|fullmatch|replaceAll|splitlines|rstrip|lstrip|strip\w*|trim\w*|substring|substr|localeCompare|toFixed|toISOString|getTime|toJSON|valueOf|hasOwnProperty|hexdigest|digest|isoformat|strftime|total_seconds|now|today|next|send_signal|readline|readlines|close|flush|seek|tell|wait|poll|communicate|decode|finally|catch|length|size|first|last|min|max|sum|mean|empty|nil|collect|select|reject|inject|compact|uniq|flatten|to_i|to_f|to_a|to_h|to_sym|inspect|freeze|dup|head|tail|describe|info|shape|log|error|warn|debug|end|on|once|off|setEncoding|pipe|cwd|exit|parse_args|add_argument|lines|name|stem|suffix|parts|relative_to|with_suffix|with_name|stat|samefile|owner|exitcode|returncode|done|result|start|add_done_callback|cursor|commit|to\w+|assert\w+|not|resolves|rejects|status|json|text|blob|arrayBuffer)$/

/** Notes a call that this reader has no meaning for. */
function noteUnknownCall(code: Code, name: string): void {
  const last = name.split('.').at(-1) ?? ''
  if (name === '' || PURE.test(name) || PURE_MODULES.test(name) || PURE_METHODS.test(last)) return
  noteUnseen(code.context, 'code', `${name}()`)
}

/** Verbs in the names of functions that no table has. */
const DELETING_VERB =
  /^(?:delete|remove|unlink|erase|rm|rmdir|rmtree|wipe|purge|trash|destroy|empty|nuke|shred)(?:[A-Z_]\w*)?$|(?:_|[a-z])(?:rmtree|Unlink|Delete|Remove|_delete|_remove|_unlink)$/
const WRITING_VERB =
  /^(?:write|save|dump|append|overwrite|put|store|export|to|output|copy|move|rename|link|symlink)(?:[A-Z_]\w*)?$/
const READING_VERB = /^(?:read|load|slurp|cat|open|parse|get|import)(?:[A-Z_]\w*)?$/
const RUNNING_VERB =
  /^(?:system|shell|exec|spawn|popen|run|call|cmd|sh|bash|command|invoke|launch|start|check|execute)(?:[A-Z_]\w*)?$/

/** Methods of clients of databases by which data is gone. */
const DATABASE_VERB =
  /^(?:drop(?:Database|Collection|Table|Schema|All\w*|_all|_table|_database|_collection|_schema|Index(?:es)?)|flush(?:all|db|_all|DB|All)|deleteMany|delete_many|removeAll|truncate(?:Table)?|emptyDatabase|destroyAll|deleteAll|delete_all|destroy_all|resetDatabase)$/

/** Notes what a function that is not known does by the verb in its name, where it is given a path or a command that is known. */
function noteByVerb(code: Code, verb: string, args: readonly Thing[]): void {
  const likely = lowerCertainty(code.context, 'likely')
  if (DATABASE_VERB.test(verb)) {
    const isSome = /^delete_?many$/i.test(verb) && (args[0]?.fields?.size ?? 0) > 0
    noteChange(code.context, 'database', isSome ? 'delete-some' : 'drop', verb)
    return
  }
  for (const { value } of args.slice(0, 4)) {
    const text = readWord(value)
    if (text === null || text === '' || text.length > 2000) continue
    if (RUNNING_VERB.test(verb) && isCommandLine(text)) {
      runHandedScript(code.context, text)
      continue
    }
    if (!/^(?:~|\/|\.)/.test(text) || /\s/.test(text)) continue
    const path = toKnownWord(text.replace(/^~(?=\/|$)/, code.context.reading.world.home))
    const found = resolveOne(code.context, path)
    if (!found || /^(?:project|built|temp|remote)$/.test(found.place)) continue
    if (DELETING_VERB.test(verb) && (found.exists || found.place === 'home')) deletePath(likely, path, 'tree')
    else if (WRITING_VERB.test(verb) && /^(?:startup|agent|device|system)$/.test(found.place))
      writePath(likely, path, 'replace')
    else if (READING_VERB.test(verb) && found.place === 'secret' && found.exists && !/\.env/.test(text))
      readPath(likely, path)
  }
}

function callFunction(code: Code, name: string, args: readonly Thing[]): Thing {
  spend(code.context)
  const indirect = callIndirectly(code, name, args)
  if (indirect) return indirect
  const short = name
    .replace(/^(?:builtins|globalThis|global|window|self|::)\./, '')
    .replace(/^fs-extra/, 'fs-extra')
    .replace(/\.(?:default|new)$/, (end) => (end === '.new' ? end : ''))
  const found = FUNCTIONS.find(([shape]) => shape.test(short))
  if (found) return found[1](code, putNamedFirst(args), short)
  const carries = mergeCarried(args.map(({ value }) => value.carries))
  const last = short.split('.').at(-1) ?? ''
  const member = RISKY_MEMBERS[last]
  if (member && short.includes('.')) return callFunction(code, member, args)
  if (/^https?:\/\//.test(readKnownStart(takeArgument(args)))) {
    if (/post|put|send|upload/i.test(last)) return post(code, args, short)
    if (/get|fetch|open|download|request|read|curl|load|url/i.test(last)) return fetchUrl(code, args, short)
  }
  const handed = args.find((each) => each.name !== null && /^(?:eval|exec|Function)$/.test(each.name))
  if (handed) noteUnseen(code.context, 'code', name, 'run')
  else noteUnknownCall(code, short)
  noteByVerb(code, last, args)
  return { ...NOTHING, value: toUnknownWord(name.split('.').at(-1) ?? 'result', { carries }) }
}

/** Functions by the last part of their name, for receivers that are not known: a module that was loaded in a roundabout way. */
const RISKY_MEMBERS: Readonly<Record<string, string>> = {
  system: 'os.system',
  popen: 'os.popen',
  execSync: 'child_process.execSync',
  spawnSync: 'child_process.spawnSync',
  execFileSync: 'child_process.execFileSync',
  rmSync: 'fs.rmSync',
  rmdirSync: 'fs.rmSync',
  unlinkSync: 'fs.unlinkSync',
  rmtree: 'shutil.rmtree',
  writeFileSync: 'fs.writeFileSync',
  appendFileSync: 'fs.appendFileSync',
  readFileSync: 'fs.readFileSync',
  renameSync: 'fs.renameSync',
  require: 'require',
}

/** Methods of values: paths, texts, answers of servers. */
function callMethod(code: Code, thing: Thing, member: string, args: readonly Thing[]): Thing {
  const { context } = code
  const { value } = thing
  const handed = args.find((each) => each.name !== null && /^(?:eval|exec|Function)$/.test(each.name))
  if (handed) {
    noteFlows(
      context,
      [...value.carries].filter((each) => each === 'fetch' || each === 'decode'),
      'run',
      code.language,
    )
    noteUnseen(context, 'code', member, 'run')
  }
  const risky = RISKY_MEMBERS[member]
  if (risky && args.length > 0) return callFunction(code, risky, args)
  if (/^(?:map|forEach|each|filter)$/.test(member) && args[0]?.name) {
    callFunction(code, args[0].name, [takeElement(thing)])
    return { ...NOTHING, value: toUnknownWord(member, { carries: value.carries }) }
  }
  if (/^(?:append|extend|push|concat)$/.test(member) && thing.items) return addItems(code, thing, args)
  switch (member) {
    case 'run':
      return runLikelyCommand(code, args)
    case 'send':
    case 'public_send':
      return callSent(code, args)
    case 'pack':
      return { ...NOTHING, value: unpackHex(thing, args) }
    case 'delete_all':
    case 'destroy_all':
      noteChange(context, 'database', 'delete-all', `${showValue(value)}.${member}`)
      return NOTHING
    case 'unlink':
    case 'rmdir':
    case 'rmtree':
    case 'delete':
      if (
        member === 'delete' &&
        args.length === 0 &&
        readWord(value) === null &&
        /^(?:all|objects|filter|query)$/.test(showValue(value).replace('$', ''))
      ) {
        noteChange(context, 'database', 'delete-all', 'rows of a model')
        return NOTHING
      }
      if (args.length === 0 || member !== 'delete')
        deletePath(context, value, member === 'unlink' || member === 'delete' ? 'file' : 'tree')
      return NOTHING
    case 'write_text':
    case 'write_bytes':
      writePath(context, value, 'replace', {
        ...UNKNOWN_CONTENT,
        text: readWord(takeArgument(args)),
        carries: takeArgument(args).carries,
      })
      return NOTHING
    case 'touch':
    case 'mkdir':
      if (readWord(value) !== null) writePath(context, value, 'create')
      return NOTHING
    case 'read_text':
    case 'read_bytes':
      return read(code, [thing], member)
    case 'open':
      return openFile(code, [thing, ...args], 'open')
    case 'rename':
    case 'replace':
      if (args.length === 1 && readWord(value)?.includes('/')) return moveFile(code, [thing, ...args], member)
      return replaceText(thing, args)
    case 'chmod':
      writePath(context, value, 'mode')
      return NOTHING
    case 'symlink_to':
      return linkFile(code, [args[0] ?? NOTHING, thing], member)
    case 'expanduser':
      return { ...NOTHING, value: mapText(value, (text) => text.replace(/^~(?=\/|$)/, context.reading.world.home)) }
    case 'joinpath':
      return joinSegments(code, [thing, ...args], member)
    case 'glob':
    case 'rglob':
      return {
        ...NOTHING,
        value: join([
          value,
          toPatternWord(`/${member === 'rglob' ? '**/' : ''}${readWord(takeArgument(args)) ?? '*'}`),
        ]),
      }
    case 'iterdir':
      return { ...NOTHING, value: join([value, toPatternWord('/*')]) }
    case 'join':
      return { ...NOTHING, value: joinItems(thing, args) }
    case 'format':
      return formatText(thing, args)
    case 'reverse':
      return thing.items
        ? { ...thing, items: [...thing.items].reverse() }
        : { ...NOTHING, value: mapText(value, (text) => [...text].reverse().join('')) }
    case 'split':
      return splitText(thing, args)
    case 'execute':
    case 'executescript':
    case 'query':
    case 'exec':
    case 'prepare':
      return { ...runSql(code, args), value }
    case 'connect':
      return connect(code, args, member)
    case 'post':
    case 'put':
      return /^https?:/.test(readKnownStart(takeArgument(args))) ? post(code, args, member) : NOTHING
    case 'get':
      return /^https?:/.test(readKnownStart(takeArgument(args)))
        ? fetchUrl(code, args, member)
        : { ...NOTHING, value: toUnknownWord('item', { carries: value.carries }) }
    case 'exists':
    case 'is_dir':
    case 'is_file':
      return NOTHING
    case 'decode':
    case 'toString':
    case 'strip':
    case 'trim':
    case 'encode':
    case 'resolve':
    case 'absolute':
    case 'read':
    case 'text':
    case 'json':
    case 'then':
    case 'to_s':
    case 'chomp':
    case 'as_posix':
    case 'map':
    case 'forEach':
    case 'each':
    case 'filter':
      return {
        ...thing,
        name: null,
        items: member === 'map' && takeArgument(args).carries.size > 0 ? null : thing.items,
        value:
          args[0] && (member === 'then' || (member === 'map' && takeArgument(args).carries.size > 0))
            ? { pieces: value.pieces, carries: mergeCarried([value.carries, takeArgument(args).carries]) }
            : value,
      }
    default:
      noteUnknownCall(code, `value.${member}`)
      noteByVerb(code, member, [...args, thing])
      return {
        ...NOTHING,
        value: toUnknownWord(member, {
          carries: mergeCarried([value.carries, ...args.map((each) => each.value.carries)]),
        }),
      }
  }
}

/** Adds to a list, under all names that it has. */
function addItems(code: Code, thing: Thing, args: readonly Thing[]): Thing {
  const added = args.flatMap((each) => each.items ?? [each])
  const longer: Thing = { ...thing, items: [...(thing.items ?? []), ...added].slice(0, MAX_ITEMS) }
  for (const [name, each] of code.names) if (each === thing) code.names.set(name, longer)
  return longer
}

/** `c.run('make')` of task files: a text that begins with a program that is known. */
function runLikelyCommand({ context }: Code, args: readonly Thing[]): Thing {
  const text = readWord(takeArgument(args))
  const name = text === null ? null : /^[\w./-]+/.exec(text)?.[0]
  if (text !== null && name && findProgramRow(name.split('/').at(-1) ?? ''))
    context.reading.runScript(enterStep(context), text)
  return NOTHING
}

/** `["726d"].pack("H*")` of Ruby. */
function unpackHex(thing: Thing, args: readonly Thing[]): Value {
  const text = readWord(thing.items?.[0]?.value ?? thing.value)
  const isHex = /^H/.test(readWord(takeArgument(args)) ?? '')
  if (text === null || !isHex) return toUnknownWord('decoded', { carries: carry('decode') })
  return toKnownWord(Buffer.from(text, 'hex').toString('utf8'), carry('decode'))
}

/** `','.join(list)` of Python, `list.join(',')` of the others. */
function joinItems(thing: Thing, args: readonly Thing[]): Value {
  const given = args[0]?.items
  if (given)
    return join(
      given.map(({ value }) => value),
      readWord(thing.value) ?? '',
    )
  if (thing.items)
    return join(
      thing.items.map(({ value }) => value),
      readWord(takeArgument(args)) ?? ',',
    )
  return readWord(thing.value) === null ? thing.value : takeArgument(args)
}

function replaceText(thing: Thing, args: readonly Thing[]): Thing {
  const from = readWord(takeArgument(args))
  const to = readWord(takeArgument(args, 1))
  if (from === null || to === null || args.length < 2) return thing
  return { ...NOTHING, value: mapText(thing.value, (text) => text.replaceAll(from, to)) }
}

function splitText(thing: Thing, args: readonly Thing[]): Thing {
  const text = readWord(thing.value)
  if (text === null) return thing
  const by = readWord(takeArgument(args))
  const parts = args.length === 0 ? text.split(/\s+/) : text.split(by ?? ' ')
  return {
    ...thing,
    items: parts.slice(0, 200).map((part) => ({ ...NOTHING, value: toKnownWord(part, thing.value.carries) })),
  }
}

function formatText(thing: Thing, args: readonly Thing[], holes = /\{[^}]*\}/): Thing {
  const text = readWord(thing.value)
  if (text === null) return thing
  let at = 0
  const parts = text.split(holes)
  const values = parts.flatMap((part, index) =>
    index === 0 ? [toKnownWord(part)] : [args[at++]?.value ?? toUnknownWord('value'), toKnownWord(part)],
  )
  return { ...NOTHING, value: join(values) }
}
