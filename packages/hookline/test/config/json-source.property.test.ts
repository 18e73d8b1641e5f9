import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonSource } from '../../src/config/json-source.ts'
import { parseTolerantly } from '../../src/config/tolerant-json.ts'

/** JSON as people and programs write it: with any indent, and with keys that stand twice. */
const written = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', '  ', '\t', ' \r'), fc.boolean())
  .map(([value, indent, twice]) => {
    const text = JSON.stringify(value, null, indent === ' \r' ? 2 : indent)
    const broken = indent === ' \r' ? text.replaceAll('\n', '\r\n') : text
    return twice ? `{"a":${broken}, "a" :\n ${broken}}` : broken
  })

describe('a text that is JSON', () => {
  it('is read as the tolerant reading reads it, with the same places', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (text) => {
        expect(await parseJsonSource(text)).toEqual(parseTolerantly(text))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['escapes', String.raw`{"a\"b\\": "\u0041\n\\", "": [1e3, -0, true, null, {}, []]}`],
    ['letters that JSON allows and lines end with elsewhere', '{"a": "\u2028\u2029\u00a0"}'],
    ['a string of a megabyte', JSON.stringify({ a: 'x'.repeat(1_000_000), b: '\\"'.repeat(300_000) })],
    ['nothing but a word', ' "word" '],
  ])('is read as the tolerant reading reads it: %s', async (_what, text) => {
    expect(await parseJsonSource(text)).toEqual(parseTolerantly(text))
  })

  it('that is nested too deeply is told as such', async () => {
    const text = '['.repeat(200_000) + ']'.repeat(200_000)
    expect(await parseJsonSource(text)).toEqual({ fault: { line: 1, column: 1, message: 'is nested too deeply' } })
  })
})
