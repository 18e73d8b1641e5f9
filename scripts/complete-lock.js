/**
 * Adds to package-lock.json, or to that of a folder that is named, a stub for every optional dependency it lacks. npm leaves out a platform package that the
 * registry in use does not have, and `npm ci` then refuses the lock. npm runs this itself after each change of the
 * dependencies (script `dependencies`); it changes nothing when the lock is complete.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tools.js'

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[],
 *   optionalDependencies?: Record<string, string> }} Entry
 * @typedef {{ packages: Record<string, Entry> }} Lock
 */

const PLATFORM =
  /(?:(?<os>aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-)?(?<cpu>arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)(?:-(?<abi>[a-z]+))?$/
/** @type {Record<string, string>} */
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

const path = join(process.argv[2] ?? ROOT, 'package-lock.json')
/** @type {Lock} */
const lock = JSON.parse(readFileSync(path, 'utf8'))
const stubs = missingStubs(lock)

if (stubs.length > 0) {
  const packages = [...Object.entries(lock.packages), ...stubs].sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
  console.log(`package-lock.json: added ${stubs.length} optional packages that the registry does not have.`)
}

/**
 * @param {Lock} lock
 * @returns {[string, Entry][]}
 */
function missingStubs({ packages }) {
  return Object.entries(packages).flatMap(([parent, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !packages[`node_modules/${name}`] && !packages[`${parent}/node_modules/${name}`])
      .map(
        ([name, version]) => /** @type {[string, Entry]} */ ([`node_modules/${name}`, stub({ name, version, dev })]),
      ),
  )
}

/**
 * What can be known without the package: its name says for which system it is. There is no integrity.
 * @param {{ name: string, version: string, dev: boolean | undefined }} wanted
 * @returns {Entry}
 */
function stub({ name, version, dev }) {
  const { os, cpu, abi } = PLATFORM.exec(name)?.groups ?? {}
  if (!cpu || !/^\d+\.\d+\.\d+/.test(version)) {
    throw new Error(`${name}@${version} is not in the lock, and its name and version do not say what to add.`)
  }
  const libc = LIBC[abi ?? '']
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  }
}
