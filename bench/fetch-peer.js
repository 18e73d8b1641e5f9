import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('.peers', import.meta.url))
const FETCH_LIMIT = 300_000

/**
 * The folder with a package of another project, which is installed there once; undefined where that is not possible. No
 * script of it is run by the installation, and nothing of ours depends on it.
 * @param {{ name: string, version: string }} peer
 * @param {{ onlyIfCached: boolean }} options
 */
export function fetchPeer({ name, version }, { onlyIfCached }) {
  const folder = join(CACHE, `${name}@${version}`)
  if (isInstalled(folder)) return folder
  if (onlyIfCached) return undefined
  console.error(`  installs ${name}@${version} into bench/.peers, once`)
  mkdirSync(folder, { recursive: true })
  const flags = ['--no-save', '--ignore-scripts', '--omit=optional', '--engine-strict=false', '--loglevel=error']
  spawnSync('npm', ['install', '--prefix', folder, ...flags, '--fetch-retries=1', `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: FETCH_LIMIT,
  })
  return isInstalled(folder) ? folder : undefined
}

/**
 * npm writes this file last.
 * @param {string} folder
 */
function isInstalled(folder) {
  return existsSync(join(folder, 'node_modules/.package-lock.json'))
}
