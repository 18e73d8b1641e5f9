import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  carryWriting,
  findDoubledKey,
  parseAsWritten,
  removeDoubledKeys,
  restoreUntouched,
  stringifyAsWritten,
} from '../../src/text/written-json.ts'

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
  fc.bigInt().map(String),
  fc.tuple(fc.integer(), fc.nat()).map(([whole, fraction]) => `${whole}.${fraction}0`),
  fc.tuple(fc.integer(), fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat(500)).map((parts) => parts.join('')),
  fc.constantFrom('-0', '0.0', '1.0', '1e400', '-1E-400'),
)

/** A string with any of its letters as an escape. */
const strings = fc
  .array(fc.tuple(fc.string({ unit: 'binary', maxLength: 2 }), fc.boolean()), { maxLength: 4 })
  .map((parts) => `"${parts.map(([text, isEscaped]) => (isEscaped ? unitEscapes(text) : bare(text))).join('')}"`)

const bare = (text: string): string => JSON.stringify(text).slice(1, -1)
const unitEscapes = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

const space = fc.constantFrom('', ' ', '\t', '  ')
const distinct = { selector: ([key]: readonly [string, string]) => JSON.parse(key) as unknown, maxLength: 5 }

/** Texts of JSON on one line, written in any way that JSON has; no object has a key twice. */
const { json, object } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    numbers,
    strings,
    fc.constantFrom('true', 'false', 'null'),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(fc.array(tie('json'), { maxLength: 4 }), space)
    .map(([items, gap]) => `[${gap}${items.join(`${gap},`)}]`),
  object: fc
    .tuple(
      fc.uniqueArray(
        fc.tuple(
          fc.oneof(
            strings,
            fc.nat(20).map((one) => `"${one}"`),
          ),
          tie('json'),
        ),
        distinct,
      ),
      space,
    )
    .map(([members, gap]) => `{${members.map(([key, value]) => `${gap}${key}:${gap}${value}`).join(',')}${gap}}`),
}))

const asObject = (text: string): Record<string, unknown> => parseAsWritten(text) as Record<string, unknown>

describe('JSON as it was written', () => {
  it('comes out as it went in, to the byte', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(stringifyAsWritten([parseAsWritten(`[${text}]`)])).toBe(`[[${text}]]`)
      }),
    )
  })

  it('is the same value as without the writing', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(parseAsWritten(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('is written with what changed since, and nothing else', () => {
    fc.assert(
      fc.property(object, json, (text, added) => {
        const value = asObject(text)
        const changed = { ...value, 'added later': parseAsWritten(`[${added}]`) }
        carryWriting(changed, value)
        const again = asObject(stringifyAsWritten(changed))
        expect(again).toEqual({ ...JSON.parse(text), 'added later': JSON.parse(`[${added}]`) })
        for (const key of Object.keys(value)) expect(memberOf(again, key)).toBe(memberOf(value, key))
      }),
    )
  })
})

describe('a rewrite', () => {
  it('leaves everything as it was written that a hook in JavaScript did not touch', () => {
    fc.assert(
      fc.property(object, fc.string(), (text, note) => {
        const original = asObject(text)
        const rewritten = parseAsWritten(JSON.stringify({ ...JSON.parse(text), 'changed here': note }))
        const restored = restoreUntouched(original, rewritten) as Record<string, unknown>
        for (const key of Object.keys(original).filter((one) => one !== 'changed here'))
          expect(memberOf(restored, key)).toBe(memberOf(original, key))
        expect(restored['changed here']).toBe(note)
      }),
    )
  })

  it('is none when a hook gives back what it got', () => {
    fc.assert(
      fc.property(object, (text) => {
        const original = asObject(text)
        const spaced = parseAsWritten(` ${JSON.stringify(JSON.parse(text))}`)
        expect(stringifyAsWritten(restoreUntouched(original, spaced))).toBe(text)
      }),
    )
  })

  it.each([
    [
      'changes a big integer by one',
      '{"id": 12345678901234567890}',
      '{"id":12345678901234567891}',
      '{"id":12345678901234567891}',
    ],
    [
      'rounds it as JavaScript does',
      '{"id": 12345678901234567890}',
      '{"id":12345678901234567000}',
      '{"id": 12345678901234567890}',
    ],
    [
      'rounds it as Python floats are',
      '{"id": 12345678901234567890}',
      '{"id":1.2345678901234567e+19}',
      '{"id": 12345678901234567890}',
    ],
    ['writes 1.0 as 1', '{"n":1.0,"a":1}', '{"n":1,"a":2}', '{"n":1.0,"a":2}'],
    [
      'changes a nested value',
      '{"b":{"x":1.50,"y":"\\u0041"},"a":[1.0,{"z":2.0}]}',
      '{"b":{"x":1.5,"y":"B"},"a":[1,{"z":3}]}',
      '{"b":{"x":1.50,"y":"B"},"a":[1.0,{"z":3}]}',
    ],
    ['takes an item out of a list', '{"l":[1.0,2.0,3.0]}', '{"l":[1,3]}', '{"l":[1.0,3.0]}'],
    ['puts one in', '{"l":[1.0,2.0]}', '{"l":[0,1,2]}', '{"l":[0,1.0,2.0]}'],
    ['moves items', '{"l":[1.0,2.0,3.0]}', '{"l":[3,1,2]}', '{"l":[3.0,1.0,2.0]}'],
    ['takes a key out', '{"2":2.0,"1":1.0,"x":0}', '{"1":1,"2":2}', '{"2":2.0,"1":1.0}'],
    ['adds a key of its own', '{"2":2.0}', '{"a":1.50,"2":2}', '{"2":2.0,"a":1.50}'],
    ['makes a text of a number', '{"n":1.0,"m":2.0}', '{"n":"1.0","m":2}', '{"n":"1.0","m":2.0}'],
    [
      'writes the largest double for what none holds',
      '{"n":-1e999,"m":1}',
      '{"n":-1.7976931348623157e308,"m":2}',
      '{"n":-1e999,"m":2}',
    ],
    ['repeats what no double holds', '{"n":1e400,"m":1}', '{"n":1e400,"m":2}', '{"n":1e400,"m":2}'],
    ['replaces half a character', '{"n":"a\\ud800","m":1}', '{"n":"a\ufffd","m":2}', '{"n":"a\\ud800","m":2}'],
    ['writes null for what no double holds', '{"n":1e999,"m":1}', '{"n":null,"m":2}', '{"n":1e999,"m":2}'],
    [
      'writes its answer on several lines',
      '{"n":1.0,"o":{}}',
      '{\n"n":1,\n"o":{\n"p":2.0}}',
      '{"n":1.0,"o":{"p":2.0}}',
    ],
  ])('%s', (_, text, answer, expected) => {
    expect(stringifyAsWritten(restoreUntouched(parseAsWritten(text), parseAsWritten(answer)))).toBe(expected)
  })
})

describe('a key that stands twice', () => {
  const found = (text: string): string | null => findDoubledKey(parseAsWritten(text))

  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['[0,{"x":{"é":[],"\\u00e9":[]}}]', 'é'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":{"b":1,"b":2},"a":3}', 'a'],
    [`${'['.repeat(50_000)}{"deep":1,"deep":2}${']'.repeat(50_000)}`, 'deep'],
    ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}', null],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}', null],
  ])('is found in %#', (text, key) => {
    expect(found(text)).toBe(key)
  })

  it('is found wherever it stands, and nowhere else', () => {
    fc.assert(
      fc.property(object, object, fc.nat(3), (text, other, depth) => {
        expect(found(text)).toBeNull()
        const doubled = `{"k":${text},"\\u006b":${other}}`
        const whole = `${'[{"x":'.repeat(depth)}${doubled}${'}]'.repeat(depth)}`
        expect(found(whole)).toBe('k')
        const copy = { ...asObject(doubled) }
        expect(findDoubledKey(copy)).toBeNull()
        carryWriting(copy, asObject(doubled))
        expect(findDoubledKey(copy)).toBe('k')
        expect(findDoubledKey(removeDoubledKeys(asObject(doubled)))).toBeNull()
        expect(removeDoubledKeys(asObject(doubled))).toEqual(JSON.parse(doubled))
      }),
    )
  })
})

it('shows the last value of a key that is written twice', () => {
  const value = parseAsWritten('{"a":{"x":1.0},"a":{"x":2.0,"y":3.0}}')
  expect(stringifyAsWritten(value)).toBe('{"a":{"x":2.0,"y":3.0}}')
})

it('takes values that are nested deeper than calls can be', () => {
  const text = `${'['.repeat(100_000)}${']'.repeat(100_000)} `
  expect(stringifyAsWritten(parseAsWritten(text))).toBe(text.trim())
})

/** The text of one member. */
function memberOf(value: Record<string, unknown>, key: string): string {
  const one = { [key]: value[key] }
  carryWriting(one, value)
  return stringifyAsWritten(one)
}

describe('a number of very many digits', () => {
  it('is read and written as it is, at once', () => {
    const text = `[1${'0'.repeat(300_000)}1,0.${'0'.repeat(300_000)}1]`
    const began = process.cpuUsage()
    expect(stringifyAsWritten(parseAsWritten(text)) === text).toBe(true)
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2500)
  })
})
