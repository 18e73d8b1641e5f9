import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * What a process holds that it could forget to give back: how many of each thing, by its name.
 * @typedef {Map<string, number>} Resources
 */

/** Lets Node open what it keeps open from its first child process on, and close the rest. */
export async function startChildOnce() {
  await new Promise((resolve) => spawn('true').on('close', resolve))
  await pause(200)
}

/**
 * Everything this process holds now. Linux only.
 * @param {{ temp: string, token: string, signal: AbortSignal }} where
 * @returns {Resources}
 */
export function usedResources({ temp, token, signal }) {
  const processes = allProcesses()
  return counted([
    ...openDescriptors(),
    ...processes
      .filter(({ parent }) => parent === process.pid)
      .map(({ pid, state }) => (state === 'Z' ? 'zombie' : `child process ${commandOf(pid)}`)),
    ...processes
      .filter(({ pid }) => read(`/proc/${pid}/environ`).includes(token))
      .map(({ pid }) => `process with the environment of a hook ${commandOf(pid)}`),
    ...process.getActiveResourcesInfo().map((type) => `active ${type}`),
    ...process
      .eventNames()
      .flatMap((name) => process.listeners(/** @type {'exit'} */ (name)).map(() => `listener of ${String(name)}`)),
    ...getEventListeners(signal, 'abort').map(() => 'listener of the long-lived signal'),
    ...readdirSync(temp).map((name) => `temp ${name.replace(/-[^-]*$/, '-*')}`),
  ])
}

/** @param {string | number} pid */
function commandOf(pid) {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, MAX_COMMAND_CHARS)
}

const MAX_COMMAND_CHARS = 100

/** What the names of resources begin with, by what they are in a report. */
const KINDS = {
  descriptors: 'descriptor of',
  'child processes': 'child process',
  zombies: 'zombie',
  'processes of hooks': 'process with',
  'active handles and timers': 'active',
  listeners: 'listener of',
  'temp files': 'temp',
}

/**
 * How many there are of each kind.
 * @param {Resources} resources
 */
export function countsByKind(resources) {
  return Object.entries(KINDS)
    .map(([kind, start]) => {
      const counts = [...resources].filter(([name]) => name.startsWith(start)).map(([, count]) => count)
      return `${counts.reduce((total, count) => total + count, 0)} ${kind}`
    })
    .join(', ')
}

/** @param {string[]} names */
function counted(names) {
  /** @type {Resources} */
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** What the descriptors of this process lead to, without numbers; the one that lists them is not counted. */
function openDescriptors() {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      return [`descriptor of ${readlinkSync(`/proc/self/fd/${number}`).replace(/\d+/g, 'N')}`]
    } catch {
      return [] // closed again
    }
  })
}

function allProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      const [state, parent] = read(`/proc/${pid}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ')
      return { pid, state, parent: Number(parent) }
    })
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // gone, or not ours
  }
}
