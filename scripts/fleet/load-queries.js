/** Times of questions to a fleet server that has a month of records. */
import { join } from 'node:path'
import { enrolMachines, measureTree, sendUntilTaken, splitRecords } from './load-rates.js'
import { askServer } from './server.js'

const DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const ROUNDS = 11
const TENANT = 'queries'

/** Runs a statement on the database itself. @typedef {(text: string) => Promise<unknown>} Run */

/**
 * Fills a store and asks. One day comes over the wire; the others are copies of its rows, a day earlier each, with machines' segments
 * and sessions of their own.
 * @param {import('./server.js').FleetServer} server
 * @param {{ stored: number, folder: string, cluster: import('./postgres.js').Cluster | null, pids: readonly number[] }} options
 */
export async function measureQueries(server, { stored, folder, cluster, pids }) {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
  const session = await sendDay(server, { records: Math.ceil(stored / DAYS), midnight })
  await copyDay({ folder, cluster, midnight })
  const since = new Date(midnight - (DAYS - 1) * DAY_MS).toISOString()
  /** @param {string} path */
  const ask = (path) => askServer(server, `v1/${path}${path.includes('?') ? '&' : '?'}tenant=${TENANT}`)
  const { events } = await ask(`events?session=${session}&limit=1000`)
  if (events.length === 0) throw new Error('the session that is asked for has no events')
  const times = [
    { name: 'last 100', ...(await time(pids, () => ask('events?limit=100'))), most: 20 },
    {
      name: `a session of ${events.length}`,
      ...(await time(pids, () => ask(`events?session=${session}&limit=1000`))),
      most: 50,
    },
    { name: 'p95 by hook and hour, 30 days', ...(await time(pids, () => ask(`hours?since=${since}`))), most: 100 },
    { name: 'p95 by hook, 30 days', ...(await time(pids, () => ask(`hooks?since=${since}`))), most: 100 },
    { name: 'refusals by reason, 30 days', ...(await time(pids, () => ask(`refusals?since=${since}`))), most: 100 },
  ]
  const factDays = Math.ceil((Date.now() - midnight) / DAY_MS) + DAYS - 3
  const [began, cpu] = [performance.now(), measureTree(pids)]
  const { dropped } = await askServer(server, `v1/retention?tenant=${TENANT}`, {
    method: 'PUT',
    body: JSON.stringify({ bodyDays: factDays, factDays, figureDays: 400 }),
  })
  const days = dropped.filter((/** @type {string} */ one) => one.startsWith('events')).length
  if (days === 0) throw new Error('no day was dropped')
  const ms = (performance.now() - began) / days
  return [...times, { name: 'dropping a day', ms, cpu: (1000 * (measureTree(pids) - cpu)) / days, most: 1000 }]
}

/**
 * The time in the middle of some rounds, and the CPU that server and database took for one.
 * @param {readonly number[]} pids
 * @param {() => Promise<unknown>} ask
 */
async function time(pids, ask) {
  const times = []
  const cpu = measureTree(pids)
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await ask()
    times.push(performance.now() - began)
  }
  const ms = times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
  return { ms, cpu: (1000 * (measureTree(pids) - cpu)) / ROUNDS }
}

/**
 * @param {import('./server.js').FleetServer} server
 * @param {{ records: number, midnight: number }} options
 * @returns {Promise<string>} a session in it
 */
async function sendDay(server, { records, midnight }) {
  const machines = await enrolMachines(server, { tenant: TENANT, withBodies: false })
  const { batches, size } = splitRecords(records, machines.length)
  const step = (DAY_MS - 1) / (batches * size)
  await Promise.all(
    machines.map(async (machine) => {
      for (let at = 0; at < batches; at++) {
        const batch = machine.packBatch(size, (line) => midnight + (at * size + line) * step)
        await sendUntilTaken(server, machine, batch)
      }
    }),
  )
  const { rows } = await askServer(server, `v1/sessions?tenant=${TENANT}&limit=1`)
  return rows[0].session
}

/** @param {{ folder: string, cluster: import('./postgres.js').Cluster | null, midnight: number }} options */
async function copyDay({ folder, cluster, midnight }) {
  const { run, close, dialect } =
    cluster === null ? await openFile(join(folder, 'tenants', `${TENANT}.db`)) : await openDatabase(cluster.url)
  const base = toDay(midnight)
  for (let back = 1; back < DAYS; back++) {
    const day = toDay(midnight - back * DAY_MS)
    await dialect.makeDay(base, day)
    for (const text of writeCopies({ back, base, day, dialect })) await run(text)
  }
  await dialect.finish()
  await close()
}

/** Numbers that are added to those of segments and sessions, for each day. */
const STEP = 10_000_000

/**
 * @param {{ back: number, base: number, day: number, dialect: { from: (table: string, day: number) => string, into: (table: string, day: number) => string, fixed: string, where: string } }} options
 */
function writeCopies({ back, base, day, dialect: { from, into, fixed, where } }) {
  const [earlier, step] = [back * DAY_MS, back * STEP]
  /** @param {string} table @param {string} source @param {Record<string, string>} columns */
  const copy = (table, source, columns) =>
    `INSERT INTO ${table} (${fixed}${Object.keys(columns).join(', ')}) OVERRIDING SYSTEM VALUE SELECT ${fixed}${Object.values(columns).join(', ')} FROM ${source}`
  const plain = (/** @type {string[]} */ ...names) => Object.fromEntries(names.map((name) => [name, name]))
  return [
    copy('heads', `heads WHERE ${where} AND id < ${STEP}`, {
      ...plain('machine', 'seq', 'head', 'ended', 'acked_at'),
      ...{ id: `id + ${step}`, epoch: `epoch || 'x${back}'` },
    }),
    copy('sessions', `sessions WHERE ${where} AND id < ${STEP}`, {
      ...plain(
        'machine',
        'client',
        'project',
        'project_name',
        'person',
        'events',
        'refusals',
        'failures',
        'runs',
        'total_ms',
        'slowest_ms',
      ),
      ...{ id: `id + ${step}`, session: `session || '-${back}'`, first_day: String(day), last_day: String(day) },
      ...{ first_at: `first_at - ${earlier}`, last_at: `last_at - ${earlier}` },
    }),
    copy(into('events', day), from('events', base), {
      ...plain('seq', 'event', 'tool', 'outcome', 'dictionary', 'facts'),
      ...{ day: String(day), at: `at - ${earlier}`, segment: `segment + ${step}`, session: `session + ${step}` },
    }),
    copy(into('runs', day), from('runs', base), {
      ...plain('hook', 'seq', 'ms', 'outcome', 'failed'),
      ...{ day: String(day), at: `at - ${earlier}`, segment: `segment + ${step}` },
    }),
    copy('hourly', `hourly WHERE ${where} AND hour >= ${dayHour(base)}`, {
      ...plain('hook', 'shard', 'runs', 'refusals', 'failures', 'timeouts', 'total_ms', 'max_ms', 'histogram'),
      hour: `hour - ${(back * DAY_MS) / HOUR_MS}`,
    }),
    copy('presence', `presence WHERE ${where} AND day = ${base}`, {
      ...plain('machine', 'hook', 'runs', 'failures'),
      day: String(day),
    }),
    copy('activity', `activity WHERE ${where} AND day = ${base}`, {
      ...plain('machine', 'event', 'count'),
      day: String(day),
    }),
    copy('refusals', `refusals WHERE ${where} AND day = ${base}`, {
      ...plain('hook', 'event', 'tool', 'outcome', 'count'),
      day: String(day),
    }),
  ]
}

/** @param {string} path */
async function openFile(path) {
  const { default: Libsql } = await import('libsql')
  const db = new Libsql(path)
  db.exec('PRAGMA busy_timeout = 60000; PRAGMA synchronous = OFF')
  return {
    run: async (/** @type {string} */ text) => void db.exec(text.replace(' OVERRIDING SYSTEM VALUE', '')),
    close: async () => void db.close(),
    dialect: {
      fixed: '',
      where: '1 = 1',
      from: (/** @type {string} */ table, /** @type {number} */ day) => `${table}_${day}`,
      into: (/** @type {string} */ table, /** @type {number} */ day) => `${table}_${day}`,
      makeDay: async (/** @type {number} */ base, /** @type {number} */ day) => {
        const made = db.prepare('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name LIKE ?').all(`%${base}%`)
        for (const { sql } of /** @type {{ sql: string }[]} */ (made))
          db.exec(sql.replaceAll(String(base), String(day)))
      },
      finish: async () => void db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    },
  }
}

/** @param {string} url */
async function openDatabase(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('SELECT id FROM tenants WHERE name = $1', [TENANT])
  const tenant = rows[0].id
  const tables = ['events', 'runs', 'bodies']
  return {
    run: async (/** @type {string} */ text) => void (await client.query(text)),
    close: () => client.end(),
    dialect: {
      fixed: 'tenant, ',
      where: `tenant = ${tenant}`,
      from: (/** @type {string} */ table, /** @type {number} */ day) => `${table}_${day}_t${tenant}`,
      into: (/** @type {string} */ table) => table,
      makeDay: async (/** @type {number} */ base, /** @type {number} */ day) => {
        for (const table of tables) {
          await client.query(
            `CREATE TABLE IF NOT EXISTS ${table}_${day} PARTITION OF ${table} FOR VALUES IN (${day}) PARTITION BY LIST (tenant)`,
          )
          await client.query(
            `CREATE TABLE IF NOT EXISTS ${table}_${day}_t${tenant} PARTITION OF ${table}_${day} FOR VALUES IN (${tenant})`,
          )
          const { rows: indexes } = await client.query('SELECT indexdef FROM pg_indexes WHERE tablename = $1', [
            `${table}_${base}_t${tenant}`,
          ])
          for (const { indexdef } of indexes) await client.query(indexdef.replaceAll(String(base), String(day)))
        }
      },
      finish: async () => void (await client.query('ANALYZE')),
    },
  }
}

/** @param {number} time */
const toDay = (time) => Number(new Date(time).toISOString().slice(0, 10).replaceAll('-', ''))

/** First hour of a day. @param {number} day */
function dayHour(day) {
  const text = String(day)
  return Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6))) / HOUR_MS
}
