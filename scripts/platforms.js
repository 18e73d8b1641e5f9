// Installs the packed package into an empty folder, and runs the conformance cases and the process battery there on every
// runtime that npm has:
//   npm run platforms                 all of them, and the table of docs/platforms.md
//   npm run platforms -- bun deno     these, and only prints
// Needs the registry. What cannot be installed is skipped, with a sentence.

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './tools.js'

/**
 * A runtime: the package of npm that holds it, the name of its program, and what it is called with before a file. `within` is
 * what the battery is run by.
 * @typedef {{ name: string, spec: string, program: string, args: string[], env?: Record<string, string>, within?: string[] }} Runtime
 */

/** @type {Runtime[]} */
const RUNTIMES = [
  ...['20', '22', '24'].map((major) => ({ name: `Node ${major}`, spec: `node@${major}`, program: 'node', args: [] })),
  {
    name: 'Node 20, plain launcher',
    spec: 'node@20',
    program: 'node',
    args: [],
    env: { HOOKLINE_LAUNCHER: 'direct' },
  },
  {
    name: 'Node 20, plain launcher, no /proc',
    spec: 'node@20',
    program: 'node',
    args: [],
    env: { HOOKLINE_LAUNCHER: 'direct' },
    within: ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'within'],
  },
  { name: 'Bun', spec: 'bun', program: 'bun', args: [] },
  { name: 'Deno', spec: 'deno', program: 'deno', args: ['run', '-A', '--quiet'] },
]
const CACHE = join(homedir(), '.cache', 'hookline-platforms')
const PAGE = join(ROOT, 'docs', 'platforms.md')
const FILES = ['conformance', 'conformance-current'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(ROOT, folder, name)),
)

const wanted = process.argv.slice(2)
const chosen = RUNTIMES.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word)),
)
const root = mkdtempSync(join(tmpdir(), 'hookline-platforms-'))
/** @type {string[][]} */
const rows = []
try {
  const folder = installed()
  for (const runtime of chosen) {
    const row = rowOf(runtime, folder)
    console.log(row.join('  '))
    rows.push(row)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
const table = [['runtime', 'version', 'conformance', 'process battery'], ['---', '---', '---', '---'], ...rows].map(
  (cells) => `| ${cells.join(' | ')} |`,
)
console.log(`\n${table.join('\n')}`)
if (wanted.length === 0) writeTable()
process.exitCode = rows.some((cells) => cells.some((cell) => /[1-9]\d* failed/.test(cell))) ? 1 : 0

/** An empty folder with nothing but the packed package in it. */
function installed() {
  const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', root]
  execFileSync('npm', packing, { cwd: join(ROOT, 'packages/hookline'), stdio: 'pipe' })
  const folder = join(root, 'empty')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const tarball = readdirSync(root).find((name) => name.endsWith('.tgz')) ?? ''
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', join(root, tarball)]
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' })
  copyFileSync(join(ROOT, 'scripts/platforms/battery.mjs'), join(folder, 'battery.mjs'))
  return folder
}

/**
 * @param {Runtime} runtime
 * @param {string} folder
 */
function rowOf({ name, spec, program, args, env = {}, within = [] }, folder) {
  const found = runtimeOf(spec, program)
  if ('missing' in found) return [name, '–', `skipped: ${found.missing}`, '–']
  const all = { ...process.env, ...env, NO_COLOR: '1' }
  const [file = '', ...words] = [...within, found.path, ...args, 'battery.mjs']
  const battery = spawnSync(file, words, {
    cwd: folder,
    env: all,
    encoding: 'utf8',
    timeout: 900_000,
  })
  const command = [found.path, ...args, join(folder, 'node_modules/hookline/bin/hookline.js')].map(quoted).join(' ')
  if (within.length > 0) return [name, found.version, '–', summaryOf(battery)] // the runner looks for processes in /proc
  const runner = [join(ROOT, 'conformance-current/run.mjs'), '--driver', command, ...FILES]
  const cases = spawnSync(process.execPath, runner, { env: all, encoding: 'utf8', timeout: 1_800_000 })
  for (const { stdout, stderr } of [battery, cases]) {
    for (const line of `${stdout}\n${stderr}`.split('\n')) if (line.startsWith('FAIL')) console.log(`  ${line}`)
  }
  return [name, found.version, summaryOf(cases), summaryOf(battery)]
}

/** @param {{ stdout: string, stderr: string }} run */
function summaryOf({ stdout, stderr }) {
  const last = stdout.trim().split('\n').at(-1) ?? ''
  return /^\d+ passed/.test(last)
    ? last.replace(/, 0 (?:failed|skipped)/g, '')
    : `1 failed: ${(stderr || last).trim().slice(-200)}`
}

/**
 * The program of a runtime, installed from npm unless it is there already.
 * @param {string} spec
 * @param {string} program
 * @returns {{ path: string, version: string } | { missing: string }}
 */
function runtimeOf(spec, program) {
  const folder = join(CACHE, spec.replace('@', '-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', spec]
  const { status } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) return { missing: `npm could not install ${spec}` }
  const path = join(folder, 'node_modules', '.bin', program)
  const { stdout, status: code } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 })
  return code === 0
    ? { path, version: /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim() }
    : { missing: `${program} does not run` }
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Replaces the table between the marks on the page, and its date. */
function writeTable() {
  const page = readFileSync(PAGE, 'utf8')
  const made = `<!-- table -->\n\nSeen on ${new Date().toISOString().slice(0, 10)} on Linux x64.\n\n${table.join('\n')}\n\n<!-- /table -->`
  writeFileSync(
    PAGE,
    page.replace(/<!-- table -->[\s\S]*<!-- \/table -->/, () => made),
  )
}
