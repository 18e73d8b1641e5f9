import { spawn } from 'node:child_process'
import { chownSync, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findPort } from './postgres.js'

// Debian has it where the path of a user does not lead.
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin']
const COMMAND = FOLDERS.map((folder) => join(folder, 'nats-server')).find((path) => existsSync(path))
const NOBODY = 65_534

/** Reason why no stream can be started here; null where one can. @type {string | null} */
export const missingNats = COMMAND === undefined ? 'nats-server is not installed' : null

/**
 * Servers of NATS of a test's own.
 * @typedef {object} NatsServers
 * @property {string} url addresses of all of them
 * @property {readonly (() => Promise<void>)[]} crashes ends one of them at once, as a power cut does
 * @property {(at: number) => Promise<void>} restart
 * @property {() => Promise<void>} stop
 */

/**
 * Starts servers with JetStream in a temp folder, on free ports of loopback, as a user that is not root: a cluster where there are several.
 * @param {{ count: number, config?: string }} options
 * @returns {Promise<NatsServers>}
 */
export async function startNats({ count, config = '' }) {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-nats-'))
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid !== undefined) chownSync(folder, NOBODY, NOBODY)
  const places = await Promise.all(
    Array.from({ length: count }, async () => ({ port: await findPort(), route: await findPort() })),
  )
  const routes = places.map(({ route }) => `nats://127.0.0.1:${route}`).join(',')
  const settings = join(folder, 'nats.conf')
  await writeFile(settings, config, { mode: 0o644 })
  /** @param {number} at */
  const start = async (at) => {
    const { port = 0, route = 0 } = places[at] ?? {}
    const cluster =
      count === 1 ? [] : ['--cluster_name', 'fleet', '--cluster', `nats://127.0.0.1:${route}`, '--routes', routes]
    const child = spawn(
      COMMAND ?? '',
      [
        ...['-c', settings, '-a', '127.0.0.1', '-p', String(port), '-n', `n${at}`],
        ...['-js', '-sd', join(folder, `n${at}`), ...cluster],
      ],
      { ...user, cwd: folder, env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let told = ''
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        child.stderr.on('data', (text) => {
          if (told.length < 100_000) told += text
          if (told.includes('Server is ready')) resolve()
        })
        child.once('exit', () => reject(new Error(`nats-server ended: ${told}`)))
      })
    )
    return child
  }
  const running = await Promise.all(places.map((_, at) => start(at)))
  /** @param {number} at @returns {Promise<void>} */
  const end = (at) =>
    new Promise((resolve) => {
      const child = running[at]
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve()
      child.removeAllListeners('exit')
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  return {
    url: places.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    crashes: places.map((_, at) => () => end(at)),
    restart: async (at) => {
      running[at] = await start(at)
    },
    stop: async () => {
      await Promise.all(places.map((_, at) => end(at)))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
