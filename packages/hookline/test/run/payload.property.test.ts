import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseStrictly } from '../../src/text/strict-json.ts'
import { restoreUntouched, stringifyAsWritten } from '../../src/text/written-json.ts'
import { engineWith } from '../support/project.ts'

/** Everything a host may put into an event, with what JSON drops, changes or has no word for. */
const anything = fc.anything({
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
  key: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON', 'constructor')),
})

it('hands a function what a command would read, frozen, whatever the host put into the event', async () => {
  const engine = await engineWith({})
  let seen: unknown
  await engine.on('PreToolUse', ({ tool_input }) => {
    seen = tool_input
  })
  await fc.assert(
    fc.asyncProperty(anything, async (value) => {
      await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { value } })
      expect(JSON.stringify(seen)).toBe(JSON.stringify(JSON.parse(JSON.stringify({ value }))))
      expect(isFrozen(seen)).toBe(true)
    }),
  )
  await engine.close()
})

it('keeps every number as it was written, also one that no double holds', () => {
  const digits = fc.tuple(fc.integer({ min: 1, max: 330 }), fc.integer({ min: 0, max: 9 }))
  const number = fc
    .tuple(fc.constantFrom('', '-'), digits, fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e0'), fc.nat(400))))
    .map(([sign, [length, digit], power]) => `${sign}1${String(digit).repeat(length)}${power?.join('') ?? ''}`)
  fc.assert(
    fc.property(number, (text) => {
      const written = `{"number": ${text}}`
      const read = parseStrictly(written)
      expect(read).toEqual({ value: { number: Number(text) } })
      expect('value' in read && stringifyAsWritten(read.value)).toBe(written)
    }),
  )
})

it('writes a hole of a list as JSON does, also once numbers are kept as they were written', () => {
  const kept = parseStrictly('{"list": [1.0]}')
  if (!('value' in kept)) throw new TypeError('it is JSON')
  const holed = Object.assign(new Array(3), { 1: false })
  expect(stringifyAsWritten({ holed })).toBe('{"holed":[null,false,null]}')
  expect(stringifyAsWritten(restoreUntouched(kept.value, { list: holed }))).toBe('{"list":[null,false,null]}')
})

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isFrozen)
}
