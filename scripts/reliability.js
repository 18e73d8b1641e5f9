/** Holds docs/reliability.md against what ran: every fault in it has a passed test named after it, or a reason. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tools.js'

const FAULTS = 104

/**
 * What is wrong with the table, one sentence each; `reports` is the folder with vitest's reports.
 * @param {string} reports
 */
export function reliabilityFaults(reports) {
  const rows = tableRows(readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8'))
  const passed = passedFaults(reports)
  const missing = Array.from({ length: FAULTS }, (_, at) => at + 1).filter((fault) => !rows.has(fault))
  return {
    tested: [...rows.values()].filter(isTested).length,
    faults: [
      ...missing.map((fault) => `fault ${fault} has no row`),
      ...[...rows].flatMap(([fault, heldBy]) => rowFaults(fault, heldBy, passed)),
    ],
  }
}

/** @param {string} heldBy */
const isTested = (heldBy) => heldBy.startsWith('`')

/**
 * @param {number} fault
 * @param {string} heldBy
 * @param {Map<string, Set<number>>} passed
 */
function rowFaults(fault, heldBy, passed) {
  if (!isTested(heldBy)) return /^\*.{10,}\*$/.test(heldBy) ? [] : [`fault ${fault} has neither a test nor a reason`]
  const file = heldBy.replaceAll('`', '')
  return passed.get(file)?.has(fault) ? [] : [`no test of fault ${fault} in ${file} has passed`]
}

/**
 * The last cell of every row, by number.
 * @param {string} page
 */
function tableRows(page) {
  const rows = page.matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)
  return new Map([...rows].map(([, fault, heldBy = '']) => [Number(fault), heldBy.trim()]))
}

/**
 * The faults that passed tests are named after, by test file.
 * @param {string} reports
 */
function passedFaults(reports) {
  /** @type {Map<string, Set<number>>} */
  const passed = new Map()
  for (const report of readdirSync(reports).filter((name) => /^(hookline|counting|e2e)(-again)?\.json$/.test(name))) {
    for (const { name, assertionResults } of JSON.parse(readFileSync(join(reports, report), 'utf8')).testResults) {
      const file = /faults\/([\w-]+)(?:\.e2e)?\.test\.ts$/.exec(name)?.[1]
      if (file === undefined) continue
      const faults = passed.get(file) ?? new Set()
      passed.set(file, faults)
      for (const { title, status } of assertionResults) {
        const fault = /^reliability (\d+):/.exec(title)?.[1]
        if (fault !== undefined && status === 'passed') faults.add(Number(fault))
      }
    }
  }
  return passed
}
