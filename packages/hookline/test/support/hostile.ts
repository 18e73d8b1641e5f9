/** Every way in which a text can speak to a terminal, hide or turn around, in one line. */
export const HOSTILE_LINE = [
  ...['\u001b]0;title\u0007', '\u001b]52;c;Zm9v\u0007', '\u001b]8;;http://x.test\u001b\\link\u001b]8;;\u001b\\'],
  ...['\u001b[31mred', '\u001b[2J\u001b[H', '\u001b[8mconcealed\u001b[28m', '\u001bPq#0\u001b\\', '\u001b_apc\u001b\\'],
  ...['\u001bc', '\u001b7', '\u001b]unended', 'harmless\rOVERWRITTEN', 'x\b\b', '\u0007', '\u0085'],
  ...[
    '\u009b31m',
    '\u009d0;title\u009c',
    '\u0090q\u009c',
    '\u202a\u202b\u202c\u202d\u202e',
    '\u2066\u2067\u2068\u2069',
  ],
  ...[
    '\u200b\u200c\u200d\u200e\u200f',
    '\u2028\u2029',
    '\ufeff',
    '\u00ad',
    '\u061c',
    '\u2060\u2064',
    '\u{e0041}\u{e007f}',
  ],
  ...['\u034f', '\u3164', '\u180e', 'A\ufe0f', 'A\u{e0100}', '\ud800', '\udc00', '\ufffe', `e${'\u0301'.repeat(40)}`],
].join('')

/** The same, with tabs, NUL and line breaks. */
export const HOSTILE = `${HOSTILE_LINE}\t\u0000\nsecond line\u000b\u000c`

/** The same, as a file, a folder or a program may be called. */
export const HOSTILE_NAME = '\u001b[31m\u001b]0;t\u0007\r\u009b2J\u202e\u2066\u200b\u2028\ufeff\u{e0041}'

/** What is left of an output that a terminal would obey or hide, once the colours of this program are taken out. */
export function residueOf(output: string): string[] {
  return output.replaceAll(OWN_COLOURS, '').match(RESIDUE) ?? []
}

const OWN_COLOURS = new RegExp(`${'\u001b'}\\[(?:1|2|22|31|32|33|34|36|39)m`, 'g')

const HIDDEN_MARKS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them alone
  /[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufffe\uffff]/
const RESIDUE = new RegExp(`(?![\\n\\t])\\p{Cc}|${HIDDEN_MARKS.source}|[\\u{e0000}-\\u{e0fff}]|\\p{Cs}|\\p{M}{9}`, 'gu')
