/**
 * A host for the measures of a session: has an event with the commands that it is given. A line `call` fires it and prints
 * the milliseconds, `memory` prints the mebibytes of this process and of those that it has started, and `end` closes the
 * session and prints the milliseconds of CPU that all of it took. The first argument says how hooks are started: `cold`, `warm`, or
 * `spawn`, by hand. With `only` after the commands, a call whose interpreters were not ready is fired again.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { runAll } from './measures/spawning.js'
import { BASH_CALL, withEngine } from './project.js'

const [way = '', given = '[]', only = ''] = process.argv.slice(2)
/** @type {string[]} */
const commands = JSON.parse(given)
const WARM_UP = 3
/** What an interpreter takes to come to its wait, with some to spare. */
const PAUSE_MS = 150
/** Of the system's clock, by which it counts CPU time. */
const TICK_MS = 10

if (way === 'spawn') {
  const payload = Buffer.from(`${JSON.stringify(BASH_CALL)}\n`)
  const fire = () => runAll(commands, payload)
  for (let left = WARM_UP; left > 0; left--) await fire()
  await serve(fire)
} else {
  const hooks = { PreToolUse: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] }
  await withEngine(hooks, serveEngine, { warm: way === 'warm' ? 'auto' : 'off' })
}
console.log(String(cpuMilliseconds()))

/** @param {import('hookline').Engine} engine */
async function serveEngine(engine) {
  let isReady = true
  const fire = async () => {
    const { hooks } = await engine.dispatch(BASH_CALL)
    if (hooks.some(({ exitCode }) => exitCode !== 0)) throw new Error('a guard did not do what it is for')
    isReady =
      way === 'cold' || hooks.every(({ launcher, command }) => launcher === 'warm' || command?.startsWith('bash'))
  }
  for (let left = WARM_UP; left > 0; left--) {
    await fire()
    await pause(2 * PAUSE_MS)
  }
  await serve(fire, () => !isReady)
}

/**
 * @param {() => Promise<unknown>} fire
 * @param {() => boolean} isAgain
 */
async function serve(fire, isAgain = () => false) {
  for await (const line of createInterface(process.stdin)) {
    if (line === 'end') return
    console.log(String(line === 'memory' ? memory() : await call(fire, isAgain)))
  }
}

/**
 * @param {() => Promise<unknown>} fire
 * @param {() => boolean} isAgain
 */
async function call(fire, isAgain) {
  for (let left = 50; ; left--) {
    const start = performance.now()
    await fire()
    const milliseconds = performance.now() - start
    if (only === '' || !isAgain()) return milliseconds
    if (left === 0) throw new Error('no interpreter was ready')
    await pause(PAUSE_MS)
  }
}

/** Of this process, and of all that descend from it; pages that several have count in shares. */
function memory() {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [pid, read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1]]),
  )
  const own = new Set([String(process.pid)])
  for (const before = { size: 0 }; before.size < own.size; ) {
    before.size = own.size
    for (const [pid, parent] of parents) if (own.has(parent ?? '')) own.add(pid)
  }
  const kibibytes = [...own].map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0))
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024
}

/** Of this process, and of all descendants that have ended. */
function cpuMilliseconds() {
  const fields = read('/proc/self/stat').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // gone
  }
}
