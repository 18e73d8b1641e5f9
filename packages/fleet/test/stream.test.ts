import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingNats, type NatsServers, startNats } from '../../../scripts/fleet/nats.js'
import { type Cluster, missingPostgres, startPostgres } from '../../../scripts/fleet/postgres.js'
import { SimulatedMachine } from '../../../scripts/fleet/simulated-machine.js'
import { makeKey } from '../src/keys.ts'
import { type RunningServer, startServer } from '../src/server.ts'
import { type FleetStore, openStore } from '../src/store/store.ts'
import { packMessages } from '../src/stream/message.ts'
import { openStream, type RecordStream } from '../src/stream/record-stream.ts'

const SETUP_MS = 120_000
const CRASH_MS = 280_000
const DEADLINE_MS = 60_000
const RECORDS = 40
/** Smaller than one batch, so that batches come in several messages. */
const MAX_PAYLOAD = 16_384

const missing = missingNats ?? missingPostgres

describe('a stream', () => {
  it.each([
    ['http://127.0.0.1:4222', 'is not an address of NATS'],
    ['nats://user:secret@127.0.0.1:4222,elsewhere', '"elsewhere" is not an address of NATS'],
    ['nats://127.0.0.1:9', 'the stream cannot be reached'],
  ])('at %s is refused with a sentence', async (url, words) => {
    await expect(openStream({ url, replicas: null })).rejects.toThrow(words)
    await expect(openStream({ url, replicas: null })).rejects.not.toThrow('secret')
  })
})

describe('servers behind a stream', () => {
  if (missing !== null) {
    it.skip(missing, () => {})
    return
  }
  let nats: NatsServers
  let cluster: Cluster
  const opened: { readonly server: RunningServer; readonly store: FleetStore; readonly stream: RecordStream }[] = []
  const adminKey = makeKey()
  const noted: object[] = []

  const start = async () => {
    const store = await openStore(cluster.url)
    const stream = await openStream({ url: nats.url, replicas: null })
    await store.addTenant('default')
    const note = (line: object) => void noted.push(line)
    const options = { store, stream, host: '127.0.0.1', port: 0, adminKey, maxBatchesPerMinute: 10_000, note }
    opened.push({ server: await startServer(options), store, stream })
  }

  beforeAll(async () => {
    nats = await startNats({ count: 1, config: `max_payload: ${MAX_PAYLOAD}` })
    cluster = await startPostgres({ isSynced: false })
    await start()
    await start()
  }, SETUP_MS)

  afterAll(async () => {
    for (const { server, store } of opened) {
      await server.stop()
      await store.close()
    }
    await nats?.stop()
    await cluster?.stop()
  }, SETUP_MS)

  const ask = async (path: string, init: RequestInit = {}, at = 0) => {
    const headers = { authorization: `Bearer ${adminKey}`, ...init.headers }
    return fetch(new URL(path, opened[at]?.server.url), { ...init, headers })
  }
  const askJson = async <Answer>(path: string, init: RequestInit = {}) =>
    (await (await ask(path, init)).json()) as Answer // checked where it is used
  const enrol = async (): Promise<{ machine: string; key: string }> => {
    const { token } = await askJson<{ token: string }>('v1/tokens', { method: 'POST' })
    return askJson('v1/enrol', { method: 'POST', body: JSON.stringify({ token, name: 'm' }) })
  }
  const send = (key: string, body: Uint8Array, at = 0) =>
    ask('v1/records', { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: new Uint8Array(body) }, at)

  interface Machines {
    readonly machines: readonly { readonly id: string; readonly records: number }[]
    readonly gaps: readonly { readonly machine: string }[]
  }

  interface Stored {
    readonly records: number
    readonly gaps: readonly object[]
  }

  /** What the store has of a machine once it has so many records. */
  const waitForRecords = async (machine: string, count: number): Promise<Stored> => {
    for (const end = Date.now() + DEADLINE_MS; ; ) {
      const found = await askJson<Partial<Machines>>('v1/machines?limit=1000')
      const records = found.machines?.find(({ id }) => id === machine)?.records ?? 0
      const gaps = (found.gaps ?? []).filter((gap) => gap.machine === machine)
      if (records >= count || Date.now() > end) return { records, gaps }
    }
  }
  const readSizes = async () => {
    const text = await (await ask('metrics')).text()
    const read = (name: string) => Number(new RegExp(`^hookline_fleet_stream_${name} (\\d+)$`, 'm').exec(text)?.[1])
    return { waiting: read('waiting'), aside: read('aside') }
  }

  it('store what either of them took, once and in its order', async () => {
    const machines = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const { machine, key } = await enrol()
        return { machine, simulated: new SimulatedMachine({ name: `m${at}`, key, epoch: `e${at}`, seed: at }) }
      }),
    )
    for (let batch = 0; batch < 4; batch++)
      await Promise.all(
        machines.map(async ({ simulated }) => {
          const packed = simulated.packBatch(RECORDS, () => Date.now())
          for (const at of [0, 1]) {
            const answer = await send(simulated.key, packed, at) // the second time it is known
            expect(await answer.json()).toEqual({ acked: simulated.seq, stored: RECORDS, refused: [] })
          }
        }),
      )
    for (const { machine } of machines)
      expect(await waitForRecords(machine, 4 * RECORDS)).toEqual({ records: 4 * RECORDS, gaps: [] })
    const lines = (await (await ask('v1/export')).text()).trimEnd().split('\n')
    expect(lines).toHaveLength(6 * 4 * RECORDS)
  })

  it('split a batch that is longer than a message, and refuse a record that is', async () => {
    const { machine, key } = await enrol()
    const facts = (more: object) => ({ at: new Date().toISOString(), event: 'Stop', session: 's', ...more })
    const noise = (bytes: number) => randomBytes(bytes).toString('base64')
    const lines = [
      ...Array.from({ length: 9 }, () => facts({ noise: noise(3000) })),
      facts({ noise: noise(30_000) }),
      facts({}),
    ].map((one, at) => JSON.stringify({ seq: at + 1, prev: 'x', facts: one, digest: null }))
    const answer = await send(key, gzipSync([JSON.stringify({ v: 1, epoch: 'long' }), ...lines].join('\n')))
    expect(await answer.json()).toEqual({
      ...{ acked: 11, stored: 10 },
      refused: [{ seq: 10, reason: expect.stringContaining('longer than a message of the stream') }],
    })
    expect(await waitForRecords(machine, 10)).toMatchObject({ records: 10 })
  })

  it('put aside what is no batch of theirs, and go on with the rest', async () => {
    const before = await readSizes()
    const connection = await connect({ servers: nats.url.replace('nats://', '') })
    const batch = { machine: 'of-another-database', epoch: 'e', person: 'p', lines: [] }
    const [foreign] = packMessages({ tenant: { id: 1, name: 'default' }, batch }, MAX_PAYLOAD)
    for (let part = 0; part < 16; part++)
      for (const bytes of [Buffer.from('garbage'), foreign?.bytes ?? Buffer.alloc(0)])
        await jetstream(connection).publish(`hookline.fleet.waiting.${part}`, bytes)
    const { machine, key } = await enrol()
    const simulated = new SimulatedMachine({ name: 'after', key, epoch: 'after', seed: 1 })
    await send(
      key,
      simulated.packBatch(RECORDS, () => Date.now()),
    )
    expect(await waitForRecords(machine, RECORDS)).toEqual({ records: RECORDS, gaps: [] })
    for (const end = Date.now() + DEADLINE_MS; Date.now() < end; )
      if ((await readSizes()).aside === before.aside + 32) break
    expect(await readSizes()).toEqual({ waiting: 0, aside: before.aside + 32 })
    expect(JSON.stringify(noted)).toContain('no machine of-another-database is enrolled')
    await connection.close()
  })

  it('acknowledge nothing that a full stream did not take', async () => {
    const connection = await connect({ servers: nats.url.replace('nats://', '') })
    const manager = await jetstreamManager(connection)
    const { config } = await manager.streams.info('HOOKLINE_FLEET')
    const { machine, key } = await enrol()
    const simulated = new SimulatedMachine({ name: 'full', key, epoch: 'full', seed: 2 })
    const packed = simulated.packBatch(RECORDS, () => Date.now())
    await manager.streams.update('HOOKLINE_FLEET', { ...config, max_bytes: 100 })
    expect((await send(key, packed)).status).toBe(503)
    await manager.streams.update('HOOKLINE_FLEET', config)
    expect(await (await send(key, packed)).json()).toMatchObject({ acked: RECORDS })
    expect(await waitForRecords(machine, RECORDS)).toEqual({ records: RECORDS, gaps: [] })
    await connection.close()
  })

  it(
    'take records while the database is away, and store them once it is back',
    async () => {
      const { machine, key } = await enrol()
      const simulated = new SimulatedMachine({ name: 'away', key, epoch: 'away', seed: 3 })
      const sendNext = async (at: number) =>
        send(
          key,
          simulated.packBatch(RECORDS, () => Date.now()),
          at,
        )
      for (const at of [0, 1]) expect((await sendNext(at)).status).toBe(200)
      await cluster.crash(async () => {
        for (const at of [0, 1, 0, 1]) {
          const answer = await sendNext(at)
          expect(await answer.json()).toMatchObject({ acked: simulated.seq })
        }
        expect((await ask('readyz')).status).toBe(200)
        expect((await ask('v1/machines')).status).toBe(503)
      })
      expect(await waitForRecords(machine, 6 * RECORDS)).toEqual({ records: 6 * RECORDS, gaps: [] })
    },
    CRASH_MS,
  )

  it(
    'acknowledge nothing while the stream is away, and go on once it is back',
    async () => {
      const { machine, key } = await enrol()
      const simulated = new SimulatedMachine({ name: 'alone', key, epoch: 'alone', seed: 4 })
      const first = simulated.packBatch(RECORDS, () => Date.now())
      expect((await send(key, first)).status).toBe(200)
      const second = simulated.packBatch(RECORDS, () => Date.now())
      await nats.crashes[0]?.()
      expect((await send(key, second)).status).toBe(503)
      expect((await ask('readyz')).status).toBe(503)
      const figures = await ask('metrics')
      expect([figures.status, await figures.text()]).toEqual([
        200,
        expect.stringMatching(/^hookline_fleet_stream_up 0$/m),
      ])
      await nats.restart(0)
      let status = 503
      for (const end = Date.now() + DEADLINE_MS; status !== 200 && Date.now() < end; )
        status = (await send(key, second)).status
      expect(await waitForRecords(machine, 2 * RECORDS)).toEqual({ records: 2 * RECORDS, gaps: [] })
    },
    CRASH_MS,
  )
})
