/**
 * `npm run fleet:demo`: a fleet server on loopback with three machines that are simulated: one of them lacks a guard that the others
 * have. Prints what to open. Ctrl+C ends it, or `--seconds N`.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { askServer, enrolMachine, sendBatch, startFleetServer } from './fleet/server.js'
import { SimulatedMachine } from './fleet/simulated-machine.js'
import { readCall } from './read-options.js'

const { values: flags, readNumber } = readCall(import.meta.url, {
  options: { seconds: { type: 'string' }, port: { type: 'string' } },
})
const NAMES = ['laptop of anna', 'laptop of bert', 'build machine']
const DAY_MS = 86_400_000
/** Records of the day before, and those that come while it runs. */
const FIRST_RECORDS = 400
const NEXT_RECORDS = 5
const INTERVAL_MS = 1000

const folder = mkdtempSync(join(tmpdir(), 'hookline-fleet-demo-'))
const server = await startFleetServer(['--data', folder, '--port', flags.port ?? '0'])
const ending = new AbortController()
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => ending.abort())
if (flags.seconds !== undefined) setTimeout(() => ending.abort(), 1000 * readNumber('seconds', 1)).unref()
try {
  const machines = await Promise.all(
    NAMES.map(async (name, at) => {
      const { key } = await enrolMachine(server, name)
      return new SimulatedMachine({ name, key, epoch: `demo${at}`, seed: at + 1, withBodies: at < 2, hasGuard: at < 2 })
    }),
  )
  for (const machine of machines)
    await send(machine, FIRST_RECORDS, (at) => Date.now() - DAY_MS + at * (DAY_MS / FIRST_RECORDS))
  const { alarms } = await askServer(server, 'v1/alarms')
  console.log(`A fleet of ${machines.length} machines at ${server.url}, with ${alarms.length} alarms:`)
  for (const { kind, because } of alarms) console.log(`  ${kind}: ${because}`)
  console.log(`Its page: ${server.url}page/open?key=${server.adminKey}`)
  console.log('Ctrl+C ends it.')
  while (!ending.signal.aborted) {
    for (const machine of machines) await send(machine, NEXT_RECORDS, () => Date.now())
    await wait(INTERVAL_MS, null, { signal: ending.signal }).catch(() => {}) // it ends
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** @param {SimulatedMachine} machine @param {number} count @param {(at: number) => number} timeOf */
async function send(machine, count, timeOf) {
  const response = await sendBatch(server.url, machine.key, machine.packBatch(count, timeOf))
  if (!response.ok) throw new Error(await response.text())
  await response.body?.cancel()
}
