import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { usageIn } from '../../src/cli/view/usage-view.ts'
import { tooWide } from '../support/command.ts'
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

  it.each([40, 50, 60, 72])('fits into %s columns', async (width) => {
    for (const { name, usage } of await usages()) {
      const fitted = usageIn(usage, width)
      const wide = fitted.split('\n').filter((line) => line.length > width)
      expect({ name, wide }).toEqual({ name, wide: [] })
      for (const [flag] of usage.matchAll(/^ {2}--[\w-]+/gm)) expect(fitted).toContain(flag)
    }
    expect(tooWide('')).toEqual([])
  })

  it('is as it is written where there is room', async () => {
    for (const { usage } of await usages()) expect(usageIn(usage, 80)).toBe(usage)
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

describe('completions', () => {
  it.each(['bash', 'zsh', 'fish'])('know the values of flags in %s', async (shell) => {
    const { stdout } = await hookline(await makeWorld(), ['completion', shell])
    expect(stdout).toContain('pretty json sarif github junit')
    expect(stdout).toContain('project local user')
    expect(stdout).toContain('parallel sequential')
    expect(stdout).toContain('classic current')
    expect(stdout).toContain('active untrusted duplicate invalid unsupported disabled policy-off cannot-start')
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
    const unnamed = await hookline(here, args, { places: ['--home', world.home, '--managed', world.managed] })
    cwd.mockRestore()
    expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining('Say which project is meant') })
    await expect(readFile(join(below, '.claude/settings.json'))).rejects.toThrow('ENOENT')
    expect(await hookline(here, args)).toMatchObject({ code: 0 })
  })
})
