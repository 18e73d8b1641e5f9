import { describe, expect, it } from 'vitest'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld } from '../support/project.ts'

const SETTINGS = 'project/.claude/settings.json'
const USER = 'home/.claude/settings.json'
const onBash = ['PreToolUse', 'tool_name=Bash', '--trust']

describe('hookline fire, where no one chose a profile', () => {
  const hook = '{"type": "command", "command": "true"}'
  const unable: Readonly<Record<string, string>> = {
    'has a matcher that neither profile can read': `{"matcher": "[Bash", "hooks": [${hook}]}`,
    'has a matcher that Hookline cannot follow': `{"matcher": "(B)\\\\1", "hooks": [${hook}]}`,
    'holds a field twice in a file of the project': `{"matcher": "Bash", "hooks": [{"type": "command", "command": "a", "command": "b"}]}`,
    'is of a type that neither profile has': `{"matcher": "Bash", "hooks": [{"type": "script", "command": "true"}]}`,
    'lacks what it should run': `{"matcher": "Bash", "hooks": [{"type": "http"}]}`,
    'names a script that is not there': `{"matcher": "Bash", "hooks": [{"type": "command", "command": "./gone.sh"}]}`,
    'asks a model where none is configured': `{"matcher": "Bash", "hooks": [{"type": "prompt", "prompt": "Is it safe?"}]}`,
  }
  const env = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, HOOKLINE_MODEL: undefined }
  const settings = (...groups: string[]): string => `{"hooks": {"PreToolUse": [${groups.join()}]}}`

  it.each(Object.entries(unable))('exits 1 when a hook %s', async (_what, group) => {
    const world = await makeWorld({ [SETTINGS]: settings(group, `{"matcher": "Bash", "hooks": [${hook}]}`) })
    const { code, stderr } = await hooklineInProcess(world, ['fire', ...onBash, '--json'], { env })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/project:PreToolUse:0:0 cannot run: \S/)])
  })

  it('exits 0 when a script that is there ends with 127 by itself', async () => {
    const group = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "exit 127"}]}'
    const { code, stderr } = await hooklineInProcess(
      await makeWorld({ [SETTINGS]: settings(group) }),
      ['fire', ...onBash, '--json'],
      { env },
    )
    expect([code, stderr]).toEqual([0, ''])
  })

  it('exits 0 when the hook that cannot run is for another tool', async () => {
    const group = '{"matcher": "Write", "hooks": [{"type": "script", "command": "true"}]}'
    const world = await makeWorld({ [SETTINGS]: settings(group) })
    expect(await hooklineInProcess(world, ['fire', ...onBash])).toMatchObject({ code: 0 })
  })

  it('exits 2 when another hook refuses', async () => {
    const refusing = '{"hooks": [{"type": "command", "command": "exit 2"}]}'
    const world = await makeWorld({ [SETTINGS]: settings(...Object.values(unable), refusing) })
    expect(await hooklineInProcess(world, ['fire', ...onBash], { env })).toMatchObject({ code: 2 })
  })
})

describe('hookline profile, where no one chose one', () => {
  const list = { matcher: 'Edit, Write', ...commands('true') }
  const asked = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true', if: 'Bash(ls)' }] }

  it('shows both readings of the folder, what decided, and the command that chooses', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { PreToolUse: [list, asked], Stop: [commands('true')] } } })
    const { code, stdout } = await hooklineInProcess(world, ['profile'])
    expect(code).toBe(0)
    const shown = stdout.replaceAll(/\s+/g, ' ')
    expect(shown).toContain('read as current: "if" in line')
    expect(shown).toContain('classic: runs, its matcher is a pattern current: runs, its matcher is exact names')
    expect(shown).toMatch(/Choose one: hookline profile current $/)
  })

  it('has the same as JSON', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { PreToolUse: [list], Stop: [commands('true')] } } })
    const { stdout } = await hooklineInProcess(world, ['profile', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      project: { profile: 'auto', by: 'default', readAs: { profile: 'classic', because: null } },
      alike: 1,
      differing: [
        {
          event: 'PreToolUse',
          readings: { classic: { matcher: 'a pattern' }, current: { matcher: 'exact names' } },
        },
      ],
      choose: 'hookline profile current',
    })
  })
})

describe('what hookline tap installs', () => {
  it.each([[[]], [['--wrap', 'all']]])('is nothing that validate reports, with %j', async (flags) => {
    const world = await makeWorld({ [USER]: { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('true') }] } } })
    expect(await hooklineInProcess(world, ['tap', 'install', '--yes', ...flags])).toMatchObject({ code: 0 })
    expect(await hooklineInProcess(world, ['validate'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing to report'),
    })
  })
})
