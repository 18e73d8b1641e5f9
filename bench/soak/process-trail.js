import { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Trail of the processes of this host: how each was started, and every signal that was sent. Read only when a soak finds
 * a process that should have ended.
 */

/** Entries kept; a soak starts and ends far more processes than are ever left. */
const MAX_ENTRIES = 20_000
/** Lines of the stack that led to a start or a signal. */
const MAX_STACK_LINES = 8

/** @typedef {{ at: number, pid: number, text: string, stack: string }} TrailEntry */

/** @type {TrailEntry[]} */
const trail = []

/** Notes every start and signal of this process from now on. */
export function startTrail() {
  const prototype = Object(ChildProcess.prototype) // its method is not among the documented ones
  const { spawn } = prototype
  prototype.spawn = /** @this {ChildProcess} @param {{ file: string }} options */ function spawnNoted(options) {
    const result = spawn.call(this, options)
    const pid = this.pid ?? 0
    note(pid, `started ${options.file}`)
    this.once('exit', (code, signal) => note(pid, `exited with ${code ?? signal}`))
    return result
  }
  const { kill } = process
  process.kill = function killNoted(pid, signal) {
    try {
      const result = kill.call(process, pid, signal)
      if (signal !== 0) note(pid, `sent ${signal}`)
      return result
    } catch (error) {
      if (signal !== 0) note(pid, `not sent ${signal}: ${Object(error).code}`)
      throw error
    }
  }
}

/**
 * Describes the processes that have a token in their environment: family, age and everything that was noted of them.
 * @param {string} token
 */
export function describeLeftProcesses(token) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readProc(pid, 'environ').includes(token))
    .map((pid) => describeProcess(pid))
}

/** @param {string} pid */
function describeProcess(pid) {
  const [state, parent, group, session] = readProc(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  const numbers = [...new Set([pid, parent, group, session].map(Number))].filter((one) => one !== process.pid)
  const noted = trail.filter((entry) => numbers.includes(Math.abs(entry.pid)))
  const waits = readProc(pid, 'wchan')
  const signals = readProc(pid, 'status').match(/^(?:SigPnd|ShdPnd|SigBlk|SigIgn):.*$/gm) ?? []
  const command = readProc(pid, 'cmdline').replaceAll('\0', ' ')
  return [
    `process ${pid} "${command}", state ${state} in ${waits}, parent ${parent}, group ${group}, session ${session}`,
    `  ${signals.join(', ').replaceAll('\t', ' ')}`,
    ...noted.map(({ at, pid: to, text, stack }) => `  at ${at.toFixed(0)} ms, ${to}: ${text}${stack}`),
    `  seen at ${performance.now().toFixed(0)} ms`,
  ].join('\n')
}

/**
 * @param {number} pid negative for a group
 * @param {string} text
 */
function note(pid, text) {
  const stack = (new Error('trail').stack ?? '').split('\n').slice(3, 3 + MAX_STACK_LINES)
  trail.push({ at: performance.now(), pid, text, stack: stack.map((line) => `\n      ${line.trim()}`).join('') })
  if (trail.length > MAX_ENTRIES) trail.splice(0, MAX_ENTRIES / 2)
}

/**
 * @param {string} pid
 * @param {string} file
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return '' // gone, or not ours
  }
}
