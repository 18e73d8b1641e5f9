import type { Context } from '../context.ts'
import { type Content, carry, readWord, toKnownWord, toPatternWord, toUnknownWord, type Value } from '../value.ts'
import type { Token } from './tokens.ts'

/** Depth of brackets in one expression. */
export const MAX_NESTING = 60

/** Operand of an expression: a value, a name of a library, a list. */
export interface Thing {
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
export interface FunctionBody {
  readonly parameters: readonly Parameter[]
  readonly tokens: readonly Token[]
  readonly from: number
  readonly end: number
}

/** Code that is read: its tokens, where the reader stands, the names that are bound. */
export interface Code {
  readonly context: Context
  readonly language: string
  tokens: readonly Token[]
  readonly names: Map<string, Thing>
  /** Modules whose names are all imported. */
  readonly stars: string[]
  /** Functions that the code defines, and those that were called. */
  readonly bodies: Set<FunctionBody>
  readonly called: Set<FunctionBody>
  /** Reads a function that the code defines, with what it is called with. */
  readonly callBody: (code: Code, body: FunctionBody, args: readonly Thing[]) => Thing
  at: number
  nesting: number
}

/** Thing that nothing is known of. */
export const NOTHING: Thing = { value: toUnknownWord('value'), name: null, items: null, fields: null }

/** A parameter of a function of the code. */
export interface Parameter {
  readonly name: string
  /** Tokens of the value that it has unless it is given one. */
  readonly otherwise: readonly Token[]
}

/** Takes an element of a list: the first that is known, else a value of the same kind. */
export function takeElement(list: Thing): Thing {
  if (list.items && list.items.length > 0) return list.items[0] ?? NOTHING
  return { ...NOTHING, value: list.value }
}

/** Looks at a token without a step. */
export function peek(code: Code, ahead = 0): Token | undefined {
  return code.tokens[code.at + ahead]
}

/** Steps over a sign; false where another token stands. */
export function take(code: Code, text: string): boolean {
  const token = peek(code)
  if (token?.is !== 'sign' || token.text !== text) return false
  code.at += 1
  return true
}

/** Steps over the ends of lines. */
export function skipLines(code: Code): void {
  while (peek(code)?.is === 'line') code.at += 1
}

/** Names of the whole environment. */
const ENVIRONMENT = /^(?:os\.environ|process\.env|ENV|_ENV|environ|Deno\.env\.toObject|System\.get_env)$/

/** Names of what a program is given on stdin. */
const INPUT = /^(?:sys\.stdin|process\.stdin|STDIN|stdin|ARGF|io\.stdin|Deno\.stdin)$/

/** A library, a function or a variable of one, by its full name. */
export function toNamed(name: string): Thing {
  if (ENVIRONMENT.test(name))
    return { ...NOTHING, name, value: toUnknownWord('environment', { carries: carry('environment') }) }
  return {
    ...NOTHING,
    name,
    value: INPUT.test(name) ? toUnknownWord('stdin', { carries: carry('data') }) : NOTHING.value,
  }
}

/** Changes the text of a value that is known. */
export function mapText(value: Value, change: (text: string) => string): Value {
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

/** Effects and result of a function of a library. */
export type Action = (code: Code, args: readonly Thing[], name: string) => Thing

/** Takes the value of an argument; the empty word where none is given. */
export const takeArgument = (args: readonly Thing[], at = 0): Value => args[at]?.value ?? toKnownWord('')

/** Lists the values of a list, or the one value. */
export function listValues(thing: Thing | undefined): readonly Value[] {
  if (!thing) return []
  return thing.items ? thing.items.map(({ value }) => value) : [thing.value]
}

/** Makes a value of content. */
export function toValue({ text, carries }: Content): Value {
  return text === null ? toUnknownWord('content', { carries }) : toKnownWord(text, carries)
}

/** True for code of the command itself, not of a file. */
export function isInline({ steps }: Context): boolean {
  return steps.every(({ at }) => at === undefined)
}

/** Makes a pattern of a value with signs of one. */
export function mapToGlob(value: Value): Value {
  const text = readWord(value)
  if (text === null) return value
  return /[*?[]/.test(text) ? toPatternWord(text) : toKnownWord(text)
}
