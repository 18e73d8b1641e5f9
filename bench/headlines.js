import { hooksCalled, isMissed, shown, shownTarget } from './table.js'

/**
 * The main figures as a table of Markdown: a line each, a column for every number of hooks. A figure that misses its
 * target names it.
 * @param {readonly import('./table.js').Row[]} rows
 */
export function headlineTable(rows) {
  const main = rows.flatMap((row) => (row.headline ? [{ row, ...row.headline }] : []))
  const counts = [...new Set(main.map(({ hooks }) => hooks))].toSorted((one, other) => one - other)
  const lines = [...new Set(main.map(({ line }) => line))]
  const cellOf = (/** @type {string} */ line, /** @type {number} */ count) =>
    cell(main.find((figure) => figure.line === line && figure.hooks === count)?.row)
  return [
    tableRow(['an event with', ...counts.map(hooksCalled)]),
    `|${'---|'.repeat(counts.length + 1)}`,
    ...lines.map((line) => tableRow([line, ...counts.map((count) => cellOf(line, count))])),
  ]
}

/** @param {import('./table.js').Row | undefined} row */
function cell(row) {
  if (row === undefined) return '-'
  const figure = shown(row.figure, row.unit)
  return isMissed(row) ? `${figure} (target ${shownTarget(row)})` : figure
}

/** @param {readonly string[]} cells */
function tableRow(cells) {
  return `| ${cells.join(' | ')} |`
}
