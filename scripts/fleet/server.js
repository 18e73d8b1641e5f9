/** A fleet server that a script or a test starts from the build, and asks. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../tools.js'

const COMMAND = join(ROOT, 'packages/fleet/bin/hookline-fleet.js')
const START_TIMEOUT_MS = 60_000

/**
 * @typedef {object} FleetServer
 * @property {import('node:child_process').ChildProcess} process
 * @property {string} url
 * @property {string} adminKey
 * @property {string} token
 * @property {() => string} readLog
 * @property {(signal?: NodeJS.Signals) => Promise<number | null>} stop
 */

/**
 * Starts a server on loopback, and waits until it says that it listens.
 * @param {readonly string[]} args
 * @param {{ node?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<FleetServer>}
 */
export async function startFleetServer(args, { node = process.execPath, env = {} } = {}) {
  const child = spawn(node, [COMMAND, 'serve', '--quiet', ...args], { env: { ...process.env, ...env } })
  let [printed, told] = ['', '']
  child.stderr.on('data', (text) => {
    told += text
  })
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the server says nothing: ${told}`)), START_TIMEOUT_MS)
      child.stdout.on('data', (text) => {
        printed += text
        if (!printed.includes('Ctrl+C')) return
        clearTimeout(timer)
        resolve()
      })
      child.once('exit', () => {
        clearTimeout(timer)
        reject(new Error(`it ended: ${told}`))
      })
    })
  )
  const [, url = '', token = ''] = /enrol (\S+) (\S+)/.exec(printed) ?? []
  const [, adminKey = ''] = /key=(\S+)/.exec(printed) ?? []
  return {
    ...{ process: child, url, adminKey, token, readLog: () => told },
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
        child.once('exit', (code) => resolve(code))
        child.kill(signal)
      }),
  }
}

/**
 * Asks a server as its administrator. Throws what it answers where it refuses.
 * @param {Pick<FleetServer, 'url' | 'adminKey'>} server
 * @param {string} path
 * @param {{ method?: string, body?: string }} [init]
 * @returns {Promise<any>}
 */
export async function askServer({ url, adminKey }, path, init = {}) {
  const response = await fetchPatiently(new URL(path, url), {
    ...init,
    headers: { authorization: `Bearer ${adminKey}` },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
}

/**
 * Enrols a machine. Returns its key.
 * @param {Pick<FleetServer, 'url' | 'adminKey'>} server
 * @param {string} name
 * @param {string} [tenant]
 * @returns {Promise<{ machine: string, key: string }>}
 */
export async function enrolMachine(server, name, tenant = 'default') {
  const { token } = await askServer(server, `v1/tokens?tenant=${tenant}`, { method: 'POST' })
  return askServer(server, 'v1/enrol', { method: 'POST', body: JSON.stringify({ token, name }) })
}

/**
 * Sends a packed batch as a machine.
 * @param {string} url
 * @param {string} key
 * @param {Uint8Array<ArrayBuffer>} body
 */
export function sendBatch(url, key, body) {
  return fetchPatiently(new URL('v1/records', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body,
  })
}

const MAX_ATTEMPTS = 5

/** Asks again where the server has closed a connection that stood idle while this process was busy. @param {URL} address @param {RequestInit} init */
async function fetchPatiently(address, init) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(address, init)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
    }
  }
}

const TICKS_PER_SECOND = 100

/** Seconds of CPU that processes and those that they waited for have used. @param {readonly number[]} pids */
export function measureCpu(pids) {
  let ticks = 0
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    for (const field of fields.slice(11, 15)) ticks += Number(field)
  }
  return ticks / TICKS_PER_SECOND
}
