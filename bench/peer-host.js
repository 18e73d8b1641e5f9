/**
 * A host for the measure of peers: loads the hook system of `@google/gemini-cli-core` from a folder, and takes up so
 * many mebibytes. A line `N` fires an event with N hooks through it and prints the milliseconds. With commands as the last
 * argument a line `call` fires an event with these, `memory` prints its mebibytes, and `end` its milliseconds of CPU. It imports
 * nothing of ours: starting a process costs more in a larger one.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [folder = '.', mebibytes, event = '{}', given = '[]'] = process.argv.slice(2)
/** @type {string[]} */
const guards = JSON.parse(given)
const toolInput = JSON.parse(event)
const WARM_UP = 3

const silent = () => {}
Object.assign(console, { debug: silent, log: silent, info: silent, warn: silent, error: silent })

const main = createRequire(join(folder, 'host.js')).resolve('@google/gemini-cli-core')
const { CoreEvent, HookSystem, coreEvents } = await import(pathToFileURL(main).href)
let succeeded = 0
coreEvents.on(CoreEvent.HookEnd, (/** @type {{ success: boolean }} */ { success }) => {
  if (success) succeeded++
})

const trues = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => `true #${at}`)
const events = new Map(
  guards.length > 0 ? [['call', guards]] : [1, 10, 100].map((count) => [String(count), trues(count)]),
)
const systems = new Map()
for (const [name, commands] of events) systems.set(name, { count: commands.length, system: await hookSystem(commands) })
for (const name of systems.keys()) {
  for (let left = WARM_UP; left > 0; left--) await timed(name)
}
const ballast = Array.from({ length: Number(mebibytes) }, () => Buffer.alloc(1024 * 1024, 1))
Object.assign(globalThis, { ballast }) // else it is collected while it should be measured
for await (const line of createInterface(process.stdin)) process.stdout.write(`${await answer(line)}\n`)
process.exit() // whatever the peer keeps open

/** @param {string} line */
function answer(line) {
  if (line === 'memory') return mebibytesUsed()
  if (line === 'end') return cpuMilliseconds()
  return timed(line)
}

/** Of this process, which keeps no others; pages that several have count in shares. */
function mebibytesUsed() {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync('/proc/self/smaps_rollup', 'latin1'))?.[1]) / 1024
}

/** Of this process, and of all that it has started and that have ended; the system counts in hundredths of a second. */
function cpuMilliseconds() {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10
}

/**
 * What it returns says nothing of hooks that print nothing, so those that ended well are counted.
 * @param {string} name
 */
async function timed(name) {
  const { count, system } = systems.get(name)
  const handler = system.getEventHandler()
  succeeded = 0
  const start = performance.now()
  await handler.fireBeforeToolEvent('run_shell_command', toolInput)
  const milliseconds = performance.now() - start
  if (succeeded !== count) throw new Error(`${succeeded} of ${count} hooks ran`)
  return milliseconds
}

/**
 * As much of a configuration as its hook system asks for: a trusted folder, no telemetry.
 * @param {readonly string[]} commands
 */
async function hookSystem(commands) {
  const hooks = commands.map((command) => ({ type: 'command', command }))
  const config = {
    getHooks: () => ({ BeforeTool: [{ hooks }] }),
    getProjectHooks: () => undefined,
    getDisabledHooks: () => [],
    getExtensions: () => [],
    isTrustedFolder: () => true,
    getUsageStatisticsEnabled: () => false,
    getSessionId: () => '00000000-0000-4000-8000-000000000000',
    getWorkingDir: () => folder,
    storage: { getPlansDir: () => folder },
    sanitizationConfig: {},
  }
  const system = new HookSystem({ ...config, config })
  await system.initialize()
  return system
}
