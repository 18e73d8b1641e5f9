/**
 * One figure, with what it was compared with.
 * @typedef {{
 *   what: string,
 *   unit: 'x' | 'ms' | 'µs' | 'MiB',
 *   columns: readonly [string, string],
 *   figure: number,
 *   second: number,
 *   scale: string,
 *   target: number | null,
 * }} Row
 */

const WIDTH = 80

/**
 * Whether a figure is past its target. A figure without one is there to be read.
 * @param {Row} row
 */
export function isMissed({ figure, target }) {
  return target !== null && !(figure <= target)
}

/**
 * A table of at most 80 columns.
 * @param {{ title: string, how: string, rows: readonly Row[] }} part
 */
export function tableLines({ title, how, rows }) {
  const [first, second] = rows[0]?.columns ?? ['', '']
  return [
    '',
    title,
    ...wrapped(how, WIDTH - 2).map((line) => `  ${line}`),
    line(['', first, second, 'scale', 'target', '']),
    ...rows.map((row) =>
      line([
        row.what,
        shown(row.figure, row.unit),
        shown(row.second, row.unit),
        row.scale,
        row.target === null ? '-' : shown(row.target, row.unit),
        verdictOf(row),
      ]),
    ),
  ]
}

/** @param {Row} row */
function verdictOf(row) {
  if (row.target === null) return ''
  return isMissed(row) ? 'MISSED' : 'pass'
}

/** @param {[string, string, string, string, string, string]} cells */
function line([what, first, second, scale, target, verdict]) {
  const cells = [what.padEnd(25), first.padStart(9), second.padStart(9), scale.padStart(16), target.padStart(8)]
  return `  ${cells.join(' ')} ${verdict}`.trimEnd()
}

/**
 * Three digits that count.
 * @param {number} figure
 * @param {Row['unit']} unit
 */
function shown(figure, unit) {
  const digits = figure >= 100 ? figure.toFixed(0) : String(Number(figure.toPrecision(3)))
  return unit === 'x' ? `${digits}x` : `${digits} ${unit}`
}

/**
 * @param {string} text
 * @param {number} width
 */
function wrapped(text, width) {
  /** @type {string[]} */
  const lines = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
