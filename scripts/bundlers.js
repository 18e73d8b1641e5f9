// Bundles a host that embeds the packed package with each bundler, and runs the result where nothing is installed:
//   npm run bundlers             all of them
//   npm run bundlers -- webpack  those of one bundler
// Needs the registry. What cannot be installed is skipped, with a sentence.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readNames } from './read-options.js'
import { ROOT } from './tools.js'

const HOST = `
import { openEngine } from 'hookline'
import { guardCall } from 'hookline/tools'
async function main() {
  const [project, home] = process.argv.slice(-2)
  const engine = await openEngine({ project, home, managed: project + '/none.json', trust: 'accepted' })
  const [hook] = await engine.activate(project + '/.claude/skills/tidy/SKILL.md')
  console.log(hook)
  for (let at = 0; at < 2; at++) {
    const end = await guardCall(engine, { name: 'Bash', input: { command: 'ls' }, id: 'one', run: () => 'it ran' })
    console.log(end.ended, end.reason)
  }
  await engine.close()
}
main()
`
/** The same as a route of Next.js. */
const ROUTE = HOST.replace(
  'async function main() {',
  "export const dynamic = 'force-dynamic'\nexport async function GET() {\n  let said = ''",
)
  .replace('process.argv.slice(-2)', "process.env.PLACES.split(',')")
  .replaceAll(/console\.log\((.*)\)\n/g, "said += [$1].join(' ') + '\\n'\n")
  .replace('await engine.close()', 'await engine.close()\n  return new Response(said)')
  .replace('main()\n', '')
const LAYOUT = 'export default function Layout({ children }) { return children }'
const REFUSAL = 'refused PreToolUse:Bash hook error: [echo not here >&2; exit 2]: not here\n'
const SEEN = `skill:tidy\n${REFUSAL}${REFUSAL}`
/** A skill with a hook: what reads its head is loaded when it is activated. */
const SKILL =
  '---\nname: tidy\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: exit 0\n---\nTidy up.\n'
/** The string by which Node finds what was put into an executable of its own. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * A bundler: the packages it needs, and the calls that make a program of `host.mjs`. The last word of what they make is what
 * is run, by Node unless it can be executed.
 * `ask` says what a host printed that is no program by itself.
 * @typedef {{ what: string, packages: string[], calls: string[][], made: string, by?: string[], ask?: (folder: string) => Promise<string> }} Bundler
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
      ],
    ],
    made: `out/host.${suffix(format)}`,
  })),
  {
    what: 'esbuild, no more flags',
    packages: ['esbuild'],
    calls: [['esbuild', 'host.mjs', '--bundle', '--platform=node', '--outfile=out/host.cjs']],
    made: 'out/host.cjs',
  },
  ...['es', 'cjs'].map((format) => ({
    what: `rollup, ${format === 'es' ? 'esm' : format}`,
    packages: ['rollup', '@rollup/plugin-node-resolve'],
    calls: [
      ['rollup', 'host.mjs', '-p', 'node-resolve', '-f', format, '-d', 'out'].concat(
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
    calls: [['rspack', 'build', '-c', `pack.${format}.cjs`]],
    made: `out/host.${suffix(format)}`,
  })),
  ...['esm', 'cjs'].map((format) => ({
    what: `webpack, ${format}`,
    packages: ['webpack', 'webpack-cli'],
    calls: [['webpack', 'build', '-c', `pack.${format}.cjs`]],
    made: `out/host.${suffix(format)}`,
  })),
  {
    what: 'Next.js, a route',
    packages: ['next', 'react', 'react-dom'],
    calls: [['next', 'build']],
    made: '.next/standalone/server.js',
    ask: askNext,
  },
  ...['esm', 'cjs'].map((format) => ({
    what: `bun build, ${format}, run by Node`,
    packages: ['bun'],
    calls: [
      ['bun', 'build', 'host.mjs', '--target=node', `--format=${format}`, `--outfile=out/host.${suffix(format)}`],
    ],
    made: `out/host.${suffix(format)}`,
  })),
  {
    what: 'bun build --compile',
    packages: ['bun'],
    calls: [['bun', 'build', 'host.mjs', '--compile', '--outfile=out/host']],
    made: 'out/host',
    by: [],
  },
  {
    what: `Node SEA, ${process.version}`,
    packages: ['esbuild', 'postject'],
    calls: [
      ['esbuild', 'host.mjs', '--bundle', '--platform=node', '--format=cjs', '--outfile=sea.cjs'],
      ['node', '--experimental-sea-config', 'sea.json'],
      ['cp', process.execPath, 'out/host'],
      ['postject', 'out/host', 'NODE_SEA_BLOB', 'sea.blob', '--sentinel-fuse', FUSE],
    ],
    made: 'out/host',
    by: [],
  },
]

const named = readNames(
  import.meta.url,
  BUNDLERS.map(({ what }) => what.split(/[ ,]/, 1).join()),
)
const root = mkdtempSync(join(tmpdir(), 'hookline-bundlers-'))
let failed = 0
const wanted = BUNDLERS.filter(({ what }) => named.some((name) => what.startsWith(name)))
/** @type {Map<string, string>} by package */
const versions = new Map()
try {
  prepare()
  console.log('| bundler | what comes of it |\n|---|---|')
  for (const bundler of wanted) console.log(`| ${bundler.what} | ${await outcomeOf(bundler)} |`)
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
  mkdirSync(join(root, 'project/.claude/skills/tidy'), { recursive: true })
  writeFileSync(join(root, 'project/.claude/skills/tidy/SKILL.md'), SKILL)
}

/** @param {Bundler} bundler */
async function outcomeOf({ packages, calls, made, by = [process.execPath], ask }) {
  const folder = mkdtempSync(join(root, 'bundle-'))
  const installed = installIn(folder, packages)
  if (installed !== null) return `skipped: ${installed}`
  writeFiles(folder)
  for (const [file = '', ...args] of calls) {
    const program = ['node', 'cp'].includes(file) ? file : join(folder, 'node_modules/.bin', file)
    const { status, stderr, stdout } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 300_000 })
    if (status !== 0) return told(`${file} failed: ${lastLines(stderr || stdout)}`)
  }
  if (ask !== undefined) {
    const said = await ask(folder)
    return said === SEEN ? `runs hooks (${versionsIn(packages)})` : told(`does not run: ${lastLines(said)}`)
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

/**
 * Starts the server that Next.js made, where nothing else is installed, and asks its route.
 * @param {string} folder
 */
async function askNext(folder) {
  const alone = mkdtempSync(join(root, 'alone-'))
  cpSync(join(folder, '.next/standalone'), alone, { recursive: true })
  const env = {
    ...process.env,
    PORT: '0',
    HOSTNAME: '127.0.0.1',
    PLACES: [join(root, 'project'), join(root, 'home')].join(),
  }
  const server = spawn(process.execPath, ['server.js'], { cwd: alone, env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let said = ''
    for await (const chunk of server.stdout) {
      said += chunk
      const port = /:(\d+)\s/.exec(said)?.[1]
      if (port !== undefined && said.includes('Ready'))
        return await (await fetch(`http://127.0.0.1:${port}/host`)).text()
    }
    return said
  } finally {
    server.kill()
  }
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
  const flags = ['--loglevel=error', '--no-audit', '--no-fund', '--prefer-offline', '--engine-strict=false']
  const args = ['install', ...flags, join(root, tarball), ...packages]
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
  mkdirSync(join(folder, 'app/host'), { recursive: true })
  writeFileSync(join(folder, 'app/layout.js'), LAYOUT)
  writeFileSync(join(folder, 'app/host/route.js'), ROUTE)
  writeFileSync(
    join(folder, 'next.config.mjs'),
    `export default { output: 'standalone', outputFileTracingRoot: import.meta.dirname }`,
  )
  writeFileSync(
    join(folder, 'sea.json'),
    JSON.stringify({ main: 'sea.cjs', output: 'sea.blob', disableExperimentalSEAWarning: true }),
  )
  for (const format of ['esm', 'cjs']) {
    const isModule = format === 'esm'
    const config = {
      mode: 'production',
      target: 'node20',
      entry: './host.mjs',
      experiments: { outputModule: isModule },
      output: {
        path: join(folder, 'out'),
        filename: `host.${suffix(format)}`,
        chunkFilename: `[name].${suffix(format)}`,
        ...(isModule ? { module: true, chunkFormat: 'module', library: { type: 'module' } } : {}),
      },
    }
    writeFileSync(join(folder, `pack.${format}.cjs`), `module.exports = ${JSON.stringify(config)}`)
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
