// Installs the packed package into an empty folder, and runs the conformance cases, the process battery and a bundle there on
// every runtime that npm has:
//   npm run platforms                          prints a table
//   npm run platforms -- --only deno,bun       these runtimes
//   npm run platforms -- --write               puts the table into docs/platforms.md, with its day
//   npm run platforms -- --again               runs also what was seen of this very package before
// Needs the registry. What cannot be installed is skipped, with a sentence. A run that was cut off goes on where it was.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { build } from 'esbuild'
import {
  CACHE,
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

/**
 * A runtime: the package of npm that holds it, the name of its program, and what it is called with before a file. `within` is
 * what it is run by.
 * @typedef {{ name: string, spec: string, program: string, args: string[], env?: Record<string, string>, within?: string[] }} Runtime
 */

/** Makes the system look like one without /proc to what it runs. */
const WITHOUT_PROC = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'within']
const PLAIN = { spec: 'node@20', program: 'node', args: [], env: { HOOKLINE_LAUNCHER: 'direct' } }

/** @typedef {import('./platforms/packed.js').Seen} Seen */

/** @type {Runtime[]} */
const RUNTIMES = [
  ...['20', '22', '24'].map((major) => ({ name: `Node ${major}`, spec: `node@${major}`, program: 'node', args: [] })),
  { name: 'Bun', spec: 'bun', program: 'bun', args: [] },
  { name: 'Deno', spec: 'deno', program: 'deno', args: ['run', '-A', '--quiet'] },
  { name: 'Node 20, plain launcher', ...PLAIN },
  { name: 'Node 20, plain launcher, no /proc', ...PLAIN, within: WITHOUT_PROC },
]

/** The checks, by column and name, and what their results depend on besides the package. */
const CHECKS = [
  { column: 'version', check: 'version', sources: [] },
  { column: 'process battery', check: 'process battery', sources: SOURCES.battery },
  { column: 'bundle', check: 'bundle', sources: [] },
  ...CASE_FILES.map((file) => ({ column: 'conformance', check: file, sources: [RUNNER, file] })),
]
const COLUMNS = [...new Set(CHECKS.map(({ column }) => column))]

/** A host that is bundled, and run where nothing is installed. */
const HOST = `
import { openEngine } from 'hookline'
const [project, home] = process.argv.slice(-2)
const engine = await openEngine({ project, home, managed: project + '/none.json', trust: 'accepted' })
for (let at = 0; at < 2; at++) {
  const { decision } = await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
  console.log(decision.reason)
}
await engine.close()
`

const { values } = readCall(import.meta.url, {
  options: { only: { type: 'string', default: '' }, write: { type: 'boolean' }, again: { type: 'boolean' } },
})
const wanted = values.only.toLowerCase().split(',')
const chosen = RUNTIMES.filter(({ name }) => wanted.some((word) => name.toLowerCase().includes(word)))
const root = mkdtempSync(join(tmpdir(), 'hookline-platforms-'))
try {
  process.exitCode = (await runAll()) ? 0 : 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Whether all that was chosen is well. */
async function runAll() {
  const tarball = pack(root)
  const folder = join(root, 'empty')
  install(folder, tarball)
  await bundleHost(folder)
  const results = new Results('results.json', tarball, { again: values.again === true })
  const calls = new Map(chosen.map((runtime) => [runtime, callsOf(runtime, folder)]))
  let isWell = true
  // What takes little time comes first, of every runtime.
  for (const { check, sources } of CHECKS) {
    for (const [{ name }, { [check]: run }] of calls) {
      if (run === undefined) continue
      const { seen, failures } = await results.of(`${name}: ${check}`, sources, run)
      console.log([`${name}: ${check}: ${seen}`, ...failures].join('\n  '))
      isWell &&= failures.length === 0
    }
  }
  const rows = RUNTIMES.map(({ name }) => {
    const cells = COLUMNS.map((column) => {
      const checks = CHECKS.filter((one) => one.column === column)
      return sumOf(checks.map(({ check, sources }) => results.kept(`${name}: ${check}`, sources)))?.seen ?? 'not run'
    })
    return [name, ...cells]
  })
  const table = tableOf([['runtime', ...COLUMNS], ...rows])
  console.log(`\n${table}`)
  if (values.write) writeTable('runtimes', `Seen on ${today()} on Linux x64.\n\n${table}`)
  return isWell
}

/**
 * @param {Runtime} runtime
 * @param {string} folder
 * @returns {Record<string, (before?: Seen) => Seen | Promise<Seen>>} by check
 */
function callsOf({ spec, program, args, env = {}, within = [] }, folder) {
  const found = runtimeOf(spec, program)
  if ('missing' in found) return { version: () => ({ seen: `skipped: ${found.missing}`, failures: [], counts: null }) }
  const { path, version } = found
  const all = { ...process.env, ...env, NO_COLOR: '1' }
  /** @param {string} file @param {string[]} more */
  const run = (file, ...more) => {
    const [first = '', ...words] = [...within, path, ...args, file, ...more]
    // Hooks that are files of Node are run by this one, too.
    const own = { ...all, PATH: `${program === 'node' ? dirname(path) + delimiter : ''}${process.env.PATH}` }
    const { stdout, stderr } = spawnSync(first, words, { cwd: folder, env: own, encoding: 'utf8', timeout: 900_000 })
    return { stdout, stderr }
  }
  return {
    version: () => ({ seen: version, failures: [], counts: null }),
    'process battery': (before) => seenIn((only) => run('battery.mjs', only).stdout, before),
    bundle: () => {
      const { stdout, stderr } = run(join(root, 'alone', 'host.mjs'), join(root, 'project'), join(root, 'home'))
      if (stdout === 'not here\nnot here\n' && stderr === '') return { seen: 'runs', failures: [], counts: null }
      return { seen: '1 failed', failures: [`FAIL ${(stderr || stdout).trim().slice(-300)}`], counts: null }
    },
    ...Object.fromEntries(
      CASE_FILES.map((file) => [file, (/** @type {Seen | undefined} */ before) => runCases(file, before)]),
    ),
  }

  /**
   * @param {string} file
   * @param {Seen} [before]
   */
  function runCases(file, before) {
    const command = [...within, path, ...args, join(folder, 'node_modules/hookline/bin/hookline.js')]
    const runner = [RUNNER, '--driver', command.map(quoted).join(' '), file]
    const options = { cwd: ROOT, env: all, encoding: /** @type {const} */ ('utf8'), timeout: 3_600_000 }
    return seenIn((only) => {
      const words = only === '' ? ['--jobs', '4'] : ['--only', only, '--jobs', '1']
      const { stdout, stderr } = spawnSync(process.execPath, [...runner, ...words], options)
      return stdout || stderr
    }, before)
  }
}

/**
 * The program of a runtime, installed from npm unless it is there already.
 * @param {string} spec
 * @param {string} program
 * @returns {{ path: string, version: string } | { missing: string }}
 */
function runtimeOf(spec, program) {
  const folder = join(CACHE, spec.replace('@', '-'))
  const path = join(folder, 'node_modules', '.bin', program)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', spec]
    const { status } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: 300_000 })
    if (status !== 0) return { missing: `npm could not install ${spec}` }
  }
  const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 })
  return status === 0
    ? { path, version: /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim() }
    : { missing: `${program} does not run` }
}

/**
 * Bundles a host with the installed package, and makes a project with a hook that refuses.
 * @param {string} folder
 */
async function bundleHost(folder) {
  const stdin = { contents: HOST, resolveDir: folder }
  const outfile = join(root, 'alone', 'host.mjs')
  await build({ bundle: true, platform: 'node', format: 'esm', stdin, outfile, external: ['ai', '@ai-sdk/*'] })
  mkdirSync(join(root, 'project/.claude'), { recursive: true })
  mkdirSync(join(root, 'home'))
  const group = { matcher: '(Ba|Fi)sh{1,2}', hooks: [{ type: 'command', command: 'echo not here >&2; exit 2' }] }
  writeFileSync(join(root, 'project/.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [group] } }))
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
