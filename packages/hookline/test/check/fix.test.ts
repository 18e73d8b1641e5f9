import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { findSubjectsInPlay } from '../../src/check/find-subjects.ts'
import { fixFile } from '../../src/check/fix.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import { makeWorld } from '../support/project.ts'
import { projectWith, textOf, validate } from '../support/validate.ts'

const SETTINGS = '.claude/settings.json'

/** A settings file around the groups of an event, as text. */
const settingsWith = (groups: string, event = 'PreToolUse'): string =>
  `{ "hooks": {\n  "${event}": [\n    ${groups}\n  ]\n} }\n`

const hook = (fields: string): string => `{ "hooks": [{ ${fields} }] }`

describe('--fix corrects', () => {
  it.each<[string, string, string]>([
    [
      'the case of an event',
      settingsWith(hook('"type": "command", "command": "true"'), 'preToolUse'),
      settingsWith(hook('"type": "command", "command": "true"')),
    ],
    [
      'a misspelt type',
      settingsWith(hook('"type": "commnad", "command": "true"')),
      settingsWith(hook('"type": "command", "command": "true"')),
    ],
    [
      'milliseconds',
      settingsWith(hook('"type": "command", "command": "true", "timeout": 30000')),
      settingsWith(hook('"type": "command", "command": "true", "timeout": 30')),
    ],
    [
      'a misspelt field of a hook',
      settingsWith(hook('"type": "command", "command": "true", "timeuot": 5')),
      settingsWith(hook('"type": "command", "command": "true", "timeout": 5')),
    ],
    [
      'a misspelt field of a group',
      settingsWith('{ "match": "Bash", "hooks": [] }'),
      settingsWith('{ "matcher": "Bash", "hooks": [] }'),
    ],
    [
      'a matcher where none is taken',
      settingsWith('{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true" }] }', 'Stop'),
      settingsWith(hook('"type": "command", "command": "true"'), 'Stop'),
    ],
    [
      'such a matcher that stands last',
      settingsWith('{ "hooks": [{ "type": "command", "command": "true" }],\n "matcher": "Bash" }', 'Stop'),
      settingsWith(hook('"type": "command", "command": "true"'), 'Stop'),
    ],
    [
      'a path outside quotes',
      settingsWith(hook('"type": "command", "command": "cat $HOME/a \\"$HOME\\"/b x$PWD/y"')),
      settingsWith(hook('"type": "command", "command": "cat \\"$HOME\\"/a \\"$HOME\\"/b x\\"$PWD\\"/y"')),
    ],
    [
      'a path outside quotes in a substitution, and none that stays whole',
      settingsWith(hook('"type": "command", "command": "x=$HOME; if true; then echo \\"$(cat $PWD/y)\\"; fi"')),
      settingsWith(hook('"type": "command", "command": "x=$HOME; if true; then echo \\"$(cat \\"$PWD\\"/y)\\"; fi"')),
    ],
  ])('%s', async (_name, before, after) => {
    const world = await projectWith({ [SETTINGS]: before })
    const { code, stdout } = await validate(world, '--fix')
    expect(await textOf(world, SETTINGS)).toBe(after)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^--- \.claude\/settings\.json/)
    expect(stdout).toContain('nothing to report')
  })

  it('several things at once, and keeps comments, order and line ends', async () => {
    const before = settingsWith(
      '// mine\r\n{ "hooks": [{ "timeuot": 5, "type": "comand", "command": "true" /* here */ }], "match": "Bash" },',
      'pretooluse',
    )
    const world = await projectWith({ [SETTINGS]: before })
    await validate(world, '--fix')
    expect(await textOf(world, SETTINGS)).toBe(
      before
        .replace('timeuot', 'timeout')
        .replace('comand', 'command')
        .replace('match', 'matcher')
        .replace('pretooluse', 'PreToolUse'),
    )
  })

  it('and prints what was changed beside the data, not in it', async () => {
    const world = await projectWith({ [SETTINGS]: settingsWith(hook('"type": "commnad", "command": "true"')) })
    const { stdout, stderr } = await validate(world, '--fix', '--json')
    expect(JSON.parse(stdout)).toEqual({ findings: [] })
    expect(stderr).toContain('+    { "hooks": [{ "type": "command"')
  })
})

const wide = (...lines: string[]): string => lines.join('\n    ')
const command = '{ "type": "command", "command": "true" }'

describe('--fix under current corrects', () => {
  it.each<[string, string, string]>([
    [
      'a hook without a group',
      settingsWith('{ "matcher": "Bash", "command": "true", "timeout": 5 }'),
      settingsWith('{ "matcher": "Bash", "hooks": [ { "type": "command", "command": "true", "timeout": 5 } ] }'),
    ],
    [
      'such a hook that asks a server',
      settingsWith('{ "url": "http://127.0.0.1:9/", "headers": { "A": "b" } }'),
      settingsWith('{ "hooks": [ { "type": "http", "url": "http://127.0.0.1:9/", "headers": { "A": "b" } } ] }'),
    ],
    [
      'one over several lines, in as many',
      settingsWith(wide('{', '  "matcher": "Bash",', '  "type": "command",', '  "command": "true"', '}')),
      settingsWith(
        wide(
          ...['{', '  "matcher": "Bash",', '  "hooks": [', '    {'],
          ...['      "type": "command",', '      "command": "true"', '    }', '  ]', '}'],
        ),
      ),
    ],
    [
      'a single hook where a list should be',
      settingsWith(`{ "hooks": ${command} }`),
      settingsWith(`{ "hooks": [ ${command} ] }`),
    ],
    [
      'a single group where a list should be',
      `{ "hooks": { "PreToolUse": { "hooks": [${command}] } } }`,
      `{ "hooks": { "PreToolUse": [ { "hooks": [ ${command} ] } ] } }`,
    ],
    [
      'a hook without a type',
      settingsWith('{ "hooks": [{ "command": "true" }] }'),
      settingsWith(`{ "hooks": [${command}] }`),
    ],
    [
      'commas between names where they separate none',
      settingsWith(`{ "matcher": "rate_limit, overloaded", "hooks": [${command}] }`, 'StopFailure'),
      settingsWith(`{ "matcher": "rate_limit|overloaded", "hooks": [${command}] }`, 'StopFailure'),
    ],
    [
      'an expression that asks for the name of the tool alone',
      settingsWith(`{ "matcher": "tool == \\"Edit\\" || tool == \\"Write\\"", "hooks": [${command}] }`),
      settingsWith(`{ "matcher": "Edit|Write", "hooks": [${command}] }`),
    ],
    [
      'a misspelt "block"',
      settingsWith(hook('"type": "command", "command": "true", "onFailure": "blok"')),
      settingsWith(hook('"type": "command", "command": "true", "onFailure": "block"')),
    ],
    [
      '"once" in settings',
      settingsWith(hook('"type": "command", "command": "true", "once": true')),
      settingsWith(hook('"type": "command", "command": "true"')),
    ],
    [
      '"async" on a hook that is a server',
      settingsWith(hook('"type": "http", "url": "http://127.0.0.1:9/", "async": true')),
      settingsWith(hook('"type": "http", "url": "http://127.0.0.1:9/"')),
    ],
  ])('%s', async (_name, before, after) => {
    const world = await projectWith({ [SETTINGS]: before })
    const { code, stdout } = await validate(world, '--fix', '--profile', 'current')
    expect(await textOf(world, SETTINGS)).toBe(after)
    expect(code).toBe(0)
    expect(stdout).toContain('nothing to report')
  })

  it.each<[string, string]>([
    ['a hook without a group that has a comment', settingsWith('{ "command": "true" /* why */ }')],
    ['one that may be of two types', settingsWith('{ "prompt": "Is it safe?" }')],
    ['one with a key that stands twice', settingsWith('{ "command": "true", "command": "false" }')],
    [
      'an expression that asks for more',
      settingsWith(`{ "matcher": "tool == \\"Bash\\" && x == \\"y\\"", "hooks": [${command}] }`),
    ],
    ['an "if" where it never holds', settingsWith(hook('"type": "command", "command": "true", "if": "Bash"'), 'Stop')],
    ['another value of "onFailure"', settingsWith(hook('"type": "command", "command": "true", "onFailure": "deny"'))],
  ])('but not %s', async (_name, text) => {
    const world = await projectWith({ [SETTINGS]: text })
    await validate(world, '--fix', '--profile', 'current')
    expect(await textOf(world, SETTINGS)).toBe(text)
  })
})

describe('--fix leaves alone', () => {
  it.each<[string, string]>([
    ['an event that is misspelt otherwise', settingsWith(hook('"type": "command", "command": "true"'), 'PreToolUses')],
    ['an event whose right name is taken', '{ "hooks": { "stop": [], "Stop": [] } }'],
    ['a timeout that may be meant', settingsWith(hook('"type": "command", "command": "true", "timeout": 3600'))],
    [
      'a field whose right name is taken',
      settingsWith(hook('"type": "command", "command": "true", "timeuot": 5, "timeout": 6')),
    ],
    [
      'fields of the newer protocol',
      settingsWith(hook('"type": "command", "command": "true", "asyncRewake": true, "if": "x", "args": []')),
    ],
    ['comments and trailing commas', '{ "hooks": {}, /* mine */ }'],
    ['a matcher with a comment behind it', settingsWith('{ "matcher": "Bash" /* why */, "hooks": [] }', 'Stop')],
  ])('%s', async (_name, text) => {
    const world = await projectWith({ [SETTINGS]: text })
    await validate(world, '--fix')
    expect(await textOf(world, SETTINGS)).toBe(text)
  })

  it('managed files and frontmatter', async () => {
    const skill = '---\nhooks:\n  stop:\n    - hooks: []\n---\n'
    const policy = '{ "hooks": { "stop": [] } }'
    const world = await makeWorld({ 'managed.json': policy, 'project/.claude/skills/a/SKILL.md': skill })
    expect(await validate(world, '--fix')).toMatchObject({ code: 1 })
    expect(await textOf(world, '../managed.json')).toBe(policy)
    expect(await textOf(world, '.claude/skills/a/SKILL.md')).toBe(skill)
  })

  it('a file that was edited meanwhile', async () => {
    const world = await projectWith({ [SETTINGS]: '{ "hooks": { "stop": [] } }' })
    const [subject] = await findSubjectsInPlay({ ...world, plugins: [] }, makeProfileSource(undefined))
    if (!subject) throw new TypeError('there is one file')
    const findings = await check([subject])
    await writeFile(join(world.project, SETTINGS), '{}')
    await expect(fixFile(subject, findings)).rejects.toThrow('was edited meanwhile')
    expect(await textOf(world, SETTINGS)).toBe('{}')
  })
})
