import { type Instruction, type Program, STEP, toStep } from './program.ts'
import { type StatesByCharacter, sortByCharacter } from './states-by-character.ts'

/** Program, step by step. */
interface Steps {
  readonly start: number
  /** By step: what it does, of `STEP`. */
  readonly does: Uint8Array
  /** By step: the one after it. A step that takes is written as its state, with all bits turned. */
  readonly next: Int32Array
  /** By step: the state of one that takes or leads to one, the other one after a split, the flags of an assertion. */
  readonly detail: Int32Array
}

/** Moves between states, as sets of states. */
interface Moves {
  /** The states that lead to the next state. */
  readonly advancing: Int32Array
  /** The states that lead to themselves. */
  readonly staying: Int32Array
  /** The states that lead elsewhere too. */
  readonly jumping: Int32Array
  /** By jumping state: the step that it leads to, written as in `next`. */
  readonly target: Int32Array
}

/**
 * A pattern as it is run here. Its states are the steps that take a character, numbered in the order they are written,
 * and a set of states has a bit for each, in words of 32. Most states lead to the next one: a whole word moves at once.
 */
export interface Automaton extends Steps, Moves {
  /** Words of a set of states. */
  readonly words: number
  /** All flags that assertions ask for. */
  readonly flags: number
  /** States that take a character. */
  readonly byCharacter: StatesByCharacter
}

/** Number of steps are looked at for where a state leads. */
const NEAR = 6

/** Reads a compiled program; null if it is not as we know them. */
export function buildAutomaton(program: Program): Automaton | null {
  const does = Uint8Array.from(program.inst, toStep)
  if (does.includes(STEP.unknown)) return null
  const taking = program.inst.filter((_, step) => does[step] === STEP.take)
  const steps = readSteps(program, does)
  findEnds(steps)
  const moves = readMoves(steps, taking.length)
  findSplitsToTake(steps)
  const flags = program.inst.reduce((all, { arg }, step) => (does[step] === STEP.assert ? all | arg : all), 0)
  const encodeStep = (step: number) => (does[step] === STEP.take ? ~(steps.detail[step] ?? 0) : step)
  return {
    ...steps,
    ...moves,
    start: encodeStep(steps.start),
    next: steps.next.map(encodeStep),
    target: moves.target.map(encodeStep),
    words: moves.staying.length,
    flags,
    byCharacter: sortByCharacter(taking),
  }
}

/** Leaves out the instructions that only pass on, and takes assertions for one that ask for the same at the same place. */
function readSteps({ inst, start }: Program, does: Uint8Array): Steps {
  const next = new Int32Array(inst.length)
  const detail = new Int32Array(inst.length)
  const assertions = new Map<string, number>()
  const sameAs = new Map<number, number>()
  const resolve = (from: number) => {
    let step = from
    while (does[step] === STEP.pass) step = inst[step]?.out ?? 0
    return sameAs.get(step) ?? step
  }
  let state = does.reduce((count, what) => count + (what === STEP.take ? 1 : 0), 0)
  for (let step = inst.length - 1; step >= 0; step--) {
    const { out, arg } = inst[step] as Instruction // the loop stays inside
    next[step] = resolve(out)
    if (does[step] === STEP.take) detail[step] = --state
    if (does[step] === STEP.split) detail[step] = resolve(arg)
    if (does[step] !== STEP.assert) continue
    detail[step] = arg
    const key = `${arg} ${next[step]}`
    sameAs.set(step, assertions.get(key) ?? step)
    assertions.set(key, sameAs.get(step) ?? step)
  }
  return { start: resolve(start), does, next, detail }
}

/** Makes an end of each split that leads to one: what else it leads to does not matter any more. */
function findEnds({ does, next, detail }: Steps): void {
  const isEnd = (step = 0) => does[step] === STEP.end
  for (let found = true; found; ) {
    found = false
    for (let step = does.length - 1; step >= 0; step--) {
      if (does[step] !== STEP.split || !(isEnd(next[step]) || isEnd(detail[step]))) continue
      does[step] = STEP.end
      found = true
    }
  }
}

function readMoves(steps: Steps, states: number): Moves {
  const words = (states >> 5) + 1
  const moves = {
    advancing: new Int32Array(words),
    staying: new Int32Array(words),
    jumping: new Int32Array(words),
    target: new Int32Array(states),
  }
  const { does, next, detail } = steps
  const mark = (set: Int32Array, state: number) => {
    set[state >> 5] = (set[state >> 5] ?? 0) | (1 << (state & 31))
  }
  for (const [step, what] of does.entries()) {
    if (what !== STEP.take) continue
    const state = detail[step] ?? 0
    const { stays, advances, target } = findTargets(steps, { state, from: next[step] ?? 0 })
    if (stays) mark(moves.staying, state)
    if (advances) mark(moves.advancing, state)
    if (target === null) continue
    mark(moves.jumping, state)
    moves.target[state] = target
  }
  return moves
}

/** Targets of a state: to itself, to the next one, and to one step elsewhere, which is all of it where that is unclear. */
function findTargets({ does, next, detail }: Steps, { state, from }: { state: number; from: number }) {
  const open = [from]
  let stays = false
  let advances = false
  let target: number | null = null
  for (let looks = 0; open.length > 0; looks++) {
    const step = open.pop() ?? 0
    if (does[step] === STEP.fail || step === target) continue
    if (does[step] === STEP.take && detail[step] === state) stays = true
    else if (does[step] === STEP.take && detail[step] === state + 1) advances = true
    else if (does[step] === STEP.split && looks < NEAR) open.push(next[step] ?? 0, detail[step] ?? 0)
    else if (target === null) target = step
    else return { stays: false, advances: false, target: from }
  }
  return { stays, advances, target }
}

/** Marks splits that lead to a step which takes a character: these are quicker. */
function findSplitsToTake({ does, next, detail }: Steps): void {
  for (const [step, what] of does.entries()) {
    if (what !== STEP.split) continue
    const [one = 0, other = 0] = [next[step], detail[step]]
    const taking = [one, other].find((branch) => does[branch] === STEP.take)
    if (taking === undefined) continue
    does[step] = STEP.splitToTake
    next[step] = taking === one ? other : one
    detail[step] = detail[taking] ?? 0
  }
}
