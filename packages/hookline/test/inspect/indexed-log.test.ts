import { appendFile, chmod, mkdtemp, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nameIndexFile } from '../../src/inspect/index-file.ts'
import { IndexedLog } from '../../src/inspect/indexed-log.ts'
import { readEntryId, summariseEvent } from '../../src/log/event-summary.ts'
import { readLog } from '../../src/log/log.ts'
import { listSessions, summariseSession } from '../../src/log/sessions.ts'
import { makeTapReader } from '../../src/log/tapped-record.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'

const PADDING = 'x'.repeat(20_000)

function line(nth: number, sessionId = 's'): string {
  const at = new Date(Date.parse('2026-11-15T09:30:00.000Z') + nth * 1000).toISOString()
  const record = recordWith({
    sessionId,
    id: `m/e/${nth}`,
    at,
    hooks: [ranHook('project:Stop:0:0', { durationMs: nth })],
  })
  return `${JSON.stringify({ record, input: { hook_event_name: 'Stop', prompt: `${nth} ${PADDING}` } })}\n`
}

async function makeLog(lines: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-index-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'hooks.jsonl')
  await writeFile(file, lines.join(''), { mode: 0o600 })
  return file
}

async function open(file: string): Promise<IndexedLog> {
  const log = new IndexedLog(file, await makeTapReader())
  onTestFinished(() => log.close())
  await log.update()
  return log
}

/** Ids of the events of a session, each read again from the log itself. */
async function idsOf(log: IndexedLog, session = 's'): Promise<(string | null)[]> {
  const events = await log.readSession(session)
  return Promise.all(
    events.map(async (event) => {
      const entry = await log.readEvent(event)
      return entry === null ? null : readEntryId(entry)
    }),
  )
}

const lines = (count: number): string[] => Array.from({ length: count }, (_, nth) => line(nth))
const ids = (count: number): string[] => Array.from({ length: count }, (_, nth) => `m/e/${nth}`)

describe('the index of a log', () => {
  it('shows what reading the log shows, and finds every event again', async () => {
    const file = await makeLog([...lines(4), line(4, 'other'), line(5)])
    const log = await open(file)
    const entries = []
    for await (const entry of readLog(file)) if (entry.record.sessionId === 's') entries.push(entry)
    expect((await log.readSession('s')).map(({ summary }) => summary)).toEqual(entries.map(summariseEvent))
    expect(await idsOf(log)).toEqual(entries.map(readEntryId))
    const sessions = [...log.sessions.values()].map(({ tally }) => summariseSession(tally))
    expect(sessions.sort((a, b) => (a.id < b.id ? 1 : -1))).toEqual(
      (await listSessions(file)).sort((a, b) => (a.id < b.id ? 1 : -1)),
    )
  })

  it('is kept beside the log for its owner alone, read the second time, and goes on where it ended', async () => {
    const file = await makeLog(lines(100))
    const first = await open(file)
    await first.save()
    await first.close()
    const { mode, mtimeMs } = await stat(nameIndexFile(file))
    expect(mode & 0o777).toBe(0o600)
    await appendFile(file, line(100))
    const second = await open(file)
    expect(second.events).toBe(101)
    expect(await idsOf(second)).toEqual(ids(101))
    await second.save()
    expect((await stat(nameIndexFile(file))).mtimeMs).toBe(mtimeMs) // too little is new
  })

  it('says the same after any number of readings, however the bytes came', async () => {
    const text = Buffer.from(lines(6).join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: text.length }), { maxLength: 5 }), async (cuts) => {
        const file = await makeLog([])
        const log = await open(file)
        let at = 0
        for (const cut of [...cuts.sort((a, b) => a - b), text.length]) {
          await appendFile(file, text.subarray(at, cut))
          at = cut
          await log.update()
        }
        expect(await idsOf(log)).toEqual(ids(6))
        expect(log.skipped).toEqual({})
      }),
      { numRuns: 15 },
    )
  })

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['its rows are cut off', (file) => truncate(nameIndexFile(file), 1000)],
    ['it is another text', (file) => writeFile(nameIndexFile(file), '{"is":"hookline log index 1"}')],
    ['it is empty', (file) => writeFile(nameIndexFile(file), '')],
    [
      'it is a link',
      async (file) => {
        await rename(nameIndexFile(file), `${file}.kept`)
        await symlink(`${file}.kept`, nameIndexFile(file))
      },
    ],
    ['the log was written anew', (file) => writeFile(file, lines(100).join('').replaceAll('m/e/', 'm/f/'))],
  ])('is made again where %s', async (_, spoil) => {
    const file = await makeLog(lines(100))
    const first = await open(file)
    await first.save()
    await first.close()
    await spoil(file)
    const log = await open(file)
    await idsOf(log) // an event that is not where the index says shows that it lies
    await log.update()
    expect(log.events).toBe(100)
    expect((await idsOf(log)).every((id) => id !== null)).toBe(true)
  })

  it('goes on in the next file when the log is moved aside', async () => {
    const file = await makeLog(lines(2))
    const log = await open(file)
    await appendFile(file, line(2))
    await rename(file, `${file}.1`)
    await writeFile(file, line(3))
    await log.update()
    expect(await idsOf(log)).toEqual(ids(4))
  })

  it('begins anew when the log is deleted, and says of an event that it is gone', async () => {
    const file = await makeLog(lines(2))
    const log = await open(file)
    const [event] = await log.readSession('s')
    await rm(file)
    expect(event && (await log.readEvent(event))).toBeNull()
    await log.update()
    expect(log.events).toBe(0)
    await writeFile(file, line(7))
    await log.update()
    expect(await idsOf(log)).toEqual(['m/e/7'])
  })

  it('counts lines that are torn or of another program, and shows the rest', async () => {
    const file = await makeLog([line(0), '{"torn":\n', '{"of":"another"}\n', `${'y'.repeat(5_000_000)}\n`, line(1)])
    const log = await open(file)
    expect(await idsOf(log)).toEqual(ids(2))
    expect(log.skipped).toEqual({ torn: 2, foreign: 1 })
  })

  it('reads no link and no pipe, and says so', async () => {
    const file = await makeLog(lines(1))
    const link = `${file}-link`
    await symlink(file, link)
    const log = await open(link)
    expect(log.problem).toContain('is a link')
    expect(log.events).toBe(0)
  })

  it('says that a log cannot be read, and reads it when it can', async () => {
    const file = await makeLog(lines(1))
    await chmod(file, 0)
    const log = await open(file)
    if (process.getuid?.() !== 0) expect(log.problem).toContain('cannot be read')
    await chmod(file, 0o600)
    await log.update()
    expect(log.problem).toBeNull()
    expect(log.events).toBe(1)
  })
})
