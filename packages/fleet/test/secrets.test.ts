import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openEngine } from 'hookline'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { missingPostgres, startPostgres } from '../../../scripts/fleet/postgres.js'
import { findSpool } from '../../hookline/src/fleet/segments.ts'
import { listBatches } from '../../hookline/src/fleet/ship.ts'
import { HEX_TOKENS, LINE_LOGINS, LOGINS, SECRETS, TOKENS } from '../../hookline/test/support/secrets.ts'
import { parseBatch } from '../src/batch.ts'
import { exportEvents } from '../src/export.ts'
import { makeKey } from '../src/keys.ts'
import { admitVisitor } from '../src/page/visitor.ts'
import { startServer } from '../src/server.ts'
import { listEvents, readBody } from '../src/store/queries.ts'
import { type FleetStore, openStore } from '../src/store/store.ts'

/** Texts with a secret, and the part of it that must be found nowhere. */
const CORPUS: readonly (readonly [text: string, secret: string])[] = [
  ...Object.values(SECRETS),
  ...Object.values(TOKENS).map((token) => [`use ${token} now`, 'CANARY'] as const),
  ...Object.entries(HEX_TOKENS).map(([, token]) => [`use ${token} now`, token] as const),
  ...[...LOGINS, ...LINE_LOGINS].map((login) => [login, 'CANARY'] as const),
]
const LEVELS = ['counts', 'facts', 'redacted', 'full']
const PARROTED = 8
const ADMIN_KEY = makeKey()
/** A database is started, and each secret is decided on at each level. */
const LONG_MS = 280_000
const PARROT = { type: 'command', command: 'cat >&2; exit 2' }

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hookline secrets-'))
  for (const level of LEVELS) await decideAll(level)
}, LONG_MS)
afterAll(() => rm(root, { recursive: true, force: true }))

/** Decides an event for each secret, in its input and in what a hook says. */
async function decideAll(level: string): Promise<void> {
  const home = join(root, level)
  await mkdir(join(home, '.claude'), { recursive: true })
  await mkdir(join(home, 'project'))
  const hooks = { PreToolUse: [{ matcher: 'Parrot', hooks: [PARROT] }] }
  const settings = { hookline: { fleet: { url: 'http://127.0.0.1:9/', level } }, hooks }
  await writeFile(join(home, '.claude/settings.json'), JSON.stringify(settings))
  const engine = await openEngine({ home, project: join(home, 'project') })
  for (const [at, [text]] of CORPUS.entries()) {
    const tool_name = at < PARROTED ? 'Parrot' : 'Bash'
    await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name, tool_input: { command: text, deep: [{ text }] } })
  }
  await engine.close()
}

function findLeaks(place: string, text: string): string[] {
  return CORPUS.flatMap(([, secret]) => (text.includes(secret) ? [`${place}: ${secret}`] : []))
}

async function* readFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) yield await readFile(join(entry.parentPath, entry.name), 'latin1')
}

/** Reads all that the page says of a tenant: its lists, each session and each event. */
async function* readPage(store: FleetStore, url: string, tenant: string): AsyncGenerator<string> {
  const gate = { store, adminKey: ADMIN_KEY, readToken: null, isLoopback: true }
  const [cookie = ''] = (await admitVisitor(ADMIN_KEY, tenant, { gate, isSecure: false })).split(';')
  const ask = async (path: string): Promise<string> => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }
    const response = await fetch(new URL(`page/api/${path}`, url), { headers })
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }
  for (const list of ['state', 'machines', 'alarms', 'cost']) yield ask(list)
  const sessions = await ask('sessions?limit=100')
  yield sessions
  for (const { id: session } of JSON.parse(sessions).rows) {
    const events = await ask(`session?id=${session}&fold=0&limit=1000`)
    yield events
    for (const [, id] of events.matchAll(/"id":"([0-9a-z]+\.\d+)"/g)) yield ask(`event?session=${session}&id=${id}`)
  }
}

const STORES: readonly [string, string | null][] = [
  ['SQLite', null],
  ['PostgreSQL', missingPostgres],
]

it.each(STORES)(
  'no secret is anywhere below the level full, and none in a store of %s at that level',
  async (name, missing) => {
    if (missing !== null) return
    const cluster = name === 'SQLite' ? null : await startPostgres({ isSynced: false })
    if (cluster !== null) onTestFinished(cluster.stop)
    const data = join(root, `data ${name}`)
    const store = await openStore(cluster?.url ?? data)
    const leaks: string[] = []
    let events = 0
    for (const level of LEVELS) {
      const home = join(root, level)
      const tenant = await store.addTenant(level)
      for await (const { text } of listBatches(findSpool(home), 'a-person')) {
        if (level !== 'full') leaks.push(...findLeaks(`${level}, wire`, text))
        const [answer] = await store.addBatches(
          tenant,
          [await parseBatch('machine', gzipSync(text), new Date())],
          Date.now(),
        )
        expect(answer?.refused).toEqual([])
      }
      if (level !== 'full')
        for await (const file of readFiles(join(home, '.hookline'))) leaks.push(...findLeaks(`${level}, spool`, file))
      const { rows } = await listEvents(store.database, tenant, { limit: 1000 })
      events += rows.length
      for (const row of rows) {
        const body = await readBody(store.database, tenant, row)
        expect([level, body !== null]).toEqual([level, level === 'redacted' || level === 'full'])
        leaks.push(...findLeaks(`${level}, store`, `${body} ${JSON.stringify(row)}`))
      }
      for await (const line of exportEvents(store.database, tenant, 'ndjson'))
        leaks.push(...findLeaks(`${level}, export`, line))
    }
    const server = await startServer({
      ...{ store, host: '127.0.0.1', port: 0, adminKey: ADMIN_KEY, maxBatchesPerMinute: 600, note: () => {} },
    })
    let views = 0
    for (const level of LEVELS)
      for await (const text of readPage(store, server.url, level)) {
        leaks.push(...findLeaks(`${level}, page`, text))
        views++
      }
    expect(views).toBeGreaterThan(3 * CORPUS.length)
    await server.stop()
    await store.close()
    if (cluster === null) for await (const file of readFiles(data)) leaks.push(...findLeaks('file', file))
    expect(events).toBe(3 * CORPUS.length) // figures alone are no events
    expect([...new Set(leaks)]).toEqual([])
  },
  LONG_MS,
)
