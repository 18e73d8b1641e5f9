import type { Instruction } from './program.ts'

/** Some states, as bits: for each word of 32 that has any, its index and its bits. */
export interface States {
  readonly indices: number[]
  readonly bits: number[]
}

interface Class extends States {
  readonly instruction: Instruction
}

/** States by the characters that they take. */
export interface StatesByCharacter {
  /** The states that take exactly this character. */
  readonly byRune: ReadonlyMap<number, States>
  /** The other states, by what they take. */
  readonly classes: readonly Class[]
}

const LAST_ASCII = 127
const CASE_BIT = 32
/** The only characters past ASCII that are another case of one in it: the long s, and the sign for kelvin. */
const CASES_OF_ASCII = [0x17f, 0x212a]

/** Sorts states, which are numbered in the order of their instructions, by what they take. */
export function sortByCharacter(instructions: readonly Instruction[]): StatesByCharacter {
  const byRune = new Map<number, States>()
  const classes: Class[] = []
  const similar = new Map<string, Class[]>()
  for (const [state, instruction] of instructions.entries()) {
    const runes = listFewRunes(instruction)
    if (runes === null) {
      addState(findClass(instruction, { classes, similar }), state)
      continue
    }
    for (const rune of runes) {
      const states = byRune.get(rune) ?? { indices: [], bits: [] }
      byRune.set(rune, states)
      addState(states, state)
    }
  }
  return { byRune, classes }
}

/** Sets the bits of the states that take a character, in the words from `offset` on. */
export function addStatesFor(
  { byRune, classes }: StatesByCharacter,
  rune: number,
  words: Int32Array,
  offset: number,
): void {
  const states = byRune.get(rune)
  if (states !== undefined) addStates(states, words, offset)
  for (const one of classes) if (one.instruction.matchRune(rune)) addStates(one, words, offset)
}

/** The characters that an instruction takes if it is written with one; null if they are better tried out. */
function listFewRunes(instruction: Instruction): number[] | null {
  const rune = instruction.runes[0]
  if (rune === undefined || instruction.runes.length > 1) return null
  if (rune <= LAST_ASCII) {
    return [rune, rune ^ CASE_BIT, ...CASES_OF_ASCII].filter((candidate) => instruction.matchRune(candidate))
  }
  const ignoresCase = instruction.arg !== 0
  return ignoresCase ? null : [rune]
}

function findClass(
  instruction: Instruction,
  { classes, similar }: { classes: Class[]; similar: Map<string, Class[]> },
): Class {
  const { runes, arg } = instruction
  const key = `${arg} ${runes.length} ${runes[0]} ${runes.at(-1)}`
  const candidates = similar.get(key) ?? []
  const known = candidates.find((one) => isSameRunes(one.instruction.runes, runes))
  if (known !== undefined) return known
  const created = { instruction, indices: [], bits: [] }
  classes.push(created)
  similar.set(key, [...candidates, created])
  return created
}

/** A class such as `\pL` has hundreds of ranges, and each place where it is written has its own copy. */
function isSameRunes(one: Int32Array, other: Int32Array): boolean {
  return one === other || toBytes(one).equals(toBytes(other))
}

function toBytes({ buffer, byteOffset, byteLength }: Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Adds a state that is larger than those before. */
function addState({ indices, bits }: States, state: number): void {
  const bit = 1 << (state & 31)
  if (indices.at(-1) === state >> 5) bits.push((bits.pop() ?? 0) | bit)
  else {
    indices.push(state >> 5)
    bits.push(bit)
  }
}

function addStates({ indices, bits }: States, words: Int32Array, offset: number): void {
  for (let index = 0; index < indices.length; index++) {
    const at = offset + (indices[index] ?? 0)
    words[at] = (words[at] ?? 0) | (bits[index] ?? 0)
  }
}
