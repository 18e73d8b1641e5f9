/** What came of a replacement. */
export type Replaced =
  | { readonly found: 'none' }
  | { readonly found: 'several' }
  | { readonly found: 'enough'; readonly text: string }

/** Words of a replacement; neither means anything but itself. */
export interface Replacement {
  readonly old: string
  readonly fresh: string
  /** Every occurrence, rather than the only one. */
  readonly everywhere: boolean
}

/**
 * Replaces text that occurs exactly once, or everywhere. In a file of lines that end in CRLF both words are taken to
 * end theirs so too; in a mixed one, when they are not found as they are.
 */
export function replaceText(text: string, replacement: Replacement): Replaced {
  const asInCrlf = { ...replacement, old: crlf(replacement.old), fresh: crlf(replacement.fresh) }
  if (!text.includes('\r\n')) return replaceExactly(text, replacement)
  if (!/(?<!\r)\n/.test(text)) return replaceExactly(text, asInCrlf)
  const exact = replaceExactly(text, replacement)
  return exact.found === 'none' ? replaceExactly(text, asInCrlf) : exact
}

function crlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, '\r\n')
}

function replaceExactly(text: string, { old, fresh, everywhere }: Replacement): Replaced {
  const at = text.indexOf(old)
  if (at === -1) return { found: 'none' }
  if (everywhere) return { found: 'enough', text: text.split(old).join(fresh) }
  if (text.includes(old, at + 1)) return { found: 'several' }
  return { found: 'enough', text: text.slice(0, at) + fresh + text.slice(at + old.length) }
}
