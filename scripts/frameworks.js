// Installs the packed package beside each framework that it has an adapter for, checks the types of its driver there, and runs
// its example and the battery, which the framework answers at once and then streams:
//   npm run frameworks            all of them
//   npm run frameworks -- ai-sdk  those of one adapter
// Needs the registry. Node 22 comes from npm too, where a framework asks for it and this Node is older.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readNames } from './read-options.js'
import { ROOT } from './tools.js'

/**
 * An adapter, what is installed with it (the framework first), and the Node that this needs. A package without a version is
 * that of the lock file.
 */
const INSTALLATIONS = [
  { adapter: 'ai-sdk', packages: ['ai@6', '@ai-sdk/openai-compatible@2'], node: 20 },
  { adapter: 'ai-sdk', packages: ['ai@7', '@ai-sdk/openai-compatible@3'], node: 22 },
  { adapter: 'claude-agent-sdk', packages: ['@anthropic-ai/claude-agent-sdk@0.3'], node: 20 },
  { adapter: 'langchain', packages: ['langchain', '@langchain/langgraph', '@langchain/openai'], node: 20 },
  { adapter: 'openai-agents', packages: ['@openai/agents@0.20'], node: 20 },
  { adapter: 'mastra', packages: ['@mastra/core@1'], node: 22 },
  { adapter: 'pi', packages: ['@earendil-works/pi-agent-core@0.87', '@earendil-works/pi-ai@0.87'], node: 22 },
]

/** The last words of every example. */
const END = '\nThe hall is lit, the cellar stays dark.\n'

/** The package with Node for this machine; `node` itself would have to run a script to get it. */
const NODE = `node-${process.platform}-${process.arch}`

/** Registries stop answering now and then, and npm waits for them: an installation is begun anew after a while. */
const INSTALL_TIMEOUT_MS = 240_000
const MAX_INSTALLATIONS = 3

/**
 * Packages of LangChain ask each other for ranges that not every registry can fill, and npm searches for a set without end: all
 * of them are those of the lock file.
 */
const LOCKED = readLockedVersions(/^(?:@langchain\/[^/]+|langchain)$/)

const wanted = readNames(
  import.meta.url,
  INSTALLATIONS.map(({ adapter }) => adapter),
)
const root = mkdtempSync(join(tmpdir(), 'hookline-frameworks-'))
try {
  main()
} finally {
  rmSync(root, { recursive: true, force: true })
}

function main() {
  const chosen = INSTALLATIONS.filter(({ adapter }) => wanted.includes(adapter))
  const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', root], {
    cwd: join(ROOT, 'packages/hookline'),
  })
  const tarball = join(root, packed.trim().split('\n').at(-1) ?? '')
  console.log('| adapter | with | Node | cases | streamed | what is not so |\n|---|---|---|---|---|---|')
  for (const installation of chosen) if (!isRight(tarball, installation)) process.exitCode = 1
}

/**
 * Prints the row of one installation; whether all cases passed there.
 *
 * @param {string} tarball
 * @param {typeof INSTALLATIONS[number]} installation
 */
function isRight(tarball, { adapter, packages, node }) {
  const older = Number(process.versions.node.split('.')[0]) < node
  const folder = mkdtempSync(join(root, 'host-'))
  try {
    const pinned = packages.map((name) => (LOCKED[name] === undefined ? name : `${name}@${LOCKED[name]}`))
    const all = [...pinned, 'zod@4', '@types/node@20', tarball, ...(older ? [`${NODE}@${node}`] : [])]
    const program = install(folder, { adapter, packages: all, withNode: older })
    const env = { ...process.env, HOME: join(folder, 'home') }
    run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder])
    const story = run(program, [join('example', 'agent.js')], { cwd: folder, env })
    if (!story.endsWith(END)) throw new Error(`The example ended otherwise: ${story}`)
    const runs = ['at-once', 'streamed'].map((how) => runBattery(program, [adapter, how], { cwd: folder, env }))
    const versions = packages.map((name) => versionOf(folder, name)).join(', ')
    const version = run(program, ['--version']).trim()
    const counts = runs.map(({ passed, cases }) => `${passed} of ${cases}`).join(' | ')
    const words = [...new Set(runs.flatMap(({ remarks }) => remarks))]
    console.log(`| ${adapter} | ${versions} | ${version} | ${counts} | ${words.join('; ')} |`)
    return runs.every(({ failed }) => failed === 0)
  } catch (error) {
    const { stdout, stderr, message } = Object(error) // what execFileSync throws
    const said = [stdout, stderr].filter(Boolean).join('\n').trim().slice(-2000) || message
    console.log(`| ${adapter} | ${packages.join(', ')} | ${node} | FAILED | | ${said} |`)
    return false
  }
}

/**
 * @param {RegExp} names
 * @returns {Record<string, string>}
 */
function readLockedVersions(names) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const all = Object.keys(packages).map((path) => [path.replace('node_modules/', ''), packages[path].version])
  return Object.fromEntries(all.filter(([name]) => names.test(name)))
}

/**
 * @param {string} folder
 * @param {string[]} packages
 */
function installPackages(folder, packages) {
  const args = ['install', '--no-audit', '--no-fund', '--engine-strict=false', '--loglevel=error', ...packages]
  for (let left = MAX_INSTALLATIONS - 1; ; left--) {
    try {
      run('npm', args, { cwd: folder, timeout: INSTALL_TIMEOUT_MS })
      return
    } catch (error) {
      if (left === 0 || Object(error).code !== 'ETIMEDOUT') throw error
    }
  }
}

/**
 * Runs the battery once; what came of it.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
function runBattery(program, args, options) {
  const seen = JSON.parse(
    run(program, ['run.js', ...args], options)
      .trim()
      .split('\n')
      .at(-1) ?? '',
  )
  /** @type {[string, { passed: boolean, why: string | null }][]} */
  const cases = Object.entries(seen)
  const remarked = cases.filter(([, { why }]) => why !== null)
  const remarks = remarked.map(
    ([name, { passed, why }]) => `${name}: ${passed ? '' : 'FAILED, '}${why?.split('\n')[0]}`,
  )
  const failed = cases.filter(([, { passed }]) => !passed).length
  return { cases: cases.length, passed: cases.length - remarked.length, failed, remarks }
}

/**
 * Makes a project with these packages and the battery in it; the Node to run it with.
 *
 * @param {string} folder
 * @param {{ adapter: string, packages: string[], withNode: boolean }} wanted
 */
function install(folder, { adapter, packages, withNode }) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides: LOCKED }))
  mkdirSync(join(folder, 'home'))
  cpSync(join(ROOT, 'scripts/frameworks'), folder, { recursive: true })
  cpSync(join(ROOT, 'examples', adapter), join(folder, 'example'), { recursive: true })
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, exactOptionalPropertyTypes: true }
  const checked = {
    ...compilerOptions,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: checked, files: [`drivers/${adapter}.js`] }),
  )
  installPackages(folder, packages)
  return withNode ? join(folder, 'node_modules', NODE, 'bin/node') : process.execPath
}

/**
 * @param {string} folder
 * @param {string} specifier
 */
function versionOf(folder, specifier) {
  const name = specifier.replace(/(.)@.*$/, '$1')
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return `${name} ${version}`
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number }} options
 * @returns {string}
 */
function run(file, args, options = {}) {
  return execFileSync(file, args, { encoding: 'utf8', timeout: 900_000, stdio: ['ignore', 'pipe', 'pipe'], ...options })
}
