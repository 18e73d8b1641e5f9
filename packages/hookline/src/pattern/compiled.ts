import { RE2JS } from 're2js'
import { buildAutomaton } from './automaton.ts'
import { estimateCost } from './cost.ts'
import { type Program, readProgram } from './program.ts'
import { makeRunner } from './run-automaton.ts'

/** Of characters and classes with repeats written out. Compiling so many takes some milliseconds. */
const MAX_WRITTEN_OUT_SIZE = 10_000

/** Nanoseconds for a character at most, so that none takes 5 ms on 1 KiB. */
const SLOWEST = 3000

/** Programs of so few instructions and ranges are quick, whatever they do. */
const FEW_INSTRUCTIONS = 20
const FEW_RANGES = 16

/**
 * Compiles a pattern, or says why it is too much. Throws what re2js says of one that is none. re2js builds an automaton
 * while it matches, and some patterns need a new state of it for every character: these take tens of milliseconds for
 * 1 KiB. So it compiles, and the program is run here; what else it has does not come into the bundle.
 */
export function compilePattern(
  pattern: string,
): ((subject: string) => boolean) | { readonly problem: string; readonly offset: number } {
  if (estimateSize(pattern) > MAX_WRITTEN_OUT_SIZE) {
    return { problem: 'is too large once its repeats are written out', offset: Math.max(0, pattern.indexOf('{')) }
  }
  const regex = RE2JS.compile(pattern)
  const { prefix, prefixComplete } = regex.re2()
  if (prefixComplete && prefix !== null) return (subject) => subject.includes(prefix)
  const program = readProgram(regex)
  const automaton = program && buildAutomaton(program)
  if (!automaton) throw new TypeError(`re2js made something unknown of ${pattern}`)
  if (!isSmall(program) && estimateCost(automaton) > SLOWEST) {
    return { problem: 'could take too long to match: make it several shorter ones, or repeat less', offset: 0 }
  }
  return makeRunner(automaton)
}

function isSmall({ inst }: Program): boolean {
  return inst.length <= FEW_INSTRUCTIONS && inst.every(({ runes }) => runes.length <= 2 * FEW_RANGES)
}

/** Tokens of a pattern: quoted text, an escape, a class, a counted repeat, a bracket, or a character. */
const TOKEN = /\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu

/** Number of characters and classes a pattern has about when its counted repeats are written out, as they are to compile it. */
function estimateSize(pattern: string): number {
  const outer: number[] = []
  let size = 0
  let last = 0
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    if (token === '(') {
      outer.push(size)
      size = 0
    } else if (token === ')') {
      last = size
      size += outer.pop() ?? 0
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1)
      size += last * (times - 1)
      last *= times
    } else {
      last = token.startsWith('\\Q') ? token.length : 1
      size += last
    }
  }
  return size
}
