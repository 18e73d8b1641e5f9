import { type BadPattern, compileRegex, describeTooLong, isBadPattern, MAX_PATTERN_CHARS, type Regex } from './regex.ts'

/** Decides whether an event's input is meant. */
export type InputTest = (input: Readonly<Record<string, unknown>>) => boolean

type Literal = string | number | boolean

const MAX_NESTING = 100

/** Compiles a matcher expression such as `tool == "Bash" && !(tool_input.command matches "^git ")`. */
export async function compileExpression(text: string): Promise<InputTest | BadPattern> {
  if (text.length > MAX_PATTERN_CHARS) return describeTooLong()
  try {
    return await new ExpressionParser(text).parse()
  } catch (error) {
    if (error instanceof SyntaxFault) return { problem: error.message, offset: error.offset }
    throw error
  }
}

class SyntaxFault extends Error {
  readonly offset: number
  constructor(offset: number, expected: string) {
    super(`is not a valid expression: ${expected}`)
    this.offset = offset
  }
}

/**
 * Recursive descent over
 *
 *     either     = both { "||" both }
 *     both       = unary { "&&" unary }
 *     unary      = "!" unary | "(" either ")" | comparison
 *     comparison = path ( "==" | "!=" ) literal | path "matches" string
 *     path       = "tool" | "tool_input" { "." name }
 */
class ExpressionParser {
  readonly #text: string
  #offset = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  async parse(): Promise<InputTest> {
    const test = await this.#parseEither()
    this.#skipSpace()
    if (this.#offset < this.#text.length) throw new SyntaxFault(this.#offset, 'expected && or || here')
    return test
  }

  async #parseEither(): Promise<InputTest> {
    const alternatives = [await this.#parseBoth()]
    while (this.#take('||')) alternatives.push(await this.#parseBoth())
    return (input) => alternatives.some((test) => test(input))
  }

  async #parseBoth(): Promise<InputTest> {
    const conditions = [await this.#parseUnary()]
    while (this.#take('&&')) conditions.push(await this.#parseUnary())
    return (input) => conditions.every((test) => test(input))
  }

  async #parseUnary(): Promise<InputTest> {
    if (++this.#depth > MAX_NESTING) throw new SyntaxFault(this.#offset, 'too deeply nested')
    const test = await this.#parseOperand()
    this.#depth--
    return test
  }

  async #parseOperand(): Promise<InputTest> {
    if (this.#take('!')) {
      const test = await this.#parseUnary()
      return (input) => !test(input)
    }
    if (!this.#take('(')) return this.#parseComparison()
    const test = await this.#parseEither()
    if (!this.#take(')')) throw new SyntaxFault(this.#offset, 'expected ) here')
    return test
  }

  async #parseComparison(): Promise<InputTest> {
    const path = this.#parsePath()
    if (this.#take('==')) return makeEquals(path, this.#parseLiteral())
    if (this.#take('!=')) return makeDiffers(path, this.#parseLiteral())
    if (!this.#take('matches')) throw new SyntaxFault(this.#offset, 'expected ==, != or matches here')
    return makeMatches(path, await this.#parseRegex())
  }

  #parsePath(): string[] {
    this.#skipSpace()
    const start = this.#offset
    const written = this.#takePattern(/[A-Za-z_][\w$-]*(?:\.[\w$-]+)*/y)
    const [root, ...fields] = written?.split('.') ?? []
    if (root === 'tool' && fields.length === 0) return ['tool_name']
    if (root === 'tool_input') return [root, ...fields]
    throw new SyntaxFault(start, 'expected tool or tool_input.<field> here')
  }

  #parseLiteral(): Literal {
    this.#skipSpace()
    if (this.#text[this.#offset] === '"') return this.#parseString()
    const word = this.#takePattern(/true\b|false\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
    if (word === undefined) throw new SyntaxFault(this.#offset, 'expected a "text", a number, true or false here')
    return word === 'true' || (word === 'false' ? false : Number(word))
  }

  /** A backslash stands for itself, except before a quote. */
  #parseString(): string {
    this.#skipSpace()
    const start = this.#offset
    const quoted = this.#takePattern(/"(?:\\"|[^"])*"/y)
    if (quoted === undefined) throw new SyntaxFault(start, 'expected a "text" that ends in a quote here')
    return quoted.slice(1, -1).replaceAll('\\"', '"')
  }

  async #parseRegex(): Promise<Regex> {
    this.#skipSpace()
    const start = this.#offset
    const compiled = await compileRegex(this.#parseString())
    if (isBadPattern(compiled)) throw new SyntaxFault(start + 1 + compiled.offset, `the pattern ${compiled.problem}`)
    return compiled
  }

  #take(token: string): boolean {
    this.#skipSpace()
    if (!this.#text.startsWith(token, this.#offset)) return false
    this.#offset += token.length
    return true
  }

  #takePattern(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#offset
    const found = sticky.exec(this.#text)?.[0]
    this.#offset += found?.length ?? 0
    return found
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#offset] ?? '')) this.#offset++
  }
}

// A missing field matches nothing, not even `!=`.

const makeEquals =
  (path: string[], wanted: Literal): InputTest =>
  (input) =>
    readPath(input, path) === wanted

const makeDiffers =
  (path: string[], unwanted: Literal): InputTest =>
  (input) => {
    const value = readPath(input, path)
    return value !== undefined && value !== unwanted
  }

const makeMatches =
  (path: string[], regex: Regex): InputTest =>
  (input) => {
    const value = readPath(input, path)
    return typeof value === 'string' && regex(value)
  }

function readPath(input: unknown, path: readonly string[]): unknown {
  let value = input
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name] // an object that has this field
  }
  return value
}
