import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const HIGHEST = 0x10ffff

/** Every code point but the halves of pairs. */
const character = fc.nat({ max: HIGHEST - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1
    if (point < 0 || text !== String.fromCodePoint(point)) throw new Error('not one character')
    return point < SURROGATES.first ? point : point - SURROGATES.count
  },
)

/** The strings of `fc.string({ unit: 'binary' })`, without the table of all characters that it makes: a second and 100 MB for each test file. */
export function anyText(lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: character })
}
