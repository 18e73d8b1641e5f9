import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Engine, HooklineError, openEngine } from '../../src/index.ts'
import { parseLogLine } from '../../src/log/log-line.ts'
import type { LogEntry } from '../../src/log/record-store.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

const guard = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('echo no >&2; exit 2') }] } }
const guarded = (): Promise<World> => makeWorld({ 'project/.claude/settings.json': guard })
const logIn = ({ root }: World): string => join(root, 'log', 'hooks.jsonl')

async function linesIn(file: string): Promise<LogEntry[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => {
    const parsed = parseLogLine(line)
    if (typeof parsed === 'string') throw new Error(`no record: ${line}`)
    return parsed
  })
}

/** Sends so many events through an engine that records them, and closes it. */
async function record(engine: Engine, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
  await engine.close()
}

describe('an engine with a log', () => {
  it('writes each record with its event, one line each, into a file that is only its owner’s', async () => {
    const world = await guarded()
    const engine = await openOn(world, { log: logIn(world), sessionId: 'one' })
    const records = [await engine.dispatch(bashCall), await engine.dispatch({ ...bashCall, tool_name: 'Read' })]
    await engine.close()
    const lines = await linesIn(logIn(world))
    expect(lines.map(({ record }) => record)).toEqual(JSON.parse(JSON.stringify(records)))
    expect(lines.map(({ input }) => input)).toMatchObject([
      { session_id: 'one', ...bashCall },
      { tool_name: 'Read', cwd: world.project },
    ])
    expect((await stat(logIn(world))).mode & 0o777).toBe(0o600)
    expect((await stat(join(world.root, 'log'))).mode & 0o777).toBe(0o700)
  })

  it('is asked for by HOOKLINE_LOG too; the option counts more', async () => {
    const world = await guarded()
    const env = { ...process.env, HOOKLINE_LOG: join(world.root, 'a.jsonl') }
    await record(await openOn(world, { env }), 1)
    await record(await openOn(world, { env, log: join(world.root, 'b.jsonl') }), 2)
    await record(await openOn(world, { env: { ...env, HOOKLINE_LOG: '' } }), 1)
    expect(await linesIn(join(world.root, 'a.jsonl'))).toHaveLength(1)
    expect(await linesIn(join(world.root, 'b.jsonl'))).toHaveLength(2)
  })

  it('writes what the published schema, and whoever reads logs, accept, for every event', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: Object.fromEntries(
          [...DEFAULT_PROFILE.events.keys()].map((name) => [name, [commands('echo a', 'exit 2')]]),
        ),
      },
    })
    const engine = await openOn(world, { log: logIn(world) })
    for (const { name, example } of DEFAULT_PROFILE.events.values())
      await engine.dispatch({ hook_event_name: name, ...example })
    await engine.close()
    const lines = await linesIn(logIn(world))
    expect(lines.map(({ record }) => record.event)).toEqual([...DEFAULT_PROFILE.events.keys()])
    for (const { record } of lines) expect(recordSchema.safeParse(record)).toMatchObject({ success: true })
  })

  it('writes down what happened, whatever the host does to its objects afterwards', async () => {
    const world = await guarded()
    const engine = await openOn(world, { log: logIn(world) })
    const tool_input = { command: 'ls' }
    const record = await engine.dispatch({ ...bashCall, tool_input })
    tool_input.command = 'changed'
    Object.assign(record.decision, { reason: 'changed' })
    await engine.close()
    expect(await readFile(logIn(world), 'utf8')).not.toContain('changed')
  })

  it('passes over an event that JSON cannot write, and says so in the next line', async () => {
    const world = await guarded()
    const engine = await openOn(world, { log: logIn(world) })
    const circle: Record<string, unknown> = { hook_event_name: 'Stop', stop_hook_active: false }
    circle.self = circle
    await engine.dispatch(circle as { hook_event_name: string })
    await engine.dispatch(bashCall)
    await engine.dispatch(bashCall)
    await engine.close()
    expect((await linesIn(logIn(world))).map(({ record }) => record.notices)).toEqual([
      ['One event before this one could not be recorded.'],
      undefined,
    ])
  })

  it('goes on in a new line where somebody stopped in the middle of one', async () => {
    const world = await guarded()
    await writeFile(join(world.root, 'a.jsonl'), '{"record":{"vers')
    await record(await openOn(world, { log: join(world.root, 'a.jsonl') }), 1)
    const [torn, whole, ...rest] = (await readFile(join(world.root, 'a.jsonl'), 'utf8')).split('\n')
    expect([torn, ...rest]).toEqual(['{"record":{"vers', ''])
    expect(parseLogLine(whole ?? '')).toHaveProperty('record')
  })

  it('takes the rights of others away from a file that was there', async () => {
    const world = await guarded()
    const file = join(world.root, 'a.jsonl')
    await writeFile(file, '')
    await chmod(file, 0o644)
    await record(await openOn(world, { log: file }), 1)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it.each([{ maxBytes: 0 }, { maxBytes: 1.5 }, { keep: 0 }, { keep: Number.NaN }])('refuses %j', async (wrong) => {
    const world = await guarded()
    await expect(openEngine({ ...world, log: { file: 'x.jsonl', ...wrong } })).rejects.toThrow(HooklineError)
  })
})

describe('a place that cannot be written to', () => {
  const spoiled: Record<string, [spoil: (file: string, world: World) => Promise<unknown> | unknown, because: string]> =
    {
      'a link': [async (file, { root }) => symlink(join(root, 'victim'), file), 'ELOOP'],
      'a folder': [(file) => mkdir(file), 'EISDIR'],
      'a pipe': [(file) => execFileSync('mkfifo', [file]), 'not a regular file'],
    }

  it.each(Object.entries(spoiled))(
    'such as %s is told once, and hooks decide as ever',
    async (_what, [spoil, because]) => {
      const world = await guarded()
      const file = join(world.root, 'a.jsonl')
      await spoil(file, world)
      const engine = await openOn(world, { log: file })
      const first = await engine.dispatch(bashCall)
      const second = await engine.dispatch(bashCall)
      expect(first.notices).toEqual([
        `The log ${file} cannot be written (${because}): events are not recorded until it can.`,
      ])
      expect(second.notices).toBeUndefined()
      expect([first, second].map(({ decision }) => decision.blocked)).toEqual([true, true])
      expect(await readdir(world.root)).not.toContain('victim')
    },
  )
})

describe('a log that is full', () => {
  it('is moved aside, the oldest goes, and no line is split or too much', async () => {
    const world = await guarded()
    const file = logIn(world)
    await record(await openOn(world, { log: { file, maxBytes: 3000, keep: 2 } }), 20)
    const names = (await readdir(join(world.root, 'log'))).sort()
    expect(names).toEqual(['hooks.jsonl', 'hooks.jsonl.1', 'hooks.jsonl.2'])
    const read = await Promise.all([`${file}.2`, `${file}.1`, file].map(linesIn))
    const times = read.flat().map(({ record }) => Date.parse(record.at))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    for (const name of names) {
      const { size, mode } = await stat(join(world.root, 'log', name))
      expect(size).toBeLessThanOrEqual(3000)
      expect(mode & 0o777).toBe(0o600)
    }
  })

  it('is written to the end of a session while the disk takes anything, however slowly', async () => {
    const world = await guarded()
    const file = logIn(world)
    const folder = join(world.root, 'log')
    const engine = await openOn(world, { log: { file, maxBytes: 2000, keep: 1000 } })
    await Promise.all(
      Array.from({ length: 60 }, () => engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let isClosed = false
    const closed = engine.close().then(() => {
      isClosed = true
    })
    for (let before = 0; !isClosed; await new Promise((resolve) => setImmediate(resolve))) {
      const full = readdirSync(folder).filter((name) => /\d$/.test(name)).length
      if (full < before + 2) continue // nothing may have been written since
      before = full
      vi.advanceTimersByTime(3000) // longer than a disk is waited for that takes nothing
    }
    await closed
    const names = await readdir(folder)
    expect((await Promise.all(names.map((name) => linesIn(join(folder, name))))).flat()).toHaveLength(60)
  })

  it('is shared by several sessions that write at the same time, and loses nothing', async () => {
    const world = await guarded()
    const file = logIn(world)
    const open = (sessionId: string) => openOn(world, { sessionId, log: { file, maxBytes: 5000, keep: 200 } })
    const engines = await Promise.all(['a', 'b', 'c', 'd'].map(open))
    await Promise.all(engines.map((engine) => record(engine, 25)))
    const names = await readdir(join(world.root, 'log'))
    const read = await Promise.all(names.map((name) => linesIn(join(world.root, 'log', name))))
    const sessions = read.flat().map(({ record }) => record.sessionId)
    expect(sessions.sort().join('')).toBe(['a', 'b', 'c', 'd'].map((id) => id.repeat(25)).join(''))
    expect(names.length).toBeGreaterThan(5)
  })
})
