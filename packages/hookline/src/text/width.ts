import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const NARROW = /[\p{Mn}\p{Me}\u200d]/u

/** How many columns a text takes; colours and marks on letters take none, wide characters two. */
export function widthOf(text: string): number {
  let width = 0
  for (const letter of stripVTControlCharacters(text)) width += WIDE.test(letter) ? 2 : Number(!NARROW.test(letter))
  return width
}
