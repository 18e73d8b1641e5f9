import { hooksCalled, shown } from './table.js'

/**
 * The main figures as a table of Markdown: a line each, a column for every number of hooks. Which of them miss their targets
 * is in the tables of all results.
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

/**
 * What a user waits for who has guards in these languages, in words.
 * @param {readonly import('./table.js').Row[]} rows
 */
export function guardSentence(rows) {
  const guards = rows.flatMap(({ guard }) => (guard ? [guard] : []))
  const each = guards.map(
    ({ language, warm, cold }) => `in ${language} answers in ${warm.toFixed(0)} ms instead of ${cold.toFixed(0)}`,
  )
  const session = rows.find((row) => row.session)?.session
  const calls = session
    ? ` A tool call with three guards, in bash, Python and Node, waits ${session.warm.toFixed(0)} ms for them instead of ${session.cold.toFixed(0)}.`
    : ''
  return `A guard ${each.join(', one ')}.${calls}`
}

/** @param {import('./table.js').Row | undefined} row */
function cell(row) {
  return row === undefined ? '-' : shown(row.figure, row.unit)
}

/** @param {readonly string[]} cells */
function tableRow(cells) {
  return `| ${cells.join(' | ')} |`
}
