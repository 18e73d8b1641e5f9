import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DispatchRecord, type Engine, HooklineError, openEngine } from '../../src/index.ts'
import { readLog } from '../../src/log/log.ts'
import type { LogEntry } from '../../src/log/record-store.ts'
import { readStatistics } from '../../src/log/statistics.ts'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { lineOf } from '../support/log-lines.ts'
import { storeOf } from '../support/memory-store.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
const logIn = ({ root }: World): string => join(root, 'hooks.jsonl')
const asJson = (records: readonly DispatchRecord[]): unknown => JSON.parse(JSON.stringify(records))

/** A project with one hook for Bash among many that look for other tools. */
const crowded = (count = 100): Promise<World> => {
  const others = Array.from({ length: count }, (_, at) => ({ matcher: `Tool${at}`, ...commands(`true # ${at}`) }))
  const half = others.length / 2
  const guard = { matcher: 'Bash', ...commands('echo no >&2; exit 2') }
  const groups = [...others.slice(0, half), guard, ...others.slice(half)]
  return makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: groups } } })
}

async function read(file: string): Promise<{ lines: LogEntry[]; skipped: { lines: number; partial?: number } }> {
  const skipped: { lines: number; partial?: number } = { lines: 0 }
  const lines: LogEntry[] = []
  const onSkipped = ({ is }: { is: string }) => {
    if (is === 'partial') skipped.partial = (skipped.partial ?? 0) + 1
    else skipped.lines++
  }
  for await (const { place: _, ...line } of readLog(file, { onSkipped })) lines.push(line)
  return { lines, skipped }
}

async function send(engine: Engine, count: number): Promise<DispatchRecord[]> {
  const records: DispatchRecord[] = []
  for (let sent = 0; sent < count; sent++) records.push(await engine.dispatch(bashCall))
  await engine.close()
  return records
}

describe('a record', () => {
  it('says whose it is, when the event began, how long it took, and when each hook was started', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('sleep 0.2', 'true'), commands('exit 2')] } },
    })
    const before = Date.now()
    const host = { client: 'lamp', version: '1.2.3' }
    const engine = await openOn(world, { host, order: 'sequential' })
    const record = await engine.dispatch({ ...bashCall, agent_id: 'a1' })
    const next = await engine.dispatch(stop)
    await engine.close()
    const other = await openOn(world)
    const elsewhere = await other.dispatch(stop)
    await other.close()

    expect(record).toMatchObject({ version: 2, agentId: 'a1', host, engine: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(record.project).toEqual({ name: basename(world.project), pathHash: expect.stringMatching(/^[0-9a-f]{24}$/) })
    expect(JSON.stringify(record.project)).not.toContain(world.root)
    expect(Date.parse(record.at)).toBeGreaterThanOrEqual(before)
    expect(record.durationMs).toBeGreaterThan(200)
    const [slow, quick] = record.hooks
    expect(quick?.startMs).toBeGreaterThanOrEqual((slow?.startMs ?? 0) + (slow?.durationMs ?? 0))
    expect(record.durationMs).toBeGreaterThanOrEqual(quick?.startMs ?? 0)

    const [machine, epoch, seq] = record.id.split('/')
    expect(seq).toBe('1')
    expect(next.id).toBe(`${machine}/${epoch}/2`)
    expect(elsewhere.id).toMatch(new RegExp(`^${machine}/(?!${epoch}/)\\w+/1$`))
    expect(next).not.toHaveProperty('agentId')
    expect(elsewhere).not.toHaveProperty('host')
    for (const one of [record, next, elsewhere]) expect(recordSchema.safeParse(one)).toMatchObject({ success: true })
  })

  it('has the same snapshot as long as the same hooks are configured for its event', async () => {
    const world = await crowded(2)
    const engine = await openOn(world)
    const snapshots: string[] = []
    const note = async () => snapshots.push((await engine.dispatch({ ...bashCall, tool_name: 'Read' })).snapshot)
    await note()
    await note()
    const { remove } = await engine.on('PreToolUse', () => null)
    await note()
    remove()
    await note()
    engine.switchHook('project:PreToolUse:0:0', { off: true })
    await note()
    await engine.close()
    const [first, same, more, again, off] = snapshots
    expect([same, again]).toEqual([first, first])
    expect(new Set([first, more, off]).size).toBe(3)
  })

  it('has the end of what a hook wrote only where the host asks for it, without secrets', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { Stop: [commands('printf "early words, token=%s and the ünd" "$API_TOKEN"; echo bad >&2; exit 1')] },
      },
    })
    const env = { ...process.env, API_TOKEN: 'abcdef-123456-secret' }
    const [asked, plain] = [await openOn(world, { env, outputTail: 30 }), await openOn(world, { env })]
    const [line] = (await asked.dispatch(stop)).hooks
    const [without] = (await plain.dispatch(stop)).hooks
    await Promise.all([asked.close(), plain.close()])
    expect(line).toMatchObject({ stdoutTail: ', token=[redacted] and the ünd', stderrTail: 'bad\n' })
    expect(without).not.toHaveProperty('stdoutTail')
    await expect(openEngine({ ...world, outputTail: -1 })).rejects.toThrow(HooklineError)
    await expect(openEngine({ ...world, host: { client: '' } })).rejects.toThrow(HooklineError)
  })

  it('keeps nothing of a blocked prompt in what its hooks wrote', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { UserPromptSubmit: [commands('cat; echo no >&2; exit 2')] } },
    })
    const engine = await openOn(world, { outputTail: 1000, log: logIn(world) })
    const record = await engine.dispatch({
      hook_event_name: 'UserPromptSubmit',
      prompt: 'my old password is lamplight',
    })
    await engine.close()
    expect(record.hooks[0]?.stdoutTail).toContain('[erased]')
    expect(JSON.stringify(record) + (await readFile(logIn(world), 'utf8'))).not.toContain('lamplight')
  })
})

describe('a log of records', () => {
  it('has the configured hooks once, and gives whole records back', async () => {
    const world = await crowded()
    const records = await send(await openOn(world, { log: logIn(world) }), 5)
    const texts = (await readFile(logIn(world), 'utf8')).trim().split('\n')
    const [first = '', ...rest] = texts
    expect(first.length).toBeGreaterThan(20_000)
    for (const line of rest) expect(line.length).toBeLessThan(3000)
    const { lines, skipped } = await read(logIn(world))
    expect(lines.map(({ record }) => record)).toEqual(asJson(records))
    expect(records[0]?.hooks).toHaveLength(101)
    expect(skipped).toEqual({ lines: 0 })
  })

  it('has them again in every file, so that each is readable by itself', async () => {
    const world = await crowded()
    const file = logIn(world)
    const records = await send(await openOn(world, { log: { file, maxBytes: 40_000, keep: 9 } }), 30)
    const aside = await read(`${file}.1`)
    expect(aside.lines.length).toBeGreaterThan(1)
    for (const path of [file, `${file}.1`]) {
      await writeFile(join(world.root, 'alone.jsonl'), await readFile(path))
      const { lines, skipped } = await read(join(world.root, 'alone.jsonl'))
      expect(skipped).toEqual({ lines: 0 })
      for (const { record } of lines) expect(record.hooks).toHaveLength(101)
    }
    expect((await read(file)).lines.map(({ record }) => record)).toEqual(asJson(records))
  })

  it('has them again in a file that was emptied or taken away', async () => {
    const world = await crowded()
    const engine = await openOn(world, { log: logIn(world) })
    await engine.dispatch(bashCall)
    await settled(logIn(world), 1)
    await writeFile(logIn(world), '')
    const [record] = await send(engine, 1)
    const { lines, skipped } = await read(logIn(world))
    expect(lines.map((line) => line.record)).toEqual(asJson(record ? [record] : []))
    expect(skipped).toEqual({ lines: 0 })
  })

  it('is shared by engines of several projects, and gives each its own hooks back', async () => {
    const [one, other] = [await crowded(10), await crowded(20)]
    const log = { file: logIn(one), maxBytes: 20_000, keep: 99 }
    const engines = await Promise.all([openOn(one, { log }), openOn(other, { log }), openOn(one, { log })])
    const records = (await Promise.all(engines.map((engine) => send(engine, 8)))).flat()
    const { lines, skipped } = await read(log.file)
    const byId = (some: readonly { id?: string }[]) => [...some].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
    expect(byId(lines.map(({ record }) => record))).toEqual(byId(asJson(records) as DispatchRecord[]))
    expect(skipped).toEqual({ lines: 0 })
  })

  it('whose beginning was cut off is read without the hooks that did not run, and counts those records', async () => {
    const world = await crowded()
    await send(await openOn(world, { log: logIn(world) }), 3)
    const text = await readFile(logIn(world), 'utf8')
    await writeFile(logIn(world), text.slice(text.indexOf('"configured"') + 1000))
    const { lines, skipped } = await read(logIn(world))
    expect(skipped).toEqual({ lines: 1, partial: 2 })
    for (const { record, partial } of lines) {
      expect(partial).toBe(true)
      expect(record.hooks.map(({ id }) => id)).toEqual(['project:PreToolUse:50:0'])
    }
  })

  it.each([[[0, 1]], [[-1]], [['constructor']], [[1.5]], [[9]], ['x'], [null]])(
    'with the places %j, which cannot be right, is read without them',
    async (places) => {
      const world = await makeWorld()
      const { record, input } = JSON.parse(lineOf('s'))
      const line = { id: 'a', verdict: 'matcher-miss' }
      const wrong = { record: { ...record, hooks: [line] }, input, places, configured: [line, line] }
      await writeFile(logIn(world), `${JSON.stringify(wrong)}\n`)
      const { lines, skipped } = await read(logIn(world))
      expect(lines.map((one) => one.record.hooks)).toEqual([[line]])
      expect(skipped).toEqual({ lines: 0, partial: 1 })
    },
  )

  it('of version 1 is read as ever, beside lines of version 2', async () => {
    const world = await makeWorld()
    const { record, input } = JSON.parse(lineOf('old'))
    const { id, durationMs, engine, project, snapshot, ...old } = { ...record, version: 1 }
    const line = { ...JSON.parse(JSON.stringify(record)), sessionId: 'new' }
    const written = [{ record: old, input }, { record: line, input }, old]
    await writeFile(logIn(world), written.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const { lines, skipped } = await read(logIn(world))
    expect(lines.map(({ record }) => [record.version, record.sessionId])).toEqual([
      [1, 'old'],
      [2, 'new'],
      [1, 'old'],
    ])
    expect(skipped).toEqual({ lines: 0 })
  })

  it('adds up to the same statistics as the records', async () => {
    const world = await crowded(6)
    const records = await send(await openOn(world, { log: logIn(world) }), 3)
    const logged = await readStatistics(logIn(world))
    expect(logged).toEqual(await readStatistics(storeOf(records)))
    expect(logged.hooks.map(({ seen }) => seen)).toEqual([3, 3, 3, 3, 3, 3, 3])
  })
})

/** Waits until a file has so many lines. */
async function settled(file: string, count: number): Promise<void> {
  for (;;) {
    const lines = (await readFile(file, 'utf8')).split('\n').length - 1
    if (lines >= count) return
    await new Promise(setImmediate)
  }
}
