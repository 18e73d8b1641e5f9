import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchConfiguration } from '../../src/cli/input/watched-configuration.ts'
import type {
  CompareAnswer,
  EventAnswer,
  SessionAnswer,
  SessionRow,
  SessionsAnswer,
  TodayAnswer,
} from '../../src/inspect/api.ts'
import { type RunningInspector, startInspector } from '../../src/inspect/inspector.ts'
import type { LogEntry } from '../../src/log/record-store.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeLastingWorld, removeWorld, type World } from '../support/project.ts'
import { randomLog } from './random-log.ts'

const MATCHERS = ['Bash', 'Edit|Write', '*', '', 'mcp__.*', 'bash', '^Bash$', 'Notebook.*']

let world: World

beforeAll(async () => {
  const files = { 'project/.claude/settings.json': { hooks: { PreToolUse: [commands('./guard.sh')] } } }
  world = await makeLastingWorld(files)
  await mkdir(join(world.root, 'page'))
  for (const name of ['inspector.js', 'inspector.css']) await writeFile(join(world.root, 'page', name), '')
})

afterAll(() => removeWorld(world))

/** The lines that a command prints as JSON. */
async function readJsonLines<Line>(args: string[]): Promise<Line[]> {
  const { stdout, stderr, code } = await hooklineInProcess(world, [...args, '--json'])
  expect({ args, stderr, code }).toMatchObject({ code: 0 })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

/** Asks an inspector as a script does. */
async function ask<Answer>({ address, token }: RunningInspector, path: string, body?: object): Promise<Answer> {
  const headers = { 'x-hookline-token': token, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${address}api/${path}`, { headers, ...sent })
  return (await response.json()) as Answer // told by the caller
}

async function withInspector(
  { log, trust }: { readonly log: string; readonly trust: boolean },
  act: (inspector: RunningInspector) => Promise<void>,
): Promise<void> {
  const inspector = await startInspector({
    findLogs: async () => [log],
    places: log,
    configuration: watchConfiguration({ project: world.project, home: world.home, trust }),
    port: 0,
    idleMs: 60_000,
    onIdle: () => {},
    pageFolder: pathToFileURL(join(world.root, 'page/')),
  })
  await act(inspector).finally(() => inspector.close())
}

describe('every view', () => {
  it('shows of any log what the commands print of it', async () => {
    let nth = 0
    await fc.assert(
      fc.asyncProperty(randomLog, async (text) => {
        const log = join(world.root, `${nth++}.jsonl`)
        await writeFile(log, text)
        await withInspector({ log, trust: false }, (inspector) => comparePageWithCommands(inspector, log))
      }),
      { numRuns: 25 },
    )
  })

  it('answers any typed call with any configuration as hookline explain does', async () => {
    const hook = fc.record({ matcher: fc.constantFrom(...MATCHERS), isConditional: fc.boolean(), nth: fc.nat(3) })
    const call = fc.record({
      tool: fc.constantFrom('Bash', 'Edit', 'mcp__a__b'),
      command: fc.constantFrom('ls', 'git push'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(hook, { minLength: 1, maxLength: 12 }), call, async (hooks, { tool, command }) => {
        const groups = hooks.map(({ matcher, isConditional, nth }) => ({
          matcher,
          hooks: [{ type: 'command', command: `echo ${nth}`, ...(isConditional ? { if: 'Bash(git *)' } : {}) }],
        }))
        const settings = join(world.project, '.claude/settings.json')
        await writeFile(settings, JSON.stringify({ hooks: { PreToolUse: groups } }))
        await withInspector({ log: join(world.root, 'none.jsonl'), trust: true }, async (inspector) => {
          const input = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { command } }
          const answered = await ask<{ hooks: object[] }>(inspector, 'explain', input)
          const words = ['PreToolUse', `tool_name=${tool}`, `tool_input.command=${command}`, '--trust']
          const [explained] = await readJsonLines<{ hooks: object[]; causes?: unknown }>(['explain', ...words])
          const { causes: _, ...told } = explained ?? { hooks: [] }
          expect(answered).toEqual(told)
          expect(answered.hooks).toHaveLength(hooks.length)
          const [{ hooks: listed } = { hooks: [] }] = await readJsonLines<{ hooks: { id: string }[] }>(['list'])
          const { hooks: shown } = await ask<{ hooks: { id: string }[] }>(inspector, 'hooks')
          expect(shown.map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
        })
      }),
      { numRuns: 20 },
    )
  })
})

async function comparePageWithCommands(inspector: RunningInspector, log: string): Promise<void> {
  const { rows: sessions, all } = await ask<SessionsAnswer>(inspector, 'sessions?limit=500')
  expect(sessions).toEqual(await readJsonLines(['log', log, '--sessions']))
  expect(all).toBe(sessions.length)
  const { over: _, ...cost } = (await readJsonLines<Record<string, unknown>>(['stats', log, '--cost']))[0] ?? {}
  expect(await ask(inspector, 'cost')).toEqual(cost)
  const entries = await readJsonLines<LogEntry>(['log', log])
  for (const { id } of sessions) {
    const answer = await ask<SessionAnswer>(inspector, `session?id=${id}&fold=0&limit=500`)
    const events = answer.rows.flatMap((row) => (row.kind === 'event' ? [row] : []))
    const own = entries.filter(({ record }) => record.sessionId === id)
    expect(events).toHaveLength(own.length)
    const printed = await readJsonLines<{ id: string }>(['log', log, '--session', id, '--rows'])
    const ids = new Set(own.map(({ record }) => record.id))
    const rows = printed.filter((row) => ids.has(row.id))
    expect(events.map(({ kind: _, lane: __, working: ___, ...row }) => row)).toEqual(rows)
    const folded = await ask<SessionAnswer>(inspector, `session?id=${id}&limit=500`)
    const countRow = (row: SessionRow): number => (row.kind === 'silent' ? row.count : Number(row.kind === 'event'))
    const counted = folded.rows.reduce((sum, row) => sum + countRow(row), 0)
    expect(counted).toBe(own.length)
  }
  for (const entry of entries.slice(0, 4)) await compareEvent(inspector, entry, log)
  const [a, b] = sessions
  if (a === undefined || b === undefined) return
  const { a: _a, b: _b, ...comparison } = await ask<CompareAnswer>(inspector, `compare?a=${a.id}&b=${b.id}`)
  expect([comparison]).toEqual(await readJsonLines(['log', '--compare', a.id, b.id, log]))
}

/** An event has as many lines as hooks are in its record, with the reasons that the record or explain has. */
async function compareEvent(inspector: RunningInspector, { record, input }: LogEntry, log: string): Promise<void> {
  const place = `session=${record.sessionId}&id=${encodeURIComponent(record.id ?? '')}`
  const event = await ask<EventAnswer>(inspector, `event?${place}`)
  const [shown] = await readJsonLines<LogEntry>(['log', 'show', record.id ?? '', log])
  expect(event.hooks.map(({ id, verdict, because }) => ({ id, verdict, because }))).toEqual(
    shown?.record.hooks.map(({ id, verdict, because = null }) => ({ id, verdict, because })),
  )
  expect(event.hooks).toHaveLength(record.hooks.length)
  expect(JSON.parse(event.record)).toEqual(record)
  if (input === null) return
  for (const { verdict, because } of event.hooks)
    if (verdict === 'matcher-miss')
      expect(because).toContain(`tool_name is ${String(input.tool_name)}, which its matcher does not match`)
  const today = await ask<TodayAnswer>(inspector, `today?${place}`)
  const args = ['log', 'show', record.id ?? '', log, '--today', '--project', world.project]
  const [printed] = await readJsonLines<TodayAnswer>(args)
  expect(today.lines).toEqual(printed?.lines)
}
