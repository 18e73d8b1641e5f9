import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/check/finding.ts'
import { watchConfiguration } from '../../src/cli/input/watched-configuration.ts'
import type {
  CompareAnswer,
  EventAnswer,
  FiguresAnswer,
  FindingsAnswer,
  HookFinding,
  HooksAnswer,
  SessionAnswer,
  SessionRow,
  SessionsAnswer,
  TodayAnswer,
} from '../../src/inspect/api.ts'
import { type RunningInspector, startInspector } from '../../src/inspect/inspector.ts'
import type { LogEntry } from '../../src/log/record-store.ts'
import type { HookStatistics } from '../../src/log/statistics.ts'
import { readRuns } from '../../src/protocol/record/hook-line.ts'
import type { HookLine } from '../../src/protocol/record/record.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeLastingWorld, openOn, put, removeWorld, type World } from '../support/project.ts'
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

/** Everything that a hook may be: one that runs, one that cannot, one of each type, one with a secret, one that is twice there. */
const ENTRIES: readonly object[] = [
  { type: 'command', command: 'true' },
  { type: 'command', command: 'true' },
  { type: 'command', command: 'echo no >&2; exit 2' },
  { type: 'command', command: 'exit 3', timeout: 5 },
  { type: 'command', command: './not-there.sh' },
  { type: 'command', command: 'echo ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
  { type: 'command', command: 'cat', args: ['/dev/null', 'a b'] },
  { type: 'command', command: 'true', async: true },
  { type: 'prompt', prompt: 'Is it safe? $ARGUMENTS' },
  { type: 'command' },
  { type: 'unheard-of', command: 'true' },
]
const SCOPES = ['home/.claude/settings.json', 'project/.claude/settings.json', 'project/.claude/settings.local.json']
const entry = fc.record({
  scope: fc.nat(SCOPES.length - 1),
  event: fc.constantFrom('PreToolUse', 'PreToolUse', 'Stop', 'PreTolUse'),
  matcher: fc.constantFrom('Bash', '*', '[', 'Edit'),
  kind: fc.nat(ENTRIES.length - 1),
})

/** Writes a configuration of several scopes. */
async function configure(
  entries: readonly { scope: number; event: string; matcher: string; kind: number }[],
  more: object,
): Promise<void> {
  for (const [nth, file] of SCOPES.entries()) {
    const hooks: Record<string, object[]> = {}
    for (const { scope, event, matcher, kind } of entries)
      if (scope === nth) hooks[event] = [...(hooks[event] ?? []), { matcher, hooks: [ENTRIES[kind]] }]
    await put(world, file, JSON.stringify({ hooks, ...(nth === 1 ? more : {}) }, null, 1))
  }
}

describe('the view of hooks', () => {
  it('shows of any configuration the states of hookline list, the findings of validate and the figures of stats', async () => {
    let nth = 0
    const settings = fc.constantFrom({}, {}, {}, { disableAllHooks: true })
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 9 }),
        fc.array(entry, { maxLength: 3 }),
        fc.boolean(),
        settings,
        async (before, changed, trust, more) => {
          const log = join(world.root, `figures-${nth++}.jsonl`)
          await configure([...changed, ...before], more)
          const engine = await openOn(world, { trust: trust ? 'accepted' : 'stored', log: { file: log } })
          await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
          await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
          await engine.close()
          await configure(before, more) // others stand in the places of these
          await withInspector({ log, trust }, (inspector) => compareHooksView(inspector, { log, trust }))
        },
      ),
      { numRuns: 25 },
    )
  })
})

interface PrintedHook {
  readonly id: string
  readonly state: string
  readonly because?: string
  readonly otherwise?: { readonly verdict: string }
  readonly cannotStart?: string
  readonly duplicateOf: string | null
  readonly file: string
  readonly line: number
  readonly [field: string]: unknown
}

async function compareHooksView(
  inspector: RunningInspector,
  { log, trust }: { readonly log: string; readonly trust: boolean },
): Promise<void> {
  const [listed] = await readJsonLines<{ hooks: PrintedHook[] }>(['list', ...(trust ? ['--trust'] : [])])
  const { hooks: shown } = await ask<HooksAnswer>(inspector, 'hooks')
  const hooks = listed?.hooks ?? []
  expect(
    shown.map(({ id, key, scope, event, matcher, type, place }) => ({ id, key, scope, event, matcher, type, place })),
  ).toEqual(
    hooks.map(({ id, key, scope, event, matcher, type, file, line }) => ({
      ...{ id, key, scope, event, matcher: matcher ?? '', type: type ?? 'hook', place: `${file}:${line}` },
    })),
  )
  for (const [at, { state, because, otherwise, cannotStart, duplicateOf }] of hooks.entries()) {
    const isStopped = cannotStart !== undefined && otherwise === undefined
    expect(shown[at]?.state).toBe(isStopped ? 'cannot start' : state)
    const words = otherwise?.verdict ?? because ?? cannotStart ?? duplicateOf
    if (words === null) expect(shown[at]?.because).toBeNull()
    else expect(shown[at]?.because).toContain(cannotStart ?? words)
  }

  const { stdout } = await hooklineInProcess(world, ['validate', '--json'])
  const { findings } = JSON.parse(stdout) as { findings: (Finding & { line: number })[] }
  const { placed, others } = await ask<FindingsAnswer>(inspector, 'findings')
  const sort = (all: readonly HookFinding[]) => [...all].map((one) => JSON.stringify(one)).sort()
  expect(sort([...Object.values(placed).flat(), ...others])).toEqual(
    sort(
      findings.map(({ severity, rule, name, file, line, message }) => ({
        ...{ severity, rule, name, place: `${file}:${line ?? 1}`, message },
      })),
    ),
  )
  for (const [id, own] of Object.entries(placed))
    for (const { place } of own) expect(place).toContain(`${hooks.find((hook) => hook.id === id)?.file}:`)

  const [statistics] = await readJsonLines<{ hooks: HookStatistics[] }>(['stats', log])
  const { placed: figures } = await ask<FiguresAnswer>(inspector, 'figures')
  for (const hook of hooks) {
    const { command, args, prompt } = hook
    const runs = readRuns({ command, args, prompt } as Partial<HookLine>)?.replace(/ghp_\w+/, '[redacted]') ?? null
    expect(figures[hook.id]).toEqual(statistics?.hooks.find((one) => one.id === hook.id && one.runs === runs))
  }
}

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
