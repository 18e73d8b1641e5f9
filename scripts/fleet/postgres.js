import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listProcesses } from './process-tree.js'

const INSTALLED = '/usr/lib/postgresql'
const BIN = (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
  .map((version) => join(INSTALLED, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'initdb')))
const NOBODY = 65_534

/** Reason why no database can be started here; null where one can. @type {string | null} */
export const missingPostgres = BIN === undefined ? 'PostgreSQL is not installed' : null

/**
 * A database of a test's own.
 * @typedef {object} Cluster
 * @property {string} url
 * @property {import('node:child_process').ChildProcess} process
 * @property {string} folder
 * @property {(meanwhile: () => Promise<void>) => Promise<void>} crash ends it at once, waits for what happens meanwhile, and starts it again on the same data
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a cluster in a temp folder, on a free port of loopback, as a user that is not root. One that is not synced waits for no
 * disk: what ends its processes loses nothing of it all the same.
 * @param {{ isSynced?: boolean }} [options]
 * @returns {Promise<Cluster>}
 */
export async function startPostgres({ isSynced = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-pg-'))
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  execFileSync(`${BIN}/initdb`, ['-D', data, '-U', 'fleet', '-A', 'trust', '-N', '--no-locale', '-E', 'UTF8'], {
    ...options,
    stdio: 'ignore',
  })
  const port = await findPort()
  const url = `postgres://fleet@127.0.0.1:${port}/postgres`
  const own = ['-h', '127.0.0.1', '-k', folder, '-c', 'dynamic_shared_memory_type=mmap'] // it goes with the folder, however it ends
  const words = ['-D', data, '-p', String(port), ...own, ...(isSynced ? [] : ['-F'])]
  const start = async () => {
    const child = spawn(`${BIN}/postgres`, words, {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let told = ''
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        child.stderr.on('data', (text) => {
          told += text
          if (told.includes('ready to accept connections')) resolve()
        })
        child.once('exit', () => reject(new Error(`PostgreSQL ended: ${told}`)))
      })
    )
    return child
  }
  let running = await start()
  /** Ends all its processes at once, as a power cut does, and waits for each: one that is left keeps the next start away. */
  const end = async () => {
    const pids = listProcesses(running.pid ?? 0)
    running.removeAllListeners('exit')
    for (const pid of pids) endProcess(pid)
    while (running.exitCode === null && running.signalCode === null) await pause(POLL_MS)
    while (pids.some(isAlive)) await pause(POLL_MS)
  }
  return {
    url,
    folder: data,
    get process() {
      return running
    },
    crash: async (meanwhile) => {
      await end()
      await meanwhile()
      running = await start()
    },
    stop: async () => {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const POLL_MS = 10

/** True for a process that is there, and no zombie that nobody has waited for yet. @param {number} pid */
function isAlive(pid) {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** @param {number} pid */
function endProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // it ended meanwhile
}

/** A port of loopback that is free now. @returns {Promise<number>} */
export function findPort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
