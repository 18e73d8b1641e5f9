import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine, EngineOptions } from '../../src/index.ts'
import { bashCall, commands, makeWorld, openOn, put, type World } from '../support/project.ts'

const PROFILES = ['classic', 'current'] as const
const SCOPES = ['managed', 'user', 'project', 'local', 'flag', 'plugin', 'session'] as const

/** A world in which every scope has a hook of its own. */
async function fullWorld(): Promise<World> {
  const settings = (scope: string) => ({ hooks: { PreToolUse: [commands(`true ${scope}`)] } })
  return makeWorld({
    'managed.json': settings('managed'),
    'home/.claude/settings.json': { ...settings('user'), statusLine: { type: 'command', command: 'echo user' } },
    'project/.claude/settings.json': { ...settings('project'), disableAllHooks: false },
    'project/.claude/settings.local.json': settings('local'),
    'flag.json': settings('flag'),
    'plugin/hooks/hooks.json': settings('plugin'),
  })
}

async function openOnAll(world: World, options: EngineOptions): Promise<Engine> {
  const engine = await openOn(world, {
    settings: join(world.root, 'flag.json'),
    plugins: [join(world.root, 'plugin')],
    ...options,
  })
  await engine.on('PreToolUse', () => undefined)
  return engine
}

/** The scopes whose hooks run; all others say why not. */
async function running(engine: Engine): Promise<string[]> {
  const { hooks } = await engine.dispatch(bashCall)
  expect(hooks.map(({ scope }) => scope).sort()).toEqual([...SCOPES].sort())
  const off = hooks.filter(({ verdict }) => verdict !== 'ran')
  expect(off.every(({ verdict, because }) => verdict === 'disabled' && because?.startsWith('the host '))).toBe(true)
  return hooks.flatMap(({ verdict, scope }) => (verdict === 'ran' ? scope : [])).sort()
}

const without = (...left: string[]): string[] => SCOPES.filter((scope) => !left.includes(scope)).sort()

describe.each(PROFILES)('what a host of %s leaves running', (profile) => {
  it.each<[string, EngineOptions, string[]]>([
    ['everything by default', {}, without()],
    ['all but the files that it does not name', { sources: ['user'] }, without('project', 'local')],
    ['no file of user and project', { sources: [] }, without('user', 'project', 'local')],
    ['only policy', { managedOnly: true }, ['managed', 'session']],
    ['only policy, whatever the sources', { managedOnly: true, sources: ['user'] }, ['managed', 'session']],
    ['nothing', { bare: true }, []],
  ])('is %s', async (_, options, scopes) => {
    expect(await running(await openOnAll(await fullWorld(), { profile, ...options }))).toEqual(scopes)
  })
})

it('takes no switch and no status line from a file that is left out', async () => {
  const world = await fullWorld()
  await put(world, 'project/.claude/settings.json', { disableAllHooks: true })
  const engine = await openOnAll(world, { sources: ['local'] })
  expect(await engine.runStatusLine({})).toBeNull()
  const { hooks } = await engine.dispatch(bashCall)
  expect(hooks.find(({ scope }) => scope === 'local')).toMatchObject({ verdict: 'ran' })
})

it('asks for the same trust, whatever a host leaves out', async () => {
  const world = await fullWorld()
  const digests = await Promise.all(
    [{}, { sources: [] }, { managedOnly: true }].map(async (options: EngineOptions) => {
      const engine = await openOnAll(world, options)
      return engine.trust.request.digest
    }),
  )
  expect(new Set(digests).size).toBe(1)
})

it('refuses a source that does not exist', async () => {
  const sources = ['users'] as unknown as EngineOptions['sources'] & {} // from a host without types
  await expect(openOnAll(await fullWorld(), { sources })).rejects.toThrow(
    '"users" is not a source of settings. Sources: user, project, local.',
  )
})

describe('live settings', () => {
  const guard = { hooks: { PreToolUse: [commands('echo no >&2; exit 2')] } }
  const live = { profile: 'current', liveSettings: true } as const
  const blocked = async (engine: Engine): Promise<boolean> => (await engine.dispatch(bashCall)).decision.blocked

  it.each([
    ['the user', 'home/.claude/settings.json'],
    ['the policy', 'managed.json'],
    ['a part of the policy', 'managed-settings.d/10.json'],
    ['the session', 'flag.json'],
    ['a plugin', 'plugin/hooks/hooks.json'],
  ])('take an edit of %s over with the next event', async (_, file) => {
    const world = await makeWorld({ 'flag.json': {}, 'plugin/hooks/hooks.json': { hooks: {} } })
    const engine = await openOnAll(world, live)
    expect(await blocked(engine)).toBe(false)
    await put(world, file, guard)
    expect(await blocked(engine)).toBe(true)
    await rm(join(world.root, file))
    expect(await blocked(engine)).toBe(false)
  })

  it.each(['settings.json', 'settings.local.json'])('leave %s of the project as it was trusted', async (file) => {
    const world = await makeWorld({ [`project/.claude/${file}`]: guard })
    const engine = await openOn(world, live)
    await put(world, `project/.claude/${file}`, {})
    await put(world, 'home/.claude/settings.json', { hooks: { Stop: [commands('true')] } })
    const records = [await engine.dispatch(bashCall)]
    expect(engine.hooks.map(({ scope }) => scope)).toContain('user')
    for (const times of [2, 3]) {
      await put(world, 'home/.claude/settings.json', { hooks: { Stop: [commands(`true ${times}`)] } })
      records.push(await engine.dispatch(bashCall))
    }
    expect(records.map(({ decision }) => decision.blocked)).toEqual([true, true, true])
    const told = 'changed on disk; this session keeps what it has until the change is reviewed'
    expect(records.flatMap(({ notices = [] }) => notices)).toEqual([expect.stringContaining(told)])
  })

  it.each(['home/.claude/settings.json', 'managed.json'])('keep what %s said when it is broken', async (file) => {
    const world = await makeWorld({ [file]: guard })
    const engine = await openOn(world, live)
    await put(world, file, '{ "hooks": ')
    expect(await blocked(engine)).toBe(true)
    await put(world, file, {})
    expect(await blocked(engine)).toBe(false)
  })

  it('keep the policy when a new part of it cannot be read, and say so', async () => {
    const world = await makeWorld({ 'managed.json': guard })
    const engine = await openOn(world, live)
    await put(world, 'managed-settings.d/10.json', '{')
    const { decision, notices } = await engine.dispatch(bashCall)
    expect(decision.blocked).toBe(true)
    expect(notices?.join()).toContain('This session keeps what it has.')
  })

  it('leave an edit alone that a hook of ConfigChange blocks, until the file changes again', async () => {
    const file = 'home/.claude/settings.json'
    const world = await makeWorld({ [file]: guard })
    const engine = await openOn(world, live)
    const registered = await engine.on('ConfigChange' as string, () => ({ decision: 'block' }))
    await put(world, file, {})
    const change = { hook_event_name: 'ConfigChange' as string, source: 'user_settings' }
    await engine.dispatch({ ...change, file_path: join(world.root, file) })
    expect(await blocked(engine)).toBe(true)
    registered.remove()
    await put(world, file, { hooks: {} })
    expect(await blocked(engine)).toBe(false)
  })

  it('take an edit of the policy over, whatever hooks of ConfigChange say', async () => {
    const world = await makeWorld({ 'managed.json': {} })
    const engine = await openOn(world, live)
    await engine.on('ConfigChange' as string, () => ({ decision: 'block' }))
    await put(world, 'managed.json', guard)
    const change = { hook_event_name: 'ConfigChange' as string, source: 'policy_settings' }
    await engine.dispatch({ ...change, file_path: world.managed })
    expect(await blocked(engine)).toBe(true)
  })

  it('are off by default', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': guard })
    const engine = await openOn(world, { profile: 'current' })
    await put(world, 'home/.claude/settings.json', {})
    expect(await blocked(engine)).toBe(true)
  })
})
