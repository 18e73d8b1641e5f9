import type { Place } from '../config/source.ts'
import type { Subject } from './subject.ts'

/**
 * Where a fault inside a matcher stands in the file. Reading counts characters of the matcher; in the file it stands in
 * quotes or not, and characters may be escaped.
 */
export function placeInMatcher(place: Place, { entries, text }: Subject): Place {
  const written = entries
    .map(({ group }) => group.fields?.get('matcher')?.node)
    .findLast((node) => node?.line === place.line && node.column < place.column)
  if (!written) return place
  const raw = (text.split('\n')[place.line - 1] ?? '').slice(written.column - 1)
  const quote = /^["']/.test(raw) ? 1 : 0
  const offset = place.column - written.column - 1
  const pieces = raw.slice(quote).match(raw.startsWith('"') ? /\\u[\da-f]{4}|\\.|[^\\]/gi : /./g) ?? []
  return { line: place.line, column: written.column + quote + pieces.slice(0, offset).join('').length }
}
