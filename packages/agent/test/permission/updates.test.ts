import { chmod, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Behavior } from 'hookline/rules'
import { readSettings } from 'hookline/settings'
import { describe, expect, it } from 'vitest'
import { makeWorld, openOn, put, type World } from '../../../hookline/test/support/project.ts'
import { openPermissions as open, type PermissionOptions, suggestUpdates } from '../../src/permission/permissions.ts'
import { readPermissions } from '../../src/permission/rules.ts'
import { applyUpdates as apply, type EditSettings, type PermissionUpdate } from '../../src/permission/update.ts'
import { decide, NOWHERE, rulesWith, TOOLS } from './support.ts'

const LOCAL = 'project/.claude/settings.local.json'

async function standingOf(world: World) {
  return {
    rules: await readPermissions(world, { trusted: true, read: await readSettings(world) }),
    mode: 'default' as const,
  }
}

/** Edits settings as a session does. */
function editing({ project, home }: { project: string; home: string }): EditSettings {
  return async (scope, change) => {
    const engine = await openOn({ root: home, project, home, managed: join(home, 'none.json') })
    await engine.edit(scope, change)
  }
}

const applyUpdates = (standing: Parameters<typeof apply>[0], updates: readonly unknown[], { mayBypass = false } = {}) =>
  apply(standing, updates, { edit: editing(standing.rules), mayBypass })

const openPermissions = async ({
  trusted,
  ...options
}: Omit<PermissionOptions, 'edit' | 'settings'> & Pick<World, 'managed'> & { readonly trusted: boolean }) => {
  const read = await readSettings(options)
  return open({ ...options, settings: () => ({ trusted, read }), edit: editing(options) })
}

function adding(texts: readonly string[], more: Partial<PermissionUpdate> = {}): unknown {
  const rules = texts.map((text) => {
    const [, toolName = text, ruleContent] = /^(\w+)\((.*)\)$/s.exec(text) ?? []
    return { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }
  })
  return { type: 'addRules', rules, behavior: 'allow', destination: 'session', ...more }
}

describe('updated permissions', () => {
  it('count in the session at once', async () => {
    const world = await makeWorld()
    const { standing, problems } = await applyUpdates(await standingOf(world), [adding(['Bash(npm test:*)'])])
    expect(problems).toEqual([])
    expect((await decide('Bash', { command: 'npm test' }, standing)).behavior).toBe('allow')
    expect(await readdir(world.project)).toEqual([])
  })

  it('are written where their destination says', async () => {
    const world = await makeWorld()
    const { problems } = await applyUpdates(await standingOf(world), [
      adding(['Bash(npm test:*)', 'Edit'], { destination: 'localSettings' }),
      adding(['Bash(rm:*)'], { destination: 'projectSettings', behavior: 'deny' }),
      adding(['Read'], { destination: 'userSettings', behavior: 'ask' }),
      { type: 'setMode', mode: 'acceptEdits', destination: 'localSettings' },
      { type: 'addDirectories', directories: ['/srv/x'], destination: 'localSettings' },
    ])
    expect(problems).toEqual([])
    expect(JSON.parse(await readFile(join(world.root, LOCAL), 'utf8'))).toEqual({
      permissions: {
        allow: ['Bash(npm test:*)', 'Edit'],
        defaultMode: 'acceptEdits',
        additionalDirectories: ['/srv/x'],
      },
    })
    const again = await readPermissions(world, { trusted: true, read: await readSettings(world) })
    expect(again.deny).toMatchObject([{ text: 'Bash(rm:*)', source: 'project' }])
    expect(again.ask).toMatchObject([{ text: 'Read', source: 'user' }])
    expect(again.directories).toEqual(['/srv/x'])
  })

  it('leave the rest of a file as it is written', async () => {
    const text =
      '{\n  // mine\n  "model": "x",\n  "permissions": {\n    "allow": [\n      "Edit", // often\n      "Read",\n    ],\n  },\n}\n'
    const world = await makeWorld({ [LOCAL]: text })
    await chmod(join(world.root, LOCAL), 0o600)
    const { problems } = await applyUpdates(await standingOf(world), [
      adding(['Edit', 'Bash(ls)'], { destination: 'localSettings' }),
    ])
    expect(problems).toEqual([])
    const after = await readFile(join(world.root, LOCAL), 'utf8')
    expect(after).toContain('// mine\n  "model": "x",')
    expect(after).toContain('"Edit", // often')
    expect(
      (await readPermissions(world, { trusted: true, read: await readSettings(world) })).allow.map((rule) => rule.text),
    ).toEqual(['Edit', 'Read', 'Bash(ls)'])
    expect((await stat(join(world.root, LOCAL))).mode & 0o777).toBe(0o600)
    expect(await readdir(join(world.project, '.claude'))).toEqual(['settings.local.json'])
  })

  it('replace and remove the rules of their destination, and no others', async () => {
    const world = await makeWorld({
      'managed.json': { permissions: { deny: ['Bash(rm:*)'] } },
      [LOCAL]: { permissions: { allow: ['Edit', 'Read', 'Bash(ls)'], deny: ['Bash(rm:*)'] } },
    })
    const { standing, problems } = await applyUpdates(await standingOf(world), [
      adding(['Read', 'Write'], { type: 'removeRules', destination: 'localSettings' }),
      adding(['Bash(rm:*)'], { type: 'removeRules', destination: 'localSettings', behavior: 'deny' }),
      adding(['WebSearch']),
      adding(['Task'], { type: 'replaceRules' }),
    ])
    expect(problems).toEqual([])
    expect(standing.rules.allow.map((rule) => rule.text)).toEqual(['Edit', 'Bash(ls)', 'Task'])
    expect(standing.rules.deny).toMatchObject([{ source: 'managed' }])
    expect(JSON.parse(await readFile(join(world.root, LOCAL), 'utf8'))).toEqual({
      permissions: { allow: ['Edit', 'Bash(ls)'], deny: [] },
    })
    const replaced = adding(['Task'], { type: 'replaceRules', destination: 'localSettings' })
    await applyUpdates(standing, [
      replaced,
      { type: 'removeDirectories', directories: ['x'], destination: 'localSettings' },
    ])
    expect(JSON.parse(await readFile(join(world.root, LOCAL), 'utf8')).permissions.allow).toEqual(['Task'])
  })

  it.each([
    [{ type: 'forgetRules' }, 'Invalid'],
    [7, 'Invalid'],
    [null, 'Invalid'],
    [adding(['Bash('], {}), null],
    [
      { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: '' }], behavior: 'allow', destination: 'session' },
      'parentheses are empty',
    ],
    [adding(['Edit'], { destination: 'managed' as never }), 'Invalid'],
    [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }, 'chosen when the session starts'],
    [{ type: 'setMode', mode: 'yolo', destination: 'session' }, 'Invalid'],
  ])('that cannot be applied are told: %j', async (update, told) => {
    const standing = { rules: rulesWith({}), mode: 'default' as const }
    const applied = await applyUpdates(standing, [update, adding(['Edit'])])
    expect(applied.problems).toHaveLength(1)
    expect(applied.problems[0]).toContain('updatedPermissions[0] does not count: ')
    expect(applied.problems[0]).toContain(told ?? '"Bash(" is not a valid rule')
    expect(applied.standing.rules.allow.map((rule) => rule.text)).toEqual(['Edit'])
    expect(applied.standing.mode).toBe('default')
  })

  it.each([
    '{ broken',
    '[]',
    '{"permissions": []}',
    '{"permissions": {"allow": "Edit"}}',
    '{"permissions": {}, "permissions": {"allow": []}}',
  ])('do not touch a file that says %j', async (text) => {
    const world = await makeWorld({ [LOCAL]: text })
    const update = adding(['Edit'], { destination: 'localSettings' })
    const { standing, problems } = await applyUpdates(await standingOf(world), [update])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^updatedPermissions\[0\] counts in this session only: .*fix it first\./)
    expect(await readFile(join(world.root, LOCAL), 'utf8')).toBe(text)
    expect(standing.rules.allow).toMatchObject([{ text: 'Edit' }])
  })

  it('are not written through a link that leads out of the project', async () => {
    const world = await makeWorld({ 'elsewhere/settings.local.json': '{}' })
    await symlink(join(world.root, 'elsewhere'), join(world.project, '.claude'))
    const { problems } = await applyUpdates(await standingOf(world), [
      adding(['Edit'], { destination: 'localSettings' }),
    ])
    expect(problems[0]).toContain('is behind a link that leads out of')
    expect(await readFile(join(world.root, 'elsewhere/settings.local.json'), 'utf8')).toBe('{}')
  })

  it('tell when the file cannot be written', async () => {
    const world = await makeWorld({ 'project/.claude': 'a file' })
    const { problems } = await applyUpdates(await standingOf(world), [
      adding(['Edit'], { destination: 'localSettings' }),
    ])
    expect(problems[0]).toMatch(/\.claude is not a folder; nothing was written\.$/)
  })

  it('never write down the mode without questions', async () => {
    const world = await makeWorld()
    const update = { type: 'setMode', mode: 'bypassPermissions', destination: 'localSettings' }
    const { standing, problems } = await applyUpdates(await standingOf(world), [update], { mayBypass: true })
    expect(standing.mode).toBe('bypassPermissions')
    expect(problems[0]).toContain('is never written down')
    expect(await readdir(world.project)).toEqual([])
  })

  it('that come at the same time are all kept', async () => {
    const world = await makeWorld()
    const permissions = await openPermissions({ ...world, trusted: true })
    const names = Array.from({ length: 20 }, (_, index) => `Bash(run ${index})`)
    const told = await Promise.all(
      names.map((name) => permissions.update([adding([name], { destination: 'localSettings' })])),
    )
    expect(told.flat()).toEqual([])
    expect(permissions.rules.allow.map((rule) => rule.text)).toEqual(names)
    expect(
      (await readPermissions(world, { trusted: true, read: await readSettings(world) })).allow.map((rule) => rule.text),
    ).toEqual(names)
  })
})

describe('the permissions of a session', () => {
  it('take files, arguments and the mode together, and change with what is granted', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': { permissions: { deny: ['Bash(rm:*)', 'Bash('] } } })
    const permissions = await openPermissions({ ...world, trusted: false, allow: ['Bash(ls:*)', '('], mode: 'default' })
    const bash = async (command: string): Promise<Behavior> => {
      const call = { tool: TOOLS.Bash, originalInput: { command }, finalInput: { command }, hook: null }
      return (await permissions.decide(call)).behavior
    }
    expect(await bash('ls -l')).toBe('allow')
    expect(await bash('ls; rm x')).toBe('deny')
    expect(await bash('npm test')).toBe('ask')
    expect(permissions.problems).toHaveLength(2)
    expect(
      await permissions.update(await permissions.suggest({ toolName: 'Bash', input: { command: 'npm test' } })),
    ).toEqual([])
    expect(await bash('npm test --watch')).toBe('allow')
    expect(permissions.setMode('plan')).toBeNull()
    expect(permissions.mode).toBe('plan')
    expect(await bash('ls')).toBe('deny')
  })

  it('say why the session cannot have the mode it asks for', async () => {
    const world = await makeWorld({ 'managed.json': { permissions: { disableBypassPermissionsMode: 'disable' } } })
    const permissions = await openPermissions({ ...world, trusted: true, mode: 'bypassPermissions' })
    expect(permissions.forbidden).toContain('is switched off by')
    expect(permissions.mode).toBe('default')
    expect(permissions.setMode('bypassPermissions')).toContain('is switched off by')
    expect(permissions.mode).toBe('default')
  })
})

describe('suggestions', () => {
  const { project } = NOWHERE

  it.each([
    ['Bash', { command: 'npm run test -- --watch' }, ['npm run test:*']],
    ['Bash', { command: 'npm test' }, ['npm test:*']],
    ['Bash', { command: 'git commit -m x && ls -l' }, ['git commit:*', 'ls:*']],
    ['Bash', { command: 'ls; ls -l' }, ['ls:*']],
    ['Bash', { command: 'rm -rf build' }, ['rm -rf build']],
    ['Bash', { command: 'sudo ls *' }, ['sudo ls \\*']],
    ['Bash', { command: 'ls; curl x | sh' }, ['ls; curl x | sh']],
    ['Bash', { command: 'ls > out' }, ['ls > out']],
    ['Bash', { command: 'PATH=. ls' }, ['PATH=. ls']],
    ['Bash', { command: 'git -C x log' }, ['git -C x log']],
    ['Edit', { file_path: `${project}/src/deep/a.ts` }, ['./src/deep/**']],
    ['Edit', { file_path: `${project}/src/[id]/a.ts` }, ['./src/\\[id\\]/**']],
    ['Write', { file_path: `${project}/a.ts` }, ['./a.ts']],
    ['Read', { file_path: '/etc/ssl/x.conf' }, ['//etc/ssl/**']],
    ['Grep', { pattern: 'x', path: '/etc/ssl' }, ['//etc/ssl/**']],
    ['WebFetch', { url: 'https://Example.com/x' }, ['domain:example.com']],
    ['WebFetch', { url: 'http://[0::1]/x' }, ['domain:[::1]']],
    ['Task', { subagent_type: 'explorer' }, ['explorer']],
    ['mcp__a__b', {}, [undefined]],
    ['NotebookEdit', { file_path: `${project}/a` }, [undefined]],
  ])('for %s %j are %j', async (toolName, input, contents) => {
    const [update, ...others] = await suggestUpdates({ toolName, input }, rulesWith({}))
    expect(others).toEqual([])
    expect(update).toMatchObject({ type: 'addRules', behavior: 'allow' })
    expect(update?.type === 'addRules' && update.rules.map(({ ruleContent }) => ruleContent)).toEqual(contents)
  })

  it('are none where no rule would do', async () => {
    expect(await suggestUpdates({ toolName: 'Edit', input: {} }, rulesWith({}))).toEqual([])
    expect(await suggestUpdates({ toolName: 'Bash', input: { command: ' ' } }, rulesWith({}))).toEqual([])
  })

  it('name the family of the tool, and stay in the session for files', async () => {
    expect(
      await suggestUpdates({ toolName: 'Write', input: { file_path: `${project}/src/a` } }, rulesWith({})),
    ).toMatchObject([{ rules: [{ toolName: 'Edit' }], destination: 'session' }])
    expect(await suggestUpdates({ toolName: 'Bash', input: { command: 'ls' } }, rulesWith({}))).toMatchObject([
      { destination: 'localSettings' },
    ])
  })

  it('leave out what is allowed already', async () => {
    const rules = rulesWith({ allow: ['Bash(ls:*)'] })
    expect(await suggestUpdates({ toolName: 'Bash', input: { command: 'ls; npm test' } }, rules)).toMatchObject([
      { rules: [{ ruleContent: 'npm test:*' }] },
    ])
  })

  it('let the call run once they are granted', async () => {
    const word = fc.constantFrom(
      'ls',
      'npm',
      'run',
      'test',
      '-x',
      '$(rm x)',
      '"a b"',
      '*.ts',
      '\\*',
      ';',
      '|',
      '>',
      'rm',
      '(',
      ')',
    )
    const command = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
    const name = fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !/[/\0]/.test(text) && !/^\.*$/.test(text))
    const call = fc.oneof(
      command.map((text) => ({ toolName: 'Bash', input: { command: text } })),
      fc
        .array(name, { minLength: 1, maxLength: 3 })
        .map((names) => ({ toolName: 'Edit', input: { file_path: `/hookline-nowhere/${names.join('/')}` } })),
    )
    await fc.assert(
      fc.asyncProperty(call, async ({ toolName, input }) => {
        const rules = rulesWith({})
        const offered = await suggestUpdates({ toolName, input }, rules)
        const updates = offered.map((update) => ({ ...update, destination: 'session' }))
        const { standing, problems } = await applyUpdates({ rules, mode: 'default' }, updates)
        expect(problems).toEqual([])
        expect((await decide(toolName, input, standing)).behavior).toBe('allow')
      }),
      { numRuns: 500 },
    )
  })

  it('are written and read back as they were offered', async () => {
    const world = await makeWorld()
    await mkdir(join(world.project, '.claude'))
    await put(world, LOCAL, '{"permissions":{"allow":[]}}')
    const permissions = await openPermissions({ ...world, trusted: true })
    const command = 'for x in "a*"; do echo \\"$x\\" > out; done'
    expect(await permissions.update(await permissions.suggest({ toolName: 'Bash', input: { command } }))).toEqual([])
    const rules = await readPermissions(world, { trusted: true, read: await readSettings(world) })
    expect((await decide('Bash', { command }, { rules })).behavior).toBe('allow')
    expect((await decide('Bash', { command: command.replace('a*', 'ab') }, { rules })).behavior).toBe('ask')
  })
})
