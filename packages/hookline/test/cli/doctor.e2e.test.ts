import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookline, tooWide } from '../support/command.ts'
import { commands, makeWorld, type World } from '../support/project.ts'

const clean = { HOOKLINE_SEED: undefined, CLAUDE_SECRET: 'do not tell' }

async function examined(world: World, flags: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout } = await hookline(world, ['doctor', '--json', ...flags], { env: { ...clean, ...env } })
  return { code, ...JSON.parse(stdout) }
}

describe('hookline doctor', () => {
  it('says that all is well where it is, with everything it looked at', async () => {
    const world = await makeWorld({
      'home/.claude/settings.json': { hooks: { SessionStart: [commands('node -e 0')] } },
    })
    const { code, stdout } = await hookline(world, ['doctor'], { env: clean })
    expect(code).toBe(0)
    expect(stdout).toMatch(/hookline +\d+\.\d+\.\d+\n +node +\d+\./)
    expect(stdout).toMatch(/local +missing +\.claude\/settings\.local\.json\n +project +missing/)
    expect(stdout).toMatch(/user +found .*\n? *.*settings\.json/)
    expect(stdout).toMatch(/\/bin\/sh +\/bin\/sh/)
    expect(stdout).toMatch(/\n {2}node +\/.*node/)
    expect(stdout).toContain('CLAUDE_SECRET')
    expect(stdout).not.toContain('do not tell')
    expect(stdout).toContain('All is well: 1 hook')
    expect(tooWide(stdout)).toEqual([])
  })

  it('finds programs and interpreters that are missing, and names who needs them', async () => {
    const world = await makeWorld({
      'project/a.sh': '#!/usr/bin/env no-such-interpreter\n',
      'home/.claude/settings.json': {
        hooks: { Stop: [commands('no-such-program --fast', '"$CLAUDE_PROJECT_DIR"/a.sh', 'echo fine; cd /')] },
      },
    })
    const { code, programs, attention } = await examined(world)
    expect(code).toBe(1)
    expect(programs).toMatchObject([
      { name: 'no-such-program', path: null, neededBy: ['user:Stop:0:0'] },
      { name: join(world.project, 'a.sh'), neededBy: ['user:Stop:0:1'] },
      { name: 'no-such-interpreter', path: null },
    ])
    expect(attention.join('\n')).toMatch(/no program no-such-program on PATH \(for user:Stop:0:0\)/)
  })

  it('says what is off and why', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const untrusted = await examined(world)
    expect(untrusted).toMatchObject({ code: 1, hooks: [{ id: 'project:Stop:0:0', state: 'untrusted' }] })
    expect(untrusted.attention).toEqual([expect.stringContaining('is not trusted in Hookline yet')])
    expect((await examined(world, ['--trust'])).code).toBe(0)
    const { stdout } = await hookline(world, ['doctor'])
    expect(stdout).toMatch(/Off\n {2}untrusted {2}the folder is not trusted.*\n {13}project:Stop:0:0/)
  })

  it.each([
    ['settings that are no JSON', { 'project/.claude/settings.json': '{' }, /settings\.json:1:\d+ .*is not JSON/],
    [
      'an entry that is not sound',
      { 'home/.claude/settings.json': { hooks: { Stopp: [] } } },
      /"Stopp" is not an event/,
    ],
    ['a broken trust store', { 'home/.hookline/trust.json': 'oops' }, /cannot be read, so nothing is trusted/],
  ])('needs attention for %s', async (_what, files, sentence) => {
    const { code, attention } = await examined(await makeWorld(files))
    expect(code).toBe(1)
    expect(attention.join('\n')).toMatch(sentence)
  })

  it('needs attention for a trust store that others can write, and for a temp folder that is not there', async () => {
    const world = await makeWorld({ 'home/.hookline/trust.json': { version: 1, folders: {} } })
    await chmod(join(world.home, '.hookline/trust.json'), 0o666)
    const { attention } = await examined(world, [], { TMPDIR: join(world.root, 'gone') })
    expect(attention).toEqual([
      expect.stringMatching(/gone cannot be written \(ENOENT\)/),
      expect.stringMatching(/trust\.json may be written by others, so nothing in it counts as trusted/),
    ])
  })
})
