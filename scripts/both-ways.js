// Runs the tests of bridges and of wrapped hooks twice, with the calls of agents made by the launcher: answered by a process of their
// own each, and by the resident engine. Shows by file how many tests pass either way, and how the resident took their calls:
//   npm run both-ways [-- FILE…]
// Ends with 1 where a test passes by processes alone. Tests that pass by neither want what no process of a user has: a policy of
// theirs, a folder that the call does not name, a clock. Needs a build; Linux only.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { readCall } from './read-options.js'
import { ROOT } from './tools.js'

const { positionals } = readCall(import.meta.url, { allowPositionals: true })
const FILES = positionals.length > 0 ? positionals : ['packages/hookline/test/bridges']
const TEST_TIMEOUT_MS = 600_000

/**
 * Outcome of the tests of one way, by file and by name.
 * @typedef {Map<string, Map<string, boolean>>} Outcomes
 */

const folder = mkdtempSync(join(tmpdir(), 'hookline-both-ways-'))
const [cold, resident] = [runTests('cold'), runTests('resident')]
const ways = countWays()
rmSync(folder, { recursive: true, force: true })
process.exitCode = show()

/**
 * Runs the tests by one way.
 * @param {'cold' | 'resident'} way
 * @returns {Outcomes}
 */
function runTests(way) {
  const file = join(folder, `${way}.json`)
  const words = [
    'vitest',
    'run',
    '--project',
    'hookline',
    '--project',
    'e2e',
    '--reporter=json',
    `--outputFile=${file}`,
  ]
  const env = { ...process.env, TESTS_WAY: way, TESTS_WAY_TALLY: join(folder, 'tally') }
  const line = [...words, `--testTimeout=${TEST_TIMEOUT_MS}`, ...FILES]
  spawnSync('npx', line, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  /** @type {{ testResults: { name: string, assertionResults: { fullName: string, status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(
    testResults.map(({ name, assertionResults }) => [
      relative(ROOT, name),
      new Map(assertionResults.map(({ fullName, status }) => [fullName, status === 'passed'])),
    ]),
  )
}

/** Calls by how the resident took them. */
function countWays() {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const line of readFileSync(join(folder, 'tally'), 'utf8').trim().split('\n'))
    for (const [way, count] of Object.entries(/** @type {Record<string, number>} */ (JSON.parse(line))))
      counts[way] = (counts[way] ?? 0) + count
  return counts
}

/** Prints the table; 1 where the ways differ. */
function show() {
  const [lost, gained] = [
    [cold, resident],
    [resident, cold],
  ].map(([one, other]) =>
    [...(one ?? [])].flatMap(([file, tests]) =>
      [...tests].filter(([name, passes]) => passes && !other?.get(file)?.get(name)).map(([name]) => `${file}: ${name}`),
    ),
  )
  const count = (/** @type {Map<string, boolean> | undefined} */ tests) =>
    [...(tests ?? [])].filter(([, passes]) => passes).length
  console.log(`tests  by processes  by the resident`)
  for (const [file, tests] of cold)
    console.log(
      `${String(tests.size).padStart(5)}  ${String(count(tests)).padStart(12)}  ${String(count(resident.get(file))).padStart(15)}  ${file}`,
    )
  for (const name of lost ?? []) console.log(`only by processes: ${name}`)
  for (const name of gained ?? []) console.log(`only by the resident: ${name}`)
  console.log(
    `calls while the resident served: ${Object.entries(ways)
      .map(([way, calls]) => `${calls} ${way}`)
      .join(', ')}`,
  )
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  return (lost ?? []).length > 0 ? 1 : 0
}
