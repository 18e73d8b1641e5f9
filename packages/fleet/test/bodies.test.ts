import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openEngine } from 'hookline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findSpool } from '../../hookline/src/fleet/segments.ts'
import { listBatches } from '../../hookline/src/fleet/ship.ts'
import { summariseEvent } from '../../hookline/src/log/event-summary.ts'
import { parseLogLine } from '../../hookline/src/log/log-line.ts'
import { parseBatch } from '../src/batch.ts'
import { makeFleetSource } from '../src/page/record-source.ts'
import { type FleetStore, openStore } from '../src/store/store.ts'

const EVENTS = 130
/** One hook of these listens to the call, and it says something. */
const MATCHERS = ['Edit', 'Bash', 'Write', 'Bash|Read']

let root: string
let store: FleetStore
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hookline bodies-'))
  store = await openStore(join(root, 'data'))
})
afterAll(async () => {
  await store.close()
  await rm(root, { recursive: true, force: true })
})

/** Decides on events in a session of a user whose fleet has a level. Returns the texts of the batches that leave the machine. */
async function decideMany(level: string, hooks: readonly string[]): Promise<string[]> {
  const home = await mkdtemp(join(root, 'home-'))
  await mkdir(join(home, '.claude'))
  await mkdir(join(home, 'project'))
  const groups = hooks.map((matcher) => ({ matcher, hooks: [{ type: 'command', command: `: guard of ${matcher}` }] }))
  const settings = { hookline: { fleet: { url: 'http://127.0.0.1:9/', level } }, hooks: { PreToolUse: groups } }
  await writeFile(join(home, '.claude/settings.json'), JSON.stringify(settings))
  const engine = await openEngine({ home, project: join(home, 'project') })
  for (let at = 0; at < EVENTS; at++)
    await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: `a-${at}.ts` } })
  await engine.close()
  const texts: string[] = []
  for await (const { text } of listBatches(findSpool(home), 'anna')) texts.push(text)
  return texts
}

it.each(['redacted', 'full'])(
  'at %s the page shows each hook of each event, also those that did not run',
  async (level) => {
    const tenant = await store.addTenant(level)
    for (const text of await decideMany(level, MATCHERS))
      await store.addBatches(tenant, [await parseBatch('machine', gzipSync(text), new Date())], Date.now())
    const source = makeFleetSource(store, tenant, { summariseEvent, parseLogLine })
    const { rows } = await source.findSessions({ text: '', words: {}, since: 0, offset: 0, limit: 10 })
    const session = rows[0]?.id ?? ''
    const events = await source.summariseEvents(session)
    expect(events).toHaveLength(EVENTS)
    for (const [at, { id }] of events.entries()) {
      const entry = await source.findEntry(session, id)
      expect([at, entry?.partial, entry?.input?.tool_input]).toEqual([at, undefined, { file_path: `a-${at}.ts` }])
      expect(entry?.record.hooks.map(({ matcher, verdict }) => `${matcher} ${verdict}`)).toEqual([
        ...['Edit matcher-miss', 'Bash matcher-miss', 'Write matcher-miss', 'Bash|Read ran'],
      ])
    }
  },
)

it.each(['facts', 'redacted'])('at %s a hundred hooks on the wire cost little more than one', async (level) => {
  const measure = async (hooks: readonly string[]): Promise<number> =>
    (await decideMany(level, hooks)).reduce((sum, text) => sum + gzipSync(text).length, 0)
  const one = await measure(['Read'])
  const many = await measure(['Read', ...Array.from({ length: 99 }, (_, at) => `Tool${at}`)])
  expect(many / one).toBeLessThanOrEqual(1.2)
})
