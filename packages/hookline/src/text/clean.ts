/**
 * Sequences that a terminal obeys, begun by ESC or by one C1 character: strings with their terminator (titles, links,
 * the clipboard), colours and cursor movement, and the short ones. The text of a string that never ends stays.
 */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  /(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rest of them, but for tab and newline
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Controls and halves of characters that the two look for: most texts have nothing of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNCLEAN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\uD800-\uDFFF]/

/** A text that no terminal obeys and every encoder takes: no control characters, no half of a character. */
export function removeControls(text: string): string {
  if (!UNCLEAN.test(text)) return text
  return Buffer.from(text.replace(SEQUENCES, '').replace(CONTROLS, ''), 'utf8').toString('utf8')
}

/** The same, with white space that stays on its line: for names. */
export function toOneLine(text: string): string {
  return removeControls(text).replace(/\s+/g, ' ').trim()
}

/** A text as a screen shows it: cleaned, and with nothing in it that is invisible or turns the direction of writing. */
export function toPrintable(text: string): string {
  return replaceHidden(removeControls(text), () => '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence that sets colours, and nothing else
const SGR_SEQUENCE = /\x1b\[([0-9;:]{0,40})m/

/** The same, with the colours that the text itself sets, and reset at its end: for a status line. */
export function toPrintableInColour(text: string): string {
  const parts = text.split(SGR_SEQUENCE)
  if (parts.length === 1) return toPrintable(text)
  return `${parts.map((part, at) => (at % 2 === 0 ? toPrintable(part) : keepColour(part))).join('')}\x1b[0m`
}

/** Blinking and concealed text. */
const UNWANTED = ['5', '6', '8']
/** A colour by number or by its parts: `38;5;8` conceals nothing. */
const STYLES = /[345]8[;:](?:5[;:]\d*|2(?:[;:]\d*){3,5})|[\d:]+/g

function keepColour(styles: string): string {
  const wanted = (styles.match(STYLES) ?? []).filter((style) => !UNWANTED.includes(style.replace(/^0+(?=\d)/, '')))
  return styles !== '' && wanted.length === 0 ? '' : `\x1b[${wanted.join(';')}m`
}

/** Most texts are of these alone; the pattern below takes longer to compile than they to search. */
const PLAIN_TEXT = /^[\n\t -~]*$/

/**
 * A text in which everything that a terminal obeys or does not show is replaced: controls (but for newline and tab),
 * characters without width, what turns the direction of writing, line separators, halves of characters, floods of
 * marks. What joins two emoji or colours one stays.
 */
export function replaceHidden(text: string, replacement: (letter: string) => string): string {
  if (PLAIN_TEXT.test(text)) return text
  return text.replace(makeHiddenPattern(), (letter, at: number) =>
    isPartOfPicture(letter, text, at) ? letter : replacement(letter),
  )
}

/** Also what follows six marks on one letter: with more of them a text runs over the lines around it. */
function makeHiddenPattern(): RegExp {
  return /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?<=\p{M}{6})\p{M}/gu
}

/** True for a sign that joins or colours pictures. Its patterns stand here, since to read them takes long and few texts need it. */
function isPartOfPicture(letter: string, text: string, at: number): boolean {
  if (letter !== '\ufe0f' && letter !== '\u200d') return false
  if (!/[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u.test(text.slice(Math.max(0, at - 3), at))) return false
  return letter === '\u200d'
    ? /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
    : text[at - 1] !== '\ufe0f'
}
