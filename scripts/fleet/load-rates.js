/** Rates of a fleet server: as fast as it takes records, and at a steady pace. */
import { listProcesses } from './process-tree.js'
import { askServer, enrolMachine, measureCpu, sendBatch } from './server.js'
import { SimulatedMachine } from './simulated-machine.js'

const MACHINES = 8
const MAX_BATCH_RECORDS = 500
const STEADY_BATCH_RECORDS = 70
const DAY_MS = 86_400_000

/** @typedef {import('./server.js').FleetServer} FleetServer */
/** @typedef {import('./postgres.js').Cluster | null} Cluster */

/**
 * Sends records as fast as they are taken. Counted is the CPU of the server and its database, not of the machines.
 * @param {FleetServer} server
 * @param {{ level: 'facts' | 'redacted', records: number, pids: readonly number[], cluster: Cluster }} options
 */
export async function measureRate(server, { level, records, pids, cluster }) {
  const tenant = `rate-${level}`
  const machines = await enrolMachines(server, { tenant, withBodies: level === 'redacted' })
  const { batches, size } = splitRecords(records, machines.length)
  const now = Date.now()
  const packed = []
  for (const machine of machines) {
    const list = []
    for (let at = 0; at < batches; at++) {
      list.push(machine.packBatch(size, (line) => now - DAY_MS + (at * size + line) * 37))
      await new Promise((resolve) => setImmediate(resolve)) // connections that the server closed are seen
    }
    packed.push({ machine, batches: list })
  }
  const bytesBefore = await measureBytes(server, { tenant, cluster })
  const cpuBefore = measureTree(pids)
  await Promise.all(
    packed.map(async ({ machine, batches: list }) => {
      for (const batch of list) await sendUntilTaken(server, machine, batch)
    }),
  )
  const cpu = measureTree(pids) - cpuBefore
  const taken = machines.length * batches * size
  const bytes = (await measureBytes(server, { tenant, cluster })) - bytesBefore
  return { rate: taken / cpu, bytes: bytes / taken }
}

/**
 * The batches that each machine sends, so that a short run has no more records than it says.
 * @param {number} records
 * @param {number} machines
 */
export function splitRecords(records, machines) {
  const size = Math.min(MAX_BATCH_RECORDS, Math.ceil(records / machines))
  return { batches: Math.ceil(records / machines / size), size }
}

/**
 * Sends records at a steady pace. Returns the time of the slowest acknowledgements.
 * @param {FleetServer} server
 * @param {{ perSecond: number, seconds: number }} options
 */
export async function measureSteady(server, { perSecond, seconds }) {
  const machines = await enrolMachines(server, { tenant: 'steady', withBodies: false, count: 30 })
  const waits = /** @type {number[]} */ ([])
  const gapMs = 1000 / (perSecond / STEADY_BATCH_RECORDS)
  const began = performance.now()
  const sent = /** @type {Promise<void>[]} */ ([])
  const last = new Map(machines.map((machine) => [machine, Promise.resolve()]))
  const batches = Math.floor((seconds * 1000) / gapMs)
  for (let at = 0; at < batches; at++) {
    const machine = machines[at % machines.length]
    if (machine === undefined) break
    const due = began + at * gapMs
    const early = due - performance.now()
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    const batch = machine.packBatch(STEADY_BATCH_RECORDS, () => Date.now())
    const turn = (last.get(machine) ?? Promise.resolve()).then(async () => {
      await sendUntilTaken(server, machine, batch)
      waits.push(performance.now() - due)
    })
    last.set(machine, turn)
    sent.push(turn)
  }
  await Promise.all(sent)
  const slowest = waits.sort((a, b) => a - b)
  return { p99: slowest[Math.floor(slowest.length * 0.99)] ?? 0, taken: batches * STEADY_BATCH_RECORDS }
}

/**
 * @param {FleetServer} server
 * @param {{ tenant: string, withBodies: boolean, count?: number, project?: string | undefined }} options
 */
export function enrolMachines(server, { tenant, withBodies, count = MACHINES, project }) {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const { key } = await enrolMachine(server, `${tenant}-${at}`, tenant)
      const epoch = `${tenant.replaceAll('-', '')}${at}`
      return new SimulatedMachine({
        name: `${tenant}-${at}`,
        key,
        epoch,
        seed: at + 1,
        withBodies,
        ...(project === undefined ? {} : { project }),
      })
    }),
  )
}

/**
 * @param {FleetServer} server
 * @param {SimulatedMachine} machine
 * @param {Uint8Array<ArrayBuffer>} batch
 */
export async function sendUntilTaken({ url }, machine, batch) {
  for (;;) {
    const response = await sendBatch(url, machine.key, batch)
    const text = await response.text()
    if (response.ok) return
    if (response.status !== 429 && response.status < 500) throw new Error(`${response.status} ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 1)))
  }
}

/**
 * @param {FleetServer} server
 * @param {{ tenant: string, cluster: Cluster }} options
 */
async function measureBytes(server, { tenant }) {
  const { bytes } = await askServer(server, `v1/size?tenant=${tenant}`)
  return bytes
}

/** @param {readonly number[]} pids */
export function measureTree(pids) {
  return measureCpu(pids.flatMap(listProcesses))
}
