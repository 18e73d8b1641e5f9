import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookline } from './support/command.ts'
import { commands, makeWorld, openOn, put, type World } from './support/project.ts'

const STOP = { hooks: { Stop: [commands('true')] } }

/** Makes a folder outside of the project what a name inside of it leads to. */
async function linked(name: string): Promise<World> {
  const world = await makeWorld({ 'elsewhere/note': '' })
  await mkdir(join(world.project, name, '..'), { recursive: true })
  await symlink(join(world.root, 'elsewhere'), join(world.project, name))
  return world
}

const COMMANDS: Record<string, string[]> = {
  add: ['add', 'Stop', '--command', 'true', '--yes'],
  'add, local': ['add', 'Stop', '--command', 'true', '--scope', 'local', '--yes'],
  init: ['init', '--event', 'Stop', '--language', 'sh', '--name', 'guard', '--yes'],
  'test --new': ['test', '--new', 'Stop', '--trust'],
}

describe('a folder of a project that is a link out of it', () => {
  for (const [name, args] of Object.entries(COMMANDS)) {
    it(`is not written through by hookline ${name}`, async () => {
      const world = await linked('.claude')
      const { code, stderr } = await hookline(world, args)
      expect({ code, files: readdirSync(join(world.root, 'elsewhere')) }).toEqual({ code: 1, files: ['note'] })
      expect(stderr).toContain('leads out of')
    })
  }

  it('is not written through by the engine', async () => {
    const world = await linked('.claude')
    const engine = await openOn(world)
    const hook = { event: 'Stop', hook: { type: 'command', command: 'true' } }
    for (const scope of ['project', 'local'] as const) {
      await expect(engine.add(scope, hook)).rejects.toThrow('leads out of')
      await expect(engine.edit(scope, () => '{ "model": "x" }')).rejects.toThrow('leads out of')
    }
    expect(readdirSync(join(world.root, 'elsewhere'))).toEqual(['note'])
  })

  it('is not written through where only a script, a file of cases or an ignore file is behind the link', async () => {
    const world = await linked('.claude/hooks')
    for (const name of ['init', 'test --new']) expect((await hookline(world, COMMANDS[name] ?? [])).code).toBe(1)
    await symlink(join(world.root, 'elsewhere/ignore'), join(world.project, '.gitignore'))
    await hookline(world, [...(COMMANDS['add, local'] ?? []), '--gitignore'])
    expect(readdirSync(join(world.root, 'elsewhere'))).toEqual(['note'])
  })

  it('is not fixed or emptied through', async () => {
    const world = await linked('.claude')
    const file = await put(world, 'elsewhere/settings.json', { hooks: { Stop: commands('true') } })
    const before = readFileSync(file, 'utf8')
    await hookline(world, ['validate', '--fix'])
    await hookline(world, ['remove', 'project:Stop:0:0', '--yes'])
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(readdirSync(join(world.root, 'elsewhere')).sort()).toEqual(['note', 'settings.json'])
  })

  it('keeps nobody from editing hooks of their own, and a link that stays inside is followed', async () => {
    const world = await linked('.claude')
    await put(world, 'home/.claude/settings.json', STOP)
    expect((await hookline(world, ['remove', 'user:Stop:0:0', '--yes'])).code).toBe(0)
    const inside = await makeWorld({ 'project/config/note': '' })
    await symlink(join(inside.project, 'config'), join(inside.project, '.claude'))
    expect((await hookline(inside, COMMANDS.add ?? [])).code).toBe(0)
    expect(readdirSync(join(inside.project, 'config')).sort()).toEqual(['note', 'settings.json'])
  })
})
