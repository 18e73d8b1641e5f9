import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileWithLookAround, isBadPattern } from '../../src/pattern/regex.ts'

const SUBJECTS = [
  '',
  'Bash',
  'Write',
  'WriteAll',
  'mcp__a__b',
  'mcp__voice-hooks__speak',
  'a|b',
  'Bash(',
  'b]',
  'a\nb',
  'é💥',
]

/** Verdicts of a pattern that must compile. */
async function judgeSubjects(pattern: string, subjects: readonly string[]): Promise<boolean[]> {
  const test = await compileWithLookAround(pattern)
  if (isBadPattern(test)) throw new TypeError(`${pattern} ${test.problem}`)
  return subjects.map(test)
}

describe('a pattern with look-around', () => {
  it.each([
    '^(?!.*_voice-hooks__)',
    '^(?!mcp__).*$',
    '(?!Write).*',
    'Ba(?=sh)',
    '^(?!Bash$)(?!Write$).+',
    '^(?=.*a)(?!.*\\|).*h?$',
    '^(?!(?:Bash|Write)\\b)',
    '^(?![)|]).',
    '^(?!(a|(B(a))))',
    '^(?!a)|b',
    '(?<=mcp__)a',
    '(?<!Wr)ite',
    '^(?!(?!a)b)',
    '(?:(?=B)|x)Bash|b(?!\\])',
    '^(?:(?!All).)*$',
    '\\b(?=b)',
    '(?<=^a\\n)b',
  ])('matches what it matches in the client: %s', async (pattern) => {
    const expected = SUBJECTS.map((subject) => new RegExp(pattern, 'u').test(subject))
    expect(await judgeSubjects(pattern, SUBJECTS)).toEqual(expected)
  })

  it('matches what it matches in the client, wherever it looks', async () => {
    const atom = fc.constantFrom('a', 'b', '.', '(?:a|b)', 'a*', 'b+', '$', '^', '[ab]', '\\w', '(b)', '\\b')
    const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
      pattern: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
      piece: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        atom,
        fc
          .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
          .map(([open, inner]) => `${open}${inner})`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
      ),
    }))
    const subject = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(subject, { minLength: 3, maxLength: 6 }), async (text, subjects) => {
        fc.pre(text.length < 150) // nobody writes more of them
        const expected = subjects.map((one) => new RegExp(text).test(one))
        expect(await judgeSubjects(text, subjects)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('takes bounded time, whatever the pattern', async () => {
    const start = performance.now()
    await judgeSubjects('^(?=(?:a+)+$)(?!(?:a|a)*b)(?:a*)*c', ['a'.repeat(256), 'a'.repeat(100_000)])
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it.each(['^(?!a', '^(?!a)+b', '(a)\\1', '^B(a)sh(?!\\1)'])(
    'is refused where its meaning is unclear: %s',
    async (pattern) => {
      expect(await compileWithLookAround(pattern)).toMatchObject({ problem: expect.any(String) })
    },
  )
})
