import { chmod, mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { type Content, commands, makeWorld, put, type World } from '../support/project.ts'

const guard = { matcher: 'Bash', ...commands('true') }
const SETTINGS = 'project/.claude/settings.json'
const hooks = { PreToolUse: [guard] }
const matching = (matcher: unknown) => ({ hooks: { PreToolUse: [{ matcher, ...commands('true') }] } })
const running = (command: string) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', ...commands(command) }] } })

interface Silence {
  readonly files: Readonly<Record<string, Content>>
  /** What the cause is called. */
  readonly cause: string
  /** A part of its sentence; what the other commands say where it is left out. */
  readonly because?: string
  /** A part of what the other commands say. */
  readonly says: string
  readonly fix: string
  /** The commands that say it without being asked for it. */
  readonly also: readonly ('list' | 'explain' | 'doctor' | 'validate')[]
  readonly prepare?: (world: World) => Promise<void>
}

/** Every common cause of silence: what `why` says of it first, and which other commands tell it. */
const SILENCES: Readonly<Record<string, Silence>> = {
  'no hook at all': {
    files: {},
    cause: 'no-hook',
    says: 'No hook is configured',
    fix: 'hookline init',
    also: ['list'],
  },
  'events at the root': {
    files: { [SETTINGS]: { PreToolUse: [guard] } },
    cause: 'not-under-hooks',
    says: '"PreToolUse" is at the root',
    fix: 'validate --fix',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'an event beside hooks': {
    files: { [SETTINGS]: { hooks: {}, PreToolUse: [guard] } },
    cause: 'not-under-hooks',
    says: '"PreToolUse" is beside "hooks"',
    fix: 'validate --fix',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'Hooks with a capital': {
    files: { [SETTINGS]: { Hooks: hooks } },
    cause: 'not-under-hooks',
    says: 'Nothing reads "Hooks"',
    fix: 'validate --fix',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'hook without an s': {
    files: { [SETTINGS]: { hook: hooks } },
    cause: 'not-under-hooks',
    says: 'Nothing reads "hook"',
    fix: 'validate --fix',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'hooks misspelt': {
    files: { [SETTINGS]: { hoks: hooks } },
    cause: 'not-under-hooks',
    says: 'Nothing reads "hoks"',
    fix: 'validate --fix',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'a file that is not JSON': {
    files: { [SETTINGS]: '{ "hooks": { "PreToolUse": [ }' },
    cause: 'not-json',
    says: 'contributes nothing',
    fix: 'settings.json:1',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'a misspelt event': {
    files: { [SETTINGS]: { hooks: { PreToolUsed: [guard] } } },
    cause: 'not-an-event',
    says: '"PreToolUsed" is not an event',
    fix: 'validate --fix',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  '.claude/hooks.json': {
    files: { 'project/.claude/hooks.json': { hooks } },
    cause: 'stray-file',
    says: '.claude/hooks.json holds hooks, and nothing reads it',
    fix: 'mv .claude/hooks.json .claude/settings.json',
    also: ['list', 'explain', 'doctor'],
  },
  'setting.json': {
    files: { 'project/.claude/setting.json': { hooks } },
    cause: 'stray-file',
    says: '.claude/setting.json holds hooks',
    fix: 'mv .claude/setting.json .claude/settings.json',
    also: ['list', 'explain', 'doctor'],
  },
  'settings.local.json in the home of the user': {
    files: { 'home/.claude/settings.local.json': { hooks } },
    cause: 'stray-file',
    says: 'local settings belong to a project',
    fix: 'Move its hooks into',
    also: ['list', 'explain', 'doctor'],
  },
  'settings in a folder without the dot': {
    files: { 'project/claude/settings.json': { hooks } },
    cause: 'stray-file',
    says: 'claude/settings.json holds hooks',
    fix: 'cp claude/settings.json .claude/settings.json',
    also: ['list', 'explain', 'doctor'],
  },
  'settings at the root of the project, beside others': {
    files: { 'project/hooks.json': { PreToolUse: [guard] }, [SETTINGS]: {} },
    cause: 'stray-file',
    says: 'hooks.json holds hooks',
    fix: 'Move its hooks into .claude/settings.json',
    also: ['list', 'explain', 'doctor'],
  },
  'a plugin that is not enabled': {
    files: { 'project/hooks/hooks.json': { hooks }, 'project/.claude-plugin/plugin.json': { name: 'p' } },
    cause: 'stray-file',
    says: 'the plugin is not enabled',
    fix: '--plugin',
    also: ['list', 'explain', 'doctor'],
  },
  'a project above': {
    files: { '.claude/settings.json': { hooks } },
    cause: 'project-above',
    says: 'settings of folders above are not read',
    fix: '--project',
    also: ['list', 'explain', 'doctor'],
  },
  'a project below': {
    files: { 'project/packages/one/.claude/settings.json': { hooks } },
    cause: 'project-below',
    says: 'settings of folders below are not read',
    fix: 'packages/one',
    also: ['list', 'explain'],
  },
  'a hook of a skill that is not active': {
    files: {
      'project/.claude/skills/tidy/SKILL.md':
        '---\nhooks:\n  PreToolUse:\n    - hooks:\n        - { type: command, command: "true" }\n---\n',
    },
    cause: 'component',
    says: 'only while this skill is active',
    fix: '--component .claude/skills/tidy/SKILL.md',
    also: ['list', 'explain'],
  },
  'a hook of another event': {
    files: { [SETTINGS]: { hooks: { PostToolUse: [guard] } } },
    cause: 'other-event',
    says: 'there are some for PostToolUse',
    fix: 'move the hook under "PreToolUse"',
    also: [],
  },
  'a matcher as a list': {
    files: { [SETTINGS]: matching(['Bash', 'Write']) },
    cause: 'file-dropped',
    because: '"matcher" must be a string, not a list',
    says: 'names are separated by "|": "Bash|Write"',
    fix: 'settings.json:5',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'a matcher in other letters': {
    files: { [SETTINGS]: matching('bash') },
    cause: 'matcher-miss',
    says: 'Did you mean "Bash"?',
    fix: '"matcher": "Bash"',
    also: ['explain', 'validate'],
  },
  'a permission rule as matcher': {
    files: { [SETTINGS]: matching('Bash(git *)') },
    cause: 'matcher-miss',
    says: 'is a permission rule, not a matcher',
    fix: '"if": "Bash(git *)"',
    also: ['explain'],
  },
  'a script that is missing': {
    files: { [SETTINGS]: running('./gone.sh') },
    cause: 'cannot-start',
    says: 'gone.sh does not exist',
    fix: 'Put the script at',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'a script that is not executable': {
    files: { [SETTINGS]: running('./guard.sh'), 'project/guard.sh': '#!/bin/sh\n' },
    prepare: ({ project }) => chmod(join(project, 'guard.sh'), 0o644),
    cause: 'cannot-start',
    says: 'guard.sh is not executable',
    fix: 'chmod +x ./guard.sh',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'a script with CRLF': {
    files: { [SETTINGS]: running('./guard.sh'), 'project/guard.sh': '#!/bin/sh\r\nexit 0\r\n' },
    cause: 'cannot-start',
    says: 'CRLF',
    fix: "sed -i 's/\\r$//' ./guard.sh",
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'a program that is missing': {
    files: { [SETTINGS]: running('surely-no-such-program') },
    cause: 'cannot-start',
    says: 'there is no program surely-no-such-program',
    fix: 'Install surely-no-such-program',
    also: ['list', 'explain', 'doctor', 'validate'],
  },
  'hooks that are switched off': {
    files: { [SETTINGS]: { hooks }, 'home/.claude/settings.json': { disableAllHooks: true } },
    cause: 'disabled',
    says: 'disableAllHooks is set in',
    fix: 'remove "disableAllHooks"',
    also: ['list', 'explain', 'doctor'],
  },
  'a hook that decides in the background': {
    files: {
      [SETTINGS]: {
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2', async: true }] }] },
      },
    },
    cause: 'V-HK-21',
    says: 'runs in the background',
    fix: 'Remove "async"',
    also: ['validate'],
  },
}

const CALLS = {
  list: ['list'],
  explain: ['explain', 'PreToolUse', 'tool_name=Bash'],
  doctor: ['doctor'],
  validate: ['validate'],
} as const

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')

describe('hookline why', () => {
  it.each(Object.entries(SILENCES))('finds %s, and so do the commands beside it', async (_name, silence) => {
    const world = await makeWorld(silence.files)
    await silence.prepare?.(world)
    const told = await hookline(world, ['why', 'PreToolUse', 'tool_name=Bash', '--json'])
    const { causes } = JSON.parse(told.stdout)
    expect(causes[0]).toMatchObject({
      cause: silence.cause,
      because: expect.stringContaining(silence.because ?? silence.says),
      fix: expect.stringContaining(silence.fix),
    })
    expect(told.code).toBe(1)
    const shown = await hookline(world, ['why', 'PreToolUse', 'tool_name=Bash'])
    expect(shown.stdout).toMatch(/^Most likely\n/)
    for (const command of silence.also) {
      const call = command === 'validate' ? [...CALLS[command]] : [...CALLS[command], '--trust']
      const { stdout, stderr } = await hookline(world, call, { env: { COLUMNS: '200' } })
      expect(onOneLine(`${stdout}${stderr}`), command).toContain(silence.says)
    }
  })

  it('says that nothing was found where hooks would run', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks } })
    expect(await hookline(world, ['why', 'PreToolUse', 'tool_name=Bash', '--trust'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 hook would run for PreToolUse'),
    })
    expect(await hookline(world, ['why', '--trust'])).toMatchObject({ code: 0 })
  })

  it('says when the event and its hooks were recorded last', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks } })
    const log = { env: { HOOKLINE_LOG: join(world.root, 'hooks.jsonl') } }
    await hookline(world, ['fire', 'PreToolUse', 'tool_name=Read', '--trust'], log)
    const why = ['why', 'PreToolUse', 'tool_name=Bash', '--trust']
    expect(onOneLine((await hookline(world, why, log)).stdout)).toContain('none of these hooks ran')
    await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash', '--trust'], log)
    const { recorded } = JSON.parse((await hookline(world, [...why, '--json'], log)).stdout)
    expect(recorded).toEqual({
      event: expect.any(String),
      hooks: { [Object.keys(recorded.hooks)[0] ?? '']: recorded.event },
      inspect: null,
    })
    expect((await hookline(world, why)).stdout).not.toContain('Recorded')
  })

  it('without an event looks at all of them', async () => {
    const world = await makeWorld({ 'project/.claude/setting.json': { hooks } })
    const { stdout } = await hookline(world, ['why'])
    expect(stdout).toContain('.claude/setting.json holds hooks, and nothing reads it')
  })

  it('takes no file for hooks that says it is aside, or holds none', async () => {
    const world = await makeWorld({
      'project/.claude/settings.example.json': { hooks },
      'project/.claude/other.json': { hooks: [] },
      'project/package.json': { hooks: { PreToolUse: [] } },
      'project/node_modules/x/.claude/settings.json': { hooks },
    })
    expect((await hookline(world, ['why'])).stdout).not.toMatch(/example|other\.json|package|node_modules/)
  })

  it('shows behind untrusted what would become of the hook, in explain, list and fire', async () => {
    const world = await makeWorld({
      [SETTINGS]: { hooks: { PreToolUse: [guard, { matcher: 'Bash', ...commands('./gone.sh') }, matching('x')] } },
    })
    const wide = { env: { COLUMNS: '200' } }
    const explained = await hookline(world, ['explain', 'PreToolUse', 'tool_name=Bash'], wide)
    expect(explained.stdout).toContain('not trusted in Hookline yet; otherwise: would run')
    expect(explained.stdout).toContain('otherwise: cannot start (./gone.sh does not exist')
    expect(explained.stdout).toContain('hookline trust accept')
    const listed = await hookline(world, ['list'], wide)
    expect(listed.stdout).toContain('not trusted in Hookline yet; otherwise: active')
    expect(listed.stdout).toContain('otherwise: cannot start (./gone.sh does not exist')
    const fired = await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash'], wide)
    expect(fired.stdout).toContain('not trusted in Hookline yet; otherwise: would run')
    expect(fired.code).toBe(1)
  })

  it('is not led out of the project by a link', async () => {
    const world = await makeWorld({ 'elsewhere/hooks.json': { hooks } })
    await mkdir(join(world.project, '.claude'))
    await symlink(join(world.root, 'elsewhere/hooks.json'), join(world.project, '.claude/hooks.json'))
    expect((await hookline(world, ['why'])).stdout).not.toContain('holds hooks')
  })
})

describe('the key of a hook', () => {
  const keyOf = async (world: World, at = 0): Promise<string> =>
    JSON.parse((await hookline(world, ['list', '--json'])).stdout).hooks[at].key

  it('stays when hooks are added before it, and changes with what it runs', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('true')] } } })
    const key = await keyOf(world)
    expect(key).toMatch(/^[0-9a-f]{8}$/)
    await put(world, SETTINGS, { hooks: { Stop: [commands('false', 'true')] } })
    expect(await keyOf(world, 1)).toBe(key)
    expect(await keyOf(world, 0)).not.toBe(key)
  })

  it('is taken where an id is: by remove, log, explain and test', async () => {
    const world = await makeWorld({
      [SETTINGS]: { hooks: { Stop: [commands('echo one', 'echo two')] } },
    })
    const key = await keyOf(world, 1)
    const halted = await hookline(world, ['explain', 'Stop', '--halts', await keyOf(world), '--trust', '--json'])
    expect(JSON.parse(halted.stdout).hooks[1].verdict).toBe('not-reached')
    const log = join(world.root, 'hooks.jsonl')
    await hookline(world, ['fire', 'Stop', '--trust'], { env: { HOOKLINE_LOG: log } })
    expect((await hookline(world, ['log', log, '--hook', key])).stdout).toContain('Stop')
    expect((await hookline(world, ['log', log, '--hook', '00000000'])).stdout).toBe('')
    await put(
      world,
      'project/a.hooktest.yaml',
      `cases:\n  - name: one\n    event: Stop\n    expect:\n      hooks:\n        "${key}": ran\n`,
    )
    expect(await hookline(world, ['test', '--trust'])).toMatchObject({ code: 0 })
    const removed = await hookline(world, ['remove', key, '--yes'])
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('echo two') })
    expect(await hookline(world, ['remove', key])).toMatchObject({ code: 1, stderr: expect.stringContaining(key) })
  })
})

describe('hookline list', () => {
  const world = () =>
    makeWorld({ [SETTINGS]: { hooks: { PreToolUse: [guard, matching('x')], Stop: [commands('./gone.sh')] } } })

  it('shows only hooks of an event or in a state', async () => {
    const here = await world()
    const stop = await hookline(here, ['list', '--event', 'Stop', '--trust', '--json'])
    expect(JSON.parse(stop.stdout).hooks).toMatchObject([{ event: 'Stop' }])
    const stuck = await hookline(here, ['list', '--state', 'cannot-start', '--trust'])
    expect(stuck.stdout).toContain('1 hook, 1 needs attention')
    expect(await hookline(here, ['list', '--state', 'actve'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "active"?'),
    })
    expect(await hookline(here, ['list', '--event', 'Stopp'])).toMatchObject({ code: 1 })
  })

  it('has one line per hook with --compact, and on narrow terminals', async () => {
    const here = await world()
    const compact = await hookline(here, ['list', '--compact', '--trust'])
    const [line = ''] = compact.stdout.split('\n')
    expect(line).toMatch(/^[0-9a-f]{8} {2}active {2}PreToolUse:Bash {2}true$/)
    const narrow = await hookline(here, ['list', '--trust'], { env: { COLUMNS: '50' } })
    expect(narrow.stdout.split('\n')[0]).toBe(line)
  })
})

describe('what hookline why says of what it cannot know', () => {
  it('takes a name in another case for a slip of the call, not of the matcher', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks } })
    const { stdout } = await hookline(world, ['why', 'PreToolUse', 'tool_name=bash', '--trust'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('The name is "Bash": names are case-sensitive.')
    expect(stdout).not.toContain('Did you mean "bash"')
  })

  it('does not say that no hook ran where only events were recorded', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks } })
    const seen = {
      tap: 1,
      at: '2026-11-16T09:00:00.000Z',
      hook: null,
      input: { hook_event_name: 'PreToolUse', session_id: 's', cwd: world.project },
    }
    await put(world, 'home/.hookline/tap/hooks.jsonl', `${JSON.stringify(seen)}\n`)
    const { stdout } = await hookline(world, ['why', 'PreToolUse', '--trust'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'only hooks wrapped by "hookline tap install --wrap" record that they ran',
    )
    expect(stdout).not.toContain('none of these hooks ran')
  })
})

describe('hookline validate --fix', () => {
  const written = async (content: object, ...flags: string[]): Promise<unknown> => {
    const world = await makeWorld({ [SETTINGS]: content })
    await hookline(world, ['validate', '--fix', ...flags])
    return JSON.parse(await readFile(join(world.project, '.claude/settings.json'), 'utf8'))
  }

  it('moves events from the root into hooks, in one go and beside what is there', async () => {
    const stop = [commands('true')]
    expect(await written({ model: 'x', PreToolUse: [guard], Stop: stop })).toEqual({
      model: 'x',
      hooks: { PreToolUse: [guard], Stop: stop },
    })
    expect(await written({ PreToolUse: [guard], hooks: { PreToolUse: stop, Stop: stop }, model: 'x' })).toEqual({
      hooks: { PreToolUse: [...stop, guard], Stop: stop },
      model: 'x',
    })
  })

  it('renames Hooks and hook, but not over hooks that are there', async () => {
    expect(await written({ Hooks: hooks })).toEqual({ hooks })
    expect(await written({ hook: hooks })).toEqual({ hooks })
    expect(await written({ hook: hooks, hooks: {} })).toEqual({ hook: hooks, hooks: {} })
  })

  it('writes a matcher that is a list, or has spaces around names, as one string of names', async () => {
    expect(await written(matching(['Bash', 'Write']))).toEqual(matching('Bash|Write'))
    for (const [text, fixed] of [
      ['Bash ', 'Bash'],
      ['Edit | Write', 'Edit|Write'],
    ] as const) {
      expect(await written(matching(text), '--profile', 'classic')).toEqual(matching(fixed))
      expect(await written(matching(text))).toEqual(matching(text)) // a list with blanks is right in Claude Code
    }
  })

  it('leaves events that hold a comment where they are', async () => {
    const text = '{ "PreToolUse": [ /* why */ ] }'
    const world = await makeWorld({ [SETTINGS]: text })
    await hookline(world, ['validate', '--fix'])
    expect(await readFile(join(world.project, '.claude/settings.json'), 'utf8')).toBe(text)
  })
})
