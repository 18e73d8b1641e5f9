import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AGENTS } from '../../src/bridges/list.ts'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'
import { ask, HOSTS } from './host.ts'

const guard = (word: string) => ({ hooks: { PreToolUse: [commands(`echo no-${word} >&2; exit 2`)] } })
const VARIABLES = ['HOME', 'CLAUDE_CONFIG_DIR'] as const
const before = VARIABLES.map((name) => process.env[name])
let world: World

/** A user with guards in the usual place and in another folder, whose account's home is the one of the world. */
beforeEach(async () => {
  world = await makeWorld({ 'home/.claude/settings.json': guard('usual'), 'moved/settings.json': guard('moved') })
  process.env.HOME = world.home
})

afterEach(() => {
  for (const [at, name] of VARIABLES.entries()) {
    if (before[at] === undefined) delete process.env[name]
    else process.env[name] = before[at]
  }
})

const said = async (agent: string): Promise<string> => {
  const host = HOSTS[agent]
  const { stdout, stderr } = await ask(world, agent, host?.before ?? '', host?.shell('ls') ?? {})
  return /no-\w+/.exec(`${stdout}${stderr}`)?.[0] ?? 'nothing'
}

describe.each(AGENTS)('CLAUDE_CONFIG_DIR in %s', (agent) => {
  it('moves the user’s own guards', async () => {
    process.env.CLAUDE_CONFIG_DIR = join(world.root, 'moved')
    expect(await said(agent)).toBe('no-moved')
  })
})

describe('CLAUDE_CONFIG_DIR', () => {
  it('moves nothing into the project, to where nothing is, or by a relative path', async () => {
    await put(world, 'project/mine/settings.json', { hooks: {} })
    mkdirSync(join(world.root, 'gone'))
    rmSync(join(world.root, 'gone'), { recursive: true })
    for (const folder of [join(world.project, 'mine'), join(world.root, 'gone'), 'mine', world.project]) {
      process.env.CLAUDE_CONFIG_DIR = folder
      expect([folder, await said('codex')]).toEqual([folder, 'no-usual'])
    }
  })

  it('is said where the hooks of the home do not run, at the start of a session, in status and in list', async () => {
    process.env.CLAUDE_CONFIG_DIR = join(world.root, 'moved')
    const start = { session_id: 's', hook_event_name: 'SessionStart', source: 'startup', turn_id: 't', model: 'm' }
    const { notes } = await ask(world, 'codex', 'SessionStart', start)
    expect(notes.join()).toContain('.claude/settings.json do not run')
    expect((await hookline(world, ['bridge', 'status'])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'CLAUDE_CONFIG_DIR is set, so your own hooks are read from',
    )
    expect((await hookline(world, ['list'])).stdout).toContain('no-moved')
  })

  it('moves the plugins that are enabled', async () => {
    await put(world, 'moved/settings.json', { enabledPlugins: { 'guard@market': true } })
    const root = join(world.root, 'moved/plugins/cache/market/guard/1.0.0')
    await put(world, 'moved/plugins/cache/market/guard/1.0.0/hooks/hooks.json', guard('plugin'))
    await put(world, 'moved/plugins/installed_plugins.json', {
      version: 2,
      plugins: { 'guard@market': [{ scope: 'user', installPath: root }] },
    })
    process.env.CLAUDE_CONFIG_DIR = join(world.root, 'moved')
    expect(await said('codex')).toBe('no-plugin')
  })

  it('is where an edit of the user’s scope is written', async () => {
    process.env.CLAUDE_CONFIG_DIR = join(world.root, 'moved')
    const { stdout } = await hookline(world, ['add', 'Stop', '--command', 'true', '--scope', 'user'])
    expect(stdout).toContain(`Wrote ${join(world.root, 'moved/settings.json')}`)
  })
})
