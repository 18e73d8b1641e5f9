// Bundles a host that embeds the packed package with each bundler, and runs the result where nothing is installed:
//   npm run bundlers
// Needs the registry. What cannot be installed is skipped, with a sentence.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from './tools.js'

const HOST = `
import { openEngine } from 'hookline'
import { guardCall } from 'hookline/tools'
async function main() {
  const [project, home] = process.argv.slice(-2)
  const engine = await openEngine({ project, home, managed: project + '/none.json', trust: 'accepted' })
  for (let at = 0; at < 2; at++) {
    const end = await guardCall(engine, { name: 'Bash', input: { command: 'ls' }, id: 'one', run: () => 'it ran' })
    console.log(end.ended, end.reason)
  }
  await engine.close()
}
main()
`
const SEEN = 'refused PreToolUse:Bash hook error: [echo not here >&2; exit 2]: not here\n'.repeat(2)
const OUTSIDE = ['ai', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible']
/** The string by which Node finds what was put into an executable of its own. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * A bundler: the packages it needs, and the calls that make a program of `host.mjs`. The last word of what they make is what
 * is run, by Node unless it can be executed.
 * @typedef {{ what: string, packages: string[], calls: string[][], made: string, by?: string[] }} Bundler
 */

/** @type {Bundler[]} */
const BUNDLERS = [
  ...['esm', 'cjs'].map((format) => ({
    what: `esbuild, ${format}`,
    packages: ['esbuild'],
    calls: [
      [
        'esbuild',
        'host.mjs',
        '--bundle',
        '--platform=node',
        `--format=${format}`,
        `--outfile=out/host.${suffix(format)}`,
      ].concat(OUTSIDE.map((name) => `--external:${name}`)),
    ],
    made: `out/host.${suffix(format)}`,
  })),
  ...['es', 'cjs'].map((format) => ({
    what: `rollup, ${format === 'es' ? 'esm' : format}`,
    packages: ['rollup', '@rollup/plugin-node-resolve'],
    calls: [
      ['rollup', 'host.mjs', '-p', 'node-resolve', '-f', format, '-d', 'out', '--external', OUTSIDE.join()].concat(
        '--entryFileNames',
        `[name].${suffix(format)}`,
        '--chunkFileNames',
        `[name]-[hash].${suffix(format)}`,
      ),
    ],
    made: `out/host.${suffix(format)}`,
  })),
  ...['esm', 'cjs'].map((format) => ({
    what: `rspack, ${format}`,
    packages: ['@rspack/cli', '@rspack/core'],
    calls: [['rspack', 'build', '-c', `rspack.${format}.cjs`]],
    made: `out/host.${suffix(format)}`,
  })),
  ...['esm', 'cjs'].map((format) => ({
    what: `bun build, ${format}, run by Node`,
    packages: ['bun'],
    calls: [
      [
        'bun',
        'build',
        'host.mjs',
        '--target=node',
        `--format=${format}`,
        `--outfile=out/host.${suffix(format)}`,
      ].concat(OUTSIDE.map((name) => `--external=${name}`)),
    ],
    made: `out/host.${suffix(format)}`,
  })),
  {
    what: 'bun build --compile',
    packages: ['bun'],
    calls: [
      ['bun', 'build', 'host.mjs', '--compile', '--outfile=out/host'].concat(
        OUTSIDE.map((name) => `--external=${name}`),
      ),
    ],
    made: 'out/host',
    by: [],
  },
  {
    what: `Node SEA, ${process.version}`,
    packages: ['esbuild', 'postject'],
    calls: [
      ['esbuild', 'host.mjs', '--bundle', '--platform=node', '--format=cjs', '--outfile=sea.cjs'].concat(
        OUTSIDE.map((name) => `--external:${name}`),
      ),
      ['node', '--experimental-sea-config', 'sea.json'],
      ['cp', process.execPath, 'out/host'],
      ['postject', 'out/host', 'NODE_SEA_BLOB', 'sea.blob', '--sentinel-fuse', FUSE],
    ],
    made: 'out/host',
    by: [],
  },
]

const root = mkdtempSync(join(tmpdir(), 'hookline-bundlers-'))
let failed = 0
/** @type {Map<string, string>} by package */
const versions = new Map()
try {
  prepare()
  for (const bundler of BUNDLERS) console.log(`${bundler.what.padEnd(34)} ${outcomeOf(bundler)}`)
} finally {
  rmSync(root, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

/** Packs the package, and makes a project with a hook that refuses. */
function prepare() {
  const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', root]
  execFileSync('npm', packing, { cwd: join(ROOT, 'packages/hookline'), stdio: 'pipe' })
  mkdirSync(join(root, 'project/.claude'), { recursive: true })
  mkdirSync(join(root, 'home'))
  const group = { matcher: '(Ba|Fi)sh{1,2}', hooks: [{ type: 'command', command: 'echo not here >&2; exit 2' }] }
  writeFileSync(join(root, 'project/.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [group] } }))
}

/** @param {Bundler} bundler */
function outcomeOf({ packages, calls, made, by = [process.execPath] }) {
  const folder = mkdtempSync(join(root, 'bundle-'))
  const installed = installIn(folder, packages)
  if (installed !== null) return `skipped: ${installed}`
  writeFiles(folder)
  for (const [file = '', ...args] of calls) {
    const program = ['node', 'cp'].includes(file) ? file : join(folder, 'node_modules/.bin', file)
    const { status, stderr, stdout } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 120_000 })
    if (status !== 0) return told(`${file} failed: ${lastLines(stderr || stdout)}`)
  }
  const alone = mkdtempSync(join(root, 'alone-'))
  for (const name of readdirSync(join(folder, 'out'))) copyFileSync(join(folder, 'out', name), join(alone, name))
  rmSync(join(folder, 'node_modules'), { recursive: true })
  const program = join(alone, basename(made))
  chmodSync(program, 0o755)
  const [file = program, ...args] = [...by, program, join(root, 'project'), join(root, 'home')]
  const { stdout, stderr } = spawnSync(file, args, { cwd: alone, encoding: 'utf8', timeout: 60_000 })
  return stdout === SEEN ? `runs hooks (${versionsIn(packages)})` : told(`does not run: ${lastLines(stderr || stdout)}`)
}

/** @param {string} sentence */
function told(sentence) {
  failed++
  return sentence
}

/** @param {string[]} packages */
function versionsIn(packages) {
  return packages.map((name) => `${name} ${versions.get(name)}`).join(', ')
}

/**
 * Why it cannot be installed; null when it was.
 * @param {string} folder
 * @param {string[]} packages
 */
function installIn(folder, packages) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const tarball = readdirSync(root).find((name) => name.endsWith('.tgz')) ?? ''
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', join(root, tarball), ...packages]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: 180_000 })
  if (status !== 0) return `npm could not install ${packages.join(' and ')}: ${lastLines(stderr)}`
  for (const name of packages) {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
    versions.set(name, manifest.version)
  }
  return null
}

/** @param {string} folder */
function writeFiles(folder) {
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'host.mjs'), HOST)
  writeFileSync(
    join(folder, 'sea.json'),
    JSON.stringify({ main: 'sea.cjs', output: 'sea.blob', disableExperimentalSEAWarning: true }),
  )
  for (const format of ['esm', 'cjs']) {
    const isModule = format === 'esm'
    const externals = Object.fromEntries(
      OUTSIDE.map((name) => [name, isModule ? `import ${name}` : `commonjs ${name}`]),
    )
    const config = {
      mode: 'production',
      target: 'node20',
      entry: './host.mjs',
      externals,
      experiments: { outputModule: isModule },
      output: {
        path: join(folder, 'out'),
        filename: `host.${suffix(format)}`,
        chunkFilename: `[name].${suffix(format)}`,
        ...(isModule ? { module: true, chunkFormat: 'module', library: { type: 'module' } } : {}),
      },
    }
    writeFileSync(join(folder, `rspack.${format}.cjs`), `module.exports = ${JSON.stringify(config)}`)
  }
}

/** @param {string} format */
function suffix(format) {
  return format === 'cjs' ? 'cjs' : 'mjs'
}

/** @param {string} text */
function lastLines(text) {
  return text.trim().split('\n').slice(-6).join(' / ').slice(0, 600)
}
