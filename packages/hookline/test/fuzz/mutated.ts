import fc from 'fast-check'
import { anyText } from '../support/any-text.ts'

type Edit = (text: string) => string

/** Pieces that readers of text stumble over. */
const ODD_PIECES = [
  '\uFEFF',
  '\u0000',
  '\u2028',
  '\ud800',
  '\udc00\ud800',
  '\r',
  '\r\n',
  '\t',
  '\u001b[31m',
  '\u009b2J',
  '\u202e',
  'e\u0301\u200d🏳️‍🌈',
  '\\',
  '\\u0000',
  '\\ud800',
  '"',
  '//x\n',
  '/*',
  '*/',
  '#',
  ',',
  ':',
  'null',
  'true',
  '-',
  '1e999',
  '0.1e-400',
  '9007199254740993',
  '"__proto__":{"polluted":true},',
  '"constructor":{"prototype":{"polluted":true}},',
  '['.repeat(60),
  '{"a":'.repeat(60),
  '- '.repeat(60),
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '!!binary ',
  '<<: ',
  '|\n',
  '%YAML 1.1\n',
]

const BRACKETS = '{}[]()<>"\''

/** Texts made from others by what editors, transfers and strangers do to them. */
export function mutated(originals: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(edit(originals), { minLength: 1, maxLength: 6 }))
    .map(([text, edits]) => edits.reduce((edited, change) => change(edited), text))
}

function edit(originals: readonly string[]): fc.Arbitrary<Edit> {
  const at = fc.nat(10_000)
  const length = fc.nat({ max: 30 })
  const piece = fc.oneof(
    fc.constantFrom(...ODD_PIECES),
    anyText({ maxLength: 4 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 4 }),
  )
  return fc.oneof(
    fc.tuple(at, length).map(([where, size]) => splice(where, size, () => '')),
    fc.tuple(at, length, fc.integer({ min: 2, max: 5 })).map(([where, size, times]) => {
      return splice(where, size, (taken) => taken.repeat(times))
    }),
    fc.tuple(at, piece).map(([where, inserted]) => splice(where, 0, () => inserted)),
    fc.tuple(at, length, piece).map(([where, size, inserted]) => splice(where, size, () => inserted)),
    at.map(
      (where): Edit =>
        (text) =>
          text.slice(0, where % (text.length + 1)),
    ),
    fc.tuple(at, fc.constantFrom(...BRACKETS)).map(([where, bracket]) => swapBracket(where, bracket)),
    fc.tuple(at, fc.constantFrom(...originals)).map(([where, other]) => splice(where, 0, () => other)),
  )
}

/** Replaces so many characters at a place, counted around the end of the text. */
function splice(where: number, size: number, made: (taken: string) => string): Edit {
  return (text) => {
    const at = where % (text.length + 1)
    return text.slice(0, at) + made(text.slice(at, at + size)) + text.slice(at + size)
  }
}

function swapBracket(where: number, bracket: string): Edit {
  return (text) => {
    const places = [...text.matchAll(/[{}[\]()<>"']/g)].map(({ index }) => index)
    const at = places[where % Math.max(1, places.length)]
    return at === undefined ? text : text.slice(0, at) + bracket + text.slice(at + 1)
  }
}
