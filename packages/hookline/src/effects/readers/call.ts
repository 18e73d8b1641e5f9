import type { Program } from '../../programs/program.ts'
import { findOwn } from '../../text/table.ts'
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

/** A room of readers: the names by which rows ask for one of them, separated by blanks, and what finds it. */
export type Room = readonly [names: string, reader: Reader]

/** The room that knows a name; undefined where none does. */
export function findInRooms(rooms: readonly Room[], name: string): Reader | undefined {
  return rooms.find(([names]) => ` ${names} `.includes(` ${name} `))?.[1]
}

/** Reads a call by the reader that its row names. Throws where there is none: a call that nobody reads must not pass. */
export function readByRow(readers: Readonly<Record<string, Reader>>, call: Call): Content {
  const reader = findOwn(readers, call.row.reader ?? '')
  if (!reader) throw new TypeError(`No reader is called "${call.row.reader}"`)
  return reader(call)
}

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
