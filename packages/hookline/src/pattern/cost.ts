import type { Automaton } from './automaton.ts'
import { STEP } from './program.ts'
import type { States } from './states-by-character.ts'

/** Nanoseconds, measured by `bench/measures/patterns.js` and rounded up. */
const CHARACTER = 40
const MIN_LITERAL_LENGTH = 6
const JUMP = 3
/** By what a step does, if jumps lead to it. */
const OPEN_STEP: Readonly<Record<number, number>> = {
  [STEP.split]: 10,
  [STEP.splitToTake]: 8,
  [STEP.assert]: 8,
}
const CLASS = 20
const CLASS_WORD = 4
/** For a character that stands for all its cases. */
const CASELESS = 40

/**
 * Estimates how many nanoseconds a character takes at most: when every state that takes it is active, and it was never seen. A
 * character is taken by states of classes, and by those that are for it alone.
 */
export function estimateCost(automaton: Automaton): number {
  const { words, byCharacter } = automaton
  let cost = CHARACTER + MIN_LITERAL_LENGTH * words
  for (const { instruction, indices } of byCharacter.classes) {
    cost += (instruction.runes.length === 1 ? CASELESS : CLASS) + CLASS_WORD * indices.length
  }
  const opened = new Set<number>()
  cost += estimateJumps(listTargets(byCharacter.classes, automaton), automaton, opened)
  const own = [...byCharacter.byRune.values()].map((states) => listTargets([states], automaton))
  return own.reduce((most, targets) => Math.max(most, cost + estimateJumps(targets, automaton, new Set(opened))), cost)
}

/** The steps that these states jump to, one for each. */
function listTargets(sets: readonly States[], { jumping, target }: Automaton): number[] {
  const targets: number[] = []
  for (const { indices, bits } of sets) {
    for (const [at, word] of indices.entries()) {
      for (let left = (bits[at] ?? 0) & (jumping[word] ?? 0); left !== 0; left &= left - 1) {
        targets.push(target[(word << 5) + 31 - Math.clz32(left & -left)] ?? 0)
      }
    }
  }
  return targets
}

/** For jumps to these steps, and for opening them and all that follow without a character, unless they are open. */
function estimateJumps(targets: readonly number[], { does, next, detail }: Automaton, opened: Set<number>): number {
  let cost = JUMP * targets.length
  const left = [...targets]
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    const what = does[step] ?? STEP.take
    if (opened.has(step) || what < STEP.split) continue
    opened.add(step)
    cost += OPEN_STEP[what] ?? 0
    left.push(next[step] ?? 0)
    if (what === STEP.split) left.push(detail[step] ?? 0)
  }
  return cost
}
