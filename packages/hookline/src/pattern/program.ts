import type { RE2JS } from 're2js'

/** An instruction of a compiled program of re2js, as far as it is read here. */
export interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  /** Characters that it takes: one character, or ranges. */
  readonly runes: Int32Array
  matchRune(rune: number): boolean
}

/** A compiled program of re2js. */
export interface Program {
  readonly inst: readonly Instruction[]
  readonly start: number
}

/** Kinds of steps. A split that leads to one that takes has a name of its own. */
export const STEP = { unknown: 0, fail: 1, end: 2, take: 3, pass: 4, split: 5, splitToTake: 6, assert: 7 } as const

/** Steps of the instructions, by their number in re2js. Those of look-behind are missing: it is not compiled. */
const STEPS: readonly number[] = [
  STEP.unknown,
  STEP.split,
  STEP.split,
  STEP.pass,
  STEP.assert,
  STEP.fail,
  STEP.end,
  STEP.pass,
  STEP.take,
  STEP.take,
  STEP.take,
  STEP.take,
]

/** Turns an instruction into one of `STEP`. */
export function toStep({ op }: Instruction): number {
  return STEPS[op] ?? STEP.unknown
}

/** The program of a pattern, which the declarations of re2js leave open; null if it is not what we read. */
export function readProgram(compiled: RE2JS): Program | null {
  const program: Partial<Program> | undefined = compiled.re2().prog
  const { inst, start } = program ?? {}
  if (!Array.isArray(inst) || typeof start !== 'number') return null
  return inst.every(isAsExpected) ? { inst, start } : null
}

function isAsExpected(instruction: Partial<Instruction>): boolean {
  const { op, out, arg, runes, matchRune } = instruction
  const areNumbers = [op, out, arg].every((value) => typeof value === 'number')
  return areNumbers && runes instanceof Int32Array && typeof matchRune === 'function'
}

/** Conditions of assertions, a bit each, as in re2js. */
export const FLAG = {
  lineStarts: 1,
  lineEnds: 2,
  textStarts: 4,
  textEnds: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const
