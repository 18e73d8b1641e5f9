import type { Automaton } from './automaton.ts'
import { FLAG, STEP } from './program.ts'
import { addStatesFor } from './states-by-character.ts'

/** Knowledge about an automaton, gathered while it runs. */
interface AutomatonCache {
  /** By ASCII character: whether the states that take it are known, and these. */
  readonly isKnown: Uint8Array
  readonly taking: Int32Array
  /** By flags: the states to start in; null if nothing is left to take. */
  readonly starts: (Int32Array | null | undefined)[]
  /** True if it can start only where the text does. */
  readonly isAnchored: boolean
}

const { fail: FAIL, end: END, split: SPLIT, splitToTake: SPLIT_TO_TAKE, assert: ASSERT } = STEP
const ASCII = 128
const LAST_OF_ONE_UNIT = 0xffff
const NEW_LINE = 10
const MAX_ROUNDS = 2 ** 30
const NONE_TOOK = -1

/** Shared by all automata, since each runs to its end at once. They grow with the largest. */
let active = new Int32Array(0)
let following = new Int32Array(0)
let takingRare = new Int32Array(0)
/** Steps that are still to be done. */
let open = new Int32Array(0)
/** By step: the round in which it was opened last. There is a round for each character. */
let seen = new Int32Array(0)
let round = 0

/** A function that says whether a pattern is somewhere in a text, in a time that is at most the product of their sizes. */
export function makeRunner(automaton: Automaton): (text: string) => boolean {
  let known: AutomatonCache | undefined
  return (text) => {
    makeRoomFor(automaton)
    known ??= {
      isKnown: new Uint8Array(ASCII),
      taking: new Int32Array(ASCII * automaton.words),
      starts: [],
      isAnchored: isAnchored(automaton),
    }
    return hasMatch(text, automaton, known)
  }
}

function makeRoomFor({ words, does }: Automaton): void {
  if (active.length < words) {
    active = new Int32Array(words)
    following = new Int32Array(words)
    takingRare = new Int32Array(words)
  }
  if (seen.length < does.length) {
    seen = new Int32Array(does.length)
    open = new Int32Array(does.length)
  }
  if (round < MAX_ROUNDS) return // no text has more characters than rounds are left
  seen.fill(0)
  round = 0
}

// The loops over words and steps are functions of their own, with plain arguments: so they are compiled early.

function hasMatch(text: string, automaton: Automaton, known: AutomatonCache): boolean {
  const { words, flags: wanted } = automaton
  let flags = readFlags(text, 0) & wanted
  let starts = findStarts(flags, automaton, known)
  if (starts === null) return true
  let now = active
  let then = following
  copy(starts, now, words)
  for (let index = 0; index < text.length; ) {
    const rune = text.codePointAt(index) ?? 0
    index += rune > LAST_OF_ONE_UNIT ? 2 : 1
    if (wanted !== 0) {
      flags = readFlags(text, index) & wanted
      starts = findStarts(flags, automaton, known)
      if (starts === null) return true
    }
    round++
    copy(starts, then, words)
    const taking = findStatesTaking(rune, automaton, known)
    const opened = move(automaton, now, then, taking, rune < ASCII ? rune * words : 0)
    if (opened === NONE_TOOK && known.isAnchored) return false
    if (opened > 0 && isEndReached(automaton, then, opened, flags)) return true
    const spare = now
    now = then
    then = spare
  }
  return false
}

function copy(from: Int32Array, to: Int32Array, words: number): void {
  for (let word = 0; word < words; word++) to[word] = from[word] ?? 0
}

/** The states that take a character: those of ASCII are kept, at an offset. */
function findStatesTaking(
  rune: number,
  { words, byCharacter }: Automaton,
  { isKnown, taking }: AutomatonCache,
): Int32Array {
  if (rune >= ASCII) {
    takingRare.fill(0, 0, words)
    addStatesFor(byCharacter, rune, takingRare, 0)
    return takingRare
  }
  if (isKnown[rune] === 0) {
    isKnown[rune] = 1
    addStatesFor(byCharacter, rune, taking, rune * words)
  }
  return taking
}

/** Adds the states that the active ones lead to. Says how many steps it opened, or that no state took the character. */
function move(automaton: Automaton, now: Int32Array, then: Int32Array, taking: Int32Array, offset: number): number {
  const { words, advancing, staying, jumping, target } = automaton
  const seenIn = seen
  const steps = open
  const thisRound = round
  let opened = 0
  let took = 0
  let carried = 0
  for (let word = 0; word < words; word++) {
    const taken = (now[word] ?? 0) & (taking[offset + word] ?? 0)
    const advanced = taken & (advancing[word] ?? 0)
    took |= taken
    then[word] = (then[word] ?? 0) | (taken & (staying[word] ?? 0)) | (advanced << 1) | carried
    carried = advanced >>> 31
    for (let left = taken & (jumping[word] ?? 0); left !== 0; left &= left - 1) {
      const step = target[(word << 5) + 31 - Math.clz32(left & -left)] ?? 0
      if (step < 0) then[~step >> 5] = (then[~step >> 5] ?? 0) | (1 << (~step & 31))
      else if (seenIn[step] !== thisRound) {
        seenIn[step] = thisRound
        steps[opened++] = step
      }
    }
  }
  return took === 0 ? NONE_TOOK : opened
}

/** Adds the states that the open steps lead to, unless one of them leads to the end. */
function isEndReached({ does, next, detail }: Automaton, then: Int32Array, opened: number, flags: number): boolean {
  const seenIn = seen
  const steps = open
  const thisRound = round
  let left = opened
  while (left > 0) {
    const step = steps[--left] ?? 0
    const what = does[step] ?? FAIL
    const more = detail[step] ?? 0
    if (what === SPLIT_TO_TAKE) then[more >> 5] = (then[more >> 5] ?? 0) | (1 << (more & 31))
    else if (what === END) return true
    else if (what === FAIL || (what === ASSERT && (more & ~flags) !== 0)) continue
    else if (what === SPLIT && seenIn[more] !== thisRound) {
      seenIn[more] = thisRound
      steps[left++] = more
    }
    const after = next[step] ?? 0
    if (after < 0) then[~after >> 5] = (then[~after >> 5] ?? 0) | (1 << (~after & 31))
    else if (seenIn[after] !== thisRound) {
      seenIn[after] = thisRound
      steps[left++] = after
    }
  }
  return false
}

function findStarts(flags: number, automaton: Automaton, { starts }: AutomatonCache): Int32Array | null {
  let states = starts[flags]
  if (states === undefined) {
    states = makeStarts(flags, automaton)
    starts[flags] = states
  }
  return states
}

/** The states to start in where these flags hold; null if the end is reached without taking anything. */
function makeStarts(flags: number, { words, start, does, next, detail }: Automaton): Int32Array | null {
  const states = new Int32Array(words)
  const visited = new Set<number>()
  const left = [start]
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    if (visited.has(step)) continue
    visited.add(step)
    const what = does[step] ?? FAIL
    const more = detail[step] ?? 0
    if (what === END) return null
    if (step < 0) states[~step >> 5] = (states[~step >> 5] ?? 0) | (1 << (~step & 31))
    if (what === FAIL || (what === ASSERT && (more & ~flags) !== 0)) continue
    if (what === SPLIT_TO_TAKE) left.push(~more)
    if (what === SPLIT) left.push(more)
    left.push(next[step] ?? 0)
  }
  return states
}

function isAnchored(automaton: Automaton): boolean {
  return makeStarts(~FLAG.textStarts, automaton)?.every((word) => word === 0) ?? false
}

/** Flags that hold between the character before an index and the one there. */
export function readFlags(text: string, index: number): number {
  const before = index > 0 ? text.charCodeAt(index - 1) : -1
  const after = index < text.length ? text.charCodeAt(index) : -1
  let flags: number = isWordCharacter(before) === isWordCharacter(after) ? FLAG.noWordBoundary : FLAG.wordBoundary
  if (before < 0) flags |= FLAG.textStarts
  if (after < 0) flags |= FLAG.textEnds
  if (before < 0 || before === NEW_LINE) flags |= FLAG.lineStarts
  if (after < 0 || after === NEW_LINE) flags |= FLAG.lineEnds
  return flags
}

function isWordCharacter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95
}
