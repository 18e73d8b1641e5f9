import type { Carried } from './view.ts'

/** Part of a word: text, a wildcard of the shell, or something that only the run would tell. */
export type Piece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'glob'; readonly text: string }
  | {
      readonly is: 'unknown'
      readonly name: string
      /** True for what may turn out empty, as a variable that nothing sets. */
      readonly empty: boolean
      /** Text that stands in when there is no value, as in `${x:-y}`. */
      readonly otherwise?: string
      /** The file whose text it is, as of `$(cat FILE)`. */
      readonly source?: string
    }

/** A word as far as it is known, with the kinds of content in it. */
export interface Value {
  readonly pieces: readonly Piece[]
  readonly carries: ReadonlySet<Carried>
}

/** Bytes that go through a pipe or into a file, as far as they are known. */
export interface Content {
  /** The text, where it is known. */
  readonly text: string | null
  readonly carries: ReadonlySet<Carried>
  /** Paths that it lists, one a line. */
  readonly lists: readonly Value[] | null
  /** The file that it is a copy of. */
  readonly source: string | null
  /** Contents that it is put together of, where not all of their text is known. */
  readonly parts?: readonly Content[]
}

const NOTHING: ReadonlySet<Carried> = new Set()

/** Content without a byte. */
export const EMPTY_CONTENT: Content = { text: '', carries: NOTHING, lists: null, source: null }

/** Content that nothing is known of. */
export const UNKNOWN_CONTENT: Content = { text: null, carries: NOTHING, lists: null, source: null }

/** A word of known text. */
export function toKnownWord(text: string, carries: ReadonlySet<Carried> = NOTHING): Value {
  return { pieces: text === '' ? [] : [{ is: 'text', text }], carries }
}

/** A word of which nothing is known. */
export function toUnknownWord(name: string, { empty = true, carries = NOTHING }: UnknownOptions = {}): Value {
  return { pieces: [{ is: 'unknown', name, empty }], carries }
}

interface UnknownOptions {
  readonly empty?: boolean
  readonly carries?: ReadonlySet<Carried>
}

/** A pattern of paths. */
export function toPatternWord(text: string): Value {
  return { pieces: [{ is: 'glob', text }], carries: NOTHING }
}

/** The text of a word, wildcards as they are written; null where a part is unknown. */
export function readWord({ pieces }: Value): string | null {
  const first = pieces[0]
  if (pieces.length === 1 && first && first.is !== 'unknown') return first.text
  let text = ''
  for (const piece of pieces) {
    if (piece.is === 'unknown') return null
    text += piece.text
  }
  return text
}

/** The word for people: unknown parts by their name. */
export function showValue({ pieces }: Value): string {
  return pieces.map((piece) => (piece.is === 'unknown' ? `$${piece.name}` : piece.text)).join('')
}

/** Words put together as one. */
export function join(values: readonly Value[], between = ''): Value {
  const pieces: Piece[] = []
  values.forEach((value, at) => {
    if (at > 0 && between !== '') pieces.push({ is: 'text', text: between })
    pieces.push(...value.pieces)
  })
  return { pieces: mergeText(pieces), carries: mergeCarried(values.map(({ carries }) => carries)) }
}

function mergeText(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last && last.is === 'text' && piece.is === 'text')
      merged[merged.length - 1] = { is: 'text', text: last.text + piece.text }
    else merged.push(piece)
  }
  return merged
}

/** The word without its first characters, which are known text. */
export function dropStart(value: Value, count: number): Value {
  let left = count
  const pieces: Piece[] = []
  for (const piece of value.pieces) {
    if (left === 0 || piece.is === 'unknown') pieces.push(piece)
    else if (piece.text.length > left) {
      pieces.push({ is: piece.is, text: piece.text.slice(left) })
      left = 0
    } else left -= piece.text.length
  }
  return { pieces, carries: value.carries }
}

/** The text that a word is sure to begin with. */
export function readKnownStart({ pieces }: Value): string {
  let text = ''
  for (const piece of pieces) {
    if (piece.is === 'unknown') break
    text += piece.text
  }
  return text
}

/** All kinds of content of several. */
export function mergeCarried(sets: readonly ReadonlySet<Carried>[]): ReadonlySet<Carried> {
  const full = sets.filter(({ size }) => size > 0)
  const only = full[0]
  if (!only) return NOTHING
  if (full.length === 1) return only
  return new Set(full.flatMap((each) => [...each]))
}

/** The kinds of content with one more. */
export function carry(kind: Carried, others: ReadonlySet<Carried> = NOTHING): ReadonlySet<Carried> {
  return new Set([...others, kind])
}

/** Parts of one content that are kept. */
const MAX_PARTS = 20

/** Several contents one after the other. */
export function concat(contents: readonly Content[]): Content {
  const full = contents.filter((each) => each !== EMPTY_CONTENT)
  const only = full[0]
  if (!only) return EMPTY_CONTENT
  if (full.length === 1) return only
  const lists = full.flatMap((each) => each.lists ?? [])
  const isKnown = full.every(({ text }) => text !== null)
  return {
    ...(isKnown || full.length > MAX_PARTS ? {} : { parts: full }),
    text: isKnown ? full.map(({ text }) => text).join('') : null,
    carries: mergeCarried(full.map(({ carries }) => carries)),
    lists: lists.length > 0 ? lists : null,
    source: null,
  }
}

/** The kinds of content without one of them. */
export function leaveOut(carries: ReadonlySet<Carried>, kind: Carried): ReadonlySet<Carried> {
  return new Set([...carries].filter((each) => each !== kind))
}
