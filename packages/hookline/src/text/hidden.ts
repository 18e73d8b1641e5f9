/** Most texts are of these alone; the pattern below takes longer to compile than they to search. */
const PLAIN = /^[\n\t -~]*$/

/** What ends before it may be drawn as a picture in colour. */
const AFTER_PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u
const PICTURE = /^\p{Extended_Pictographic}/u

/**
 * A text in which everything that a terminal obeys or does not show is replaced: controls (but for newline and tab),
 * characters without width, what turns the direction of writing, line separators, halves of characters, floods of
 * marks. What joins two emoji or colours one stays.
 */
export function withoutHidden(text: string, replacement: (letter: string) => string): string {
  if (PLAIN.test(text)) return text
  return text.replace(everyHidden(), (letter, at: number) =>
    isPartOfPicture(letter, text, at) ? letter : replacement(letter),
  )
}

/** Also what follows six marks on one letter: with more of them a text runs over the lines around it. */
function everyHidden(): RegExp {
  return /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?<=\p{M}{6})\p{M}/gu
}

function isPartOfPicture(letter: string, text: string, at: number): boolean {
  if (letter !== '\ufe0f' && letter !== '\u200d') return false
  if (!AFTER_PICTURE.test(text.slice(Math.max(0, at - 3), at))) return false
  return letter === '\u200d' ? PICTURE.test(text.slice(at + 1, at + 3)) : text[at - 1] !== '\ufe0f'
}
