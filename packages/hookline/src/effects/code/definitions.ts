import type { Code, FunctionBody, Parameter } from './code.ts'
import type { Token } from './tokens.ts'

/** Words that define a function by its name, by language. */
export const DEFINES: Readonly<Record<string, RegExp>> = {
  python: /^def$/,
  ruby: /^def$/,
  javascript: /^function$/,
  php: /^(?:function|fn)$/,
  lua: /^function$/,
}

/** True for `name(…) {` of JavaScript: a method of a class or of an object. */
export function isMethodHead({ tokens, language }: Code, at: number): boolean {
  const token = tokens[at]
  if (language !== 'javascript' || token?.is !== 'name' || tokens[at + 1]?.text !== '(') return false
  if (/^(?:if|for|while|switch|catch|with|function|await|return)$/.test(token.text)) return false
  const isBehind = tokens[at - 1]?.text === '.' || tokens[at - 1]?.text === 'new'
  return !isBehind && tokens[findClosing(tokens, at + 1) + 1]?.text === '{'
}

interface Definition {
  readonly name: string | null
  readonly body: FunctionBody
  /** The first token behind it. */
  readonly end: number
}

const definitions = new WeakMap<Token, Definition | null>()

/** Reads the definition of a function at a token; null where it has a shape that is not known. */
export function readDefinition(code: Code, at: number): Definition | null {
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
export function findClosing(tokens: readonly Token[], at: number): number {
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

/** Reads `(x) => y`, `(x) => { … }` and `lambda x: y`. */
export function readArrow({ tokens, language, at: start }: Code): Definition {
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
