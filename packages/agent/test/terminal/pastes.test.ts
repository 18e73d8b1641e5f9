import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeEditor } from '../../src/terminal/keys/editor.ts'
import { isFolded, markLast, removeMark, unfoldPastes } from '../../src/terminal/keys/pastes.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')

it('folds a pasted text of more than ten lines, the newline at its end not counted', () => {
  expect([lines(10), `${lines(10)}\n`, lines(11)].map(isFolded)).toEqual([false, false, true])
})

it('puts every folded text back, whatever it holds and whatever was typed around it', () => {
  const text = fc.array(fc.string(), { minLength: 11, maxLength: 20 }).map((parts) => parts.join('\n'))
  const typed = fc.string().filter((word) => !word.includes('[pasted text'))
  fc.assert(
    fc.property(fc.array(fc.tuple(typed, text), { maxLength: 4 }), (parts) => {
      const pastes = parts.map(([, pasted]) => pasted)
      const prompt = parts.map(([word], at) => `${word}${markLast(pastes.slice(0, at + 1))}`).join('')
      expect(unfoldPastes(prompt, pastes)).toBe(parts.map(([word, pasted]) => `${word}${pasted}`).join(''))
    }),
  )
})

it('takes a mark that stands for nothing for what it is', () => {
  expect(unfoldPastes('[pasted text 1: 12 lines]', [])).toBe('[pasted text 1: 12 lines]')
  expect(unfoldPastes('[pasted text 1: 13 lines]', [lines(12)])).toBe('[pasted text 1: 13 lines]')
})

it('removes a mark as one character', () => {
  expect(removeMark(makeEditor(`see ${markLast([lines(12)])}`))).toEqual({ text: 'see ', cursor: 4 })
  expect(removeMark(makeEditor('see [pasted text]'))).toBeNull()
})
