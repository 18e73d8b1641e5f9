import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENGINE_FLAGS, readArguments } from '../../src/cli/start/flags.ts'

/** `--debug` may stand alone, which Node's reader does not know of. */
const flags = Object.keys(ENGINE_FLAGS).filter((name) => name !== 'debug')
const flag = fc.constantFrom(...flags.map((name) => `--${name}`))
const odd = fc.constantFrom('--', '-', '-j', '--unknown', '--project=here', '--json=yes', '--no-trust', '', '__proto__')
const word = fc.oneof({ weight: 4, arbitrary: flag }, { weight: 4, arbitrary: fc.constantFrom('Stop', 'a=b') }, odd)

function reading(read: () => { values: object; positionals: string[] }) {
  try {
    const { values, positionals } = read()
    return { values: { ...values }, positionals }
  } catch (error) {
    return error instanceof Error ? error.message.split('. ', 1)[0] : error
  }
}

describe('the words of a call', () => {
  it("mean what Node's own reader says they mean", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (args) => {
        const theirs = () => parseArgs({ args, options: ENGINE_FLAGS, allowPositionals: true, strict: true })
        expect(reading(() => readArguments(args, ENGINE_FLAGS))).toEqual(reading(theirs))
      }),
      { numRuns: 2000 },
    )
  })
})
