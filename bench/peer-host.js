/**
 * A host for the measure of peers: loads the hook system of `@google/gemini-cli-core` from a folder, and takes up so
 * many mebibytes. A line `N` fires an event with N hooks through it and prints the milliseconds. It imports nothing of
 * ours: starting a process costs more in a larger one.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [folder = '.', mebibytes, event = '{}'] = process.argv.slice(2)
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

const systems = new Map([
  [1, await hookSystem(1)],
  [10, await hookSystem(10)],
  [100, await hookSystem(100)],
])
for (const count of systems.keys()) {
  for (let left = WARM_UP; left > 0; left--) await timed(count)
}
const ballast = Array.from({ length: Number(mebibytes) }, () => Buffer.alloc(1024 * 1024, 1))
Object.assign(globalThis, { ballast }) // else it is collected while it should be measured
for await (const line of createInterface(process.stdin)) process.stdout.write(`${await timed(Number(line))}\n`)
process.exit() // whatever the peer keeps open

/**
 * What it returns says nothing of hooks that print nothing, so those that ended well are counted.
 * @param {number} count
 */
async function timed(count) {
  const handler = systems.get(count).getEventHandler()
  succeeded = 0
  const start = performance.now()
  await handler.fireBeforeToolEvent('run_shell_command', toolInput)
  const milliseconds = performance.now() - start
  if (succeeded !== count) throw new Error(`${succeeded} of ${count} hooks ran`)
  return milliseconds
}

/**
 * As much of a configuration as its hook system asks for: a trusted folder, no telemetry.
 * @param {number} count
 */
async function hookSystem(count) {
  const commands = Array.from({ length: count }, (_, at) => ({ type: 'command', command: `true #${at}` }))
  const config = {
    getHooks: () => ({ BeforeTool: [{ hooks: commands }] }),
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
