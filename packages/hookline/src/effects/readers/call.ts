import type { Program } from '../../programs/program.ts'
import type { Context } from '../context.ts'
import { type Arguments, parseArguments, toSet } from '../program.ts'
import { type Content, readWord, type Value } from '../value.ts'

/** A call of one program: its words without its name. */
export interface Call {
  readonly context: Context
  readonly name: string
  readonly words: readonly Value[]
  readonly input: Content
  readonly row: Program
}

/** Reads a call, notes what it does, and answers with what it prints. */
export type Reader = (call: Call) => Content

/** The words taken apart; `valued` are the options that take the next word. */
export function parseCall(
  { words }: Call,
  valued: string,
  options?: { oneDash?: boolean; stopAtOperand?: boolean },
): Arguments {
  return parseArguments(words, toSet(valued), options)
}

/** The words of a call as text, unknown ones as a sign. */
export function readCallWords(words: readonly Value[]): string[] {
  return words.map((word) => readWord(word) ?? '\0')
}
