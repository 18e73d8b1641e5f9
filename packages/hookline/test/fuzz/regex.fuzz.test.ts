import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { buildAutomaton } from '../../src/pattern/automaton.ts'
import { readProgram } from '../../src/pattern/program.ts'
import { compileRegex } from '../../src/pattern/regex.ts'
import { makeRunner } from '../../src/pattern/run-automaton.ts'
import { explore, seed, timeout } from './explore.ts'

/** Parts that mean the same in RE2 and in JavaScript, for the characters below. */
const SHARED = [
  'a',
  'b',
  'k',
  '.',
  '\\w',
  '\\d',
  '[ab]',
  '[^b]',
  '[a-k]',
  '\\b',
  '^',
  '$',
  'é',
  '😀',
  '漢',
  '\\n',
  '-',
  '',
]
const OWN = [
  ...['\\B', '\\W', '\\s', '\\pL', '\\PL', '\\A', '\\z', '(?m:^)', '(?m:$)', '(?s:.)', '()', '[^\\n]', '\\x{10FFFF}'],
  ...[
    '(?i:k)',
    '(?i:S)',
    '(?i:ſ)',
    '(?i:é)',
    '(?i:σ)',
    '(?i:[a-k])',
    'ς',
    '[😀-😎]',
    '\\x{D800}',
    '[\\x{D800}-\\x{DFFF}]',
  ],
]
const CHARACTERS = [...'aabbkKsSſ\u212aéÉσςΣ漢😀😎\u{10ffff}\n\n_0- ', '\ud800', '\udc00', '\udfff', '\ufffd']

function regexOf(parts: readonly string[], repeats: readonly string[]): fc.Arbitrary<string> {
  return fc.letrec<{ regex: string }>((tie) => ({
    regex: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { arbitrary: fc.constantFrom(...parts), weight: 3 },
      fc.tuple(tie('regex'), fc.constantFrom(...repeats)).map(([one, many]) => `(?:${one})${many}`),
      fc.tuple(tie('regex'), tie('regex')).map(([one, other]) => `(${one}|${other})`),
      fc.array(tie('regex'), { minLength: 1, maxLength: 5 }).map((several) => several.join('')),
    ),
  })).regex
}

/** Nested, they are a thousand at most: more are refused. */
const ANY_REPEAT = ['*', '+', '?', '*?', '+?', '??', '{0}', '{2}', '{0,3}', '{3,}', '{0,9}']
const flags = fc.constantFrom('', '', '', '(?i)', '(?m)', '(?s)', '(?ims)', '(?U)')
const regex = fc.tuple(flags, regexOf([...SHARED, ...OWN], ANY_REPEAT)).map((parts) => parts.join(''))
const texts = fc.array(fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 40 }), {
  minLength: 4,
  maxLength: 8,
})

function runnerFor(compiled: RE2JS): (text: string) => boolean {
  const program = readProgram(compiled)
  const automaton = program && buildAutomaton(program)
  if (automaton === null) throw new TypeError(`${compiled.pattern()} is no program that we can read.`)
  return makeRunner(automaton)
}

describe(`regular expressions (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('are in a text exactly when re2js says so', { timeout }, async () => {
    await explore(
      fc.property(regex, texts, (pattern, subjects) => {
        const compiled = RE2JS.compile(pattern)
        const isIn = runnerFor(compiled)
        for (const subject of ['', ...subjects]) expect(isIn(subject), subject).toBe(compiled.test(subject))
      }),
      { runs: 6000 },
    )
  })

  it('are in a text exactly when JavaScript says so, where both mean the same', { timeout }, async () => {
    await explore(
      fc.asyncProperty(regexOf(SHARED, ['?', '{2}', '{0,3}']), texts, async (pattern, subjects) => {
        const isIn = await compileRegex(pattern)
        if (typeof isIn !== 'function') throw new TypeError(`${pattern} ${isIn.problem}`)
        const native = new RegExp(pattern, 'u')
        for (const subject of subjects) expect(isIn(subject), subject).toBe(native.test(subject))
      }),
      { runs: 2000 },
    )
  })
})
