import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { hookline, inTerminal } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld, type World } from '../support/project.ts'

beforeAll(() => void vi.stubEnv('TMPDIR', '/tmp')) // a short name: what is printed is broken into lines
afterAll(() => void vi.unstubAllEnvs())

const SETTINGS = 'project/.claude/settings.json'
const USER = 'home/.claude/settings.json'
const textOf = ({ root }: World, path = SETTINGS) => readFile(join(root, path), 'utf8')
const batch = { PostToolBatch: [commands('true')] }

describe('hookline profile', () => {
  it('says who decides and why, for people and as JSON', async () => {
    const world = await makeWorld({ [SETTINGS]: { hookline: { profile: 'current' } } })
    const shown = (await hookline(world, ['profile'])).stdout.replaceAll(/\s+/g, ' ')
    expect(shown).toBe(
      "Profile: auto (read as classic); current (.claude/settings.json) for this project's own hooks, once it is trusted. No one chose: hooks run where either profile runs them, and the stricter outcome counts. classic and current read nothing here: there are no hooks. Choose one: hookline profile current --scope user ",
    )
    expect(JSON.parse((await hookline(world, ['profile', '--json'])).stdout)).toEqual({
      own: {
        profile: 'auto',
        by: 'default',
        readAs: { profile: 'classic', because: null, file: null },
        file: null,
        unusable: null,
      },
      project: { profile: 'current', by: 'project', readAs: null, file: '.claude/settings.json', unusable: null },
      trusted: false,
      profiles: ['classic', 'current'],
      alike: 0,
      differing: [],
      choose: 'hookline profile current --scope user',
    })
    const { stdout } = await hookline(world, ['profile', '--profile', 'classic'], {
      env: { HOOKLINE_PROFILE: 'current' },
    })
    expect(stdout).toBe('Profile: classic (--profile).\n')
    const byVariable = await hookline(world, ['profile'], { env: { HOOKLINE_PROFILE: 'current' } })
    expect(byVariable.stdout).toBe('Profile: current (HOOKLINE_PROFILE).\n')
  })

  it.each([
    ['{}', '{\n  "hookline": {\n    "profile": "current"\n  }\n}'],
    ['{\n  // mine\n  "model": "x", "env": {"A":"1"}\n}\n', null],
    ['{\n  "hookline": {"profile": "classic", /* why */ "more": 1},\n  "hooks": {},\n}\n', null],
    ['{\r\n    "hookline": {},\r\n    "hooks": {}\r\n}', null],
    ['\uFEFF{ "hookline": { "other": [1,2] } }', null],
  ])('writes the choice and leaves the rest of %j as it is', async (text, expected) => {
    const world = await makeWorld({ [SETTINGS]: text })
    expect(await hooklineInProcess(world, ['profile', 'current'])).toMatchObject({ code: 0 })
    const after = await textOf(world)
    if (expected !== null) expect(after.trim()).toBe(expected)
    expect(JSON.parse((await hooklineInProcess(world, ['profile', '--json'])).stdout).project).toMatchObject({
      profile: 'current',
    })
    const kept = text.split(/("hookline": \{|"classic")/).map((part) => part.trim())
    for (const part of kept[0]?.split('\n').slice(1, -1) ?? []) expect(after).toContain(part.trim())
    expect(await hooklineInProcess(world, ['profile', 'classic'])).toMatchObject({ code: 0 })
    expect(await hooklineInProcess(world, ['profile', 'current'])).toMatchObject({ code: 0 })
    expect(await textOf(world)).toBe(after)
  })

  it("writes the user's choice into the home, and does nothing twice", async () => {
    const world = await makeWorld()
    expect((await hooklineInProcess(world, ['profile', 'current', '--scope', 'user'])).stdout).toContain(
      'Profile: current (',
    )
    const text = await textOf(world, USER)
    expect(JSON.parse(text)).toEqual({ hookline: { profile: 'current' } })
    expect((await hooklineInProcess(world, ['profile', 'current', '--scope', 'user'])).stdout).toContain(
      'chooses current already',
    )
    expect(await textOf(world, USER)).toBe(text)
    expect(existsSync(join(world.root, SETTINGS))).toBe(false)
  })

  it.each([
    [['later'], 'There is no profile "later". Profiles: classic, current.'],
    [['current', '--scope', 'managed'], '--scope must be project or user, not "managed".'],
    [['--scope', 'user'], 'which profile? classic or current.'],
    [['current', 'classic'], '"classic" is not expected here.'],
  ])('refuses %j in one sentence and writes nothing', async (args, sentence) => {
    const world = await makeWorld()
    const { code, stderr } = await hooklineInProcess(world, ['profile', ...args])
    expect([code, stderr.split('\n')[0]]).toEqual([1, `hookline profile: ${sentence}`])
    expect(existsSync(join(world.root, SETTINGS)) || existsSync(join(world.root, USER))).toBe(false)
  })

  it('does not edit a setting of another shape', async () => {
    const world = await makeWorld({ [SETTINGS]: '{ "hookline": 3 }' })
    expect(await hooklineInProcess(world, ['profile', 'current'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"hookline" in the file has an unexpected shape'),
    })
    expect(await textOf(world)).toBe('{ "hookline": 3 }')
  })

  it('keeps a trusted project trusted, since the user chose', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: batch } })
    const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
    await hookline(world, ['trust', 'accept', '--yes', digest])
    await hookline(world, ['profile', 'current'])
    expect(JSON.parse((await hookline(world, ['profile', '--json'])).stdout)).toMatchObject({ trusted: true })
    const fired = await hookline(world, ['fire', 'PostToolBatch', '--json'])
    expect(JSON.parse(fired.stdout)).toMatchObject({
      profile: 'current',
      hooks: [{ verdict: 'ran', profile: 'current' }],
    })
  })
})

describe('every command that reads hooks', () => {
  it.each([
    ['events', 'PostToolBatch'],
    ['explain', 'PostToolBatch'],
    ['fire', 'PostToolBatch', '--trust'],
    ['match', 'Bash', '--event', 'PermissionDenied'],
    ['schema', 'PostToolBatch'],
    ['validate'],
    ['list'],
    ['add', 'PostToolBatch', '--command', 'false', '--dry-run'],
    ['init', '--event', 'PostToolBatch', '--dry-run'],
    ['test', '--new', 'PostToolBatch', '--trust'],
  ])('goes by the choice of the project, and of the variable: %s %s', async (...args) => {
    const by = [{ hookline: { profile: 'current' }, hooks: batch }, { hooks: batch }]
    for (const [at, settings] of by.entries()) {
      const world = await makeWorld({ [SETTINGS]: settings })
      const env = at === 0 ? {} : { HOOKLINE_PROFILE: 'current' }
      const { code, stdout, stderr } = await hooklineInProcess(world, args, { env })
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('is an event of')])
      expect(`${stdout}${stderr}`).toMatch(/PostToolBatch|PermissionDenied|nothing to report|hooktest|\+\+\+ \.claude/)
    }
  })

  it('checks files of the user under the choice of the user', async () => {
    const world = await makeWorld({
      [SETTINGS]: { hookline: { profile: 'current' }, hooks: batch },
      [USER]: { hookline: { profile: 'classic' }, hooks: batch },
    })
    const findings = JSON.parse((await hooklineInProcess(world, ['validate', '--json'])).stdout)
    expect(JSON.stringify(findings)).toContain('PostToolBatch is an event of')
    expect(JSON.stringify(findings).match(/PostToolBatch is an event of/g)).toHaveLength(1)
  })

  it.each([['list'], ['doctor'], ['--help']])('says which profile is in force: %s', async (...args) => {
    const world = await makeWorld({ [USER]: { hookline: { profile: 'current' } } })
    const { stdout } = await hookline(world, args, { env: { HOME: world.home } })
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/[Pp]rofile:? current \(.*settings\.json\)/)
  })
})

describe('--help', () => {
  it.each(Object.keys(COMMANDS))('of %s names the profile in force where the command takes one', async (name) => {
    const world = await makeWorld({ [USER]: { hookline: { profile: 'current' } } })
    const { code, stdout } = await hookline(world, [name, '--help'])
    expect(code).toBe(0)
    const named = /^Profile: current \(.*settings\.json\)\.$/m.test(stdout.replaceAll(/\s*\n {2,}/g, ' '))
    expect(named).toBe(stdout.includes(' --profile '))
  })

  it('is printed although no profile can be told', async () => {
    const world = await makeWorld({ 'managed.json': '{' })
    const { code, stdout, stderr } = await hookline(world, ['fire', '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('hookline fire')
    expect(stdout).not.toContain('Profile:')
  })
})

describe('a folder whose files use what only another profile has than the user chose', () => {
  const uses = {
    [SETTINGS]: { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:9/' }] }] } },
    [USER]: { hookline: { profile: 'classic' } },
  }
  const SENTENCE =
    /^\.claude\/settings\.json:\d+ {2}"http" is a hook type of "current" .*: hookline profile current\.$/m

  it.each([
    ['add', 'Stop', '--command', 'true'],
    ['init', '--event', 'Stop'],
    ['trust', 'accept', '--yes', 'f00'],
  ])('is told of in one sentence without a terminal: %s', async (...args) => {
    const world = await makeWorld(uses)
    const { stderr } = await hooklineInProcess(world, args)
    expect(stderr.match(new RegExp(SENTENCE, 'gm'))).toHaveLength(1)
    expect(await textOf(world)).not.toContain('"hookline"')
    await hooklineInProcess(world, ['profile', 'classic'])
    expect((await hooklineInProcess(world, args)).stderr).not.toMatch(SENTENCE)
  })

  it.skipIf(process.platform !== 'linux').each([
    ['add', 'Stop', '--command', 'true'],
    ['trust', 'accept'],
  ])('is asked about once in a terminal: %s', async (...args) => {
    const world = await makeWorld(uses)
    const { stdout } = await inTerminal(world, args, 'current\ny\n')
    expect(stdout).toContain('Which profile is meant?')
    expect(JSON.parse(await textOf(world))).toMatchObject({ hookline: { profile: 'current' } })
    expect((await inTerminal(world, args, 'y\n')).stdout).not.toContain('Which profile is meant?')
  })
})
