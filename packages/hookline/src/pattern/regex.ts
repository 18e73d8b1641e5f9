import type { RE2JS } from 're2js'
import { automatonOf } from './automaton.ts'
import { costOf } from './cost.ts'
import { type Program, programOf } from './program.ts'
import { runnerOf } from './run-automaton.ts'
import { sizeWrittenOut } from './written-out.ts'

/** A compiled pattern: linear in time whatever it says, unanchored, case-sensitive. */
export type Regex = (subject: string) => boolean

/** A pattern that could not be compiled, and where it goes wrong. */
export interface BadPattern {
  readonly problem: string
  /** Offset of the fault in the pattern, where it is known. */
  readonly offset: number
}

/** Longer patterns are refused: compiling them takes time that no hook is worth. */
export const LONGEST_PATTERN = 4096

/** Of characters and classes with repeats written out. Compiling so many takes some milliseconds. */
const LARGEST_WRITTEN_OUT = 10_000

/** Nanoseconds for a character at most, so that none takes 5 ms on 1 KiB. */
const SLOWEST = 3000

/** Programs of so few instructions and ranges are quick whatever re2js does with them, and mostly quicker. */
const FEW_INSTRUCTIONS = 20
const FEW_RANGES = 16

/** Compiles a regular expression of the RE2 syntax. The engine is loaded when the first one is met. */
export async function compileRegex(pattern: string): Promise<Regex | BadPattern> {
  if (pattern.length > LONGEST_PATTERN) return tooLong()
  if (sizeWrittenOut(pattern) > LARGEST_WRITTEN_OUT) {
    return { problem: 'is too large once its repeats are written out', offset: Math.max(0, pattern.indexOf('{')) }
  }
  const { RE2JS } = await import('re2js')
  try {
    return matcherOf(RE2JS.compile(pattern))
  } catch (error) {
    return explainFault(pattern, error instanceof Error ? error.message : String(error))
  }
}

/**
 * re2js builds an automaton while it matches, and some patterns need a new state of it for every character: these take
 * tens of milliseconds for 1 KiB. So it compiles, and runs what is small or only one text; the rest is run here.
 */
function matcherOf(compiled: RE2JS): Regex | BadPattern {
  const program = programOf(compiled)
  if (program === null || isSmall(program) || compiled.re2().prefixComplete) return (subject) => compiled.test(subject)
  const automaton = automatonOf(program)
  if (automaton === null) return (subject) => compiled.test(subject)
  if (costOf(automaton) > SLOWEST) {
    return { problem: 'could take too long to match: make it several shorter ones, or repeat less', offset: 0 }
  }
  return runnerOf(automaton)
}

function isSmall({ inst }: Program): boolean {
  return inst.length <= FEW_INSTRUCTIONS && inst.every(({ runes }) => runes.length <= 2 * FEW_RANGES)
}

/** What is said of a pattern that is too long. */
export function tooLong(): BadPattern {
  return { problem: `is longer than ${LONGEST_PATTERN} characters`, offset: LONGEST_PATTERN }
}

/** Whether compiling failed. */
export function isBadPattern(compiled: Regex | BadPattern): compiled is BadPattern {
  return typeof compiled !== 'function'
}

function explainFault(pattern: string, message: string): BadPattern {
  const lookAround = pattern.search(/\(\?<?[=!]/)
  if (lookAround >= 0) return { problem: 'uses look-around, which RE2 does not have', offset: lookAround }
  const backReference = pattern.search(/\\[1-9]/)
  if (backReference >= 0) return { problem: 'uses a back-reference, which RE2 does not have', offset: backReference }
  const quoted = /`(.*)`\s*$/s.exec(message)?.[1] ?? ''
  return {
    problem: `is no regular expression: ${message.replace(/^error parsing regexp: /, '')}`,
    offset: Math.max(0, pattern.indexOf(quoted)),
  }
}
