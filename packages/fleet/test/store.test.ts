import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type ChainLine, hashEpoch, hashLine } from 'hookline/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, missingPostgres, startPostgres } from '../../../scripts/fleet/postgres.js'
import { type Batch, parseBatch, toDay } from '../src/batch.ts'
import { Ingest } from '../src/ingest.ts'
import type { Tenant } from '../src/store/database.ts'
import {
  countRecords,
  countRefusals,
  findAlarms,
  listEvents,
  listGaps,
  listMachines,
  listSessions,
  measureHooks,
  measureHours,
  readBody,
} from '../src/store/queries.ts'
import { openConnection } from '../src/store/sqlite-driver.ts'
import { type FleetStore, openStore } from '../src/store/store.ts'

const SETUP_MS = 120_000
/** A database that recovers six times takes its time on a busy machine. */
const CRASH_MS = 280_000
const DAY_MS = 86_400_000
const MAX_ATTEMPTS = 10_000

interface Place {
  readonly open: () => Promise<FleetStore>
  readonly clean: () => Promise<void>
  readonly makeNewer: () => Promise<void>
  /** Brings the tables back to how an older server had them. */
  readonly makeOlder: () => Promise<void>
  /** Null where the database lives in this process. */
  readonly crash: Cluster['crash'] | null
}

async function change(path: string, text: string): Promise<void> {
  const db = await openConnection(path)
  db.exec(text)
  db.close()
}

async function makeSqlite(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline store-'))
  return {
    crash: null,
    open: () => openStore(folder),
    clean: () => rm(folder, { recursive: true, force: true }),
    makeNewer: () => change(join(folder, 'server.db'), 'PRAGMA user_version = 99'),
    makeOlder: async () => {
      await change(join(folder, 'server.db'), 'DROP TABLE keys; PRAGMA user_version = 1')
      for (const name of await readdir(join(folder, 'tenants')))
        if (name.endsWith('.db')) await change(join(folder, 'tenants', name), 'PRAGMA user_version = 1')
    },
  }
}

async function makePostgres(): Promise<Place> {
  const cluster: Cluster = await startPostgres({ isSynced: false })
  return {
    crash: cluster.crash,
    open: () => openStore(cluster.url),
    clean: cluster.stop,
    makeNewer: async () => void (await ask(cluster, 'UPDATE hookline_fleet_version SET version = 99')),
    makeOlder: async () => {
      const parts = await ask(
        cluster,
        "SELECT indexrelid::regclass AS name FROM pg_index WHERE indrelid::regclass::text ~ '^(events|runs|bodies)_.*_t' AND indexrelid::regclass::text ~ '(_key|_by_.*)$'",
      )
      for (const { name } of parts) await ask(cluster, `DROP INDEX ${name}`)
      await ask(
        cluster,
        `DROP TABLE keys;
         ALTER TABLE events ADD PRIMARY KEY (tenant, day, segment, seq);
         ALTER TABLE runs ADD PRIMARY KEY (tenant, day, hook, at, segment, seq);
         ALTER TABLE bodies ADD PRIMARY KEY (tenant, day, segment, seq);
         CREATE INDEX events_by_at ON events (tenant, at);
         CREATE INDEX events_by_session_at ON events (tenant, session, at);
         UPDATE hookline_fleet_version SET version = 1`,
      )
    },
  }
}

async function ask(cluster: Cluster, text: string): Promise<Record<string, unknown>[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(cluster.url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Facts of an event with one hook that ran. */
function makeFacts(more: object = {}): object {
  return {
    ...{
      id: 'm/e/1',
      at: new Date().toISOString(),
      event: 'PreToolUse',
      session: 'one',
      tool: 'Bash',
      client: 'claude-code',
    },
    ...{
      engine: '0.1.0',
      profile: 'current',
      ms: 3,
      outcome: 'passed',
      project: 'abc',
      projectName: 'shop',
      snapshot: 's',
    },
    hooks: [{ key: 'guard', scope: 'user', type: 'command', verdict: 'ran', outcome: 'success', ms: 12 }],
    ...more,
  }
}

interface Given {
  readonly machine?: string
  readonly epoch?: string
  readonly person?: string
  /** Body of each record, or the one that a record has. */
  readonly body?: string | ((at: number) => string | undefined)
}

/** Packs a segment as a machine does, with a chain that holds. */
function packBatch(facts: readonly object[], { epoch = 'e', person, body }: Given = {}): Buffer {
  let prev = hashEpoch(epoch)
  const lines = facts.map((one, at) => {
    const own = typeof body === 'function' ? body(at) : body
    const line = { seq: at + 1, prev, facts: one, digest: null, ...(own === undefined ? {} : { body: own }) }
    prev = hashLine(line as unknown as ChainLine) // facts of a test
    return JSON.stringify(line)
  })
  return gzipSync([JSON.stringify({ v: 1, epoch, person }), ...lines].join('\n'))
}

function makeBatch(facts: readonly object[], given: Given = {}): Promise<Batch> {
  return parseBatch(given.machine ?? 'machine', packBatch(facts, given), new Date())
}

const KINDS: readonly [string, () => Promise<Place>, string | null][] = [
  ['SQLite', makeSqlite, null],
  ['PostgreSQL', makePostgres, missingPostgres],
]

describe.each(KINDS)('a store in %s', (_, makePlace, missing) => {
  if (missing !== null) {
    it.skip(missing, () => {})
    return
  }
  let place: Place
  let store: FleetStore
  let tenants = 0

  beforeAll(async () => {
    place = await makePlace()
    store = await place.open()
  }, SETUP_MS)

  afterAll(async () => {
    await store.close()
    await place.clean()
  }, SETUP_MS)

  const makeTenant = (): Promise<Tenant> => store.addTenant(`tenant-${tenants++}`)
  const add = async (tenant: Tenant, facts: readonly object[], given?: Given) => {
    const [answer] = await store.addBatches(tenant, [await makeBatch(facts, given)], Date.now())
    return answer
  }

  it('gives back what it was given, once, in pages', async () => {
    const tenant = await makeTenant()
    const start = Date.now() - 60_000
    const facts = Array.from({ length: 60 }, (_, at) =>
      makeFacts({ id: `m/e/${at + 1}`, at: new Date(start + at).toISOString(), tool: at % 2 === 0 ? 'Bash' : 'Edit' }),
    )
    expect(await add(tenant, facts)).toEqual({ acked: 60, stored: 60, refused: [] })
    expect(await add(tenant, facts)).toEqual({ acked: 60, stored: 0, refused: [] })
    const seen: object[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listEvents(store.database, tenant, { limit: 7, cursor })
      seen.push(...page.rows.map((row) => row.facts))
      if (page.cursor === null) break
      cursor = page.cursor
    }
    expect(seen.reverse()).toEqual(facts)
    const edits = await listEvents(store.database, tenant, { limit: 100, tool: 'Edit', session: 'one' })
    expect(edits.rows).toHaveLength(30)
    expect(await countRecords(store.database, tenant)).toBe(60)
    const { rows, total } = await listSessions(store.database, tenant, { offset: 0, limit: 10, text: 'SHO' })
    expect({ total, rows }).toMatchObject({ total: 1, rows: [{ session: 'one', events: 60, runs: 60, totalMs: 720 }] })
  })

  it('adds up hooks by hour, and a percentile is off by 5 % at most', async () => {
    const tenant = await makeTenant()
    const durations = Array.from({ length: 200 }, (_, at) => 1 + at)
    const facts = durations.map((ms, at) =>
      makeFacts({
        hooks: [{ key: 'guard', scope: 'user', verdict: 'ran', outcome: at < 20 ? 'blocking' : 'success', ms }],
        outcome: at < 20 ? 'denied' : 'passed',
      }),
    )
    await add(tenant, facts.slice(0, 100), { epoch: 'a' })
    await add(tenant, facts.slice(100), { epoch: 'b' })
    const [hook] = await measureHooks(store.database, tenant, Date.now() - DAY_MS)
    expect(hook).toMatchObject({ key: 'guard', runs: 200, refusals: 20, failures: 0, maxMs: 200 })
    expect(Math.abs((hook?.p95 ?? 0) / 190 - 1)).toBeLessThanOrEqual(0.05)
    const hours = await measureHours(store.database, tenant, Date.now() - DAY_MS)
    expect(hours.reduce((sum, { runs }) => sum + runs, 0)).toBe(200)
    const refusals = await countRefusals(store.database, tenant, toDay(Date.now() - DAY_MS))
    expect(refusals.reduce((sum, { count }) => sum + count, 0)).toBe(20)
    expect(refusals[0]).toMatchObject({ hook: 'guard', event: 'PreToolUse', tool: 'Bash', outcome: 'denied' })
  })

  it('drops a day in one step, bodies before facts, by tenant', async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()]
    const now = Date.now()
    const midnight = now - (now % DAY_MS)
    const yesterday = new Date(midnight - 1).toISOString()
    for (const one of [tenant, other])
      await add(one, [makeFacts({ at: yesterday }), makeFacts({ at: new Date(now).toISOString() })], {
        body: '{"record":{},"input":{"a":"words"}}',
      })
    await store.setRetention(tenant, { bodyDays: 3, factDays: 5, figureDays: 400 })
    await store.dropOldDays(tenant, midnight + 3.5 * DAY_MS)
    expect(await store.database.listDays(tenant, 'bodies')).toEqual([toDay(now)])
    expect(await countRecords(store.database, tenant)).toBe(2)
    await store.dropOldDays(tenant, midnight + 5.5 * DAY_MS)
    expect(await countRecords(store.database, tenant)).toBe(1)
    expect(await countRecords(store.database, other)).toBe(2)
    expect((await measureHooks(store.database, tenant, Date.now() - 2 * DAY_MS))[0]?.runs).toBe(2)
  })

  it('gives back each body, however many are packed as one', async () => {
    const tenant = await makeTenant()
    const now = Date.now()
    const facts = Array.from({ length: 120 }, (_, at) =>
      at % 90 === 7
        ? { lost: 1, because: 'x', at: '' }
        : makeFacts({ at: new Date(now - (at % 3) * DAY_MS).toISOString() }),
    )
    const makeBody = (at: number): string =>
      JSON.stringify({ record: { at }, input: { text: `\n${'x'.repeat(at % 40 === 9 ? 40_000 : at)}` } })
    const body = (at: number): string | undefined => (at % 10 === 3 ? undefined : makeBody(at))
    for (const person of ['anna', 'bert']) await add(tenant, facts, { person, epoch: person, body })
    const whole = facts.map((_, at) => makeFacts({ ms: at }))
    await add(tenant, whole, { person: 'anna', epoch: 'whole', body: (at) => makeBody(at % 20) })
    const { rows } = await listEvents(store.database, tenant, { limit: 1000 })
    expect(rows).toHaveLength(2 * 118 + 120)
    for (const row of rows) {
      const expected = row.epoch === 'whole' ? makeBody((row.seq - 1) % 20) : (body(row.seq - 1) ?? null)
      expect([row.epoch, row.seq, await readBody(store.database, tenant, row)]).toEqual([row.epoch, row.seq, expected])
    }
    const packed = await store.database.read(tenant, (sql) =>
      sql.all<{ seq: number }>(`SELECT seq FROM ${sql.from('bodies', toDay(now))} WHERE person = 'anna'`),
    )
    expect(packed.length).toBeLessThan(60)
  })

  it('erases a person by their key: bodies are gone, facts and others stay', async () => {
    const tenant = await makeTenant()
    const body = JSON.stringify({ record: {}, input: { prompt: 'something-personal' } })
    await add(tenant, [makeFacts({ session: 'hers' })], { epoch: 'a', person: 'anna', body })
    await add(tenant, [makeFacts({ session: 'his' })], { epoch: 'b', person: 'bert', body })
    const { rows } = await listEvents(store.database, tenant, { limit: 10 })
    for (const row of rows) expect(await readBody(store.database, tenant, row)).toContain('something-personal')
    await store.erasePerson(tenant, 'anna', Date.now())
    for (const row of rows) {
      const found = await readBody(store.database, tenant, row)
      expect(found === null).toBe(row.person === 'anna')
    }
    await add(tenant, [makeFacts({ session: 'hers' })], { epoch: 'c', person: 'anna', body })
    const [again] = (await listEvents(store.database, tenant, { limit: 10, person: 'anna' })).rows
    expect(again && (await readBody(store.database, tenant, again))).toBeNull()
  })

  it('tells a guard that is silent on one machine, a gap without a reason, and a hook that fails', async () => {
    const tenant = await makeTenant()
    const guarded = Array.from({ length: 6 }, () => makeFacts())
    const bare = guarded.map((facts) => ({ ...facts, hooks: [] }))
    const failing = { key: 'flaky', scope: 'user', verdict: 'ran', outcome: 'non_blocking_error', ms: 1 }
    for (const machine of ['a', 'b', 'c']) await add(tenant, guarded, { machine })
    await add(tenant, bare, { machine: 'd' })
    await add(
      tenant,
      Array.from({ length: 12 }, () => makeFacts({ event: 'Stop', hooks: [failing] })),
      { machine: 'a', epoch: 'f' },
    )
    const cut = await makeBatch(guarded, { machine: 'a', epoch: 'cut' })
    await store.addBatches(tenant, [{ ...cut, lines: cut.lines.slice(2) }], Date.now())
    const told = { lost: 3, because: 'the disk was full', at: new Date().toISOString() }
    await add(tenant, [told, makeFacts()], { machine: 'b', epoch: 'told' })
    const alarms = await findAlarms(store.database, tenant, { day: toDay(Date.now()), maxFailing: 0.2 })
    expect(alarms).toMatchObject([
      { kind: 'silent-guard', machine: 'd', key: 'guard', event: 'PreToolUse' },
      { kind: 'gap', machine: 'a', epoch: 'cut', seq: 1 },
      { kind: 'failing-hook', key: 'flaky', share: 1 },
    ])
    expect((await listGaps(store.database, tenant)).map(({ kind }) => kind).sort()).toEqual(['lost', 'missing'])
  })

  it('tells bodies that a machine has dropped, as losses with a reason, and stores the facts', async () => {
    const tenant = await makeTenant()
    const batch = await makeBatch(Array.from({ length: 9 }, () => makeFacts()))
    const lines = batch.lines.map((line) => {
      const isBodyGone = line.seq > 1 && line.seq !== 6
      return line.content.is === 'event' ? { ...line, content: { ...line.content, isBodyGone } } : line
    })
    await store.addBatches(tenant, [{ ...batch, lines }], Date.now())
    const gaps = await listGaps(store.database, tenant)
    expect(gaps.map(({ kind, seq, count }) => [kind, seq, count])).toEqual([
      ['lost', 2, 4],
      ['lost', 7, 3],
    ])
    expect(await countRecords(store.database, tenant)).toBe(9)
    expect(await findAlarms(store.database, tenant, { day: 0, maxFailing: 1 })).toEqual([])
  })

  it('stores batches in whatever order they come, each record once, and tells what is still missing', async () => {
    const tenant = await makeTenant()
    const facts = Array.from({ length: 12 }, (_, at) => makeFacts({ id: `m/e/${at + 1}` }))
    const whole = await makeBatch(facts)
    const cut = (from: number, to: number): Batch => ({ ...whole, lines: whole.lines.slice(from - 1, to) })
    const steps: [Batch[], { acked: number; stored: number; missing?: object[] }[]][] = [
      [[cut(9, 10)], [{ acked: 10, stored: 2, missing: [{ seq: 1, count: 8 }] }]],
      [
        [cut(4, 5)],
        [
          {
            acked: 10,
            stored: 2,
            missing: [
              { seq: 1, count: 3 },
              { seq: 6, count: 3 },
            ],
          },
        ],
      ],
      [
        [cut(3, 6)],
        [
          {
            acked: 10,
            stored: 2,
            missing: [
              { seq: 1, count: 2 },
              { seq: 7, count: 2 },
            ],
          },
        ],
      ],
      [
        [cut(12, 12), cut(11, 11), cut(7, 11)],
        [
          { acked: 12, stored: 1 },
          { acked: 12, stored: 1 },
          { acked: 12, stored: 2 },
        ],
      ],
      [[cut(1, 2)], [{ acked: 12, stored: 2 }]],
      [[cut(1, 12)], [{ acked: 12, stored: 0 }]],
    ]
    for (const [batches, expected] of steps) {
      const answers = await store.addBatches(tenant, batches, Date.now())
      expect(answers).toMatchObject(expected)
    }
    expect(await listGaps(store.database, tenant)).toEqual([])
    const { rows } = await listEvents(store.database, tenant, { limit: 100 })
    expect(rows.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
    expect((await measureHooks(store.database, tenant, Date.now() - DAY_MS))[0]?.runs).toBe(12)
  })

  it('stores batches that come at once, and a batch that comes to two servers at once only once', async () => {
    const tenant = await makeTenant()
    const second = await place.open()
    try {
      const packed = packBatch(
        Array.from({ length: 40 }, () => makeFacts()),
        { epoch: 'same' },
      )
      const ingests = [new Ingest(store), new Ingest(second)]
      const sent = Array.from({ length: 10 }, (_, at) => ingests[at % 2]?.take(tenant, 'machine', packed))
      const answers = await Promise.all(sent)
      expect(answers.map((answer) => answer?.acked)).toEqual(Array.from({ length: 10 }, () => 40))
      expect(answers.reduce((sum, answer) => sum + (answer?.stored ?? 0), 0)).toBe(40)
      expect(await countRecords(second.database, tenant)).toBe(40)
      expect((await measureHooks(store.database, tenant, Date.now() - DAY_MS))[0]?.runs).toBe(40)
    } finally {
      await second.close()
    }
  })

  it('shows a tenant nothing of another one, whatever is asked', async () => {
    const [mine, theirs] = [await makeTenant(), await makeTenant()]
    await add(mine, [makeFacts({ session: 'mine' })], { machine: 'm1' })
    await add(theirs, [makeFacts({ session: 'theirs' })], { machine: 'm2', body: '{"record":{},"input":{}}' })
    const words = [undefined, 'theirs', 'm2', 'one', "' OR 1=1 --", '%', 'shop', 'Bash', 'PreToolUse']
    const pick = (at: number): string | undefined => words[at % words.length]
    let rows = 0
    for (let at = 0; at < 60; at++) {
      const query = {
        session: pick(at),
        machine: pick(at >> 1),
        project: pick(at >> 2),
        tool: pick(at >> 3),
        limit: 50,
      }
      const { rows: events } = await listEvents(store.database, mine, query)
      const { rows: sessions } = await listSessions(store.database, mine, { ...query, text: pick(at), offset: 0 })
      rows += events.length + sessions.length
      for (const row of [...events, ...sessions]) expect(row.session).toBe('mine')
    }
    expect(rows).toBeGreaterThan(0)
    const day = toDay(Date.now())
    await store.database.read(mine, async (sql) => {
      for (const table of [
        'sessions',
        'heads',
        'activity',
        'presence',
        'hourly',
        'refusals',
        'people',
        'snapshots',
        'hooks',
      ]) {
        const [row] = await sql.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)
        expect([table, row?.n]).toEqual([table, ['refusals', 'people'].includes(table) ? 0 : 1])
      }
      for (const table of ['events', 'bodies', 'runs'] as const) {
        const [row] = await sql.all<{ n: number }>(`SELECT count(*) AS n FROM ${sql.from(table, day)}`)
        expect([table, row?.n]).toEqual([table, table === 'bodies' ? 0 : 1])
      }
    })
    expect((await listMachines(store.database, mine, { limit: 10 })).rows).toEqual([])
  })

  it('loses nothing that it acknowledged and has nothing twice when the database ends under it', {
    timeout: CRASH_MS,
  }, async ({ skip }) => {
    const { crash } = place
    if (crash === null) return skip('it lives in this process: a server that is killed is tested with the command')
    const tenant = await makeTenant()
    const ingest = new Ingest(store)
    const facts = Array.from({ length: 20 }, () => makeFacts())
    const sendUntilStored = async (epoch: string, noteFailure: () => void): Promise<void> => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        try {
          expect(await ingest.take(tenant, 'machine', packBatch(facts, { epoch }))).toMatchObject({ acked: 20 })
          return
        } catch {
          noteFailure()
        }
      }
      throw new Error(`${epoch} was never stored`)
    }
    for (let round = 0; round < 3; round++) {
      const sent: Promise<void>[] = []
      const send = (from: number, noteFailure: () => void): void => {
        for (let at = from; at < from + 15; at++) sent.push(sendUntilStored(`r${round}x${at}`, noteFailure))
      }
      send(0, () => {})
      await sent[0]
      await crash(() => new Promise((resolve) => send(15, resolve)))
      await Promise.all(sent)
    }
    expect(await countRecords(store.database, tenant)).toBe(3 * 30 * 20)
    expect((await measureHooks(store.database, tenant, Date.now() - DAY_MS))[0]?.runs).toBe(3 * 30 * 20)
  })

  it('brings data of an older server to its own version, and goes on with it', async () => {
    const tenant = await makeTenant()
    const body = '{"record":{},"input":{"a":1}}'
    await add(tenant, [makeFacts()], { body })
    await store.close()
    await place.makeOlder()
    const opened = await Promise.all([place.open(), place.open()])
    await opened[1]?.close()
    store = opened[0] as FleetStore
    expect(await add(tenant, [makeFacts(), makeFacts()], { body })).toMatchObject({ acked: 2, stored: 1 })
    const { rows } = await listEvents(store.database, tenant, { limit: 10 })
    expect(await Promise.all(rows.map((row) => readBody(store.database, tenant, row)))).toEqual([body, body])
    await store.addKey(tenant, 'hash', { name: 'a', role: 'viewer', madeAt: 1, expiresAt: Date.now() + DAY_MS })
    expect(await store.listKeys(tenant)).toHaveLength(1)
    await store.dropOldDays(tenant, Date.now() + 1000 * DAY_MS)
    expect(await countRecords(store.database, tenant)).toBe(0)
  })

  it('opens on several servers at once, and is refused where a newer server has changed it', async () => {
    const opened = await Promise.all([place.open(), place.open(), place.open()])
    for (const one of opened) await one.close()
    await place.makeNewer()
    await expect(place.open()).rejects.toThrow('the data is of version 99, and this server knows up to 3')
  })
})

describe('SQLite', () => {
  it('has a file for each tenant, in which no body can be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hookline store-'))
    const store = await openStore(folder)
    const tenant = await store.addTenant('shop')
    const body = JSON.stringify({ record: {}, input: { prompt: 'something-personal' } })
    await store.addBatches(tenant, [await makeBatch([makeFacts()], { body })], Date.now())
    await store.close()
    expect((await readdir(join(folder, 'tenants'))).filter((name) => name.endsWith('.db'))).toEqual(['shop.db'])
    expect(await readFile(join(folder, 'tenants/shop.db'), 'latin1')).not.toContain('something-personal')
    await rm(folder, { recursive: true, force: true })
  })
})
