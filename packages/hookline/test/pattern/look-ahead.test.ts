import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileWithLookAhead, isBadPattern } from '../../src/pattern/regex.ts'

const SUBJECTS = ['', 'Bash', 'Write', 'WriteAll', 'mcp__a__b', 'mcp__voice-hooks__speak', 'a|b', 'Bash(', 'b]']

/** What a pattern that must compile says of the subjects. */
async function verdicts(pattern: string): Promise<boolean[]> {
  const test = await compileWithLookAhead(pattern)
  if (isBadPattern(test)) throw new TypeError(`${pattern} ${test.problem}`)
  return SUBJECTS.map(test)
}

describe('a pattern that begins with look-ahead', () => {
  it.each([
    '^(?!.*_voice-hooks__)',
    '^(?!mcp__).*$',
    '^(?!Bash$)(?!Write$).+',
    '^(?=.*a)(?!.*\\|).*h?$',
    '^(?!(?:Bash|Write)\\b)',
    '^(?![)|]).',
    '^(?!a\\|b)[\\w|(\\]]*',
    '^(?!(a|(B(a))))',
  ])('matches what it matches elsewhere: %s', async (pattern) => {
    expect(await verdicts(pattern)).toEqual(SUBJECTS.map((subject) => new RegExp(pattern).test(subject)))
  })

  it('matches what it matches elsewhere, whatever it looks for', async () => {
    const piece = fc.constantFrom('a', 'b', '.', '(?:a|b)', 'a*', 'b$', '[ab]', '\\w', '(b)')
    const looking = fc.record({ kind: fc.constantFrom('=', '!'), of: fc.array(piece, { maxLength: 3 }) })
    const pattern = fc
      .tuple(fc.array(looking, { minLength: 1, maxLength: 2 }), fc.array(piece, { maxLength: 2 }))
      .map(([ahead, rest]) => `^${ahead.map(({ kind, of }) => `(?${kind}${of.join('')})`).join('')}${rest.join('')}`)
    await fc.assert(
      fc.asyncProperty(
        pattern,
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c') })),
        async (text, subjects) => {
          const test = await compileWithLookAhead(text)
          if (isBadPattern(test)) throw new TypeError(`${text} ${test.problem}`)
          expect(subjects.map(test)).toEqual(subjects.map((subject) => new RegExp(text).test(subject)))
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each(['(?!mcp__).*', '^(?!a)|b', '^a(?!b)', '(?<=a)b', '^(?!(?!a)b)', '^(?!a', '^(?!a)+b', '(a)\\1'])(
    'is refused where its time could not stay linear, or its meaning: %s',
    async (pattern) => {
      expect(await compileWithLookAhead(pattern)).toMatchObject({ problem: expect.any(String) })
    },
  )
})
