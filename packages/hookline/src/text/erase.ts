/** A text without what was to be erased. */
export type Erase = (text: string) => string

/** Replacement for something that was erased. */
export const ERASED = '[erased]'

/** Shorter texts are quoted only where they stand alone: they are parts of other words. */
const MIN_QUOTE_CHARS = 8
/** So much of its beginning is a quotation, and so much of any other part. */
const MIN_START_CHARS = 12
const MIN_PART_CHARS = 20
/** Longer ones do not count as words. */
const MAX_WORD_CHARS = 256
/** Parts of a longer text are looked for at fewer places. */
const MAX_PARTS = 50_000

/**
 * Makes what cuts a text out of others, however they quote it: whole, in JSON, with other white space or letters, cut
 * short, or just the words of it that look like a key. Ordinary words that both have stay.
 */
export function makeEraser(erased: string): Erase {
  const whole = erased.trim()
  if (whole === '') return (text) => text
  let sought: EraseTargets | undefined
  return (text) => {
    sought ??= collectTargets(whole) // most are never asked
    return removeMarked(text, markErased(foldForCompare(text), sought))
  }
}

/** A part of a quotation, and where it stands there. */
interface QuotedPart {
  readonly quotation: string
  readonly at: number
}

/** Traces by which a text is known in others. */
interface EraseTargets {
  /** Words short enough to be looked for as they are. */
  readonly words: readonly string[]
  readonly starts: ReadonlyMap<string, QuotedPart>
  readonly parts: ReadonlyMap<string, QuotedPart>
}

function collectTargets(whole: string): EraseTargets {
  const quotations = listWritings(whole).map(foldForCompare)
  const short = quotations.filter(({ length }) => length < MIN_PART_CHARS)
  const starts = quotations.flatMap((quotation) => listQuotedParts(quotation, { length: MIN_START_CHARS }).slice(0, 1))
  const parts = quotations.flatMap((quotation) => listQuotedParts(quotation, { length: MIN_PART_CHARS }))
  return {
    words: [...short, ...listKeyLikeWords(whole).map(foldForCompare)],
    starts: new Map(starts),
    parts: new Map(parts),
  }
}

function listQuotedParts(quotation: string, { length }: { length: number }): [part: string, where: QuotedPart][] {
  const step = Math.ceil(quotation.length / MAX_PARTS)
  const count = Math.max(0, Math.floor((quotation.length - length) / step) + 1)
  return Array.from({ length: count }, (_, index) => {
    const at = index * step
    return [quotation.slice(at, at + length), { quotation, at }]
  })
}

/** Marks the characters of a text that go: 1 for each of them. */
function markErased(text: string, { words, starts, parts }: EraseTargets): Uint8Array {
  const marks = new Uint8Array(text.length)
  for (const word of words) markWord(text, word, marks)
  markParts(text, { parts: starts, length: MIN_START_CHARS }, marks)
  markParts(text, { parts, length: MIN_PART_CHARS }, marks)
  return marks
}

/** Marks every place where a word stands; a short one only where it stands alone. */
function markWord(text: string, word: string, marks: Uint8Array): void {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const alone = !isLetter(text[at - 1]) && !isLetter(text[end])
    if (alone || word.length >= MIN_QUOTE_CHARS) marks.fill(1, at, end)
  }
}

/** Marks what is as in a quotation, for as long as it goes on like it. */
function markParts(
  text: string,
  { parts, length }: { readonly parts: ReadonlyMap<string, QuotedPart>; readonly length: number },
  marks: Uint8Array,
): void {
  for (let at = 0; at + length <= text.length; ) {
    const found = parts.get(text.slice(at, at + length))
    const [start, end] = found === undefined ? [at, at] : findExtent(text, at, found)
    marks.fill(1, start, end)
    at = Math.max(end, at + 1)
  }
}

/** Finds how far a text is the same as a quotation around a place. */
function findExtent(text: string, at: number, { quotation, at: there }: QuotedPart): [start: number, end: number] {
  let before = 0
  while (before < Math.min(at, there) && text[at - before - 1] === quotation[there - before - 1] && before < MAX_PARTS)
    before++
  let after = 0
  while (there + after < quotation.length && text[at + after] === quotation[there + after]) after++
  return [at - before, at + after]
}

function removeMarked(text: string, marks: Uint8Array): string {
  let left = ''
  for (let at = 0; at < text.length; ) {
    const gone = marks[at] === 1
    const next = marks.indexOf(gone ? 0 : 1, at)
    const end = next === -1 ? text.length : next
    left += gone ? ERASED : text.slice(at, end)
    at = end
  }
  return left
}

/** A text as it is compared: small letters, and one kind of white space; as long as it was. */
function foldForCompare(text: string): string {
  const small = text.toLowerCase()
  return (small.length === text.length ? small : text).replace(/\s/g, ' ')
}

/** Lists the ways in which a text may be written: as it is, in JSON, in JSON without other letters than ASCII, in JSON within JSON. */
function listWritings(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1)
  const inAscii = inJson.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [...new Set([text, inJson, inAscii, JSON.stringify(inJson).slice(1, -1)])]
}

/** Words that look like keys: letters with digits among them, or capitals with joints; no paths. */
function listKeyLikeWords(text: string): string[] {
  const words = [...new Set(text.split(/\s+/))].filter(({ length }) => length <= MAX_WORD_CHARS)
  const bare = words.map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  return bare.filter(
    (word) => word.length >= MIN_QUOTE_CHARS && !word.includes('/') && (isMixed(word) || isJoinedCapitals(word)),
  )
}

const isMixed = (word: string): boolean => /\p{L}/u.test(word) && /\p{N}/u.test(word)
const isJoinedCapitals = (word: string): boolean => /^[\p{Lu}\p{N}]+(?:[-_][\p{Lu}\p{N}]+)+$/u.test(word)

function isLetter(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_]/u.test(letter)
}
