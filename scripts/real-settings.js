/**
 * Holds real settings files, which others wrote, against the rules of `current`: `node scripts/real-settings.js [FOLDER]`.
 * Where no profile is named the findings have to be the same.
 * FOLDER has an `index.jsonl`, a line for each file with its `repo`, its `path` there and `errors_that_hold`: the errors that
 * are right for today's Claude Code too, null where the file is for another agent. Each file is laid out by that path, since
 * much depends on it. Without FOLDER it is ../shared/real-settings beside the checkout.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readCall } from './read-options.js'
import { ROOT, tool } from './tools.js'

/** The scripts that hooks name are not beside the files, so these rules have nothing to say. */
const ABOUT_SCRIPTS = ['V-HK-06', 'V-HK-07']

/**
 * @typedef {{ file: string, repo: string, path: string, errors_that_hold: string[] | null }} Expected
 * @typedef {{ rule: string, name?: string, severity: string, line: number, message: string }} Finding
 */

const { positionals } = readCall(import.meta.url, { allowPositionals: true })
const folder = resolve(positionals[0] ?? join(ROOT, '..', 'shared', 'real-settings'))
if (!existsSync(join(folder, 'index.jsonl'))) {
  process.stdout.write(`There is no ${join(folder, 'index.jsonl')}: no real settings to check.\n`)
} else process.exitCode = checkAll()

/** Checks every file, and prints the table. */
function checkAll() {
  const expected = readFileSync(join(folder, 'index.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /** @type {Expected} */ (JSON.parse(line)))
  const root = mkdtempSync(join(tmpdir(), 'hookline-real-settings-'))
  try {
    mkdirSync(join(root, 'home'))
    for (const one of expected) layOut(one, root)
    const rows = expected.filter(({ errors_that_hold }) => errors_that_hold !== null).map((one) => rowOf(one, root))
    print(rows, expected.length - rows.length)
    return rows.every(({ holds }) => holds) ? 0 : 1
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * Copies a file to where it lies in its repository.
 * @param {Expected} expected
 * @param {string} root
 */
function layOut(expected, root) {
  const path = laidOut(expected, root)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(join(folder, expected.file), path)
}

/**
 * @param {Expected} expected
 * @param {string} root
 */
function laidOut({ repo, path }, root) {
  return join(root, repo, path)
}

/**
 * @param {Expected} expected
 * @param {string} root
 */
function rowOf(expected, root) {
  const { file, errors_that_hold } = expected
  const path = laidOut(expected, root)
  const home = join(root, 'home')
  const all = findingsIn(path, home, '--profile', 'current')
  const isSameUnchosen = isDeepStrictEqual(findingsIn(path, home), all)
  const findings = all.filter(({ rule }) => !ABOUT_SCRIPTS.includes(rule))
  const errors = [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))].sort()
  const wanted = [...(errors_that_hold ?? [])].sort()
  return { file, findings, errors, wanted, isSameUnchosen, holds: isSameUnchosen && errors.join() === wanted.join() }
}

/**
 * @param {string} path
 * @param {string} home an empty folder, so that nothing else is in play
 * @param {string[]} flags
 * @returns {Finding[]}
 */
function findingsIn(path, home, ...flags) {
  const args = ['validate', path, ...flags, '--json', '--home', home, '--project', home]
  const { stdout, stderr } = spawnSync(process.execPath, [tool('hookline'), ...args], { encoding: 'utf8' })
  if (stdout === '') return [{ rule: 'failed', severity: 'error', line: 0, message: stderr.trim() }]
  return JSON.parse(stdout).findings
}

/**
 * @param {ReturnType<typeof rowOf>[]} rows
 * @param {number} others how many files are for other agents
 */
function print(rows, others) {
  for (const { file, findings, errors, wanted, isSameUnchosen, holds } of rows) {
    const count = (/** @type {string} */ severity) => findings.filter((one) => one.severity === severity).length
    const counts = [`${count('warning')}`.padStart(3), `${count('note')}`.padStart(3)]
    console.log([holds ? 'ok   ' : 'WRONG', errors.join(' ').padEnd(8), ...counts, file].join('  '))
    if (holds) continue
    if (!isSameUnchosen) console.log('       other findings where no profile is named')
    console.log(`       expected: ${wanted.join(' ') || 'no error'}`)
    for (const { rule, line, message } of findings.filter(({ severity }) => severity === 'error'))
      console.log(`       ${rule} ${line}: ${message}`)
  }
  for (const [rule, count] of countsByRule(rows.flatMap(({ findings }) => findings)))
    console.log(`${String(count).padStart(5)}  ${rule}`)
  const wrong = rows.filter(({ holds }) => !holds).length
  const warnings = rows.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'warning').length
  console.log(
    `${rows.length} files, ${rows.length - wrong} as expected, ${wrong} not; ${warnings} warnings. ${others} files are for other agents.`,
  )
}

/**
 * How often each rule was found, the most frequent first.
 * @param {Finding[]} findings
 */
function countsByRule(findings) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { rule, name = '', severity } of findings) {
    const key = `${severity.padEnd(7)}  ${rule} ${name}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)
}
