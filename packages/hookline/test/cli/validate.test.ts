import { chmod, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld, openOn, put } from '../support/project.ts'
import { oneCommand, projectWith, textOf, validate } from '../support/validate.ts'

const SETTINGS = '.claude/settings.json'
const examples = fileURLToPath(new URL('../../../../examples', import.meta.url))

/** Nine sound groups and, in between, one whose hook has no known type. */
function nineAndOne(): string {
  const groups = Array.from({ length: 10 }, (_, at) => {
    const type = at === 6 ? 'commnad' : 'command'
    return `      { "hooks": [{ "type": "${type}", "command": "echo ${at}" }] }`
  })
  return `{\n  "hooks": {\n    "UserPromptSubmit": [\n${groups.join(',\n')}\n    ]\n  }\n}\n`
}

describe('nine good entries and one bad', () => {
  it('run but for the one, which is reported with its place and what to write instead', async () => {
    const world = await projectWith({ [SETTINGS]: nineAndOne() })
    const engine = await openOn(world)
    const { hooks, decision } = await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })
    expect(hooks.filter(({ verdict }) => verdict === 'ran')).toHaveLength(9)
    expect(decision.context).toHaveLength(9)

    const { code, stdout } = await validate(world)
    expect(code).toBe(1)
    expect(stdout).toContain('.claude/settings.json\n  Claude Code applies this file, but not what')
    expect(stdout).toContain('stands in line 10.\n\n  10:29  error  V-HK-05 unknown-hook-type\n')
    expect(stdout).toContain('"commnad" is not a hook type. Did you mean "command"?')
    expect(stdout).toContain('1 error and 0 warnings in 1 of 1 file.')
  })

  it('are the same in --json', async () => {
    const world = await projectWith({ [SETTINGS]: nineAndOne() })
    const { code, stdout } = await validate(world, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      verdicts: [{ file: SETTINGS, client: 'claude-code', applies: 'part', lines: [10], hooks: 10 }],
      findings: [
        {
          rule: 'V-HK-05',
          name: 'unknown-hook-type',
          severity: 'error',
          loss: 'entry',
          file: SETTINGS,
          line: 10,
          column: 29,
          message: '"commnad" is not a hook type. Did you mean "command"?',
          link: 'docs/rules.md#v-hk-05',
        },
      ],
    })
  })
})

describe('files to check', () => {
  const unsound = JSON.stringify({ hooks: { Nope: [] } })
  const skill = '---\nname: a\nhooks:\n  SessionStart:\n    - hooks: []\n---\n'

  it('are all in play, of every scope', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': unsound,
      'project/.claude/settings.local.json': unsound,
      'home/.claude/settings.json': unsound,
      'managed.json': unsound,
      'managed-settings.d/part.json': unsound,
      'plugin/hooks/hooks.json': unsound,
      'project/.claude/skills/a/SKILL.md': skill,
      'project/.claude/commands/b.md': '---\nhooks: {\n---\n',
    })
    const { stdout } = await validate(world, '--json', '--plugin', join(world.root, 'plugin'))
    const files = JSON.parse(stdout).findings.map(({ file }: { file: string }) => file.replace(`${world.root}/`, ''))
    expect(files).toEqual([
      '.claude/settings.local.json',
      'plugin/hooks/hooks.json',
      SETTINGS,
      'home/.claude/settings.json',
      'managed.json',
      'managed-settings.d/part.json',
      '.claude/commands/b.md',
      '.claude/skills/a/SKILL.md',
    ])
  })

  it('are those that are named, and those below named folders', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': unsound,
      'other/.claude/settings.json': JSON.stringify({ hooks: { Stop: [commands('"$CLAUDE_PROJECT_DIR"/here.sh')] } }),
      'other/here.sh': '#!/bin/sh\n',
      'other/p/hooks/hooks.json': '{}',
      'other/p/skills/a/SKILL.md': skill,
      'other/README.md': '# no component',
      'other/.vscode/settings.json': '{ /* not ours */ }',
      'other/node_modules/x/.claude/settings.json': unsound,
    })
    const { stdout } = await validate(world, join(world.root, 'other'), '--json')
    expect(JSON.parse(stdout).findings).toMatchObject([
      { rule: 'V-HK-02', file: expect.stringContaining('other/p/hooks/hooks.json') },
      { rule: 'V-HK-03', file: expect.stringContaining('SKILL.md'), line: 4 },
    ])
    const named = await validate(world, join(world.project, SETTINGS), '--json')
    expect(JSON.parse(named.stdout).findings).toMatchObject([{ rule: 'V-HK-03', file: SETTINGS }])
  })

  it('see the project that they lie in', async () => {
    const world = await makeWorld({
      'other/.claude/settings.json': JSON.stringify({ hooks: { Stop: [commands('./gone.sh')] } }),
    })
    const { stdout } = await validate(world, join(world.root, 'other'), '--json')
    expect(JSON.parse(stdout).findings[0].message).toContain(join(world.root, 'other', 'gone.sh'))
  })

  it.each([
    ['nothing', 'does not exist'],
    ['notes.md', 'is not a component'],
    ['notes.txt', 'is neither'],
    ['empty', 'nothing to check'],
  ])('are refused when there is nothing to be found in them: %s', async (name, message) => {
    const world = await projectWith({ 'notes.md': '', 'notes.txt': '', 'empty/x.json': '{}' })
    await expect(validate(world, join(world.project, name))).rejects.toThrow(message)
  })

  it('must not lead out of their project', async () => {
    const world = await makeWorld({ 'elsewhere.json': '{}', 'project/.claude/x': '' })
    await symlink(join(world.root, 'elsewhere.json'), join(world.project, SETTINGS))
    for (const named of [[], [join(world.project, SETTINGS)]]) {
      expect(JSON.parse((await validate(world, '--json', ...named)).stdout).findings).toMatchObject([
        { rule: 'V-HK-53', message: expect.stringContaining('leads out of the project') },
      ])
    }
  })

  it('may be none at all', async () => {
    const world = await makeWorld()
    expect(await validate(world)).toMatchObject({ code: 0, stdout: 'There is no file with hooks: nothing to check.\n' })
  })

  it('are reported when they cannot be read', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json/file': '' })
    await mkdir(join(world.project, '.claude', 'skills'))
    await symlink(join(world.root, 'nowhere'), join(world.project, '.claude', 'skills', 'a.md'))
    const { code, stdout } = await validate(world, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).findings).toMatchObject([
      { rule: 'V-HK-53', file: SETTINGS },
      { rule: 'V-HK-53', file: '.claude/skills/a.md' },
    ])
  })
})

describe('frontmatter', () => {
  it('has line and column of every finding', async () => {
    const world = await projectWith({
      '.claude/agents/a.md': [
        '---',
        'name: a',
        'hooks:',
        '  PreToolUse:',
        '    - matcher: bash',
        '      hooks:',
        '        - type: command',
        '          command: surely-missing',
        '          timeout: 5000',
        '          asyncRewake: true',
        '  Notification:',
        '    - hooks: []',
        '---',
        'Text',
      ].join('\n'),
    })
    const { stdout } = await validate(world, '--json')
    const places = JSON.parse(stdout).findings.map(
      ({ rule, line, column }: { rule: string; line: number; column: number }) => `${rule} ${line}:${column}`,
    )
    expect(places).toEqual(['V-HK-18 5:16', 'V-HK-06 8:20', 'V-HK-12 9:20', 'V-HK-16 10:11', 'V-HK-03 11:3'])
  })
})

describe('warnings', () => {
  const files = oneCommand('Stop', 'true', { matcher: 'Bash' })

  it.each([
    [[], 0],
    [['--max-warnings', '1'], 0],
    [['--max-warnings', '0'], 1],
  ])('pass, unless there are too many of them: %s', async (flags, code) => {
    expect(await validate(await projectWith(files), ...flags)).toMatchObject({ code })
  })

  it('are counted by numbers only', async () => {
    await expect(validate(await projectWith(files), '--max-warnings', 'few')).rejects.toThrow('must be a number')
  })
})

describe('a baseline', () => {
  it('keeps what is known from being reported, wherever it moves in its file', async () => {
    const world = await projectWith(oneCommand('Stop', './gone.sh', { match: 'Bash' }))
    const flags = ['--baseline', join(world.root, 'baseline.json')]
    expect(await validate(world, ...flags, '--write-baseline')).toMatchObject({ code: 0 })
    expect(await validate(world, ...flags, '--json')).toMatchObject({ code: 0, stdout: '{"findings":[]}\n' })

    const text = await textOf(world, SETTINGS)
    await put(
      world,
      `project/${SETTINGS}`,
      `\n\n${text.replace('"Stop": [', '"Stop": [{ "hooks": [{ "type": "x" }] },')}`,
    )
    const { code, stdout } = await validate(world, ...flags, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).findings).toMatchObject([{ rule: 'V-HK-05' }])
  })

  it('knows a finding as often as it is in it', async () => {
    const twice = (count: number): object => ({ hooks: { Stop: Array(count).fill({ hooks: [{ type: 'x' }] }) } })
    const world = await makeWorld({ 'project/.claude/settings.json': twice(1) })
    const flags = ['--baseline', join(world.root, 'baseline.json')]
    await validate(world, ...flags, '--write-baseline')
    await put(world, 'project/.claude/settings.json', twice(2))
    expect(JSON.parse((await validate(world, ...flags, '--json')).stdout).findings).toHaveLength(1)
  })

  it('must be there and be one', async () => {
    const world = await projectWith({ 'x.json': '[]' })
    await expect(validate(world, '--write-baseline')).rejects.toThrow('needs --baseline')
    await expect(validate(world, '--baseline', join(world.root, 'none'))).rejects.toThrow('does not exist')
    await expect(validate(world, '--baseline', join(world.project, 'x.json'))).rejects.toThrow('is not a baseline')
  })
})

describe('--explain', () => {
  it('prints the page of a rule', async () => {
    const { code, stdout } = await validate(await makeWorld(), '--explain', 'v-hk-09')
    expect(code).toBe(0)
    expect(stdout).toContain('V-HK-09 invalid-matcher  error\n\n  The matcher compiles.\n')
    expect(stdout).toContain('"matcher": "Edit("')
    expect(stdout).toContain('docs/rules.md#v-hk-09')
  })

  it('takes the name of a rule too', async () => {
    const byCode = await validate(await makeWorld(), '--explain', 'V-HK-18')
    expect(await validate(await makeWorld(), '--explain', 'unknown-tool')).toEqual(byCode)
    await expect(validate(await makeWorld(), '--explain', 'unknow-tool')).rejects.toThrow('"unknown-tool"')
  })

  it('prints it as JSON too', async () => {
    const { stdout } = await validate(await makeWorld(), '--explain', 'V-HK-09', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      rule: 'V-HK-09',
      name: 'invalid-matcher',
      severity: 'error',
      title: 'The matcher compiles',
      link: 'docs/rules.md#v-hk-09',
    })
  })

  it('suggests a rule that there is', async () => {
    await expect(validate(await makeWorld(), '--explain', 'V-HK-9')).rejects.toThrow('there is no rule "V-HK-9"')
  })
})

describe('the examples', () => {
  it.each(['git-context', 'format-on-write', 'path-and-secret-guard', 'tests-after-edit', 'stop-guard', 'env-file'])(
    '%s has no finding once it is installed',
    async (example) => {
      const world = await makeWorld()
      await mkdir(join(world.project, '.claude', 'hooks'), { recursive: true })
      for (const name of await readdir(join(examples, example))) {
        const place = name === 'settings.json' ? [name] : ['hooks', name]
        await cp(join(examples, example, name), join(world.project, '.claude', ...place))
      }
      expect(await validate(world, '--json')).toMatchObject({ code: 0, stdout: '{"findings":[]}\n' })
    },
  )

  it('story has no finding but a note that its expression is not for Claude Code', async () => {
    const world = await makeWorld()
    await cp(join(examples, 'story', 'project'), world.project, { recursive: true })
    const { code, stdout } = await validate(world, '--json', '--max-warnings', '0')
    expect({ code, findings: JSON.parse(stdout).findings }).toMatchObject({
      code: 0,
      findings: [{ rule: 'V-HK-34', severity: 'note', message: expect.stringContaining('Claude Code') }],
    })
  })
})

describe('a mistake in the call', () => {
  it('is an unknown format', async () => {
    await expect(validate(await makeWorld(), '--format', 'xml')).rejects.toThrow('--format must be one of')
  })

  it('is a policy file that everybody may write', async () => {
    const world = await makeWorld()
    await writeFile(world.managed, '{}')
    await chmod(world.managed, 0o666)
    await expect(validate(world)).rejects.toThrow('cannot be taken as policy')
  })
})
