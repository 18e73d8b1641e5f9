import { describe, expect, it } from 'vitest'
import { openEngine } from '../../src/engine/engine.ts'
import type { DispatchRecord, EngineOptions } from '../../src/index.ts'
import { answering, bashCall, engineWith, makeWorld, openOn, put } from '../support/project.ts'

const refuses = 'echo "no $((1+1))" >&2; exit 2'
const denies = answering({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'not here',
  },
})

/** What becomes of an event with these hooks in a project that no one chose a profile for. */
async function fired(hooks: object, event: object = bashCall, options: EngineOptions = {}): Promise<DispatchRecord> {
  const engine = await engineWith(hooks, options)
  return engine.dispatch(event as { hook_event_name: string })
}

const group = (hook: object, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', ...hook }],
})

describe('a guard that Claude Code runs, where no profile is chosen', () => {
  it.each([
    ['a rule on the hook', group({ command: refuses, if: 'Bash(ls*)' })],
    ['a rule on the hook, by JSON', group({ command: denies, if: 'Bash(ls*)' })],
    ['arguments', group({ command: 'sh', args: ['-c', refuses] })],
    ['arguments, by JSON', group({ command: 'sh', args: ['-c', denies] })],
    ['look-ahead', group({ command: refuses }, '^(?!Read)')],
    ['look-ahead, by JSON', group({ command: denies }, '^(?!Read)')],
    ['JSON beside exit code 1', group({ command: `${denies}; exit 1` }, 'Bash')],
    ['names with a comma', group({ command: refuses }, 'Bash, Write')],
    ['names with a comma, by JSON', group({ command: denies }, 'Bash, Write')],
    ['names with a blank', group({ command: refuses }, 'Write Bash|Bash')],
  ])('holds with %s', async (_what, hooks) => {
    const { decision, hooks: lines } = await fired({ PreToolUse: [hooks] })
    expect(lines).toMatchObject([{ verdict: 'ran', outcome: 'blocking' }])
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
  })

  it('still leaves alone what neither reading matches', async () => {
    const { decision, hooks } = await fired({
      PreToolUse: [group({ command: refuses }, 'Edit, Write'), group({ command: refuses, if: 'Bash(rm *)' })],
    })
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['matcher-miss', 'matcher-miss'])
    expect(decision.blocked).toBe(false)
  })
})

describe('an answer that the profiles read otherwise', () => {
  it.each([
    ['decision "deny"', 'PreToolUse', answering({ decision: 'deny', reason: 'no' }), 'classic', 'current'],
    ['JSON beside exit code 1', 'PreToolUse', `${denies}; exit 1`, 'current', 'classic'],
    ['exit 2 on PermissionRequest', 'PermissionRequest', refuses, 'classic', 'current'],
    ['exit 2 on PreCompact', 'PreCompact', refuses, 'current', 'classic'],
  ])('counts as the stricter one, which the record names once: %s', async (_what, event, command, one, other) => {
    const example = event === 'PreCompact' ? { trigger: 'manual', custom_instructions: '' } : bashCall
    for (const more of [{}, { if: '' }]) {
      const hooks = { [event]: [group({ command, ...more })] }
      const { decision, hooks: lines } = await fired(hooks, { ...example, hook_event_name: event })
      expect(decision.blocked).toBe(true)
      const named = lines[0]?.warnings.filter((warning) => warning.includes('the stricter counts'))
      expect(named).toEqual([`read as ${one} it refuses, as ${other} it says nothing: the stricter counts`])
    }
  })

  it('allows only where both do', async () => {
    const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }
    const both = await fired({ PreToolUse: [group({ command: answering(allow) })] })
    expect(both.decision.permission).toBe('allow')
    const one = await fired({ PreToolUse: [group({ command: `${answering(allow)}; exit 1` })] })
    expect(one.decision).toMatchObject({ permission: null, blocked: false })
  })

  it('gives context that one of them reads', async () => {
    const { decision } = await fired({ PreToolUse: [group({ command: answering({ additionalContext: 'mind' }) })] })
    expect(decision.context).toEqual(['mind'])
  })
})

describe.each([
  ['nothing of the newer profile', {}],
  ['a field of the newer profile', { if: 'Bash(*)' }],
])('late words of a hook in a slot with %s', (_what, more) => {
  const drained = async (command: string) => {
    const engine = await engineWith({ PreToolUse: [group({ command, async: true, ...more })] })
    await engine.dispatch(bashCall)
    return engine.drain()
  }

  it('reach the model, as one of the profiles has it', async () => {
    expect(await drained('echo late')).toMatchObject([{ context: ['late'] }])
  })

  it('reach user and model where it failed', async () => {
    const text = 'Failed with non-blocking status code: could not'
    const [delivery] = await drained('echo could not; exit 3')
    expect(delivery).toMatchObject({ context: [text], messages: [{ to: 'user', text }] })
  })

  it('are told of an objection that came too late', async () => {
    const [delivery] = await drained('echo too late >&2; exit 2')
    expect(delivery?.messages.map(({ text }) => text).join()).toContain('too late')
  })
})

describe('a slot that no profile is chosen for', () => {
  it('is read by what its own files hold, and says what decided', async () => {
    const world = await makeWorld({
      'home/.claude/settings.json': { hooks: { PreToolUse: [group({ command: 'true user' })] } },
      'project/.claude/settings.json': { hooks: { PreToolUse: [group({ command: 'true', if: 'Bash(ls*)' })] } },
    })
    const engine = await openOn(world)
    expect(engine.profiles).toMatchObject({
      own: { profile: 'auto', by: 'default', readAs: { profile: 'classic', because: null } },
      project: {
        profile: 'auto',
        by: 'default',
        readAs: { profile: 'current', because: '"if" in line 9', file: '.claude/settings.json' },
      },
    })
    const { hooks } = await engine.dispatch(bashCall)
    expect(hooks.map(({ scope, profile }) => [scope, profile])).toEqual([
      ['project', 'current'],
      ['user', 'classic'],
    ])
  })

  it('has its files speak in the order of the profile that leads there, whoever leads elsewhere', async () => {
    const asking = (command: string, more: object = {}) => ({
      hooks: {
        PreToolUse: [
          group({
            command: answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command } } }),
            ...more,
          }),
        ],
      },
    })
    for (const [more, order] of [
      [{ if: 'Bash' }, ['project', 'local']],
      [{}, ['local', 'project']],
    ] as const) {
      const files = {
        'project/.claude/settings.json': asking('project', more),
        'project/.claude/settings.local.json': asking('local', more),
      }
      const alone = await (await openOn(await makeWorld(files))).dispatch(bashCall)
      expect(alone.hooks.map(({ scope }) => scope)).toEqual(order)
      expect(alone.decision.updatedInput).toEqual({ command: order[1] })
      const user = { 'home/.claude/settings.json': asking('user') }
      const beside = await (await openOn(await makeWorld({ ...files, ...user }))).dispatch(bashCall)
      expect(beside.hooks.map(({ scope }) => scope)).toEqual([...order, 'user'])
    }
  })

  it.each([
    ['an event', { PostToolBatch: [group({ command: 'true' })] }, 'PostToolBatch'],
    ['a hook type', { Stop: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:9/' }] }] }, '"http"'],
    ['a field', { Stop: [group({ command: 'true', asyncRewake: true })] }, '"asyncRewake"'],
  ])('is led by the newer profile where it uses %s of it', async (_what, hooks, name) => {
    const engine = await engineWith(hooks)
    const { readAs } = engine.profiles.project
    expect(readAs).toMatchObject({ profile: 'current', because: expect.stringContaining(name) })
    expect(engine.problems.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('is led by a component of the project where its settings say nothing', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: {} } })
    const skill = '---\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "true"\n'
    await put(world, 'project/.claude/skills/s/SKILL.md', `${skill}          if: Bash(ls)\n---\n`)
    const { profiles } = await openOn(world)
    expect(profiles.project.readAs).toMatchObject({ profile: 'current', because: '"if" in line 7' })
    expect(profiles.own.readAs?.profile).toBe('classic')
  })

  it('runs what only one profile can read beside fields of the other, and names that one', async () => {
    const { hooks, decision } = await fired({
      PreToolUse: [
        { matcher: 'Bash', command: refuses },
        group({ command: 'true', if: 'Bash(ls*)' }, 'tool == "Bash"'),
        group({ command: 'true 1', if: 'Bash(ls*)' }),
      ],
    })
    expect(hooks.map(({ verdict, profile }) => [verdict, profile])).toEqual([
      ['ran', 'classic'],
      ['ran', 'classic'],
      ['ran', 'current'],
    ])
    expect(decision.blocked).toBe(true)
  })

  it('knows every event of either profile', async () => {
    const engine = await engineWith({})
    expect(await engine.dispatch({ hook_event_name: 'Setup', trigger: 'init' } as never)).toMatchObject({
      event: 'Setup',
      profile: 'current',
    })
  })

  it('gives the longer default time where hooks can refuse, else that of the older profile', async () => {
    const lines: string[] = []
    const debug = { categories: ['hooks'], write: (line: string) => lines.push(line) }
    const hooks = Object.fromEntries(
      ['PreToolUse', 'UserPromptSubmit', 'SessionStart', 'SessionEnd'].map((name) => [
        name,
        [group({ command: `true ${name}`, if: '' })],
      ]),
    )
    const engine = await engineWith(hooks, { debug })
    await engine.dispatch(bashCall)
    await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })
    await engine.dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
    await engine.dispatch({ hook_event_name: 'SessionEnd', reason: 'other' })
    const times = lines.flatMap((line) =>
      /Executing hook command: true (\w+) with timeout (\d+)ms/.exec(line)?.slice(1),
    )
    expect(times.filter((part) => part !== undefined)).toEqual([
      'PreToolUse',
      '600000',
      'UserPromptSubmit',
      '60000',
      'SessionStart',
      '60000',
      'SessionEnd',
      '60000',
    ])
  })
})

describe('a host that names no profile', () => {
  const deferring = {
    PreToolUse: [
      group({
        command: answering({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'defer',
            permissionDecisionReason: 'later',
          },
        }),
      }),
    ],
  }

  it('is refused what its words cannot say', async () => {
    const { decision } = await fired(deferring)
    expect(decision).toMatchObject({
      blocked: true,
      permission: 'deny',
      reason: expect.stringMatching(/^later\n.*defer/),
    })
  })

  it('hears it where it names the profile, and where it is a command of ours', async () => {
    expect((await fired(deferring, bashCall, { profile: 'current' })).decision.permission).toBe('defer')
    const { project, home, managed } = await makeWorld({ 'project/.claude/settings.json': { hooks: deferring } })
    const engine = await openEngine({ project, home, managed, trust: 'accepted' })
    expect((await engine.dispatch(bashCall)).decision).toMatchObject({ permission: 'defer', blocked: false })
    await engine.close()
  })

  it('means the older profile with the preset of Envoy, unless it says otherwise', async () => {
    const engine = await engineWith({}, { preset: 'envoy' })
    expect(engine.profiles.own).toMatchObject({ profile: 'classic', readAs: null })
    const other = await engineWith({}, { preset: 'envoy', profile: 'current' })
    expect(other.profiles.own.profile).toBe('current')
  })
})
