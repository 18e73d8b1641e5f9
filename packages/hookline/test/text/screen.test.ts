import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { removeControls, toPrintable, toPrintableInColour } from '../../src/text/clean.ts'
import { toReadableLines, toSafeJson, toVisible, toVisibleLines } from '../../src/text/visible.ts'
import { anyText } from '../support/any-text.ts'
import { HOSTILE, residueOf } from '../support/hostile.ts'

const written = fc.oneof(
  anyText(),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc.array(fc.constantFrom(...HOSTILE, 'a', ' ', '\n'), { maxLength: 60 }).map((letters) => letters.join('')),
)

describe('a text of a stranger on a screen', () => {
  it.each(
    Object.entries({
      printable: toPrintable,
      visible: toVisible,
      visibleLines: toVisibleLines,
      readableLines: toReadableLines,
      safeJson: toSafeJson,
    }),
  )('has nothing that a terminal obeys or hides after %s', (_name, shown) => {
    expect(residueOf(shown(HOSTILE))).toEqual([])
    fc.assert(fc.property(written, (text) => residueOf(shown(text)).length === 0))
  })

  it('loses its control characters in a record, and no letter', () => {
    expect(removeControls('a\u001b]0;title\u0007b\u009b31mc\u0090q\u009cd\re')).toBe('abcde')
    expect(removeControls('\u05e9\u200f 👩‍💻')).toBe('\u05e9\u200f 👩‍💻')
  })

  it('does not lose what stands behind a sequence that never ends', () => {
    expect(removeControls('ls \u001b]0; rm -rf x')).toBe('ls 0; rm -rf x')
    expect(removeControls('ls \u009d0; rm -rf x')).toBe('ls 0; rm -rf x')
  })

  it('shows as escapes what somebody decides about, with its lines as lines', () => {
    expect(toVisibleLines('ls # \u202ejust\u2069 looking\r\n\ttouch\u00a0X\u200b')).toBe(
      'ls # \\u{202e}just\\u{2069} looking\\r\n\ttouch\\u{a0}X\\u{200b}',
    )
    expect(toVisible('one\ntwo\tthree\u{e0041}')).toBe('one\\ntwo\\tthree\\u{e0041}')
  })

  it('keeps emoji, accents and other scripts as they are', () => {
    const texts = ['👩‍💻 ⚠️ 👍🏽 ❤️‍🔥', 'Œuvre déjà vue\u00a0?', 'e\u0301', '日本語\u3000テスト', 'שלום', 'हिन्दी', 'ไทย']
    expect(texts.map(toPrintable)).toEqual(texts)
    expect(texts.map(toReadableLines)).toEqual(texts)
  })

  it('keeps the colours of a status line, and nothing else of it', () => {
    const text = '\u001b[31mred\u001b]0;title\u0007\u001b[2J \u001b[38;5;12mblue\u202e'
    expect(toPrintableInColour(text)).toBe('\u001b[31mred \u001b[38;5;12mblue\u001b[0m')
    expect(residueOf(toPrintableInColour(HOSTILE)).filter((letter) => letter !== '\u001b')).toEqual([])
  })

  it('does not let a status line conceal or blink', () => {
    expect(toPrintableInColour('\u001b[8mhidden\u001b[1;08;31mred\u001b[38;5;8mgrey\u001b[48;2;8;8;8m\u001b[m')).toBe(
      'hidden\u001b[1;31mred\u001b[38;5;8mgrey\u001b[48;2;8;8;8m\u001b[m\u001b[0m',
    )
  })

  it('is the same value in JSON', () => {
    fc.assert(
      fc.property(fc.oneof(written, fc.constant(HOSTILE)), (text) => {
        expect(JSON.parse(toSafeJson({ [text]: [text] }))).toEqual({ [text]: [text] })
      }),
    )
  })
})
