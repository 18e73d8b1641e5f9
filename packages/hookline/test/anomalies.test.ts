import { readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type EngineOptions, HooklineError, openEngine } from '../src/index.ts'
import { parseLogLine } from '../src/log/log-line.ts'
import { faulty } from './support/faulty.ts'
import { processesWith, processIds, until } from './support/processes.ts'
import { bashCall, commands, makeWorld, put, type World } from './support/project.ts'

vi.mock('node:fs/promises', async (real) => (await import('./support/faulty.ts')).faultyFiles(await real<object>()))
vi.mock('node:fs', async (real) => (await import('./support/faulty.ts')).faultySyncFiles(await real<object>()))
vi.mock('node:child_process', async (real) => {
  const { faultySpawn } = await import('./support/faulty.ts')
  return faultySpawn(await real<typeof import('node:child_process')>())
})

/** The engine knows two kinds of failures: something has run out, which may be there a moment later, and all others. */
const KINDS = { 'has run out': ['EMFILE', 'EAGAIN', 'ENOMEM'], fails: ['ENOSPC', 'EIO', 'EINTR'] }
const MOST_CALLS = 400

const skill = '---\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "true"\n---\n'

const SETTINGS = 'project/.claude/settings.json'
const settings = {
  hooks: {
    PreToolUse: [commands('echo no >&2; exit 2')],
    SessionStart: [commands('echo "export A=1" >> "$CLAUDE_ENV_FILE"')],
  },
}

/** A project with a bit of everything, whose guard refuses every call. */
function guardedWorld(): Promise<World> {
  return makeWorld({
    'managed.json': { hooks: { PreToolUse: [commands('echo policy >&2; exit 2')] } },
    'managed-settings.d/a.json': { hooks: {} },
    'home/.claude/settings.json': { hooks: { Stop: [commands('true')] } },
    'project/.claude/skills/tidy/SKILL.md': skill,
    'plugin/hooks/hooks.json': { hooks: { Stop: [commands('true')] } },
  })
}

/** Makes a world what it was before a run, with an empty folder for temp files. */
async function reset(world: World, token: string): Promise<void> {
  for (const path of ['home/.hookline', 'log', 'tmp', SETTINGS]) {
    await rm(join(world.root, path), { recursive: true, force: true })
  }
  await put(world, SETTINGS, settings)
  await mkdir(join(world.root, 'tmp'))
  vi.stubEnv('TMPDIR', join(world.root, 'tmp'))
  vi.stubEnv('HOOKLINE_ANOMALY', token)
}

const open = ({ root, project, home, managed }: World, trust: 'accepted' | 'stored', options: EngineOptions = {}) =>
  openEngine({ project, home, managed, plugins: [join(root, 'plugin')], trust, ...options })

type Act = (world: World) => Promise<string>

/** Fails the nth call of an action, for every n until one run passes without a fault; says how many runs it took. The codes take turns. */
async function failEach(
  act: Act,
  codes: readonly string[],
  clean: string,
  check: (said: string, world: World) => Promise<void> | void,
): Promise<number> {
  const world = await guardedWorld()
  for (let nth = 1; nth < MOST_CALLS; nth++) {
    const code = codes[nth % codes.length] ?? 'EIO'
    const token = `anomaly-${process.pid}-${code}-${nth}`
    await reset(world, token)
    const before = { descriptors: openDescriptors(), listeners: process.listenerCount('exit'), timers: timers() }
    const others = new Set(processIds())
    faulty.arm(nth, code)
    const said = await act(world).catch((error: unknown) => {
      if (error instanceof HooklineError) return `refused: ${error.message}`
      throw new Error(`${code} at call ${nth} (${faulty.failed}) came through`, { cause: error })
    })
    const { failed } = faulty
    faulty.disarm()
    const left = (): number[] => processesWith(token, { residents: true, before: others })
    await until(`no process is left after ${failed}`, () => left().length === 0)
    if (!isRemoval(failed)) expect(await readdir(join(world.root, 'tmp')), `temp files after ${failed}`).toEqual([])
    await until(`no descriptor is left after ${failed}`, () => openDescriptors() <= before.descriptors)
    if (!isRemoval(failed)) expect(process.listenerCount('exit'), `listeners after ${failed}`).toBe(before.listeners)
    await until(`no timer is left after ${failed}`, () => timers() <= before.timers)
    if (failed === null) {
      expect(said).toBe(clean)
      return nth
    }
    await check(said, world)
  }
  throw new Error(`still failing after ${MOST_CALLS} calls`)
}

/** What cannot be removed now goes when the process ends. */
const isRemoval = (call: string | null): boolean => call === 'rm' || call === 'rmSync'

/** Timers that run; the test runner has some of its own. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

afterEach(() => {
  faulty.disarm()
  vi.unstubAllEnvs()
})

describe.each(Object.entries(KINDS))('whatever call meets something that %s', (_, codes) => {
  it('opening and dispatching refuse, say what is missing, or block as they should', { timeout: 300_000 }, async () => {
    const act: Act = async (world) => {
      const engine = await open(world, 'accepted')
      try {
        await engine.dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
        const { decision, notices = [] } = await engine.dispatch(bashCall)
        const unread = engine.problems.filter(({ rule }) => rule === 'V-HK-01' || rule === 'V-HK-53').length
        return `${decision.blocked ? 'blocked' : 'open'} ${unread + notices.length}`
      } finally {
        await engine.close()
      }
    }
    const runs = await failEach(act, codes, 'blocked 0', (said) => {
      expect(said).toMatch(/^refused: |^blocked \d+$|^open [1-9]/) // an unread file is told; a hook that ran has blocked
    })
    expect(runs).toBeGreaterThan(30)
  })

  it('accepting trust stores all of it or leaves the store as it was', { timeout: 300_000 }, async () => {
    const act: Act = async (world) => {
      const engine = await open(world, 'stored')
      try {
        await engine.acceptTrust()
        return engine.trust.accepted ? 'accepted' : 'not accepted'
      } finally {
        await engine.close()
      }
    }
    const runs = await failEach(act, codes, 'accepted', async (said, { home, project }) => {
      const store = await readFile(join(home, '.hookline/trust.json'), 'utf8').catch(() => null)
      if (store !== null) expect(JSON.parse(store).folders).toHaveProperty([project, 'digest'])
      if (said === 'accepted') expect(store).not.toBeNull()
      expect(
        (await readdir(join(home, '.hookline')).catch(() => [])).filter(
          (name) => !['trust.json', 'user-hooks.json'].includes(name),
        ),
      ).toEqual([])
    })
    expect(runs).toBeGreaterThan(30)
  })

  it('recording changes no decision, and every line is whole or torn alone', { timeout: 300_000 }, async () => {
    const logIn = ({ root }: World) => ({ file: join(root, 'log/hooks.jsonl'), maxBytes: 2500, keep: 9 })
    const act: Act = async (world) => {
      const engine = await faulty.spare(() => open(world, 'accepted', { log: logIn(world) }))
      const records = []
      try {
        for (let sent = 0; sent < 2; sent++) records.push(await engine.dispatch(bashCall))
      } finally {
        await engine.close()
      }
      return records.map(({ decision }) => (decision.blocked ? 'blocked' : 'open')).join(' ')
    }
    const runs = await failEach(act, codes, 'blocked blocked', async (said, world) => {
      expect(said).toBe('blocked blocked')
      const { file } = logIn(world)
      const later = await open(world, 'accepted', { log: logIn(world), bare: true }) // its hooks say nothing about the log
      await later.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
      await later.close()
      const names = (await readdir(join(file, '..'))).filter((name) => !name.includes('.lock'))
      const texts = await Promise.all(names.map((name) => readFile(join(file, '..', name), 'utf8')))
      const events = texts
        .flatMap((text) => text.split('\n').filter((line) => line !== ''))
        .map((line) => parseLogLine(line))
        .map((line) => (typeof line === 'string' ? 'torn' : line.record.event))
      expect(events.filter((event) => event === 'PreToolUse')).toHaveLength(2)
      expect(events.filter((event) => event === 'Stop')).toHaveLength(1)
      expect(events.filter((event) => event === 'torn').length).toBeLessThanOrEqual(1)
    })
    expect(runs).toBeGreaterThan(20)
  })

  it('adding a hook writes all of it or leaves the file as it was', { timeout: 300_000 }, async () => {
    const act: Act = async (world) => {
      const engine = await faulty.spare(() => open(world, 'accepted')) // the faults of opening are tried above
      try {
        await engine.add('project', { event: 'Stop', hook: { type: 'command', command: 'echo added' } })
        return 'added'
      } finally {
        await engine.close()
      }
    }
    const runs = await failEach(act, codes, 'added', async (said, { project }) => {
      const settings = JSON.parse(await readFile(join(project, '.claude/settings.json'), 'utf8'))
      expect(settings.hooks.PreToolUse).toHaveLength(1)
      if (said === 'added') expect(settings.hooks.Stop).toHaveLength(1)
      expect((await readdir(join(project, '.claude'))).sort()).toEqual(['settings.json', 'skills'])
    })
    expect(runs).toBeGreaterThan(10)
  })
})
