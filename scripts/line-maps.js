/** Source maps that lead from a line to a line. Lines of the bundles are short and their names stay, so more would only weigh more. */
import { readFileSync, writeFileSync } from 'node:fs'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Leaves of a source map the first place of every line, and no names.
 * @param {string} path
 */
export function keepLinesOnly(path) {
  const map = JSON.parse(readFileSync(path, 'utf8'))
  const places = placesOfLines(map.mappings)
  let [source, line] = [0, 0]
  const mappings = places.map((place) => {
    if (place === null) return ''
    const segment = [0, place.source - source, place.line - line, 0].map(encoded).join('')
    source = place.source
    line = place.line
    return segment
  })
  writeFileSync(path, JSON.stringify({ ...map, names: [], mappings: mappings.join(';') }))
}

/**
 * Where the first part of each line that comes from somewhere comes from.
 * @param {string} mappings
 */
function placesOfLines(mappings) {
  let [source, line] = [0, 0]
  return mappings.split(';').map((segments) => {
    /** @type {{ source: number, line: number } | null} */
    let first = null
    for (const segment of segments.split(',')) {
      const [, sources = 0, lines = 0] = decoded(segment)
      source += sources
      line += lines
      if (segment.length > 1) first ??= { source, line }
    }
    return first
  })
}

/**
 * The numbers of a segment: each of several digits of five bits, the lowest first, with its sign as the lowest bit.
 * @param {string} segment
 */
function decoded(segment) {
  const numbers = []
  let [value, shift] = [0, 0]
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

/** @param {number} number */
function encoded(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += DIGITS[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}
