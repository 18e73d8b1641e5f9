/** What a terminal obeys or does not show: controls, marks that turn the direction of writing, characters without width. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/** A stranger's text with everything in it to be seen, on one line. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (letter) => ESCAPES[letter] ?? `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`)
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
