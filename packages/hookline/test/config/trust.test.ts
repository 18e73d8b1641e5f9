import { chmod, readFile, rename, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findDefaultManagedFile, type TrustRequest } from '../../src/index.ts'
import { commands, makeWorld, openOn, put } from '../support/project.ts'

const IS_WINDOWS = process.platform === 'win32'
const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
const settings = { hooks: { Stop: [commands('exit 2')] } }
const skill = (command: string) =>
  `---\nname: tidy\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${command}\n---\n`

describe('trust', () => {
  it('is stored privately, by real path and digest, and survives the session', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const first = await openOn(world, { trust: 'stored' })
    expect((await first.dispatch(stop)).hooks).toMatchObject([{ verdict: 'untrusted' }])
    await first.acceptTrust()
    expect((await first.dispatch(stop)).decision.blocked).toBe(true)
    const store = join(world.home, '.hookline', 'trust.json')
    if (!IS_WINDOWS) expect((await stat(store)).mode & 0o777).toBe(0o600) // there the rights of the profile folder protect it
    expect(JSON.parse(await readFile(store, 'utf8')).folders).toHaveProperty(
      [world.project, 'digest'],
      first.trust.request.digest,
    )
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(true)
  })

  // A user of Windows may not make links.
  it.skipIf(IS_WINDOWS)('holds for a folder by whatever link it is named', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    await symlink(world.project, join(world.root, 'alias'))
    const second = await openOn({ ...world, project: join(world.root, 'alias') }, { trust: 'stored' })
    expect(second.trust.accepted).toBe(true)
  })

  it.runIf(IS_WINDOWS)('holds for a folder in whatever case and with whatever slashes it is named', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    const { project } = world
    for (const named of [project.toUpperCase(), project.replaceAll('\\', '/'), `\\\\?\\${project}`])
      expect((await openOn({ ...world, project: named }, { trust: 'stored' })).trust.accepted).toBe(true)
  })

  it('does not cover what changed since', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    await put(world, 'project/.claude/settings.local.json', { hooks: { Stop: [commands('echo planted')] } })
    const engine = await openOn(world, { trust: 'stored' })
    expect(engine.trust.accepted).toBe(false)
    expect((await engine.dispatch(stop)).hooks.map(({ verdict }) => verdict)).toEqual(['untrusted', 'untrusted'])
  })

  it('does not cover a file that says what was kept in place of a secret', async () => {
    const secret = { ...settings, env: { TOKEN: 'secret' } }
    const world = await makeWorld({ 'project/.claude/settings.json': secret })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(true)
    const store = JSON.parse(await readFile(join(world.home, '.hookline', 'trust.json'), 'utf8'))
    const { definitions } = store.folders[world.project]
    await put(world, 'project/.claude/settings.json', definitions['.claude/settings.json'])
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(false)
  })

  it('is asked of the host with the very definitions that would run', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { ...settings, model: 'x' },
      'project/.claude/skills/tidy/SKILL.md': skill('echo tidy'),
    })
    const asked: TrustRequest[] = []
    const engine = await openOn(world, {
      trust: (request) => {
        asked.push(request)
        return true
      },
    })
    expect(asked).toMatchObject([
      {
        folder: world.project,
        files: {
          '.claude/settings.json': { hooks: settings.hooks },
          '.claude/skills/tidy/SKILL.md': { hooks: { Stop: [{}] } },
        },
      },
    ])
    expect(asked[0]?.files['.claude/settings.json']).not.toHaveProperty('model')
    expect((await engine.dispatch(stop)).decision.blocked).toBe(true)
  })

  it('does not reach a component that was edited after the user looked', async () => {
    const world = await makeWorld({ 'project/.claude/skills/tidy/SKILL.md': skill('echo tidy') })
    const engine = await openOn(world, { trust: () => true })
    const file = join(world.project, '.claude/skills/tidy/SKILL.md')
    await engine.activate(file)
    expect((await engine.dispatch(stop)).hooks).toMatchObject([{ verdict: 'ran' }])
    engine.deactivate(file)
    await put(world, 'project/.claude/skills/tidy/SKILL.md', skill('echo planted'))
    await engine.activate(file)
    expect((await engine.dispatch(stop)).hooks).toMatchObject([{ verdict: 'untrusted' }])
  })

  // Windows has no modes: the rights of the profile folder protect the store.
  it.skipIf(IS_WINDOWS).each([
    ['that others may write', '.hookline/trust.json', 0o666, 'may be written by others'],
    ['that a group may write', '.hookline/trust.json', 0o660, 'may be written by others'],
    ['in a folder that others may write', '.hookline', 0o777, 'is in a folder that others may write'],
  ])('does not believe a store %s, says so, and adds nothing to it', async (_, path, mode, why) => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(true)
    await chmod(join(world.home, path), mode)
    const store = await readFile(join(world.home, '.hookline/trust.json'), 'utf8')

    const engine = await openOn(world, { trust: 'stored' })

    expect(engine.trust.accepted).toBe(false)
    const { hooks, notices } = await engine.dispatch(stop)
    expect(hooks).toMatchObject([{ verdict: 'untrusted' }])
    expect(notices?.join()).toContain(why)
    await expect(engine.acceptTrust()).rejects.toThrow(why)
    expect(await readFile(join(world.home, '.hookline/trust.json'), 'utf8')).toBe(store)
  })

  // A user of Windows may not make links.
  it.skipIf(IS_WINDOWS)('does not believe a store that is a link', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    await rename(join(world.home, '.hookline/trust.json'), join(world.project, 'trust.json'))
    await symlink(join(world.project, 'trust.json'), join(world.home, '.hookline/trust.json'))
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(false)
  })

  it('loses nothing when its store is broken', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings, 'home/.hookline/trust.json': 'oops' })
    const engine = await openOn(world, { trust: 'stored' })
    expect(engine.trust.accepted).toBe(false)
    await expect(engine.acceptTrust()).rejects.toThrow('cannot be read as a trust store')
    expect(await readFile(join(world.home, '.hookline/trust.json'), 'utf8')).toBe('oops')
  })
})

describe('policy', () => {
  it.each([
    ['linux', '/etc/claude-code/managed-settings.json'],
    ['darwin', '/Library/Application Support/ClaudeCode/managed-settings.json'],
    ['win32', 'C:\\Program Files\\ClaudeCode\\managed-settings.json'],
  ] as const)('is looked for where %s has it', (platform, path) => {
    expect(findDefaultManagedFile(platform)).toBe(path)
  })

  it.each(['{', '[]', '', '"x"'])('that reads %j keeps the engine from opening', async (text) => {
    const world = await makeWorld({ 'managed.json': text })
    await expect(openOn(world)).rejects.toThrow(/managed\.json.*Policy is unknown/)
  })

  it('takes drop-ins in name order, and any true among them counts', async () => {
    const hook = (text: string) => ({ hooks: { Stop: [commands(`echo ${text}`)] } })
    const world = await makeWorld({
      'managed.json': { ...hook('base'), allowManagedHooksOnly: false },
      'managed-settings.d/20-b.json': { ...hook('b'), allowManagedHooksOnly: true },
      'managed-settings.d/10-a.json': hook('a'),
      'managed-settings.d/note.txt': 'not read',
      'home/.claude/settings.json': hook('mine'),
    })
    const { hooks } = await (await openOn(world)).dispatch(stop)
    expect(hooks.map(({ id, command, verdict }) => [id, command, verdict])).toEqual([
      ['user:Stop:0:0', 'echo mine', 'policy-off'],
      ['managed:Stop:0:0', 'echo base', 'ran'],
      ['managed:Stop:1:0', 'echo a', 'ran'],
      ['managed:Stop:2:0', 'echo b', 'ran'],
    ])
  })
})
