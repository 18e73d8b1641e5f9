import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyPress, makeEditor, moveByLine, readWordAtCursor, replaceWord } from '../../src/terminal/keys/editor.ts'
import type { Press } from '../../src/terminal/keys/press.ts'

const presses = fc.oneof(
  fc.record({ key: fc.constant('text' as const), text: fc.constantFrom('a', 'ß', '👩‍👩‍👧', 'two words', ' ') }),
  fc.record({ key: fc.constant('ctrl' as const), letter: fc.constantFrom('a', 'e', 'k', 'u', 'w', 'b', 'f') }),
  fc.record({
    key: fc.constantFrom(
      ...([
        'newline',
        'backspace',
        'delete',
        'left',
        'right',
        'home',
        'end',
        'word-left',
        'word-right',
        'delete-word',
      ] as const),
    ),
  }),
)

it('keeps the cursor inside the text and never inside a character, whatever is pressed', () => {
  fc.assert(
    fc.property(fc.array(presses, { maxLength: 40 }), (all) => {
      const { text, cursor } = all.reduce((editor, press: Press) => applyPress(editor, press) ?? editor, makeEditor(''))
      expect(cursor).toBeGreaterThanOrEqual(0)
      expect(cursor).toBeLessThanOrEqual(text.length)
      expect(Buffer.from(text.slice(0, cursor)).toString()).toBe(text.slice(0, cursor)) // no half of a character
    }),
  )
})

it('is what it was after a letter and a backspace', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const typed = applyPress(makeEditor(text), { key: 'text', text: 'x' })
      expect(typed && applyPress(typed, { key: 'backspace' })).toEqual(makeEditor(text))
    }),
  )
})

it('moves between lines at the same column, and says when there is none', () => {
  const editor = makeEditor('long line\nab')
  const above = moveByLine(editor, -1)

  expect(above).toEqual({ text: editor.text, cursor: 2 })
  expect(above && moveByLine(above, -1)).toBeNull()
  expect(moveByLine(editor, 1)).toBeNull()
})

it('replaces the word at the cursor alone', () => {
  const editor = { text: 'see @no later', cursor: 7 }

  expect(readWordAtCursor(editor)).toBe('@no')
  expect(replaceWord(editor, '@notes.txt')).toEqual({ text: 'see @notes.txt later', cursor: 14 })
})
