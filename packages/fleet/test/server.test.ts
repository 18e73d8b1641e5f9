import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askRandomly } from '../../../scripts/fleet/ask-randomly.js'
import { SimulatedMachine } from '../../../scripts/fleet/simulated-machine.js'
import { makeKey } from '../src/keys.ts'
import { ROUTES } from '../src/routes.ts'
import { type RunningServer, startServer } from '../src/server.ts'
import { type FleetStore, openStore } from '../src/store/store.ts'

const RECORDS = 250
const PERSON_RECORDS = 25

let folder: string
let store: FleetStore
let server: RunningServer
const adminKey = makeKey()
const noted: object[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline server-'))
  store = await openStore(folder)
  await store.addTenant('default')
  server = await start((line) => noted.push(line))
  const { key } = await enrol('shop')
  const machine = new SimulatedMachine({ name: 'one', key, epoch: 'first', seed: 7, withBodies: true })
  await send(
    key,
    machine.packBatch(RECORDS, (at) => Date.now() - at),
  )
})

afterAll(async () => {
  await server.stop()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

function start(note: (line: object) => void, more: { host?: string; maxBatchesPerMinute?: number } = {}) {
  return startServer({ store, host: '127.0.0.1', port: 0, adminKey, maxBatchesPerMinute: 600, note, ...more })
}

interface Answered {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas below
  readonly json: any
}

async function ask(path: string, { key = adminKey, ...init }: RequestInit & { key?: string } = {}): Promise<Answered> {
  const response = await fetch(new URL(path, server.url), { ...init, headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, text, headers: response.headers, json: isJson ? JSON.parse(text) : null }
}

const post = (path: string, body: object, key = adminKey, method = 'POST') =>
  ask(path, { method, body: JSON.stringify(body), key })
const send = (key: string, body: Buffer) => ask('v1/records', { method: 'POST', key, body: new Uint8Array(body) })

async function enrol(tenant: string): Promise<{ machine: string; key: string }> {
  const { json } = await ask(`v1/tokens?tenant=${tenant}`, { method: 'POST' })
  return (await post('v1/enrol', { token: json.token, name: 'a machine' })).json
}

async function makePersonKey(tenant: string, role: string): Promise<string> {
  return (await post(`v1/keys?tenant=${tenant}`, { name: `${role} of ${tenant}`, role })).json.key
}

describe('the interface', () => {
  it('answers as its document says, route by route', async () => {
    const { key } = await enrol('shop')
    const [event] = (await ask('v1/events?tenant=shop&limit=1')).json.events
    const event1 = `machine=${event.machine}&epoch=${event.epoch}&seq=${event.seq}&day=${event.day}`
    const token = async () => (await ask('v1/tokens?tenant=shop', { method: 'POST' })).json.token
    const other = await enrol('shop')
    const calls: Readonly<Record<string, () => Promise<Answered>>> = {
      'GET /v1/heads': () => ask(`v1/heads?tenant=shop&machine=${event.machine}`),
      'GET /v1/body': () => ask(`v1/body?tenant=shop&${event1}`),
      'GET /v1/status': () => ask('v1/status?epoch=none', { key }),
      'POST /v1/enrol': async () => post('v1/enrol', { token: await token() }),
      'POST /v1/records': () => send(key, gzipSync('{"v":1,"epoch":"empty"}\n')),
      'POST /v1/keys': () => post('v1/keys?tenant=shop', { name: 'of a test', role: 'viewer' }),
      'DELETE /v1/keys': () => ask('v1/keys?tenant=shop&name=of%20a%20test', { method: 'DELETE' }),
      'POST /v1/revoke': () => post('v1/revoke?tenant=shop', { machine: other.machine }),
      'POST /v1/erase': () => post('v1/erase?tenant=shop', { person: 'nobody' }),
      'PUT /v1/retention': () =>
        post('v1/retention?tenant=shop', { bodyDays: 20, factDays: 40, figureDays: 60 }, adminKey, 'PUT'),
    }
    for (const { path, answers, status = 200 } of ROUTES) {
      const [method = '', address = ''] = path.split(' ')
      const call = calls[path] ?? (() => ask(`${address.slice(1)}?tenant=shop`, { method }))
      const answer = await call()
      expect([path, answer.status, answer.status === status ? '' : answer.text]).toEqual([path, status, ''])
      if (typeof answers === 'string') expect(answer.headers.get('content-type')).toBe(answers)
      else expect([path, answers.safeParse(answer.json).error?.message]).toEqual([path, undefined])
    }
    const { paths } = (await ask('v1/openapi.json')).json
    const documented = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.sort()).toEqual(ROUTES.map(({ path }) => path).sort())
  })

  it('gives tokens and keys that no command line takes for a flag', async () => {
    const tokens = Array.from({ length: 100 }, async () => (await ask('v1/tokens', { method: 'POST' })).json.token)
    const { key } = await enrol('default')
    for (const secret of [...(await Promise.all(tokens)), key]) expect(secret).toMatch(/^[0-9a-z]{40,}$/)
  })

  it('leads through all events, sessions and machines page by page', async () => {
    await enrol('shop')
    for (const [list, rows, limit] of [
      ['events', 'events', 60],
      ['sessions', 'rows', 2],
      ['machines', 'machines', 1],
    ] as const) {
      const seen = new Set<string>()
      for (let cursor = ''; ; ) {
        const { json } = await ask(`v1/${list}?tenant=shop&limit=${limit}${cursor && `&cursor=${cursor}`}`)
        for (const row of json[rows]) seen.add(JSON.stringify(row))
        if (json.cursor === null) break
        expect(json[rows]).toHaveLength(limit)
        cursor = json.cursor
      }
      const { json: all } = await ask(`v1/${list}?tenant=shop&limit=1000`)
      expect([list, seen]).toEqual([list, new Set(all[rows].map((row: object) => JSON.stringify(row)))])
      expect(seen.size).toBeGreaterThan(limit)
    }
  })

  it('exports each event once, as lines and as logs of OTLP', async () => {
    const lines = (await ask('v1/export?tenant=shop')).text.trimEnd().split('\n')
    expect(lines).toHaveLength(RECORDS)
    const logs = (await ask('v1/export?tenant=shop&format=otlp')).text.trimEnd().split('\n')
    const records = logs
      .flatMap((line) => JSON.parse(line).resourceLogs)
      .flatMap(({ scopeLogs }) => scopeLogs)
      .flatMap(({ logRecords }) => logRecords)
    expect(records).toHaveLength(RECORDS)
    expect(new Set(records.map(({ body }) => body.stringValue))).toEqual(
      new Set(lines.map((line) => JSON.stringify(JSON.parse(line).facts))),
    )
    for (const { timeUnixNano, attributes } of records) {
      expect(timeUnixNano).toMatch(/^\d{19}$/)
      for (const { key, value } of attributes) expect([key, Object.keys(value)]).toEqual([key, [expect.any(String)]])
    }
  })

  it('has figures of one tenant for its key, and of the whole server for its owner', async () => {
    const { key } = await enrol('small')
    const machine = new SimulatedMachine({ name: 'two', key, epoch: 'second', seed: 8 })
    await send(
      key,
      machine.packBatch(PERSON_RECORDS, () => Date.now()),
    )
    const read = async (who: string): Promise<Record<string, string>> => {
      const { text } = await ask('metrics', { key: who })
      return Object.fromEntries(text.split('\n').flatMap((line) => (/^[a-z]/.test(line) ? [line.split(' ')] : [])))
    }
    const own = await read(await makePersonKey('small', 'viewer'))
    expect(own).toEqual({ hookline_fleet_records: '25', hookline_fleet_machines: '1', hookline_fleet_gaps: '0' })
    const all = await read(adminKey)
    expect(Number(all.hookline_fleet_records)).toBeGreaterThanOrEqual(RECORDS + PERSON_RECORDS)
    expect(Number(all.hookline_fleet_taken_records_total)).toBeGreaterThanOrEqual(RECORDS + PERSON_RECORDS)
  })
})

describe('who may ask', () => {
  it('is told by the key: each route refuses every role below its own, and keys of other tenants', async () => {
    const machine = await enrol('shop')
    const keys = {
      none: 'nothing',
      machine: machine.key,
      viewer: await makePersonKey('shop', 'viewer'),
      author: await makePersonKey('shop', 'author'),
      admin: await makePersonKey('shop', 'admin'),
      owner: adminKey,
    }
    const ranks = ['none', 'viewer', 'author', 'admin', 'owner'] as const
    for (const { path, audience } of ROUTES) {
      const [method = '', address = ''] = path.split(' ')
      // A parameter that no route knows: what may be asked is answered with 400, and nothing is done.
      const askAs = async (key: string, more = '') =>
        (await ask(`${address.slice(1)}?no-such-parameter=1${more}`, { method, key })).status
      for (const [rank, name] of ranks.entries()) {
        const status = await askAs(keys[name])
        const isRefused = status === 401 || status === 403
        const isBelow = audience !== 'anyone' && (audience === 'machine' || rank < ranks.indexOf(audience))
        expect([path, name, isRefused]).toEqual([path, name, isBelow])
      }
      const isOfMachines = audience === 'machine' || audience === 'anyone'
      expect([path, (await askAs(keys.machine)) === 401]).toEqual([path, !isOfMachines])
      if (!isOfMachines && audience !== 'owner')
        expect([path, await askAs(keys.admin, '&tenant=default')]).toEqual([path, 403])
    }
  })

  it('ends with the key, and a key of the same name takes its place', async () => {
    const first = await makePersonKey('shop', 'viewer')
    const second = await makePersonKey('shop', 'viewer')
    expect((await ask('v1/machines', { key: first })).status).toBe(401)
    expect((await ask('v1/machines', { key: second })).status).toBe(200)
    await ask('v1/keys?tenant=shop&name=viewer%20of%20shop', { method: 'DELETE' })
    expect((await ask('v1/machines', { key: second })).status).toBe(401)
    const shop = await store.findTenant('shop')
    if (shop === null) throw new Error('the tenant is gone')
    const past = { name: 'old', role: 'admin', madeAt: 1, expiresAt: Date.now() - 1 } as const
    const { hashKey } = await import('../src/keys.ts')
    await store.addKey(shop, hashKey('an-old-key'), past)
    expect((await ask('v1/machines', { key: 'an-old-key' })).status).toBe(401)
  })

  it('counts a key in the address on loopback alone', async () => {
    expect((await fetch(new URL(`v1/machines?key=${adminKey}`, server.url))).status).toBe(200)
    const open = await start(() => {}, { host: '0.0.0.0' })
    const url = open.url.replace('0.0.0.0', '127.0.0.1')
    expect((await fetch(new URL(`v1/machines?key=${adminKey}`, url))).status).toBe(401)
    await open.stop()
    expect(JSON.stringify(noted)).not.toContain(adminKey)
  })

  it('has a machine that is revoked no more', async () => {
    const { machine, key } = await enrol('shop')
    expect((await ask('v1/status?epoch=x', { key })).status).toBe(200)
    await post('v1/revoke?tenant=shop', { machine })
    expect((await ask('v1/status?epoch=x', { key })).status).toBe(401)
  })
})

describe('bad input', () => {
  it.each([
    ['v1/events?limit=0', 400, 'limit'],
    ['v1/events?limit=1001', 400, 'limit'],
    ['v1/events?cursor=1.2', 400, 'cursor'],
    ["v1/sessions?cursor=1.2'--", 400, 'cursor'],
    ['v1/hooks?since=yesterday', 400, 'since'],
    ['v1/alarms?failing=2', 400, 'failing'],
    ['v1/events?nonsense=1', 400, 'nonsense'],
    ['v1/body?machine=a&epoch=b&seq=-1&day=1', 400, 'seq'],
    ['v1/events?tenant=no-such', 404, 'no-such'],
    ['v1/tokens?tenant=..%2Fx', 404, 'GET /v1/tokens'],
    ['v1/nothing', 404, 'there is no GET /v1/nothing'],
  ])('%s is answered with %i and says %s', async (path, status, words) => {
    const answer = await ask(path)
    expect(answer.status).toBe(status)
    expect(answer.json.error).toContain(words)
    expect(answer.text).not.toContain('    at ')
  })

  it.each([
    ['v1/tokens?tenant=..%2Fx', {}, "a tenant's name"],
    ['v1/enrol', [], 'expected object'],
    ['v1/enrol', { token: 1 }, 'token'],
    ['v1/keys', { name: 'x', role: 'emperor' }, 'role'],
    ['v1/erase', { person: '' }, 'person'],
  ])('POST %s with %j is refused', async (path, body, words) => {
    const answer = await post(path, body)
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringContaining(words)])
  })

  it.each([
    ['an address of slashes', 'GET // HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', /^HTTP\/1\.1 404 /],
    ['no path', 'GET http://other HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['half an escape', 'GET /v1/%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', /^HTTP\/1\.1 404 /],
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['half a body', 'POST /v1/enrol HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"tok', /^$/],
  ])('with %s leaves the server as it was', async (_, text, answered) => {
    const got = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let read = ''
      socket.on('data', (chunk) => {
        read += chunk
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(read))
      if (answered.source === '^$') socket.write(text, () => socket.destroy())
      else socket.write(text)
    })
    expect(got).toMatch(answered)
    expect((await ask('healthz')).text).toBe('ok\n')
  })

  it('of one machine in a flood is told to slow down, and hurts no other', async () => {
    const limited = await start(() => {}, { maxBatchesPerMinute: 2 })
    const [flood, calm] = [await enrol('shop'), await enrol('shop')]
    const send = ({ key }: { key: string }) =>
      fetch(new URL('v1/records', limited.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: new Uint8Array(gzipSync('{"v":1,"epoch":"flood"}\n')),
      })
    let last = await send(flood)
    for (let at = 0; at < 10 && last.status !== 429; at++) last = await send(flood) // a minute may begin meanwhile
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await send(calm)).status).toBe(200)
    await limited.stop()
  })

  it('of another tenant finds nothing, whatever is asked', async () => {
    const { key } = await enrol('theirs')
    const machine = new SimulatedMachine({ name: 'of-theirs', key, epoch: 'theirs', seed: 11, project: 'theirs-alone' })
    await send(
      key,
      machine.packBatch(PERSON_RECORDS, () => Date.now()),
    )
    const foreign = (await ask('v1/events?tenant=theirs&limit=1')).json.events[0]
    const own = (await ask('v1/events?tenant=shop&limit=1')).json.events[0]
    const found = await askRandomly({
      ...{ url: server.url, key: await makePersonKey('shop', 'admin'), count: 150, seed: 3 },
      ...{ tenant: 'theirs', own, foreign },
    })
    expect(found.leaks).toEqual([])
    expect(found.answered).toBeGreaterThan(found.count / 4)
  })
})

describe('stopping', () => {
  it('answers what is under way, and takes no more', async () => {
    const second = await start(() => {})
    const { key } = await enrol('shop')
    const machine = new SimulatedMachine({ name: 'last', key, epoch: 'last', seed: 9 })
    const batch = machine.packBatch(PERSON_RECORDS, () => Date.now())
    const headers = { authorization: `Bearer ${key}`, expect: '100-continue', 'content-length': batch.length }
    const sending = request(new URL('v1/records', second.url), { method: 'POST', headers })
    sending.flushHeaders()
    await once(sending, 'continue') // the server has the request, and none of its body
    const stopped = second.stop()
    sending.end(batch)
    const [response]: IncomingMessage[] = await once(sending, 'response')
    expect(JSON.parse((await response?.toArray())?.join('') ?? '')).toMatchObject({ acked: PERSON_RECORDS })
    await stopped
    await expect(fetch(new URL('healthz', second.url))).rejects.toThrow()
  })
})
