import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { BEHAVIORS, type Behavior } from 'hookline/rules'
import { readSettings } from 'hookline/settings'
import { describe, expect, it } from 'vitest'
import { type Content, makeWorld, type World } from '../../../hookline/test/support/project.ts'
import { PERMISSION_MODES, settleMode } from '../../src/permission/modes.ts'
import type { PermissionRules } from '../../src/permission/permission-rules.ts'
import { readPermissions } from '../../src/permission/rules.ts'
import { decide } from './support.ts'

const SHARED = 'project/.claude/settings.json'
const LOCAL = 'project/.claude/settings.local.json'
const USER = 'home/.claude/settings.json'

async function read(files: Record<string, Content>, { trusted = true, extra = null as string | null } = {}) {
  const world = await makeWorld(files)
  return { world, rules: await readPermissions({ ...world, extra }, { trusted, read: await readSettings(world) }) }
}

function textsOf(rules: PermissionRules): Record<Behavior, string[]> {
  const texts = (behavior: Behavior): string[] => rules[behavior].map(({ source, text }) => `${source} ${text}`)
  return { allow: texts('allow'), ask: texts('ask'), deny: texts('deny') }
}

describe('permissions in settings files', () => {
  it('are gathered from policy, drop-ins, the named file, local, project and user', async () => {
    const { world, rules } = await read(
      {
        'managed.json': { permissions: { deny: ['Bash(rm:*)'], disableBypassPermissionsMode: 'disable' } },
        'managed-settings.d/20.json': { permissions: { deny: ['WebSearch'] } },
        'managed-settings.d/10.json': { permissions: { ask: ['WebFetch'] } },
        'managed-settings.d/readme.txt': 'no settings',
        'project/extra.json': { permissions: { allow: ['Bash(make:*)'] } },
        [LOCAL]: { permissions: { allow: ['Edit'] } },
        [SHARED]: {
          permissions: { ask: ['Bash(git push:*)'], defaultMode: 'plan', additionalDirectories: ['../shared'] },
        },
        [USER]: { permissions: { allow: ['Read(~/notes/**)'], defaultMode: 'acceptEdits' } },
      },
      { extra: 'extra.json' },
    )
    expect(textsOf(rules)).toEqual({
      allow: ['extra Bash(make:*)', 'local Edit', 'user Read(~/notes/**)'],
      ask: ['managed WebFetch', 'project Bash(git push:*)'],
      deny: ['managed Bash(rm:*)', 'managed WebSearch'],
    })
    expect(rules.allow.map(({ file }) => file)).toEqual([
      'extra.json',
      '.claude/settings.local.json',
      join(world.home, '.claude/settings.json'),
    ])
    expect(rules.defaultMode).toEqual({ mode: 'plan', file: '.claude/settings.json' })
    expect(rules.bypassForbiddenBy).toBe(world.managed)
    expect(rules.directories).toEqual([join(world.root, 'shared')])
    expect(rules.problems).toEqual([])
  })

  it('are empty where there is no file', async () => {
    const { rules } = await read({})
    expect(textsOf(rules)).toEqual({ allow: [], ask: [], deny: [] })
    expect(rules).toMatchObject({ defaultMode: null, bypassForbiddenBy: null, problems: [] })
  })

  it('may have comments, trailing commas and a byte order mark', async () => {
    const { rules } = await read({ [USER]: '\uFEFF{ // mine\n "permissions": { "allow": ["Edit",], }, }' })
    expect(textsOf(rules).allow).toEqual(['user Edit'])
    expect(rules.problems).toEqual([])
  })

  it('are set aside rule by rule when they are malformed, with the place and what to do', async () => {
    const { rules } = await read({
      [SHARED]:
        '{\n  "permissions": {\n    "allow": ["Bash(", "Edit", 7],\n    "deny": "Bash",\n    "defaultMode": "yolo"\n  }\n}',
    })
    expect(textsOf(rules)).toEqual({ allow: ['project Edit'], ask: [], deny: [] })
    expect(rules.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)).toEqual([
      '.claude/settings.json:3:15 "Bash(" is not a valid rule: its closing parenthesis is missing. It does not count.',
      '.claude/settings.json:3:32 7 is not a valid rule; write a string such as "Bash(npm test:*)". It does not count.',
      '.claude/settings.json:4:13 "permissions.deny" is not a list; write ["…"].',
      '.claude/settings.json:5:20 "permissions.defaultMode" is one of default, plan, acceptEdits, auto, dontAsk, bypassPermissions; "yolo" does not count.',
    ])
  })

  it.each(['not json', '[]', '{"permissions": 3}', ''])('contribute nothing when the file is %j', async (text) => {
    const { rules } = await read({ [USER]: text })
    expect(textsOf(rules)).toEqual({ allow: [], ask: [], deny: [] })
    expect(rules.problems).toHaveLength(1)
  })

  it('tell of a named file that is not there', async () => {
    const { rules } = await read({}, { extra: 'missing.json' })
    expect(rules.problems).toMatchObject([
      { file: 'missing.json', message: 'The file is not there. Its permissions do not count.' },
    ])
  })

  it('do not hang on a pipe in the place of a file', async () => {
    const world = await makeWorld({ [SHARED]: {} })
    execFileSync('sh', ['-c', 'mkfifo .claude/settings.local.json'], { cwd: world.project, timeout: 10_000 })
    const rules = await readPermissions(world, { trusted: true, read: await readSettings(world) })
    expect(rules.problems).toMatchObject([{ file: '.claude/settings.local.json' }])
  })
})

describe('a policy that cannot be read', () => {
  const behaviorOf = async (rules: PermissionRules, toolName: string): Promise<Behavior> =>
    (await decide(toolName, { command: 'ls', file_path: 'a' }, { rules, mode: 'bypassPermissions' })).behavior

  it('denies all effects of the kind that a malformed rule about effects names', async () => {
    const { rules } = await read({ 'managed.json': { permissions: { deny: ['Changes(databases:drop)'] } } })
    const behaviorFor = async (command: string): Promise<Behavior> =>
      (await decide('Bash', { command }, { rules, mode: 'bypassPermissions' })).behavior
    expect(await behaviorFor('git reset --hard')).toBe('deny')
    expect(await behaviorFor('git status')).toBe('allow')
  })

  it('denies the whole tool that a malformed deny rule names', async () => {
    const { rules } = await read({ 'managed.json': { permissions: { deny: ['Bash(rm'] } } })
    expect(await behaviorOf(rules, 'Bash')).toBe('deny')
    expect(await behaviorOf(rules, 'Edit')).toBe('allow')
    expect(rules.problems[0]?.message).toBe(
      '"Bash(rm" is not a valid rule: its closing parenthesis is missing. Until it is fixed it counts for all of Bash.',
    )
  })

  it('asks for the whole tool that a malformed ask rule names', async () => {
    const { rules } = await read({ 'managed.json': { permissions: { ask: ['edit(x)'] } } })
    expect(await behaviorOf(rules, 'Edit')).toBe('ask')
    expect(await behaviorOf(rules, 'Bash')).toBe('allow')
  })

  it.each([
    { permissions: { deny: ['(rm)'] } },
    { permissions: { deny: [null] } },
    { permissions: { deny: 'Bash' } },
    { permissions: [] },
    'no json',
    '',
  ])('denies every call when it is %j', async (content) => {
    const { rules } = await read({ 'managed.json': content })
    expect(await behaviorOf(rules, 'Bash')).toBe('deny')
    expect(await behaviorOf(rules, 'Read')).toBe('deny')
    expect(rules.problems).toHaveLength(1)
  })

  it('denies every call when a drop-in is no settings file', async () => {
    const { rules } = await read({ 'managed-settings.d/x.json/y': '' })
    expect(await behaviorOf(rules, 'Bash')).toBe('deny')
  })

  it.skipIf(process.getuid?.() === 0)('is refused when its drop-ins cannot be listed', async () => {
    const world = await makeWorld({ 'managed-settings.d/x.json': {} })
    await chmod(join(world.root, 'managed-settings.d'), 0)
    const reading = readSettings(world)
    await expect(reading).rejects.toThrow('cannot be read, so it is unknown what policy allows; nothing is run.')
    await chmod(join(world.root, 'managed-settings.d'), 0o755)
  })

  it('allows nothing by a malformed allow rule', async () => {
    const { rules } = await read({ 'managed.json': { permissions: { allow: ['Bash('] } } })
    expect((await decide('Bash', { command: 'ls' }, { rules })).behavior).toBe('ask')
  })
})

describe('a project that is not accepted', () => {
  const settings = {
    permissions: {
      allow: ['Bash'],
      ask: ['Read'],
      deny: ['Edit'],
      defaultMode: 'acceptEdits',
      additionalDirectories: ['/'],
    },
  }

  it('can restrict, and loosens nothing', async () => {
    const { rules } = await read({ [SHARED]: settings, [LOCAL]: settings }, { trusted: false })
    expect(textsOf(rules)).toEqual({
      allow: [],
      ask: ['local Read', 'project Read'],
      deny: ['local Edit', 'project Edit'],
    })
    expect(rules).toMatchObject({ defaultMode: null, directories: [] })
    expect(rules.problems.map(({ message }) => message)).toContain(
      'The allow rules of a project that is not trusted do not count.',
    )
  })

  it('can forbid the mode without questions, and never switch it on, accepted or not', async () => {
    const disabled = { permissions: { disableBypassPermissionsMode: 'disable' } }
    const { rules } = await read({ [SHARED]: disabled }, { trusted: false })
    expect(rules.bypassForbiddenBy).toBe('.claude/settings.json')
    const bypass = { permissions: { defaultMode: 'bypassPermissions' } }
    const accepted = await read({ [SHARED]: bypass, [LOCAL]: bypass })
    expect(accepted.rules.defaultMode).toBeNull()
    expect(accepted.rules.problems).toHaveLength(2)
  })

  it('never makes a decision milder, whatever its files say', async () => {
    const rule = fc.constantFrom('Bash', 'Bash(ls:*)', 'Bash(', 'Edit', 'Edit(//**)', 'Read', 'Read(//**)', '*')
    const list = fc.oneof(fc.array(rule, { maxLength: 3 }), fc.constant('Bash'))
    const permissions = fc.record(
      {
        ...{ allow: list, ask: list, deny: list },
        defaultMode: fc.constantFrom(...PERMISSION_MODES, 'yolo'),
        additionalDirectories: fc.constantFrom(['/'], 'x'),
      },
      { requiredKeys: [] },
    )
    const own = fc.record({ permissions: fc.record({ allow: fc.array(rule), ask: fc.array(rule) }) })
    const root = await mkdtemp(join(tmpdir(), 'hookline-permission-'))
    const world: World = { root, project: join(root, 'p'), home: join(root, 'h'), managed: join(root, 'm.json') }
    try {
      await mkdir(join(world.project, '.claude'), { recursive: true })
      await mkdir(join(world.home, '.claude'), { recursive: true })
      await fc.assert(
        fc.asyncProperty(own, fc.record({ permissions }), fc.record({ permissions }), async (user, shared, local) => {
          await writeFile(join(world.home, '.claude/settings.json'), JSON.stringify(user))
          await rm(join(world.project, '.claude/settings.json'), { force: true })
          await rm(join(world.project, '.claude/settings.local.json'), { force: true })
          const without = await behaviors(
            await readPermissions(world, { trusted: false, read: await readSettings(world) }),
          )
          await writeFile(join(world.project, '.claude/settings.json'), JSON.stringify(shared))
          await writeFile(join(world.project, '.claude/settings.local.json'), JSON.stringify(local))
          const withFiles = await behaviors(
            await readPermissions(world, { trusted: false, read: await readSettings(world) }),
          )
          for (const [index, severity] of withFiles.entries())
            expect(severity).toBeGreaterThanOrEqual(without[index] ?? 0)
        }),
        { numRuns: 60 },
      )
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })

  /** How strict the session that these rules make is with some calls. */
  async function behaviors(rules: PermissionRules): Promise<number[]> {
    const settled = settleMode(null, rules)
    const mode = 'mode' in settled ? settled.mode : 'default'
    const decisions = await Promise.all([
      decide('Bash', { command: 'ls' }, { rules, mode }),
      decide('Bash', { command: 'rm x' }, { rules, mode }),
      decide('Edit', { file_path: 'a' }, { rules, mode }),
      decide('Edit', { file_path: '/etc/a' }, { rules, mode }),
      decide('Read', { file_path: '/etc/a' }, { rules, mode }),
    ])
    return decisions.map(({ behavior }) => BEHAVIORS.indexOf(behavior))
  }
})

describe('the mode of a session', () => {
  it('is the one asked for, else that of the settings, else the default', async () => {
    const { rules } = await read({ [USER]: { permissions: { defaultMode: 'bypassPermissions' } } })
    expect(settleMode('plan', rules)).toEqual({ mode: 'plan' })
    expect(settleMode(null, rules)).toEqual({ mode: 'bypassPermissions' })
    expect(settleMode(null, (await read({})).rules)).toEqual({ mode: 'default' })
  })

  it('is refused when policy forbids it', async () => {
    const { world, rules } = await read({
      'managed.json': { permissions: { disableBypassPermissionsMode: 'disable' } },
      [USER]: { permissions: { defaultMode: 'bypassPermissions' } },
    })
    expect(settleMode('acceptEdits', rules)).toEqual({ mode: 'acceptEdits' })
    expect(settleMode('bypassPermissions', rules)).toEqual({
      refused: 'bypass_permissions_disabled',
      message: `The mode bypassPermissions is switched off by ${world.managed}. Start with --permission-mode default.`,
    })
    expect(settleMode(null, rules)).toMatchObject({ refused: 'bypass_permissions_disabled' })
  })
})
