import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../src/index.ts'
import type { DispatchRecord, HookLine } from '../../src/protocol/record/record.ts'
import { current } from '../../src/protocol/schemas/events/current.ts'
import { FAILURE_FILES, FAILURES as FAILURES_OF_PROGRAMS, makeFailingHook } from '../support/failures.ts'
import { answering, makeLastingWorld, removeWorld, type World } from '../support/project.ts'

/**
 * What a hook with `onFailure: "block"` does to each event of `current` by failing. `closes`: what exit code 2 does, and who
 * reads why; `ignored`: nothing, since a hook that always fails would keep the event from ever ending; `open`: nothing, since
 * the event cannot be blocked.
 */
const EFFECTS: Readonly<Record<keyof typeof current, Effect>> = {
  SessionStart: 'open',
  Setup: 'open',
  InstructionsLoaded: 'open',
  UserPromptSubmit: { closes: 'block', to: 'user' },
  UserPromptExpansion: { closes: 'block', to: 'user' },
  MessageDisplay: 'open',
  PreToolUse: { closes: 'deny', to: 'model' },
  PermissionRequest: { closes: 'deny', to: 'model' },
  PermissionDenied: 'open',
  PostToolUse: { closes: 'block', to: 'model' },
  PostToolUseFailure: { closes: 'block', to: 'model' },
  PostToolBatch: { closes: 'block', to: 'model' },
  Notification: 'open',
  SubagentStart: 'open',
  SubagentStop: 'ignored',
  TaskCreated: { closes: 'block', to: 'model' },
  TaskCompleted: 'ignored',
  TeammateIdle: 'ignored',
  Stop: 'ignored',
  StopFailure: 'open',
  ConfigChange: { closes: 'block', to: 'nobody' },
  CwdChanged: 'open',
  DirectoryAdded: 'open',
  FileChanged: 'open',
  WorktreeCreate: { closes: 'block', to: 'user', anyway: 'every failure' },
  WorktreeRemove: { closes: 'block', to: 'user', anyway: 'every failure' },
  PreCompact: { closes: 'block', to: 'user' },
  PostCompact: 'open',
  PreModelSwitch: { closes: 'deny', to: 'user', anyway: 'a timeout' },
  PostModelSwitch: 'open',
  Elicitation: { closes: 'decline', to: 'user' },
  ElicitationResult: { closes: 'decline', to: 'user' },
  SessionEnd: 'open',
}

type Effect =
  | 'open'
  | 'ignored'
  | {
      readonly closes: 'block' | 'deny' | 'decline'
      readonly to: 'model' | 'user' | 'nobody'
      /** What closes the event without `onFailure` too, and then says so in its own words. */
      readonly anyway?: 'every failure' | 'a timeout'
    }

/** Events whose hooks cannot be servers. */
const WITHOUT_HTTP = ['SessionStart', 'Setup']

const OBJECTION = { decision: 'block', reason: 'from a server that failed' }

/** A server that fails in every way, by path; what is not here is answered by an agreement. */
const server = createServer(({ url }, response) => {
  if (url === '/500') response.writeHead(500).end(JSON.stringify(OBJECTION))
  else if (url === '/302') response.writeHead(302, { location: '/agrees' }).end()
  else if (url === '/list') response.end('[]')
  else if (url === '/text') response.end('fine by me')
  else if (url === '/misfit') response.end('{"continue":"no"}')
  else if (url === '/cut') response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy())
  else if (url === '/agrees') response.end('{}')
  // '/slow' is never answered
})
let address = ''
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

interface Way {
  readonly hook: object
  readonly how: 'failed' | 'timed out'
  /** What it says on stderr, which stands in the text. */
  readonly stderr?: string
}

const LONG_ENOUGH = 20

/** The failures of programs, as everywhere. */
const OF_PROGRAMS = Object.fromEntries(
  Object.entries(FAILURES_OF_PROGRAMS).map(([name, failure]): [string, Way] => [
    name,
    {
      hook: makeFailingHook(failure),
      how: failure.isSlow ? 'timed out' : 'failed',
      ...(failure.stderr === undefined ? {} : { stderr: failure.stderr }),
    },
  ]),
)

/** Every kind of failure, by name. */
const FAILURES: Readonly<Record<string, Way>> = {
  'a program that is not there': { hook: { command: './gone', args: [] }, how: 'failed' },
  ...OF_PROGRAMS,
  'a code beside an answer that agrees': {
    hook: { command: `${answering({ continue: true })}; exit 3` },
    how: 'failed',
  },
  'a server that answers 500 with an objection': { hook: { url: '/500' }, how: 'failed' },
  'a server that redirects': { hook: { url: '/302' }, how: 'failed' },
  'a server that answers a list': { hook: { url: '/list' }, how: 'failed' },
  'a server that answers a text': { hook: { url: '/text' }, how: 'failed' },
  'a server whose answer does not fit': { hook: { url: '/misfit' }, how: 'failed' },
  'a server that cuts its answer off': { hook: { url: '/cut' }, how: 'failed' },
  'a server that is not there': { hook: { url: 'http://127.0.0.1:9/' }, how: 'failed' },
  'a server that is slow': { hook: { url: '/slow', timeout: 0.3 }, how: 'timed out' },
}

/** What is no failure. Each gives a path, which one event cannot do without. */
const OTHERWISE: Readonly<Record<string, object>> = {
  'plain text': { command: 'echo /tmp' },
  silence: { command: 'echo /tmp; true' },
  'a server that agrees': { url: '/agrees' },
}

const hookOf = (fields: object): object => {
  const { url, ...rest } = fields as { readonly url?: string }
  const common = { onFailure: 'block', timeout: LONG_ENOUGH }
  if (url === undefined) return { type: 'command', ...common, ...rest }
  return { type: 'http', ...common, ...rest, url: url.startsWith('/') ? `${address}${url}` : url }
}

/** Engines of these tests, each on a project that has the same hooks for every event. */
const engines: Awaited<ReturnType<typeof openForAll>>[] = []
const worlds: World[] = []
afterAll(async () => {
  for (const engine of engines) await engine.close()
  for (const world of worlds) await removeWorld(world)
})

/** The hooks of a list that an event may have. */
const hooksFor = (event: string, hooks: readonly object[]): readonly object[] =>
  hooks.filter((hook) => !('url' in hook) || !WITHOUT_HTTP.includes(event))

async function openForAll(hooks: readonly object[]) {
  const groups = events.map((event) => [event, [{ hooks: hooksFor(event, hooks).map(hookOf) }]])
  const world = await makeLastingWorld({
    'project/.claude/settings.json': { hooks: Object.fromEntries(groups) },
    ...FAILURE_FILES,
  })
  worlds.push(world)
  const { project, home, managed } = world
  return openEngine({
    ...{ project, home, managed },
    trust: 'accepted',
    profile: 'current',
    env: { PATH: process.env.PATH },
  })
}

const records = new Map<readonly object[], Promise<ReadonlyMap<string, DispatchRecord>>>()

/** Fires every event at once: most of their time is that of hooks which wait for their deadline. */
async function fireAll(hooks: readonly object[]): Promise<ReadonlyMap<string, DispatchRecord>> {
  const engine = await openForAll(hooks)
  engines.push(engine)
  const fired = events.map(async (event) => {
    const record = await engine.dispatch({ hook_event_name: event as string, ...current[event].example })
    return [event, record] as const
  })
  return new Map(await Promise.all(fired))
}

/** The record of an event with these hooks, of which each has its line. */
async function fired(event: keyof typeof current, hooks: readonly object[]): Promise<DispatchRecord> {
  const all = records.get(hooks) ?? fireAll(hooks)
  records.set(hooks, all)
  return (await all).get(event) as DispatchRecord // one of each event
}

const events = Object.keys(EFFECTS) as (keyof typeof current)[] // its own keys

const FAILING = Object.values(FAILURES).map(({ hook }) => hook)
const AGREEING = Object.values(OTHERWISE)
const REFUSING = [{ command: 'echo no >&2; exit 2' }]

describe('onFailure "block"', () => {
  it('is in this table for every event', () => {
    expect(events.sort()).toEqual(Object.keys(current).sort())
  })

  it.each(events)('does to %s what exit code 2 does, by every kind of failure', async (event) => {
    const effect = EFFECTS[event]
    const ways = Object.entries(FAILURES).filter(([, { hook }]) => !('url' in hook) || !WITHOUT_HTTP.includes(event))
    const { decision, hooks } = await fired(event, FAILING)
    expect(hooks.map(({ verdict }) => verdict)).toEqual(ways.map(() => 'ran'))
    expect(decision.halt).toBe(false)
    const closes = typeof effect === 'object' ? effect : null
    expect(decision.blocked).toBe(closes !== null)
    expect(decision.permission).toBe(closes?.closes === 'deny' ? 'deny' : null)
    expect(decision.elicitation ?? null).toEqual(
      closes?.closes === 'decline' ? { action: 'decline', content: null } : null,
    )
    expect(`${decision.reason}`).not.toContain('from a server that failed')
    for (const [at, [name, way]] of ways.entries()) {
      const line = hooks[at] as HookLine // a line each
      const texts = decision.messages.filter(({ hook }) => hook === line.id)
      expect(
        line.warnings.some((warning) => warning.includes('onFailure "block" is ignored')),
        name,
      ).toBe(closes === null)
      if (closes === null) {
        expect(line, name).not.toHaveProperty('failed')
        continue
      }
      const isAnyway = closes.anyway === 'every failure' || (closes.anyway === 'a timeout' && way.how === 'timed out')
      const words = new RegExp(`^\\[.*\\]: ${way.how}; blocking because onFailure is "block"`)
      expect(line.failed, name).toMatch(isAnyway ? /./ : new RegExp(`^${way.how}$`))
      const told = texts.filter(({ text }) => (isAnyway ? /^\[.*\]: ./ : words).test(text))
      expect([...new Set(told.map(({ to }) => to))], name).toEqual(closes.to === 'nobody' ? [] : [closes.to])
      if (way.stderr !== undefined && told[0]) expect(told[0].text).toContain(way.stderr)
    }
  })

  it.each(events)('leaves %s alone when a hook succeeds', async (event) => {
    const { decision } = await fired(event, AGREEING)
    expect(decision).toMatchObject({ blocked: false, permission: null, halt: false })
  })

  it.each(events)('does not change what exit code 2 does to %s', async (event) => {
    const { decision, hooks } = await fired(event, REFUSING)
    const effect = EFFECTS[event]
    const isExit2Nothing = event === 'PermissionRequest' // only an answer denies
    const isBlocked = (typeof effect === 'object' && !isExit2Nothing) || effect === 'ignored'
    expect(decision.blocked).toBe(isBlocked)
    expect(hooks[0]).not.toHaveProperty('failed')
  })
})
