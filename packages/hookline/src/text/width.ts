import { stripVTControlCharacters } from 'node:util'

const ASCII_TEXT = /^[ -~]*$/

/** Number of columns that a text takes; colours and marks on letters take none, wide characters two. */
export function measureWidth(text: string): number {
  if (ASCII_TEXT.test(text)) return text.length
  let width = 0
  for (const letter of stripVTControlCharacters(text)) width += isWide(letter) ? 2 : Number(!isMark(letter))
  return width
}

// Patterns of such classes are made when they are needed: that takes longer than most calls.
const isWide = (letter: string): boolean =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
    letter,
  )
const isMark = (letter: string): boolean => /[\p{Mn}\p{Me}\u200d]/u.test(letter)
