/** The steps of `npm test`: the build, then the long ones side by side, since most of their tests wait for processes, and what is quickly known beside them. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { reliabilityFaults } from './reliability.js'
import { findBrowser } from './site-browser.js'
import { ROOT, tool } from './tools.js'

/**
 * @typedef {{ passed: number, failed: number, summary: string, output: string }} Result
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [needs] steps before it; it runs only if they passed
 * @property {string[]} [after] steps before it that it leaves the machine to, however they end
 * @property {boolean} [isBeside] the steps after it do not wait for it
 * @property {(place: { reports: string }) => Promise<Result>} run
 */

/** @type {Step[]} */
const POSIX_STEPS = [
  {
    name: 'end-to-end tests',
    needs: ['build'],
    isBeside: true,
    run: ({ reports }) => vitest('e2e', reports, { words: ['--no-isolate', `--maxWorkers=${END_TO_END_WORKERS}`] }),
  },
  { name: 'site', isBeside: true, run: ({ reports }) => site(reports) },
  {
    name: 'conformance',
    needs: ['build'],
    after: ['site'],
    isBeside: true,
    run: ({ reports }) => conformance(reports),
  },
  { name: 'unit tests', isBeside: true, run: ({ reports }) => unitTests(reports) },
]

/** @type {Step[]} */
const POSIX_LAST = [
  { name: 'reliability table', needs: ['unit tests', 'end-to-end tests'], run: ({ reports }) => reliability(reports) },
]

/** The tests of the others have hooks in the language of `sh`, and look for processes in /proc. @type {Step[]} */
const WINDOWS_STEPS = [
  ...[...POSIX_STEPS, ...POSIX_LAST].map(({ name }) => ({
    name,
    run: async () => leftOut('the Windows suite takes its place'),
  })),
  { name: 'Windows suite', needs: ['build'], run: ({ reports }) => windowsSuite(reports) },
]

/** @type {Step[]} */
export const STEPS = [
  { name: 'build', run: () => script('build') },
  ...(process.platform === 'win32' ? [] : POSIX_STEPS),
  { name: 'format and lint', run: () => script('lint', '--colors=off') },
  { name: 'types', run: () => script('types') },
  { name: 'unused code', needs: ['build'], run: () => script('unused') },
  { name: 'package', needs: ['build'], run: () => script('package') },
  ...(process.platform === 'win32' ? WINDOWS_STEPS : POSIX_LAST),
]

/** Tests that count what a process has open, listens to or remembers: their files share workers with each other alone. */
const COUNTING_ROOMS = [
  'packages/hookline/test/examples',
  ...['dispatch', 'faults', 'files', 'models', 'process', 'record', 'resident'].map(
    (room) => `packages/hookline/test/${room}/`,
  ),
]

/** Tests whose files have a process each, as those have that put faults in the place of modules (`vi.mock`). */
const ROOMS_APART = ['packages/fleet/', 'packages/hookline/test/anomalies']

/** Processes at a time for the end-to-end tests: as many as others have, since more of them on few cores only stand in each other's way. */
const END_TO_END_WORKERS = Math.max(2, availableParallelism())

/** Tests of `npm run quick`: the laws of the source, and the rooms that start no process. */
const QUICK_TESTS = [
  'architecture',
  'test/decide/',
  'test/index-page',
  'test/lock-files',
  'test/match/',
  'test/pattern/',
  'test/protocol/',
  'test/read/',
  'test/readme',
  'test/rule/',
  'test/text/',
]

/** The steps of `npm run quick`: what can be known in a minute, without a build. @type {Step[]} */
export const QUICK_STEPS = [
  {
    name: 'laws and pure rooms',
    isBeside: true,
    run: ({ reports }) => vitest('hookline', reports, { words: QUICK_TESTS }),
  },
  { name: 'types', run: () => script('types') },
  { name: 'format and lint', run: () => script('lint', '--colors=off') },
]

/** npm by its own file where it has started this, since its name is a batch file on Windows. */
const NPM = /npm-cli\.js$/.test(process.env.npm_execpath ?? '') ? process.env.npm_execpath : undefined

/**
 * @param {string} why
 * @returns {Result}
 */
function leftOut(why) {
  return { passed: 0, failed: 0, summary: `left out: ${why}`, output: '' }
}

/**
 * One test: the script of package.json exits with 0.
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<Result>}
 */
async function script(name, ...args) {
  const words = ['run', '--silent', name, '--', ...args]
  const { code, output } = await (NPM === undefined
    ? runProgram('npm', words)
    : runProgram(process.execPath, [NPM, ...words]))
  return { ...(code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }), summary: '', output }
}

/**
 * The unit tests: the files of most share two workers and what those have loaded, which takes a third less than a process for
 * each. Beside them run the tests that count, which share two others, and after those the tests that have a process each.
 * @param {string} reports
 * @returns {Promise<Result>}
 */
async function unitTests(reports) {
  const apart = [...ROOMS_APART, ...listMockingTests()]
  const share = (/** @type {string} */ name, /** @type {string[]} */ rooms, /** @type {string[]} */ others) =>
    vitest('hookline', reports, { words: ['--no-isolate', ...rooms], name, env: { TESTS_APART: others.join(' ') } })
  const sharing = share('sharing', [], [...COUNTING_ROOMS, ...apart])
  const counting = await share('counting', COUNTING_ROOMS, apart)
  const alone = await vitest('hookline', reports, { words: apart })
  const shared = await sharing
  const results = [alone, counting, shared]
  return {
    passed: alone.passed + counting.passed + shared.passed,
    failed: alone.failed + counting.failed + shared.failed,
    summary: `${alone.summary}; in shared workers ${shared.summary}; in those that count ${counting.summary}`,
    output: results.flatMap(({ failed, output }) => (failed > 0 ? [output] : [])).join('\n'),
  }
}

/** Test files that replace modules, which no other file may have loaded before them. */
function listMockingTests() {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/test`)
  return packages
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.test.ts') && readFileSync(join(ROOT, file), 'utf8').includes('vi.mock('))
}

/**
 * As many tests as vitest ran. Where few files failed they run once more by themselves, and the summary names each test that
 * passed only then, so that somebody makes it steady. A missing snapshot fails: only `npm run generate` writes them.
 * @param {string} project
 * @param {string} reports
 * @param {{ words?: readonly string[], name?: string, env?: Record<string, string> }} [more] parts of the names of files, and
 *   flags; the name of the report, and variables
 * @returns {Promise<Result>}
 */
async function vitest(project, reports, { words = [], name = project, env = {} } = {}) {
  const first = await runVitest(project, join(reports, `${name}.json`), { words, env })
  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (files.length === 0 || files.length > MAX_FILES_AGAIN) return first
  const again = await runVitest(project, join(reports, `${name}-again.json`), { words: files, env })
  if (again.failed > 0) return { ...first, output: `${first.output}\nOnce more:\n${again.output}` }
  const names = first.failures.map(({ file, test }) => `${relative(ROOT, file)}: ${test}`)
  return {
    passed: first.passed + first.failed,
    failed: 0,
    summary: `${first.summary}, which passed by themselves:\n${names.map((each) => `  UNSTEADY ${each}`).join('\n')}`,
    output: '',
  }
}

/** Test files that are run once more: where more have failed, it is no matter of chance. */
const MAX_FILES_AGAIN = 3

/** @typedef {{ file: string, test: string }} Failure */

/**
 * @param {string} project
 * @param {string} report
 * @param {{ words: readonly string[], env: Record<string, string> }} more
 * @returns {Promise<Result & { failures: Failure[] }>}
 */
async function runVitest(project, report, { words, env }) {
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const flags = ['--no-color', '--project', project, '--update=none', ...reporters]
  const ended = await runProgram(process.execPath, [tool('vitest'), 'run', ...words, ...flags], env)
  /** @type {Failure[]} */
  let failures = []
  const result = counted(ended, report, (text) => {
    const { numPassedTests, numPendingTests, testResults } = JSON.parse(text)
    failures = testResults.flatMap(listFailures)
    return { passed: numPassedTests, failed: failures.length, skipped: numPendingTests }
  })
  return { ...result, failures }
}

/**
 * The failed tests of a file; the file itself where it failed without one, as one that cannot be imported does, or where Node
 * crashed before all its tests had run.
 * @param {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }} file
 * @returns {Failure[]}
 */
function listFailures({ name, status, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length > 0) return failed.map(({ fullName }) => ({ file: name, test: fullName }))
  const unended = assertionResults.filter((test) => test.status === 'pending').length
  if (unended > 0) return [{ file: name, test: `${unended} tests, before which the worker ended` }]
  return status === 'failed' ? [{ file: name, test: 'the file itself' }] : []
}

/**
 * One test: every fault of docs/reliability.md is held by a test that ran, or says why not.
 * @param {string} reports
 * @returns {Promise<Result>}
 */
async function reliability(reports) {
  const { tested, faults } = reliabilityFaults(reports)
  const output = faults.join('\n')
  return {
    passed: faults.length === 0 ? 1 : 0,
    failed: faults.length === 0 ? 0 : 1,
    summary: `${tested} faults tested`,
    output,
  }
}

/**
 * As many tests as the checks of scripts/windows.js have.
 * @param {string} reports
 */
async function windowsSuite(reports) {
  const report = join(reports, 'windows.json')
  const ended = await runProgram(process.execPath, ['scripts/windows.js', '--again', '--report', report])
  return counted(ended, report, (text) => JSON.parse(text))
}

/**
 * As many tests as the site has pages and paths. Where there is no browser, or what the site is built with cannot be installed, it is left out.
 * @param {string} reports
 */
async function site(reports) {
  if (findBrowser() === undefined) return leftOut('there is no chromium here; `npm run docs` looks at links alone')
  if (!existsSync(join(ROOT, 'site/node_modules'))) {
    const { code } = await runProgram('npm', ['ci', '--ignore-scripts', '--prefix', 'site'])
    if (code !== 0) return leftOut('what the site is built with cannot be installed: there is no registry')
  }
  const report = join(reports, 'site.json')
  const ended = await runProgram(process.execPath, ['scripts/docs.js', '--report', report])
  return counted(ended, report, (text) => JSON.parse(text))
}

/**
 * As many tests as there are cases.
 * @param {string} reports
 */
async function conformance(reports) {
  const report = join(reports, 'conformance.json')
  const ended = await runProgram(process.execPath, [
    'scripts/conformance.js',
    '--together',
    ...['--jobs', '3', '--report', report],
  ])
  return counted(ended, report, (text) => {
    /** @type {{ ok: boolean }[]} */
    const cases = JSON.parse(text)
    const passed = cases.filter(({ ok }) => ok).length
    return { passed, failed: cases.length - passed, skipped: 0 }
  })
}

/**
 * The counts of a report. A program that fails without a failed test, or writes no report, is itself one failed test.
 * @param {Ended} ended
 * @param {string} report
 * @param {(text: string) => { passed: number, failed: number, skipped: number }} count
 * @returns {Result}
 */
function counted({ code, output }, report, count) {
  const text = textOf(report)
  const { passed, failed, skipped } = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : count(text)
  const ranNothing = passed + failed === 0
  const failures = failed === 0 && (code !== 0 || ranNothing) ? 1 : failed
  const summary = `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return { passed, failed: failures, summary, output }
}

/** @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // the program ended before it wrote its report
  }
}

/** @typedef {{ code: number | null, output: string }} Ended */

/**
 * Runs a program in the root to its end; what it prints on stdout and stderr is kept together, in order.
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [env] variables besides those of this process
 * @returns {Promise<Ended>}
 */
function runProgram(program, args, env = {}) {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, ...env } }
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ code: null, output: `${error.message}\n` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
