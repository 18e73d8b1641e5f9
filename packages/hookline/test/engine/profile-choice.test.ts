import { describe, expect, it } from 'vitest'
import { type EngineOptions, openEngine } from '../../src/index.ts'
import { answering, bashCall, type Content, commands, makeWorld, openOn, put, type World } from '../support/project.ts'

const PROJECT = 'project/.claude/settings.json'
const LOCAL = 'project/.claude/settings.local.json'
const USER = 'home/.claude/settings.json'
const choosing = (profile: unknown, hooks: object = {}): object => ({ hookline: { profile }, hooks })
const chosen = async (world: World, options: EngineOptions = {}) =>
  (await openOn(world, { env: {}, ...options })).profiles

/** Objects with exit code 1, which only `current` listens to. */
const DENIES_AT_1 = `${answering({ decision: 'block', reason: 'no' })}; exit 1`

describe('the profile in force', () => {
  it('is both of them where no one chose, led by classic where files say nothing', async () => {
    const { own, project } = await chosen(await makeWorld())
    const readAs = { profile: 'classic', because: null, file: null }
    expect([own, project]).toEqual(
      Array(2).fill({ profile: 'auto', by: 'default', readAs, file: null, unusable: null }),
    )
  })

  const user = choosing('current')
  it.each<[who: string, files: Record<string, Content>, options: EngineOptions, own: string, project: string]>([
    ['the user', { [USER]: user }, {}, 'current user', 'current user'],
    ['a file for one session', { 'more.json': user, [USER]: choosing('classic') }, {}, 'current user', 'current user'],
    ['the project', { [PROJECT]: user }, {}, 'auto default', 'current project'],
    ['local settings', { [LOCAL]: user, [PROJECT]: choosing('classic') }, {}, 'auto default', 'current project'],
    ['both', { [PROJECT]: choosing('classic'), [USER]: user }, {}, 'current user', 'classic project'],
    [
      'the environment',
      { [PROJECT]: user },
      { env: { HOOKLINE_PROFILE: 'classic' } },
      'classic environment',
      'classic environment',
    ],
    [
      'the host',
      { [PROJECT]: user },
      { profile: 'classic', env: { HOOKLINE_PROFILE: 'current' } },
      'classic option',
      'classic option',
    ],
    [
      'policy',
      { 'managed.json': user, [USER]: choosing('classic') },
      { profile: 'classic' },
      'current policy',
      'current policy',
    ],
    [
      'a part of policy',
      { 'managed-settings.d/a.json': user },
      { profile: 'classic' },
      'current policy',
      'current policy',
    ],
  ])('is what %s chose, before all others below', async (_who, files, options, own, project) => {
    const world = await makeWorld(files)
    const settings = 'more.json' in files ? { settings: `${world.root}/more.json` } : {}
    const profiles = await chosen(world, { ...options, ...settings })
    expect([profiles.own, profiles.project].map(({ profile, by }) => `${profile} ${by}`)).toEqual([own, project])
  })

  it('names the file that chose it', async () => {
    const world = await makeWorld({ [PROJECT]: user, [USER]: choosing('classic') })
    expect(await chosen(world)).toMatchObject({
      own: { file: expect.stringContaining('home/.claude/settings.json') },
      project: { file: '.claude/settings.json' },
    })
  })

  it('is never taken from the variables in a settings file', async () => {
    const env = { env: { HOOKLINE_PROFILE: 'current' } }
    const world = await makeWorld({ [USER]: env, [PROJECT]: env, 'managed.json': env })
    expect(await chosen(world)).toMatchObject({ own: { profile: 'auto' }, project: { profile: 'auto' } })
  })

  it('is not chosen by a plugin', async () => {
    const world = await makeWorld({
      'plugin/hooks/hooks.json': user,
      'plugin/.claude-plugin/plugin.json': { name: 'p', ...user },
    })
    const { own, project } = await chosen(world, { plugins: [`${world.root}/plugin`] })
    expect([own.by, project.by]).toEqual(['default', 'default'])
  })

  it.each([
    [{ profile: 'later' as 'classic' }, 'There is no profile "later". Profiles: classic, current.'],
    [
      { env: { HOOKLINE_PROFILE: 'later\u001b[2J' } },
      'HOOKLINE_PROFILE: There is no profile "later". Profiles: classic, current.',
    ],
  ])('is refused in one sentence where its name is unknown: %j', async (options, sentence) => {
    const { project, home, managed } = await makeWorld()
    await expect(openEngine({ project, home, managed, ...options })).rejects.toThrow(sentence)
  })

  it('is told by every line of the record', async () => {
    const hooks = { PreToolUse: [commands('true')] }
    const world = await makeWorld({
      [PROJECT]: choosing('current', hooks),
      [USER]: { hooks },
      'managed.json': { hooks },
    })
    const engine = await openOn(world)
    await engine.register(hooks)
    const record = await engine.dispatch(bashCall)
    expect(record.profile).toBe('classic')
    expect(record.hooks.map(({ scope, profile }) => `${scope} ${profile}`)).toEqual([
      'session classic',
      'project current',
      'user classic',
      'managed classic',
    ])
  })
})

describe("a project's choice", () => {
  it('is shown and part of the digest; a folder without one keeps the digest it had', async () => {
    const hooks = { Stop: [commands('true')] }
    const world = await makeWorld({ [PROJECT]: { hooks } })
    const before = (await openOn(world)).trust.request
    expect(before.files).toEqual({ '.claude/settings.json': { hooks } })
    await put(world, PROJECT, choosing('current', hooks))
    const { digest, asks } = (await openOn(world)).trust.request
    expect(digest).not.toBe(before.digest)
    expect(asks[0]).toMatchObject({ kind: 'setting', name: 'hookline.profile', value: 'current' })
    await put(world, PROJECT, choosing('classic', hooks))
    expect([digest, before.digest]).not.toContain((await openOn(world)).trust.request.digest)
  })

  it('has to be trusted again after it changed', async () => {
    const hooks = { Stop: [commands('true')] }
    const world = await makeWorld({ [PROJECT]: choosing('current', hooks) })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(true)
    await put(world, PROJECT, choosing('classic', hooks))
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(false)
  })

  it('governs its own hooks, local ones, its plugins and its components, and no others', async () => {
    const hooks = { PreToolUse: [commands(DENIES_AT_1)] }
    const skill = `---\nname: s\nhooks: ${JSON.stringify(hooks)}\n---\n`
    const world = await makeWorld({
      [PROJECT]: choosing('current', hooks),
      [LOCAL]: { hooks },
      'project/plugin/hooks/hooks.json': { hooks },
      'project/.claude/skills/s/SKILL.md': skill,
      [USER]: { hooks },
      'managed.json': { hooks },
      'own/hooks/hooks.json': { hooks },
      'more.json': { hooks },
      'own/skills/s/SKILL.md': skill,
    })
    const plugins = [`${world.project}/plugin`, `${world.root}/own`]
    const engine = await openOn(world, { plugins, settings: `${world.root}/more.json` })
    await engine.activate('.claude/skills/s/SKILL.md')
    await engine.activate(`${world.root}/own/skills/s/SKILL.md`)
    const { hooks: lines } = await engine.dispatch(bashCall)
    const ofProject = lines.filter(({ profile }) => profile === 'current').map(({ file }) => file)
    expect(ofProject.sort()).toEqual([
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.claude/skills/s/SKILL.md',
      'plugin/hooks/hooks.json',
    ])
    expect(lines.filter(({ profile }) => profile === 'classic')).toHaveLength(5)
  })

  it('does not run its own events in an untrusted folder, and says so', async () => {
    const world = await makeWorld({ [PROJECT]: choosing('current', { PostToolBatch: [commands('exit 2')] }) })
    const batch = { hook_event_name: 'PostToolBatch', tool_calls: [] }
    const untrusted = await (await openOn(world, { trust: 'refused' })).dispatch(batch)
    expect(untrusted).toMatchObject({ decision: { blocked: false }, hooks: [{ verdict: 'untrusted' }] })
    expect(await (await openOn(world)).dispatch(batch)).toMatchObject({
      profile: 'current',
      decision: { blocked: true },
    })
  })

  it('counts at once when the user edits it in a session, and stays trusted', async () => {
    const world = await makeWorld({ [PROJECT]: choosing('classic', { PreToolUse: [commands(DENIES_AT_1)] }) })
    const engine = await openOn(world, { trust: 'stored' })
    await engine.acceptTrust()
    expect(await engine.dispatch(bashCall)).toMatchObject({ decision: { blocked: false } })
    await engine.edit('project', (text) => text.replace('"classic"', '"current"'))
    expect(await engine.dispatch(bashCall)).toMatchObject({ decision: { blocked: true, reason: 'no' } })
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(true)
  })
})

describe('hooks of two profiles at one event', () => {
  const both = async (user: object, project: object, own = 'classic', other = 'current') =>
    openOn(await makeWorld({ [USER]: choosing(own, user), [PROJECT]: choosing(other, project) }))

  it('are each read by the rules of their own', async () => {
    const hooks = { PreToolUse: [commands(DENIES_AT_1)] }
    const record = await (await both(hooks, hooks)).dispatch(bashCall)
    expect(record.hooks).toMatchObject([
      { scope: 'project', profile: 'current', verdict: 'ran', outcome: 'blocking' },
      { scope: 'user', profile: 'classic', verdict: 'ran', outcome: 'non_blocking_error' },
    ])
    expect(record.decision).toMatchObject({ blocked: true, permission: 'deny', reason: 'no' })
  })

  it('are each matched by the rules of their own', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Read, Bash', ...commands('true') }] }
    const record = await (await both(hooks, hooks)).dispatch(bashCall)
    expect(record.hooks.map(({ profile, verdict }) => `${profile} ${verdict}`)).toEqual([
      'current ran',
      'classic matcher-miss',
    ])
  })

  it('each find the variables of their own', async () => {
    const hooks = { SessionStart: [commands('echo "[$CLAUDE_CODE_SESSION_ID]"')] }
    const engine = await both(hooks, hooks)
    const { decision } = await engine.dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
    expect(decision.context).toEqual([`[${engine.sessionId}]`, '[]'])
  })

  it('block what only one of the profiles can block', async () => {
    const hooks = { PreCompact: [commands('echo no >&2; exit 2')] }
    const compact = { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: '' } as const
    for (const [own, other] of [
      ['classic', 'current'],
      ['current', 'classic'],
    ] as const) {
      const { decision } = await (await both(hooks, hooks, own, other)).dispatch(compact)
      expect(decision).toMatchObject({ blocked: true })
    }
  })

  it('ask for effects that only one of the profiles has', async () => {
    const hooks = {
      SessionStart: [commands(answering({ hookSpecificOutput: { hookEventName: 'SessionStart', sessionTitle: 'T' } }))],
    }
    const { decision } = await (await both({}, hooks)).dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
    expect(decision.sessionTitle).toBe('T')
  })

  it('are listed and explained with what each runs', async () => {
    const hooks = { PreToolUse: [commands('true')], PostToolBatch: [commands('true')] }
    const engine = await both(hooks, hooks)
    expect(
      engine.list().map(({ hook, standing, duplicateOf }) => [hook.profile, hook.event, standing.verdict, duplicateOf]),
    ).toEqual([
      ['current', 'PreToolUse', 'active', null],
      ['current', 'PostToolBatch', 'active', null],
      ['classic', 'PreToolUse', 'active', null],
    ])
    expect(engine.explain(bashCall).hooks.map(({ planned }) => planned)).toEqual([true, true])
    expect([engine.profile.name, engine.profile.events.has('PostToolBatch')]).toEqual(['classic', true])
  })
})

describe('a choice that cannot be used', () => {
  const guard = { PreToolUse: [commands('echo no >&2; exit 2')] }
  const BAD: readonly [written: object, line: number, sentence: string][] = [
    [{ hookline: 3 }, 2, 'hookline must be an object; it is ignored.'],
    [{ hookline: null }, 2, 'hookline must be an object; it is ignored.'],
    [{ hookline: { profile: null } }, 3, 'hookline.profile must be one of "classic", "current"; it is ignored.'],
    [{ hookline: { profile: 'later' } }, 3, 'hookline.profile must be one of "classic", "current"; it is ignored.'],
  ]
  const cases = BAD.flatMap((bad) => [PROJECT, LOCAL, USER, 'managed.json'].map((file) => [file, ...bad] as const))

  it.each(cases)('in %s is one sentence with its place, and all guards run: %j', async (file, bad, line, sentence) => {
    const world = await makeWorld({
      [USER]: { hooks: guard },
      'managed.json': { hooks: guard },
      [PROJECT]: { hooks: guard },
    })
    await put(world, file, { ...bad, hooks: guard })
    const engine = await openOn(world)
    expect(engine.problems).toMatchObject([{ rule: 'V-HK-28', line, message: sentence }])
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision.blocked).toBe(true)
    expect(hooks.map(({ scope }) => scope)).toEqual(expect.arrayContaining(['project', 'user', 'managed']))
  })

  it('leaves no flag or variable the word where it stands in policy', async () => {
    const world = await makeWorld({ 'managed.json': choosing('later') })
    const profiles = await chosen(world, { profile: 'current' })
    expect(profiles.own).toMatchObject({
      profile: 'classic',
      by: 'policy',
      unusable: expect.stringMatching(/managed\.json:3$/),
    })
  })

  it('has guards block that cannot run here, of the same author alone', async () => {
    const hooks = { PreToolUse: [{ matcher: '(B)ash\\1|Bash', ...commands('true') }] }
    const blocked = async (files: Record<string, Content>): Promise<boolean> =>
      (await (await openOn(await makeWorld(files))).dispatch(bashCall)).decision.blocked
    expect(await blocked({ [USER]: choosing('later', hooks) })).toBe(true)
    expect(await blocked({ [PROJECT]: choosing('later', hooks) })).toBe(true)
    expect(await blocked({ [USER]: { hooks }, [PROJECT]: choosing('later') })).toBe(false)
    expect(await blocked({ [USER]: { hooks } })).toBe(false)
  })
})
