/** Escape sequences of terminals: colours, cursor movement, titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rest of them, but for tab and newline
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** What the two look for, and halves of characters: most texts have nothing of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNCLEAN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\uD800-\uDFFF]/

/** A text that nobody's terminal obeys and every encoder takes: no control characters, no half of a character. */
export function cleaned(text: string): string {
  if (!UNCLEAN.test(text)) return text
  return Buffer.from(text.replace(ESCAPES, '').replace(CONTROLS, ''), 'utf8').toString('utf8')
}

/** The same, with white space that stays on its line: for names. */
export function oneLine(text: string): string {
  return cleaned(text).replace(/\s+/g, ' ').trim()
}
