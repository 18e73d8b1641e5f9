import { RE2JS } from 're2js'
import { type Instruction, type Program, readProgram, STEP, toStep } from './program.ts'
import { readFlags } from './run-automaton.ts'

/**
 * Patterns with look-ahead and look-behind, decided in bounded time: every look-around becomes a placeholder in the pattern
 * around it, which re2js compiles, and is itself a pattern of the same kind. The answer at each position is kept, so that
 * the time is at most the size of the patterns times the square of the length of the text.
 */
interface LookPattern {
  readonly program: Program
  readonly looks: readonly Look[]
}

interface Look {
  readonly inner: LookPattern
  readonly isBehind: boolean
  /** False: the inner pattern must not match there. */
  readonly wanted: boolean
}

/** First of the characters that stand for look-around; none of them is in a name. */
const FIRST_PLACEHOLDER = 0xf0000
const MAX_LOOKS = 64
/** Patterns of more instructions are not decided here. */
const MAX_INSTRUCTIONS = 300
/** Longer texts are no names: a hook with look-around runs for them. */
const MAX_TEXT_LENGTH = 256

/** Pieces of a pattern as far as its groups go: an escape, a class, a bracket, or anything else. */
const PIECE = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\((?:\?<?[=!])?|\)|[^\\[()]+/gy

/** Compiles a pattern with look-around; null for one that cannot be decided here. */
export function compileLookAround(pattern: string): ((text: string) => boolean) | null {
  const compiled = compileLooks(pattern)
  if (compiled === null) return null
  return (text) => text.length > MAX_TEXT_LENGTH || new TextSearch(text).hasMatch(compiled)
}

function compileLooks(pattern: string): LookPattern | null {
  const split = splitLooks(pattern)
  if (split === null || split.looks.length > MAX_LOOKS) return null
  const looks: Look[] = []
  for (const { text, isBehind, wanted } of split.looks) {
    const inner = compileLooks(text)
    if (inner === null) return null
    looks.push({ inner, isBehind, wanted })
  }
  try {
    const program = readProgram(RE2JS.compile(split.text))
    return program === null || program.inst.length > MAX_INSTRUCTIONS ? null : { program, looks }
  } catch {
    return null // not a pattern of re2js, as with a back-reference
  }
}

interface SplitPattern {
  /** The pattern with a group of one placeholder for each look-around. */
  readonly text: string
  readonly looks: readonly { readonly text: string; readonly isBehind: boolean; readonly wanted: boolean }[]
}

/** Takes the outermost look-arounds out of a pattern; null: a bracket is open, one is repeated, or a placeholder is in it. */
function splitLooks(pattern: string): SplitPattern | null {
  if (/[\u{f0000}-\u{fffff}]/u.test(pattern)) return null
  const looks: { text: string; isBehind: boolean; wanted: boolean }[] = []
  let outer = ''
  let depth = 0
  let start = 0
  let opener = ''
  for (const { 0: piece, index } of pattern.matchAll(PIECE)) {
    const isOpening = piece.startsWith('(')
    if (opener === '' && isOpening && piece.length > 1) {
      opener = piece
      depth = 1
      start = index + piece.length
      continue
    }
    if (opener === '') {
      outer += piece
      continue
    }
    if (isOpening) depth++
    if (piece === ')' && --depth === 0) {
      if (/^[*+?{]/.test(pattern.slice(index + 1))) return null
      outer += `(${String.fromCodePoint(FIRST_PLACEHOLDER + looks.length)})`
      looks.push({ text: pattern.slice(start, index), isBehind: opener.includes('<'), wanted: opener.endsWith('=') })
      opener = ''
    }
  }
  return opener === '' ? { text: outer, looks } : null
}

/** One text that patterns are looked for in, with what was found out about it. */
class TextSearch {
  readonly #text: string
  readonly #runes: readonly number[]
  /** Offset of each of them in the text. */
  readonly #offsets: readonly number[]
  readonly #known = new Map<Look, (boolean | undefined)[]>()
  readonly #ended = new Map<LookPattern, (ReadonlySet<number> | undefined)[]>()

  constructor(text: string) {
    const characters = [...text]
    let offset = 0
    this.#text = text
    this.#runes = characters.map((character) => character.codePointAt(0) ?? 0)
    this.#offsets = [0, ...characters.map(({ length }) => (offset += length))]
  }

  /** True if the pattern matches somewhere. */
  hasMatch(pattern: LookPattern): boolean {
    return this.#offsets.some((_, at) => this.#recallEnds(pattern, at).size > 0)
  }

  /** Positions where matches end that begin at a position; found out once. */
  #recallEnds(pattern: LookPattern, from: number): ReadonlySet<number> {
    const known = this.#ended.get(pattern) ?? []
    this.#ended.set(pattern, known)
    known[from] ??= this.#findEnds(pattern, from)
    return known[from]
  }

  #findEnds({ program, looks }: LookPattern, from: number): ReadonlySet<number> {
    const ends = new Set<number>()
    let now = this.#reach(program, looks, [program.start], from)
    for (let at = from; ; at++) {
      if (now.some((step) => toStep(readInstruction(program, step)) === STEP.end)) ends.add(at)
      const rune = this.#runes[at]
      if (rune === undefined || now.length === 0) return ends
      const taken = now
        .map((step) => readInstruction(program, step))
        .filter((one) => toStep(one) === STEP.take && one.matchRune(rune))
      now = this.#reach(
        program,
        looks,
        taken.map(({ out }) => out),
        at + 1,
      )
    }
  }

  /** Steps that take a character or end, as far as they can be reached at a position without taking one. */
  #reach(program: Program, looks: readonly Look[], from: readonly number[], at: number): number[] {
    const seen = new Set<number>()
    const open = [...from]
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (seen.has(step)) continue
      seen.add(step)
      const one = readInstruction(program, step)
      const what = toStep(one)
      const look = findLookAround(one, looks)
      if (look !== null && this.#isHolding(look, at)) open.push(one.out)
      if (what === STEP.split) open.push(one.out, one.arg)
      if (what === STEP.pass) open.push(one.out)
      if (what === STEP.assert && (one.arg & ~readFlags(this.#text, this.#offsets[at] ?? 0)) === 0) open.push(one.out)
    }
    return [...seen].filter((step) => findLookAround(readInstruction(program, step), looks) === null)
  }

  #isHolding(look: Look, at: number): boolean {
    const known = this.#known.get(look) ?? []
    this.#known.set(look, known)
    known[at] ??= this.#matches(look, at) === look.wanted
    return known[at] === true
  }

  #matches({ inner, isBehind }: Look, at: number): boolean {
    if (!isBehind) return this.#recallEnds(inner, at).size > 0
    for (let from = 0; from <= at; from++) if (this.#recallEnds(inner, from).has(at)) return true
    return false
  }
}

function readInstruction({ inst }: Program, step: number): Instruction {
  const one = inst[step]
  if (one === undefined) throw new TypeError(`a program of re2js leads to step ${step}, which it does not have`)
  return one
}

/** The look-around that an instruction stands for; null: it is one of re2js. */
function findLookAround(one: Instruction, looks: readonly Look[]): Look | null {
  if (toStep(one) !== STEP.take) return null
  const [rune = 0] = one.runes
  return rune >= FIRST_PLACEHOLDER ? (looks[rune - FIRST_PLACEHOLDER] ?? null) : null
}
