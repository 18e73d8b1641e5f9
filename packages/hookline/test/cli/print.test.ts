import { describe, expect, it } from 'vitest'
import { deliver, print, printForProgram, printReport } from '../../src/cli/start/print.ts'
import { encodeText, joinProgramLines, toJsonText, toProgramText } from '../../src/text/program-text.ts'
import { captured } from '../support/captured.ts'
import { HOSTILE } from '../support/hostile.ts'

describe('what is written for a program', () => {
  it('cannot be printed as words, nor words as what a program reads', () => {
    const wrong = [
      // @ts-expect-error an answer is not words for people
      () => print(toProgramText('{}')),
      // @ts-expect-error words are not an answer
      () => printForProgram('words'),
      // @ts-expect-error words are not an answer
      () => deliver('words'),
      // @ts-expect-error words are not lines of an answer
      () => joinProgramLines(['words']),
    ]
    expect(wrong).toHaveLength(4) // each does not compile
    expect(() => `${toProgramText('{}')}`).toThrow(TypeError)
  })

  it('is written as it is, and words so that they can be read', () => {
    const stdout = captured(process.stdout)
    printReport(toProgramText('a\u200bb\n'))
    printReport('a\u200bb\n')
    expect(stdout.end()).toBe('a\u200bb\na\\u{200b}b\n')
  })

  it('is JSON of plain letters that every parser reads as the same value, halves of characters replaced', () => {
    for (const indent of [undefined, 2]) {
      const json = encodeText(
        toJsonText({ [HOSTILE]: [HOSTILE, '\\ud800', '\\\\udc00 \ud800', '\ud83d\ude00'] }, indent),
      )
      const whole = Buffer.from(HOSTILE).toString()
      expect(JSON.parse(json.toString())).toEqual({
        [whole]: [whole, '\\ud800', '\\\\udc00 \ufffd', '\ud83d\ude00'],
      })
      expect(json.toString()).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]|(?!\n)\p{Cc}/u)
    }
  })
})
