import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { formatUsage } from '../../src/cli/view/usage-view.ts'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { commands, makeWorld } from '../support/project.ts'

const SETTINGS = 'project/.claude/settings.json'

const usages = async () =>
  Promise.all(Object.entries(COMMANDS).map(async ([name, { load }]) => ({ name, usage: (await load()).usage })))

describe('the help of every command', () => {
  it('names flags about how hooks run on the commands alone that are made for it', async () => {
    const naming = (await usages()).filter(({ usage }) =>
      /^ {2}--(?:order|no-shell|default-timeout|managed) /m.test(usage),
    )
    expect(naming.map(({ name }) => name)).toEqual(['fire', 'session', 'test', 'replay'])
  })

  it.each([40, 50, 60, 72, 80])('fits into %s columns', async (width) => {
    for (const { name, usage } of await usages()) {
      const fitted = formatUsage(usage, width)
      const wide = fitted.split('\n').filter((line) => line.length > width)
      expect({ name, wide }).toEqual({ name, wide: [] })
      for (const [flag] of usage.matchAll(/^ {2}--[\w-]+/gm)) expect(fitted).toContain(flag)
    }
  })

  it('is as it is written where there is room', async () => {
    for (const { usage } of await usages()) expect(formatUsage(usage, 120)).toBe(usage)
  })
})

describe('a misspelt flag', () => {
  it.each([
    [['list', '--evnt', 'Stop'], '--event'],
    [['validate', '--fomat', 'json'], '--format'],
    [['fire', 'Stop', '--jsn'], '--json'],
  ])('is told with the one that is near: %j', async (args, near) => {
    const { code, stderr } = await hookline(await makeWorld(), args)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`Did you mean "${near}"?`) })
  })
})

describe('a misspelt word behind a command', () => {
  it('is told with the one that is near, by every command that takes such words', async () => {
    const world = await makeWorld()
    const taking = (await usages()).flatMap(({ name, usage }) => {
      const [calls = ''] = usage.split('\n\n', 1)
      const words = (calls.match(/[a-z]+(?:\|[<>\w-]+)+/)?.[0] ?? '').split('|')
      return words.filter((word) => /^[a-z-]{4,}$/.test(word)).map((word) => ({ name, word }))
    })
    expect(new Set(taking.map(({ name }) => name))).toEqual(
      new Set(['trust', 'profile', 'schema', 'completion', 'bridge', 'resident', 'wrap', 'tap', 'guard']),
    )
    for (const { name, word } of taking) {
      const { code, stderr } = await hookline(world, [name, word.slice(0, -1)])
      expect([name, code, stderr]).toEqual([
        name,
        name === 'wrap' || name === 'guard' ? 2 : 1,
        expect.stringContaining(` "${word}"?`),
      ])
    }
    expect((await hookline(world, ['events', 'Stpo'])).stderr).toContain('Did you mean "Stop"?')
    const { stderr } = await hookline(world, ['bridge', 'report', 'codx'])
    expect(stderr).toContain('"codx" is not a known agent. Did you mean "codex"?')
  })
})

describe('a mistake in what an agent calls as a hook', () => {
  it.each([
    [['bridge', 'run'], 'It takes the name of an agent.'],
    [['bridge', 'run', 'codx', 'PreToolUse'], 'Did you mean "codex"?'],
    [['bridge', 'run', 'codex'], 'of one of its events'],
    [['bridge', 'run', 'codex', 'PreToolUse', 'more'], 'of one of its events'],
    [['bridge', 'run', 'codex', 'PreToolUse', '--atended'], 'Did you mean "--attended"?'],
    [['bridge', 'run', 'codex', 'PreToolUse', '--settings', 'none.json'], 'there is no file'],
    [['bridge', 'run', 'codex', 'PreToolUse', '--plugin', 'none'], 'there is no folder'],
    [['wrap'], 'hookline wrap -- COMMAND'],
    [['wrap', 'guard.sh'], 'hookline wrap -- COMMAND'],
    [['wrap', '--event', 'Stop', '--'], 'hookline wrap -- COMMAND'],
  ])('is a refusal, since any other failure is leave to go on: %j', async (args, told) => {
    const { code, stdout, stderr } = await hookline(await makeWorld(), args, { places: [] })
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(told) })
  })
})

describe('flags about how hooks run', () => {
  it('are taken by the commands that run them, and the others name these', async () => {
    const world = await makeWorld()
    const words: Record<string, string> = {
      bridge: 'status',
      tap: 'install',
      wrap: 'install',
      guard: 'list',
      resident: 'status',
    }
    const others = Object.keys(COMMANDS).filter((name) => !['fire', 'session', 'test', 'replay'].includes(name))
    for (const name of others)
      for (const flag of ['--order', '--no-shell', '--default-timeout', '--managed']) {
        if (name === 'validate' && flag === '--managed') continue // a policy can be checked before it is put in its place
        const { code, stderr } = await hookline(world, [name, ...(words[name]?.split(' ') ?? []), flag])
        const told = `Unknown option '${flag}'. It is for hookline fire, session, test and replay.`
        expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining(told)])
      }
  })
})

describe('hookline remove', () => {
  it.each([
    ['over lines', { hooks: { Stop: [commands('true')], PreToolUse: [commands('false')] } }],
    [
      'on one line',
      '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }], "PreToolUse": [] } }',
    ],
  ])('leaves no empty list behind, written %s', async (_how, content) => {
    const world = await makeWorld({ [SETTINGS]: content })
    expect(await hookline(world, ['remove', 'project:Stop:0:0', '--yes'])).toMatchObject({ code: 0 })
    const { hooks } = JSON.parse(await readFile(join(world.project, '.claude/settings.json'), 'utf8'))
    expect(hooks).not.toHaveProperty('Stop')
    expect(hooks).toHaveProperty('PreToolUse')
  })
})

describe('hookline test', () => {
  const world = () =>
    makeWorld({
      [SETTINGS]: { hooks: { Stop: [commands('true')] } },
      'project/a.hooktest.yaml':
        'cases:\n  - name: lets it stop\n    event: Stop\n    expect: { decision: { blocked: false } }\n  - name: other\n    event: Stop\n    expect: { decision: { blocked: true } }\n',
    })

  it('runs the cases alone that --filter names', async () => {
    const here = await world()
    expect(await hookline(here, ['test', '--trust', '--filter', 'LETS'])).toMatchObject({ code: 0 })
    expect(await hookline(here, ['test', '--trust', '--filter', 'nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('None of 2 cases has "nothing" in its name'),
    })
  })
})

describe('a folder below a project', () => {
  it.each([
    ['add', 'Stop', '--command', 'true'],
    ['init', '--event', 'Stop'],
    ['profile', 'current'],
  ])('does not become a second project by %s, unless it is named', async (...args) => {
    const world = await makeWorld({ [SETTINGS]: { hooks: {} } })
    const below = join(world.project, 'src')
    await mkdir(below)
    const here = { ...world, project: below }
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(below)
    const unnamed = await hookline(here, args, { places: ['--home', world.home] })
    cwd.mockRestore()
    expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining('Say which project is meant') })
    await expect(readFile(join(below, '.claude/settings.json'))).rejects.toThrow('ENOENT')
    expect(await hookline(here, args)).toMatchObject({ code: 0 })
  })
})
