import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { guardSentence, headlineTable } from './headlines.js'

const RESULTS = new URL('RESULTS.md', import.meta.url)
const PAGE = new URL('../docs/performance.md', import.meta.url)
const PACKAGE = new URL('../packages/hookline/package.json', import.meta.url)
const BEGIN = '<!-- figures, by npm run bench -- --write -->'
const END = '<!-- end of figures -->'

/**
 * Writes RESULTS.md, whose main figures docs/performance.md quotes word by word.
 * @param {{ date: Date, machine: string, quick: boolean, summary: string, tables: readonly string[],
 *   rows: readonly import('./table.js').Row[] }} run
 */
export function writeResults({ date, machine, quick, summary, tables, rows }) {
  const where = circumstances({ date, machine, quick })
  const figures = [BEGIN, guardSentence(rows), '', where, '', ...headlineTable(rows), END].join('\n')
  const page = [
    '# Results of `npm run bench`',
    '',
    figures,
    '',
    `Ratios of medians (p50) and of lower quartiles (p25), measured in turn in one run. ${summary}.`,
    '',
    '```',
    ...tables.slice(1),
    '```',
    '',
  ]
  writeFileSync(RESULTS, page.join('\n'))
  writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), figures))
}

/**
 * Puts tables that were measured alone in the place of the older ones in RESULTS.md, and nothing else.
 * @param {readonly string[]} lines of tables, each after an empty line and with its title first
 */
export function replaceTables(lines) {
  let page = readFileSync(RESULTS, 'utf8')
  for (const table of lines.join('\n').trim().split('\n\n')) {
    const title = table.slice(0, table.indexOf('\n') + 1)
    const from = page.indexOf(title)
    if (from < 0) throw new Error(`RESULTS.md has no table "${title.trim()}": measure all parts with --write`)
    const to = page.slice(from).search(/\n(?:\n|```)/)
    page = page.slice(0, from) + table + page.slice(from + to)
  }
  writeFileSync(RESULTS, page)
}

/** @param {{ date: Date, machine: string, quick: boolean }} run */
function circumstances({ date, machine, quick }) {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'))
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const day = date.toISOString().slice(0, 10)
  const where = `${machine}, ${processor}, ${memory}, ${type()} ${release()}`
  return `${day}, hookline ${version}: ${where}.${quick ? ' Few rounds: rough figures.' : ''}`
}

/**
 * @param {string} page
 * @param {string} figures
 */
function withFigures(page, figures) {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`docs/performance.md has no place for figures: ${BEGIN} … ${END}`)
  return page.slice(0, before) + figures + page.slice(after + END.length)
}
