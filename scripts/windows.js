// Installs the packed package where Windows programs run, and tries it there: the process battery with and without koffi, the
// tests of trust and of what differs on Windows, the conformance cases through Git Bash as they are, and those that cmd can say
// in its own language.
//   npm run test:windows                            under Wine; skips with a sentence where there is none
//   npm run test:windows -- --only battery,tests    also: bash, cmd
//   npm run test:windows -- --write                 puts the table into docs/platforms.md, with its day
//   npm run test:windows -- --again                 runs also what was seen of this very package before
//   npm run test:windows -- --report FILE           writes how many passed, failed and were skipped, as JSON
// On Windows itself the same is run without Wine. A run that was cut off goes on where it was.

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  CASE_FILES,
  install,
  pack,
  Results,
  RUNNER,
  SOURCES,
  seenIn,
  sumOf,
  tableOf,
  today,
  writeTable,
} from './platforms/packed.js'
import { readCall } from './read-options.js'
import { ROOT } from './tools.js'
import { writeRunner } from './windows/runner.js'
import { bundleTests, UNIT_TESTS } from './windows/unit-tests.js'
import { missingWine, openWindows } from './windows/wine.js'

/**
 * @typedef {ReturnType<typeof openWindows>} Windows
 * @typedef {import('./platforms/packed.js').Seen} Seen
 */

const SUITE = ['scripts/windows/helpers.mjs', 'scripts/windows/cases.mjs', 'scripts/windows/runner.js']
/** The files of cases about guards first: what a cut-off run has not seen matters least. */
const FIRST = ['read', 'decide', 'process', 'own-process', 'types', 'config', 'own-config', 'match', 'session']

const { values } = readCall(import.meta.url, {
  options: {
    only: { type: 'string', default: 'battery,tests,bash,cmd' },
    write: { type: 'boolean' },
    again: { type: 'boolean' },
    report: { type: 'string' },
  },
})
const chosen = values.only.split(',')
const missing = missingWine()
if (missing !== null) console.log(`skipped: ${missing}`)
else process.exitCode = (await runAll()) ? 0 : 1

/** Whether all that was chosen is well. */
async function runAll() {
  const windows = openWindows()
  const packed = mkdtempSync(join(tmpdir(), 'hookline-windows-'))
  try {
    const tarball = pack(packed)
    await putInto(windows, tarball)
    const results = new Results('windows.json', tarball, { again: values.again === true })
    /** @type {Map<string, (Seen | undefined)[]>} by check and version */
    const rows = new Map()
    let isWell = true
    for (const { part, check, file, version, sources, args, only, env } of callsOf(windows)) {
      const key = `Node ${version}: ${check}${file}`
      /** @param {Seen} [before] */
      const run = (before) =>
        seenIn(async (names) => (await windows.run(version, [...args, ...(names && only(names))], env)).output, before)
      const result = chosen.includes(part) ? await results.of(key, sources, run) : results.kept(key, sources)
      const row = `${check}\n${version}`
      rows.set(row, [...(rows.get(row) ?? []), result])
      if (!chosen.includes(part) || result === undefined) continue
      console.log([`${key}: ${result.seen}`, ...result.failures].join('\n  '))
      isWell &&= result.failures.length === 0
    }
    const cells = [...rows].map(([row, runs]) => [...row.split('\n'), sumOf(runs)?.seen ?? 'not run'])
    const table = tableOf([['check', 'node.exe', 'seen'], ...cells])
    console.log(`\n${table}`)
    const [passed = 0, failed = 0, skipped = 0] = sumOf([...rows.values()].flat())?.counts ?? []
    if (values.report) writeFileSync(values.report, JSON.stringify({ passed, failed, skipped }))
    if (values.write) writeTable('windows', `Seen on ${today()} with ${windows.name}.\n\n${table}`)
    return isWell
  } finally {
    windows.close()
    rmSync(packed, { recursive: true, force: true })
  }
}

/**
 * Puts the package into two folders, one of which has koffi, and the suite beside them.
 * @param {Windows} windows
 * @param {string} tarball
 */
async function putInto({ drive, koffi, named }, tarball) {
  install(join(drive, 'plain'), tarball)
  cpSync(join(drive, 'plain'), join(drive, 'jobs'), { recursive: true })
  cpSync(koffi, join(drive, 'jobs', 'node_modules'), { recursive: true })

  const suite = join(drive, 'suite')
  mkdirSync(suite)
  for (const name of ['helpers.mjs', 'cases.mjs']) copyFileSync(join(ROOT, 'scripts/windows', name), join(suite, name))
  for (const folder of ['conformance', 'conformance-current', 'conformance-auto'])
    cpSync(join(ROOT, folder), join(suite, folder), { recursive: true })
  writeRunner({ root: ROOT, folder: suite, helpers: './helpers.mjs' })
  await bundleTests({ folder: join(drive, 'jobs', 'tests'), repository: named('repository') })
}

/**
 * What node.exe is called with. One version of Node runs the cases, all of them the battery.
 * @param {Windows} windows
 */
function callsOf({ versions, named, gitBash }) {
  const [first = ''] = versions
  const batteries = versions.flatMap((version) =>
    ['jobs', 'plain'].flatMap((folder) =>
      [gitBash, 'none'].map((bash) => ({
        part: 'battery',
        file: '',
        check: `process battery, ${bash === 'none' ? 'cmd' : 'Git Bash'}, ${folder === 'jobs' ? 'with' : 'without'} koffi`,
        version,
        sources: SOURCES.battery,
        args: [named(folder, 'battery.mjs')],
        only: (/** @type {string} */ names) => [names],
        env: /** @type {Record<string, string>} */ ({ CLAUDE_CODE_GIT_BASH_PATH: bash }),
      })),
    ),
  )
  const cases = ['bash', 'cmd'].flatMap((shell) =>
    [...CASE_FILES].sort(byWeight).map((file) => ({
      part: shell,
      check: `conformance through ${shell === 'cmd' ? 'cmd' : 'Git Bash'}`,
      file: `, ${file}`,
      version: first,
      sources: [...SUITE, RUNNER, file],
      args: [
        named('suite', 'run-on-windows.mjs'),
        '--driver',
        named('jobs', 'node_modules', 'hookline', 'bin', 'hookline.js'),
        named('suite', ...file.split('/')),
      ],
      only: (/** @type {string} */ names) => ['--only', names, '--jobs', '1'],
      env: /** @type {Record<string, string>} */ ({
        HOOKLINE_TEST_SHELL: shell,
        HOOKLINE_TEST_BASH: gitBash,
        HOOKLINE_TEST_KOFFI: named('jobs', 'package.json'),
      }),
    })),
  )
  const tests = {
    part: 'tests',
    file: '',
    check: 'tests of trust, paths, files, variables and programs',
    version: first,
    sources: [...UNIT_TESTS.map((file) => `packages/hookline/test/${file}`), 'scripts/windows/vitest.mjs'],
    args: [named('jobs', 'tests', 'stdin.mjs')],
    only: (/** @type {string} */ names) => [names],
    env: /** @type {Record<string, string>} */ ({ CLAUDE_CODE_GIT_BASH_PATH: gitBash }),
  }
  return [...batteries, tests, ...cases]
}

/**
 * @param {string} one
 * @param {string} other
 */
function byWeight(one, other) {
  const [here, there] = [one, other].map((file) => FIRST.indexOf(basename(file, '.jsonl')))
  return (here === -1 ? FIRST.length : Number(here)) - (there === -1 ? FIRST.length : Number(there))
}
