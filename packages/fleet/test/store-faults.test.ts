import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, missingPostgres, startPostgres } from '../../../scripts/fleet/postgres.js'
import {
  askServer,
  enrolMachine,
  type FleetServer,
  sendBatch,
  startFleetServer,
} from '../../../scripts/fleet/server.js'
import { SimulatedMachine } from '../../../scripts/fleet/simulated-machine.js'
import { openConnection } from '../src/store/sqlite-driver.ts'

const RECORDS = 100
/** Databases and servers are started anew. */
const LONG_MS = 280_000
/** 512 bytes each: the tables fit, and no day of records does. */
const MAX_FILE_BLOCKS = 900

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline faults-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function makeMachine(server: FleetServer, name: string): Promise<SimulatedMachine> {
  const { key } = await enrolMachine(server, name)
  return new SimulatedMachine({ name, key, epoch: name, seed: 1, withBodies: true })
}

const pack = (machine: SimulatedMachine) => machine.packBatch(RECORDS, () => Date.now())

/** Sends a batch. Returns the status, and the sentence or what was acknowledged. */
async function send({ url }: FleetServer, { key }: SimulatedMachine, batch: Uint8Array<ArrayBuffer>) {
  const response = await sendBatch(url, key, batch)
  const { error = '', acked = 0 } = (await response.json()) as { error?: string; acked?: number }
  return { status: response.status, error, acked, retry: Number(response.headers.get('retry-after') ?? 0) }
}

async function countStored(server: FleetServer): Promise<Record<string, number>> {
  const lines: string[] = (await askServer(server, 'v1/export')).split('\n').filter(Boolean)
  const names = lines.map((line) => {
    const { epoch, seq } = JSON.parse(line)
    return `${epoch} ${seq}`
  })
  expect(new Set(names).size).toBe(names.length)
  const { gaps } = await askServer(server, 'v1/machines')
  expect(gaps).toEqual([])
  const counts: Record<string, number> = {}
  for (const name of names) counts[name.split(' ')[0] ?? ''] = (counts[name.split(' ')[0] ?? ''] ?? 0) + 1
  return counts
}

/** Sends before, while and after the database takes nothing: it is told, and what was acknowledged is there once. */
async function sendThrough(
  server: FleetServer,
  {
    name,
    spoil,
    heal,
    words,
  }: { name: string; spoil: () => Promise<unknown>; heal: () => Promise<unknown>; words: string },
): Promise<void> {
  const [one, other] = [await makeMachine(server, `${name}a`), await makeMachine(server, `${name}b`)]
  expect(await send(server, one, pack(one))).toMatchObject({ status: 200, acked: RECORDS })
  await spoil()
  const batches = [pack(one), pack(other)] as const
  const answers = await Promise.all([send(server, one, batches[0]), send(server, other, batches[1])])
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, error: expect.stringContaining(words) })
  for (const { retry } of answers) expect(retry).toBeGreaterThan(0)
  expect((await fetch(new URL('healthz', server.url))).status).toBe(200)
  expect((await fetch(new URL('readyz', server.url))).status).toBe(503)
  await heal()
  expect(await send(server, one, batches[0])).toMatchObject({ status: 200, acked: 2 * RECORDS })
  expect(await send(server, other, batches[1])).toMatchObject({ status: 200, acked: RECORDS })
  expect((await fetch(new URL('readyz', server.url))).status).toBe(200)
  expect(await countStored(server)).toMatchObject({ [`${name}a`]: 2 * RECORDS, [`${name}b`]: RECORDS })
}

describe('a server on SQLite', () => {
  it('acknowledges nothing that a full disk did not take, and goes on once there is room', {
    timeout: LONG_MS,
  }, async () => {
    const limited = join(folder, 'limited')
    await writeFile(limited, `#!/bin/sh\nulimit -f ${MAX_FILE_BLOCKS}\nexec "${process.execPath}" "$@"\n`)
    await chmod(limited, 0o755)
    const args = ['--data', join(folder, 'full'), '--port', '0']
    const full = await startFleetServer(args, { node: limited })
    const machine = await makeMachine(full, 'full')
    let batch = pack(machine)
    let answer = await send(full, machine, batch)
    for (; answer.status === 200; answer = await send(full, machine, batch)) batch = pack(machine)
    expect(answer).toMatchObject({ status: 503, error: expect.stringContaining('has not taken it') })
    expect((await fetch(new URL('readyz', full.url))).status).toBe(503)
    const acked = machine.seq - RECORDS
    expect(await countStored(full)).toEqual({ full: acked })
    expect(await full.stop()).toBe(0)
    const roomy = await startFleetServer(args)
    expect(await countStored(roomy)).toEqual({ full: acked })
    expect(await send(roomy, machine, batch)).toMatchObject({ status: 200, acked: machine.seq })
    expect(await countStored(roomy)).toEqual({ full: machine.seq })
    await roomy.stop()
  })

  it('refuses with a sentence once a newer server has changed its tables', { timeout: LONG_MS }, async () => {
    const data = join(folder, 'newer')
    const server = await startFleetServer(['--data', data, '--port', '0'])
    const change = async (version: number) => {
      const db = await openConnection(join(data, 'tenants/default.db'))
      db.exec(`PRAGMA user_version = ${version}`)
      db.close()
    }
    const { SCHEMA_VERSION } = await import('../src/store/schema.ts')
    const words = 'the data is of version 99'
    await sendThrough(server, { name: 'n', spoil: () => change(99), heal: () => change(SCHEMA_VERSION), words })
    await change(99)
    await expect(askServer(server, 'v1/events')).rejects.toThrow(words)
    await server.stop()
  })
})

describe.skipIf(missingPostgres !== null)(`a server on PostgreSQL${missingPostgres ?? ''}`, () => {
  let cluster: Cluster
  let server: FleetServer
  beforeAll(async () => {
    cluster = await startPostgres({ isSynced: false })
    server = await startFleetServer(['--data', join(folder, 'pg'), '--port', '0', '--store', cluster.url])
  }, LONG_MS)
  afterAll(async () => {
    await server.stop()
    await cluster.stop()
  }, LONG_MS)

  async function run(...texts: string[]): Promise<unknown> {
    const { default: pg } = await import('pg')
    const client = new pg.Client(cluster.url)
    await client.connect()
    let rows: unknown[] = []
    for (const text of texts) rows = (await client.query(text)).rows
    await client.end()
    return rows[0]
  }

  const FULL = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`
  const setReadOnly = (value: 'on' | 'off') => async () => {
    const write = 'SET default_transaction_read_only = off'
    await run(write, `ALTER SYSTEM SET default_transaction_read_only = ${value}`, 'SELECT pg_reload_conf()')
    const expected = { default_transaction_read_only: value }
    await expect.poll(() => run('SHOW default_transaction_read_only'), { timeout: LONG_MS }).toEqual(expected)
  }

  it.each([
    {
      name: 'full',
      words: 'has not taken it',
      spoil: () => run(FULL, 'CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION refuse()'),
      heal: () => run('DROP TRIGGER full_disk ON events'),
    },
    { name: 'readonly', words: 'has not taken it', spoil: setReadOnly('on'), heal: setReadOnly('off') },
    {
      name: 'newer',
      words: 'the data is of version 99',
      spoil: () => run('UPDATE hookline_fleet_version SET version = version + 96'),
      heal: () => run('UPDATE hookline_fleet_version SET version = version - 96'),
    },
  ])(
    'acknowledges nothing while the database is $name, and goes on afterwards',
    (fault) => sendThrough(server, fault),
    LONG_MS,
  )
})
