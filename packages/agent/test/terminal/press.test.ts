import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePressReader } from '../../src/terminal/keys/press.ts'

describe('keys', () => {
  it.each([
    ['\r', 'enter'],
    ['\u001b\r', 'newline'],
    ['\u001b[13;2u', 'newline'],
    ['\u007f', 'backspace'],
    ['\u001b[3~', 'delete'],
    ['\u001b[A', 'up'],
    ['\u001bOA', 'up'],
    ['\u001b', 'escape'],
    ['\u001b[Z', 'back-tab'],
  ])('reads %j as %s', (sequence, key) => {
    expect(makePressReader()(sequence)).toEqual([{ key }])
  })

  it('tells text and Enter apart that come together, as from a fast typist', () => {
    expect(makePressReader()('ls\r')).toEqual([{ key: 'text', text: 'ls' }, { key: 'enter' }])
  })

  it('reads two Escapes that come together as two', () => {
    expect(makePressReader()('\u001b\u001b')).toEqual([{ key: 'escape' }, { key: 'escape' }])
  })

  it('ignores sequences that it does not know', () => {
    expect(makePressReader()('\u001b[200;1;5X')).toEqual([])
  })
})

describe('pastes', () => {
  it('come as one press, whatever is in them and however they are cut', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\t', ' ', 'ü', '\u0003') })
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const read = makePressReader()
        const presses = ['\u001b[200~', ...pieces, '\u001b[201~'].flatMap((sequence) => read(sequence))
        expect(presses).toEqual([{ key: 'paste', text: pieces.join('').replace(/\r\n?/g, '\n') }])
      }),
    )
  })
})
