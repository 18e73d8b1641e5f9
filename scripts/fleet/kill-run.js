/** A fleet whose parts are killed at random while hosts decide events, and what is left of the records in the end. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../tools.js'
import { startBalancer } from './balancer.js'
import { startNats } from './nats.js'
import { findPort, startPostgres } from './postgres.js'
import { askServer, startFleetServer } from './server.js'
import { drawNumbers } from './simulated-machine.js'

const HOST = fileURLToPath(new URL('kill-host.js', import.meta.url))
const HOOKLINE = join(ROOT, 'packages/hookline/bin/hookline.js')
const MACHINES = 2
/** Events that a host is asked for at once: it is killed in the middle of them. */
const PORTION = 40
const MAX_SHIPMENTS = 20

/**
 * @typedef {object} Verdict
 * @property {Record<string, number>} kills by part
 * @property {number} decided events whose decision a host had
 * @property {number} acknowledged records that machines were told are stored
 * @property {number} stored
 * @property {string[]} lost decided and not stored, or acknowledged and not stored
 * @property {number} unwritten decided by a host that had said that its disk is slow, and killed before it was written
 * @property {number} doubled stored or counted more than once
 * @property {string[]} stalled parts without which nothing was acknowledged any more; with a stream there should be none
 */

/**
 * Parts of a fleet that are killed and started again. `meanwhile` happens while the part is away.
 * @typedef {object} Parts
 * @property {string} url that machines send to
 * @property {() => import('./server.js').FleetServer} server that is asked in the end
 * @property {Record<string, (meanwhile: () => Promise<void>) => Promise<void>>} kill
 * @property {boolean} isStanding true where every one of them may be away, and records are still taken
 * @property {() => string} readLogs
 * @property {() => Promise<void>} stop
 */

/** Lines of the servers' logs that are shown where a run fails. */
const MAX_LOG_LINES = 12

/**
 * Kills parts of a fleet, one after the other, each followed by its restart. `stream`: three servers, three of NATS, and PostgreSQL.
 * @param {{ store: 'sqlite' | 'postgres' | 'stream', kills: number, events: number, seed: number, note: (line: string) => void }} options
 * @returns {Promise<Verdict>}
 */
export async function killFleet({ store, kills, events, seed, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-kill-'))
  const draw = drawNumbers(seed)
  const fleet = await (store === 'stream' ? startStanding(folder, draw) : startSingle(folder, store))
  /** @type {Machine[]} */
  let machines = []
  /** @type {string[]} */
  const stalled = []
  try {
    machines = await Promise.all(
      Array.from({ length: MACHINES }, (_, at) => startMachine(folder, { name: `m${at}`, fleet })),
    )
    /** @type {Parts['kill']} */
    const parts = {
      host: () => pick(machines, draw).restartHost(),
      shipper: () => pick(machines, draw).restartShipper(),
      ...fleet.kill,
    }
    const names = Object.keys(parts)
    /** @type {Record<string, number>} */
    const counts = {}
    for (let kill = 0; kill < kills; kill++) {
      const due = ((kill + draw()) * events) / kills
      await decideUntil(machines, due)
      for (const machine of machines) machine.decideMore() // the kill comes in the middle of these
      const part = fleet.isStanding ? (names[kill % names.length] ?? '') : pick(names, draw)
      const goOn = async () => {
        if (!fleet.isStanding) return
        if (!(await waitForAcknowledgement(machines))) stalled.push(part)
      }
      await parts[part]?.(goOn)
      counts[part] = (counts[part] ?? 0) + 1
      if (kills <= 20 || kill % 20 === 19) note(`${kill + 1} kills, ${sum(machines)} events`)
    }
    await decideUntil(machines, events)
    for (const machine of machines) await machine.finish()
    if (fleet.isStanding) await waitForStream(fleet.server())
    return { kills: counts, stalled, ...(await judge(fleet.server(), machines)) }
  } catch (error) {
    note(fleet.readLogs().split('\n').slice(-MAX_LOG_LINES).join('\n'))
    throw error
  } finally {
    for (const machine of machines) machine.stop()
    await fleet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One server, on a folder or on a database. @param {string} folder @param {'sqlite' | 'postgres'} store @returns {Promise<Parts>} */
async function startSingle(folder, store) {
  const cluster = store === 'postgres' ? await startPostgres() : null
  const port = String(await findPort())
  const args = ['--data', join(folder, 'data'), '--port', port, ...(cluster === null ? [] : ['--store', cluster.url])]
  let server = await startFleetServer(args)
  return {
    url: server.url,
    server: () => server,
    readLogs: () => server.readLog(),
    isStanding: false,
    kill: {
      server: async () => {
        await server.stop('SIGKILL')
        server = await startFleetServer(args)
      },
      ...(cluster === null ? {} : { postgres: cluster.crash }),
    },
    stop: async () => {
      await server.stop()
      await cluster?.stop()
    },
  }
}

const SERVERS = 3

/** Three servers behind a balancer, three of NATS, and a database. @param {string} folder @param {() => number} draw @returns {Promise<Parts>} */
async function startStanding(folder, draw) {
  const cluster = await startPostgres()
  const nats = await startNats({ count: SERVERS })
  const ports = await Promise.all(Array.from({ length: SERVERS }, findPort))
  /** @param {number} port */
  const start = (port) =>
    startFleetServer([
      ...['--data', join(folder, 'data'), '--port', String(port)],
      ...['--store', cluster.url, '--stream', nats.url],
    ])
  const servers = [await start(ports[0] ?? 0)] // makes the owner's key, which all of them have
  for (const port of ports.slice(1)) servers.push(await start(port))
  const balancer = await startBalancer(ports)
  const choose = () => Math.floor(draw() * SERVERS)
  return {
    url: `http://127.0.0.1:${balancer.port}/`,
    server: () => {
      const [first] = servers
      if (first === undefined) throw new Error('there is no server')
      return first
    },
    readLogs: () => servers.map((server) => server.readLog()).join(''),
    isStanding: true,
    kill: {
      server: async (meanwhile) => {
        const at = choose()
        await servers[at]?.stop('SIGKILL')
        await meanwhile()
        servers[at] = await start(ports[at] ?? 0)
      },
      postgres: cluster.crash,
      nats: async (meanwhile) => {
        const at = choose()
        await nats.crashes[at]?.()
        await meanwhile()
        await nats.restart(at)
      },
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')))
      await balancer.stop()
      await nats.stop()
      await cluster.stop()
    },
  }
}

const MAX_STALL_MS = 120_000

/** Has hosts decide until more is acknowledged than is now. False where that takes too long. @param {readonly Machine[]} machines */
async function waitForAcknowledgement(machines) {
  const count = () => machines.reduce((all, machine) => all + machine.countAcknowledged(), 0)
  const before = count()
  for (const end = Date.now() + MAX_STALL_MS; Date.now() < end; ) {
    for (const machine of machines) machine.decideMore()
    await Promise.race(machines.map((machine) => machine.nextEvent()))
    if (count() > before) return true
    await pause(PROBE_MS)
  }
  return false
}

const PROBE_MS = 100

/** Waits until the store has what is in the stream. @param {import('./server.js').FleetServer} server */
async function waitForStream(server) {
  for (const end = Date.now() + MAX_STALL_MS; Date.now() < end; await pause(PROBE_MS))
    if (/^hookline_fleet_stream_waiting 0$/m.test(await askServer(server, 'metrics'))) return
  throw new Error('the store does not take what is in the stream')
}

/** Has hosts decide until there are so many events. @param {readonly Machine[]} machines @param {number} due */
async function decideUntil(machines, due) {
  while (sum(machines) < due) {
    for (const machine of machines) machine.decideMore()
    await Promise.race(machines.map((machine) => machine.nextEvent()))
  }
}

/** @param {readonly Machine[]} machines */
const sum = (machines) => machines.reduce((all, { decided }) => all + decided.size, 0)

/** @template Item @param {readonly Item[]} items @param {() => number} draw @returns {Item} */
function pick(items, draw) {
  const item = items[Math.floor(draw() * items.length)]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}

/** A home with a host and a shipper. */
class Machine {
  /** Ids of records whose decision the host had. @type {Set<string>} */
  decided = new Set()
  /** Segments of which a host said that the disk is slow. @type {Set<string>} */
  slow = new Set()
  /** @type {import('node:child_process').ChildProcess | null} */
  #host = null
  /** @type {import('node:child_process').ChildProcess | null} */
  #shipper = null
  /** Events that the host was asked for and has not decided. */
  #asked = 0
  /** @type {(() => void)[]} */
  #waiting = []

  /** @param {string} home @param {string} id */
  constructor(home, id) {
    this.home = home
    this.id = id
    this.#startHost()
    this.#startShipper()
  }

  /** @returns {Promise<void>} */
  nextEvent() {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Asks the host for a few more events, where it has nothing left to decide. */
  decideMore() {
    if (this.#asked > 0) return
    this.#asked = PORTION
    this.#host?.stdin?.write(`${PORTION}\n`)
  }

  async restartHost() {
    await kill(this.#host)
    this.#startHost()
  }

  async restartShipper() {
    await kill(this.#shipper)
    this.#startShipper()
  }

  /** Ends the host as it should end, and sends what is left. */
  async finish() {
    const host = this.#host
    const ended = new Promise((resolve) => host?.once('exit', resolve))
    host?.stdin?.end()
    await ended
    await kill(this.#shipper)
    for (let shipment = 0; shipment < MAX_SHIPMENTS; shipment++) {
      const code = await new Promise((resolve) =>
        spawn(process.execPath, [HOOKLINE, 'ship'], { cwd: this.home, env: this.#env, stdio: 'ignore' }).once(
          'exit',
          resolve,
        ),
      )
      if (code === 0) return
    }
    throw new Error('what is left cannot be sent')
  }

  stop() {
    this.#host?.kill('SIGKILL')
    this.#shipper?.kill('SIGKILL')
  }

  /** What the server acknowledged, by segment. @returns {Map<string, number>} */
  readAcknowledged() {
    const folder = join(this.home, '.hookline/spool')
    const acks = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.ack'))
    return new Map(
      acks.map((name) => [name.slice(0, -'.ack'.length), JSON.parse(readFileSync(join(folder, name), 'utf8')).seq]),
    )
  }

  countAcknowledged() {
    return [...this.readAcknowledged().values()].reduce((all, seq) => all + seq, 0)
  }

  get #env() {
    return { ...process.env, HOME: this.home, HOOKLINE_RESIDENT: 'off' }
  }

  #startHost() {
    const host = spawn(process.execPath, [HOST, this.home], { env: this.#env, stdio: ['pipe', 'pipe', 'inherit'] })
    host.stdin.on('error', () => {}) // it was killed
    this.#asked = 0
    createInterface(host.stdout).on('line', (line) => {
      const [id = '', slow] = line.split(' ')
      if (slow !== undefined) this.slow.add(findEpoch(id))
      if (this.decided.has(id)) throw new Error(`the host gave the id ${id} twice`)
      this.decided.add(id)
      this.#asked--
      for (const resolve of this.#waiting.splice(0)) resolve()
    })
    this.#host = host
  }

  #startShipper() {
    this.#shipper = spawn(process.execPath, [HOOKLINE, 'ship', '--watch'], {
      cwd: this.home,
      env: this.#env,
      stdio: 'ignore',
    })
  }
}

/** @param {import('node:child_process').ChildProcess | null} child @returns {Promise<void>} */
function kill(child) {
  return new Promise((resolve) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('close', () => resolve()) // what it printed is read
    child.kill('SIGKILL')
  })
}

/** @param {string} folder @param {{ name: string, fleet: Parts }} options */
async function startMachine(folder, { name, fleet: { url, server } }) {
  const home = join(folder, name)
  mkdirSync(join(home, '.claude'), { recursive: true })
  mkdirSync(join(home, 'project'))
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hookline: { fleet: { url } } }))
  const { token } = await askServer(server(), 'v1/tokens', { method: 'POST' })
  const env = { ...process.env, HOME: home }
  const enrolled = spawn(process.execPath, [HOOKLINE, 'ship', 'enrol', url, token, '--json'], { cwd: home, env })
  let [printed, said] = ['', '']
  enrolled.stdout.on('data', (text) => {
    printed += text
  })
  enrolled.stderr.on('data', (text) => {
    said += text
  })
  const code = await new Promise((resolve) => enrolled.once('close', resolve))
  if (code !== 0) throw new Error(`${name} could not be enrolled: ${said}`)
  return new Machine(home, JSON.parse(printed).machine)
}

/** Epoch of a record, which names its segment. @param {string} id */
const findEpoch = (id) => id.split('/')[1] ?? ''

/** @param {import('./server.js').FleetServer} server @param {readonly Machine[]} machines */
async function judge(server, machines) {
  const lines = (await askServer(server, 'v1/export')).split('\n').filter(Boolean)
  /** @type {{ machine: string, epoch: string, seq: number, facts: { id: string } }[]} */
  const events = lines.map((/** @type {string} */ line) => JSON.parse(line))
  const ids = new Set(events.map(({ facts }) => facts.id))
  const places = new Set(events.map(({ machine, epoch, seq }) => `${machine} ${epoch} ${seq}`))
  const lost = []
  let [acknowledged, unwritten] = [0, 0]
  for (const machine of machines) {
    for (const id of machine.decided) {
      if (ids.has(id)) continue
      if (machine.slow.has(findEpoch(id))) unwritten++
      else lost.push(`decided ${id}`)
    }
    const { heads } = await askServer(server, `v1/heads?machine=${machine.id}`)
    const ended = new Map(
      heads.map((/** @type {{ epoch: string, ended: number, seq: number }} */ head) => [head.epoch, head]),
    )
    for (const [epoch, acked] of machine.readAcknowledged()) {
      const head = ended.get(epoch)
      const last = head?.ended === 1 && head.seq === acked ? acked - 1 : acked // the last line says that it ends
      acknowledged += last
      for (let seq = 1; seq <= last; seq++)
        if (!places.has(`${machine.id} ${epoch} ${seq}`)) lost.push(`acknowledged ${epoch} ${seq}`)
    }
  }
  const { machines: counted, gaps } = await askServer(server, 'v1/machines')
  for (const { kind, epoch, seq } of gaps) lost.push(`${kind} ${epoch} ${seq}`)
  const figures = counted.reduce(
    (/** @type {number} */ all, /** @type {{ records: number }} */ { records }) => all + records,
    0,
  )
  const decided = sum(machines)
  return {
    ...{ decided, acknowledged, stored: ids.size, lost, unwritten },
    doubled: events.length - ids.size + Math.abs(figures - events.length),
  }
}
