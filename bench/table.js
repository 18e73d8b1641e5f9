/**
 * One figure, with what it was compared with. It should be at most its target, unless more is better. A figure that
 * belongs to the main ones says in which line of their table it stands, and for how many hooks; one of a guard, or of three in a
 * session, says what a user waits for it, in milliseconds.
 * @typedef {{
 *   what: string,
 *   unit: 'x' | 'ms' | 'µs' | 'MiB',
 *   columns: readonly [string, string],
 *   figure: number,
 *   second: number,
 *   scale: string,
 *   target: number | null,
 *   moreIsBetter?: boolean,
 *   headline?: { line: string, hooks: number },
 *   guard?: { language: string, warm: number, cold: number },
 *   session?: { warm: number, cold: number },
 * }} Row
 */

const WIDTH = 80

/**
 * Whether a figure is past its target. A figure without one is there to be read.
 * @param {Row} row
 */
export function isMissed({ figure, target, moreIsBetter = false }) {
  if (target === null) return false
  return moreIsBetter ? !(figure >= target) : !(figure <= target)
}

/**
 * How a row calls so many hooks.
 * @param {number} count
 */
export function hooksCalled(count) {
  return count === 1 ? '1 hook' : `${count} hooks`
}

/**
 * A table of at most 80 columns. Remarks are what only the run could tell, one sentence each.
 * @param {{ title: string, how: string, remarks: readonly string[], rows: readonly Row[] }} part
 */
export function tableLines({ title, how, remarks, rows }) {
  return [
    '',
    title,
    ...[how, ...remarks].flatMap((text) => wrapped(text, WIDTH - 2)).map((line) => `  ${line}`),
    ...headerLines(rows),
    ...rows.map((row) =>
      line([
        row.what,
        shown(row.figure, row.unit),
        shown(row.second, row.unit),
        row.scale,
        shownTarget(row),
        verdictOf(row),
      ]),
    ),
  ]
}

/** @param {readonly Row[]} rows */
function headerLines([first]) {
  return first ? [line(['', ...first.columns, 'scale', 'target', ''])] : []
}

/**
 * `-` where there is none.
 * @param {Row} row
 */
function shownTarget({ target, unit, moreIsBetter = false }) {
  if (target === null) return '-'
  return `${moreIsBetter ? '≥ ' : ''}${shown(target, unit)}`
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
export function shown(figure, unit) {
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
