import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type EngineOptions, HooklineError } from '../../src/index.ts'
import { listFieldsInFiles } from '../../src/protocol/hook-fields.ts'
import { DEFAULT_PROFILE, KNOWN_HOOK_TYPES } from '../../src/protocol/profiles.ts'
import { SCOPES } from '../../src/protocol/scope.ts'
import { bashCall, classicEngineWith, commands, makeWorld, openClassicOn } from '../support/project.ts'
import { providedModel } from '../support/provided-model.ts'

const rows = [...DEFAULT_PROFILE.events.values()]

/** Every field that only `current` has: values that say what `classic` does anyway, values that say something else, and what becomes of the hook then. */
const FIELDS: Readonly<Record<string, { same: readonly unknown[]; other: readonly unknown[]; verdict: string }>> = {
  if: { same: [''], other: ['Bash(git status)', 'Bash', ' ', null, 7], verdict: 'unsupported' },
  args: { same: [], other: [[], ['guard.sh'], null, 'guard.sh', {}], verdict: 'unsupported' },
  shell: { same: ['bash'], other: ['powershell', 'sh', '', null, true], verdict: 'unsupported' },
  url: { same: [], other: ['http://127.0.0.1:9/', '', null], verdict: 'unsupported' },
  server: { same: [], other: ['memory', '', null], verdict: 'unsupported' },
  tool: { same: [], other: ['store', '', null], verdict: 'unsupported' },
  asyncRewake: { same: [false], other: [true, 'x'], verdict: 'ran' },
  rewakeMessage: { same: [], other: ['woken', 5], verdict: 'ran' },
  rewakeSummary: { same: [], other: ['woken', 5], verdict: 'ran' },
  headers: { same: [{}], other: [{ A: '$B' }], verdict: 'ran' },
  allowedEnvVars: { same: [[]], other: [['HOME']], verdict: 'ran' },
  input: { same: [{}], other: [{ a: 1 }], verdict: 'ran' },
  continueOnBlock: { same: [false], other: [true], verdict: 'ran' },
  colour: { same: [], other: ['red'], verdict: 'ran' },
}

const cases = Object.entries(FIELDS).flatMap(([field, { same, other, verdict }]) => [
  ...same.map((value) => ({ field, value, verdict: 'ran' })),
  ...other.map((value) => ({ field, value, verdict })),
])

describe('a field that only another profile has', () => {
  it('is in the table of the test, whichever it is', () => {
    const fieldsOf = (profile: string): string[] => [...listFieldsInFiles(KNOWN_HOOK_TYPES[profile] ?? {}).keys()]
    const own = fieldsOf('classic')
    const others = fieldsOf('current').filter((field) => !own.includes(field))
    expect(others.length).toBeGreaterThan(10)
    expect(Object.keys(FIELDS)).toEqual(expect.arrayContaining(others))
  })

  it.each(cases)('$field: $value lets the hook be $verdict', async ({ field, value, verdict }) => {
    const hook = { type: 'command', command: 'echo ran > proof; exit 2', [field]: value }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [hook] }] } } })
    const engine = await openClassicOn(world)
    const { decision, hooks, notices = [] } = await engine.dispatch({ ...bashCall, cwd: world.project })
    expect(hooks).toMatchObject([{ verdict }])
    expect(decision.blocked).toBe(verdict === 'ran')
    expect(engine.problems).toMatchObject([{ rule: 'V-HK-16', message: expect.stringContaining(`"${field}"`) }])
    if (verdict === 'ran') {
      expect(hooks[0]?.warnings).toHaveLength(1)
      return
    }
    expect(hooks[0]?.because).toContain(`"${field}" is a field of the profile "current"`)
    expect(hooks[0]).not.toHaveProperty('exitCode')
    expect(notices).toEqual([expect.stringContaining(`project:PreToolUse:0:0 does not run: "${field}"`)])
  })

  it('does not feed the event to a program as its text', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'bash', args: ['guard.sh'] }] }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const engine = await openClassicOn(world)
    const input = { command: `$(touch ${world.project}/proof)` }
    const { hooks: lines } = await engine.dispatch({ ...bashCall, cwd: world.project, tool_input: input })
    expect(lines).toMatchObject([{ verdict: 'unsupported' }])
    expect(existsSync(join(world.project, 'proof'))).toBe(false)
  })

  it('does not let a restricted hook allow what it was not meant for', async () => {
    const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }
    const hook = { type: 'command', command: `echo '${JSON.stringify(allow)}'`, if: 'Bash(git status)' }
    const engine = await classicEngineWith({ PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] })
    const { decision } = await engine.dispatch({ ...bashCall, tool_input: { command: 'rm -rf x' } })
    expect(decision.permission).toBe(null)
  })

  it('counts in the flat form, in memory and on prompt hooks too', async () => {
    const engine = await classicEngineWith({ PreToolUse: [{ matcher: 'Bash', command: 'exit 2', args: [] }] })
    const limited = { if: 'Bash(ls)' } // as a file may have it, which no type has checked
    await engine.register({ PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2', ...limited }] }] })
    await engine.register({ PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Fine?', ...limited }] }] })
    const { hooks } = await engine.dispatch(bashCall)
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['unsupported', 'unsupported', 'unsupported'])
  })
})

const UNSUPPORTED = {
  'by a field': { type: 'command', command: 'true', args: ['x'] },
  'by its type': { type: 'http', url: 'http://127.0.0.1:9/' },
  'for want of a model': { type: 'prompt', prompt: 'Fine?' },
}

describe('a guard that cannot run here', () => {
  it.each(Object.entries(UNSUPPORTED))(
    '%s blocks where its scope fails closed, on every event that can',
    async (_, hook) => {
      for (const row of rows) {
        const open = await classicEngineWith({ [row.name]: [{ hooks: [hook] }] })
        const closed = await classicEngineWith({ [row.name]: [{ hooks: [hook] }] }, { failClosed: 'all' })
        const event = { hook_event_name: row.name, ...row.example }
        expect((await open.dispatch(event)).decision.blocked).toBe(false)
        const { decision, hooks } = await closed.dispatch(event)
        expect([row.name, decision.blocked]).toEqual([row.name, row.canBlock])
        expect(hooks).toMatchObject([{ verdict: 'unsupported', because: expect.any(String) }])
        if (!row.canBlock) expect(hooks[0]).not.toHaveProperty('failed')
        else {
          expect(hooks[0]?.failed).toMatch(/^it does not run here: /)
          expect(decision.messages).toMatchObject([
            { to: row.reasonTo, text: expect.stringContaining('does not run here') },
          ])
          expect(decision.reason).not.toContain('denied')
        }
      }
    },
  )

  it('is told once a session, when its matcher accepts an event', async () => {
    const engine = await classicEngineWith({ PreToolUse: [{ matcher: 'Write', hooks: [UNSUPPORTED['by a field']] }] })
    expect(await engine.dispatch(bashCall)).not.toHaveProperty('notices')
    const write = { ...bashCall, tool_name: 'Write' }
    expect((await engine.dispatch(write)).notices).toEqual([
      expect.stringContaining('project:PreToolUse:0:0 does not run'),
    ])
    expect(await engine.dispatch(write)).not.toHaveProperty('notices')
  })

  it('blocks only what its matcher accepts, as another profile reads it', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Edit, Write', hooks: [UNSUPPORTED['by a field']] }] }
    const engine = await classicEngineWith(hooks, { failClosed: ['project'] })
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(false)
    expect((await engine.dispatch({ ...bashCall, tool_name: 'Write' })).decision.blocked).toBe(true)
  })

  it('blocks everything when nobody can read its matcher', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Edit(', hooks: [UNSUPPORTED['by a field']] }] }
    const engine = await classicEngineWith(hooks, { failClosed: ['project'] })
    const { decision, hooks: lines } = await engine.dispatch(bashCall)
    expect(lines).toMatchObject([{ verdict: 'invalid' }])
    expect(decision.blocked).toBe(true)
  })

  it('blocks nothing when it would not have been waited for', async () => {
    const hook = { ...UNSUPPORTED['by a field'], async: true }
    const engine = await classicEngineWith({ PreToolUse: [{ hooks: [hook] }] }, { failClosed: 'all' })
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(false)
  })

  it('blocks nothing when it is switched off, or not trusted', async () => {
    const settings = { disableAllHooks: true, hooks: { PreToolUse: [{ hooks: [UNSUPPORTED['by a field']] }] } }
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const off = await openClassicOn(world, { failClosed: 'all' })
    expect((await off.dispatch(bashCall)).hooks).toMatchObject([{ verdict: 'disabled' }])
    const untrusted = await openClassicOn(world, { failClosed: 'all', trust: 'stored' })
    const { decision, hooks } = await untrusted.dispatch(bashCall)
    expect(hooks).toMatchObject([{ verdict: 'untrusted' }])
    expect(decision.blocked).toBe(false)
  })

  it('stands among the reasons where it stands in the configuration', async () => {
    const hooks = {
      PreToolUse: [
        commands('echo first >&2; exit 2'),
        { hooks: [UNSUPPORTED['by a field']] },
        commands('echo last >&2; exit 2'),
      ],
    }
    const { decision } = await (await classicEngineWith(hooks, { failClosed: ['project'] })).dispatch(bashCall)
    expect(decision.reason).toMatch(/^first\n.*does not run here.*\nlast$/)
  })

  it.each(SCOPES.filter((scope) => scope === 'user' || scope === 'local'))(
    'of the scope %s blocks for that scope alone',
    async (scope) => {
      const path = scope === 'user' ? 'home/.claude/settings.json' : 'project/.claude/settings.local.json'
      const world = await makeWorld({ [path]: { hooks: { PreToolUse: [{ hooks: [UNSUPPORTED['by its type']] }] } } })
      expect((await (await openClassicOn(world, { failClosed: [scope] })).dispatch(bashCall)).decision.blocked).toBe(
        true,
      )
      expect(
        (await (await openClassicOn(world, { failClosed: ['project'] })).dispatch(bashCall)).decision.blocked,
      ).toBe(false)
    },
  )
})

describe('managed settings with a guard that cannot run here', () => {
  const opening = async (hooks: object, options: EngineOptions = {}, more: object = {}) =>
    openClassicOn(await makeWorld({ 'managed.json': { ...more, hooks } }), options)

  it.each([UNSUPPORTED['by a field'], UNSUPPORTED['by its type']])(
    'do not open, and name the profile to choose: %j',
    async (hook) => {
      const refused = opening({ PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] })
      await expect(refused).rejects.toThrow(HooklineError)
      await expect(refused).rejects.toThrow(/managed\.json:\d+ {2}The hook cannot run .* choose the profile "current"/)
    },
  )

  it('open when the hook could not have blocked, or policy switches all hooks off', async () => {
    const hook = UNSUPPORTED['by a field']
    const quiet = await opening({ SessionStart: [{ hooks: [hook] }] })
    const record = await quiet.dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
    expect(record.notices).toEqual([expect.stringContaining('does not run')])
    const background = await opening({ PreToolUse: [{ hooks: [{ ...hook, async: true }] }] })
    expect((await background.dispatch(bashCall)).hooks).toMatchObject([{ verdict: 'unsupported' }])
    const off = await opening({ PreToolUse: [{ hooks: [hook] }] }, {}, { disableAllHooks: true })
    expect((await off.dispatch(bashCall)).hooks).toMatchObject([{ verdict: 'policy-off' }])
  })

  it('open without a model for a prompt hook, as everywhere', async () => {
    const engine = await opening({ PreToolUse: [{ hooks: [UNSUPPORTED['for want of a model']] }] })
    expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ verdict: 'unsupported' }])
  })
})

/** Every way in which a hook fails to decide. */
const FAILURES: Readonly<Record<string, { command: string; text: RegExp; timedOut?: true }>> = {
  'not found': { command: './gone.sh', text: /^failed; .*\n.*not found/s },
  'a silent crash': { command: 'exit 1', text: /^failed; blocking because onFailure is "block"$/ },
  'a crash with stderr': {
    command: 'echo oops >&2; exit 70',
    text: /^failed; blocking because onFailure is "block"\noops$/,
  },
  'a signal': { command: 'kill -9 $$', text: /^failed; / },
  'a timeout': {
    command: 'echo slow >&2; sleep 20',
    text: /^timed out; blocking because onFailure is "block"$/,
    timedOut: true,
  },
  'an unreadable answer': { command: 'printf "{broken"', text: /^failed; / },
  'an answer that does not fit': { command: `printf '{"continue":"no"}'`, text: /^failed; / },
  'an allowing answer and exit 1': { command: `printf '{"decision":"approve"}'; exit 1`, text: /^failed; / },
}

/** Where a hook that always fails would never let the event end. */
const IGNORED = ['Stop', 'SubagentStop', 'TeammateIdle', 'TaskCompleted']

describe('onFailure: "block"', () => {
  it.each(Object.entries(FAILURES))(
    'makes %s block, on every event where that counts',
    async (_, { command, text, timedOut }) => {
      const hook = { type: 'command', command, onFailure: 'block', timeout: timedOut ? 0.2 : 20 }
      const engine = await classicEngineWith(Object.fromEntries(rows.map(({ name }) => [name, [{ hooks: [hook] }]])))
      const records = await Promise.all(
        rows.map((row) => engine.dispatch({ hook_event_name: row.name, ...row.example })),
      )
      for (const [at, { decision, hooks }] of records.entries()) {
        const { name = '', canBlock = false } = rows[at] ?? {}
        const counts = canBlock && !IGNORED.includes(name)
        expect([name, decision.blocked]).toEqual([name, counts])
        if (counts) {
          expect(decision.reason).toMatch(text)
          expect(decision.messages.map((message) => message.text)).toContain(`[${command}]: ${decision.reason}`)
          expect(hooks[0]).toMatchObject({ failed: timedOut ? 'timed out' : 'failed', warnings: expect.any(Array) })
        } else {
          expect(hooks[0]).not.toHaveProperty('failed')
          expect(hooks[0]?.warnings).toContainEqual(expect.stringContaining(`onFailure "block" is ignored on ${name}`))
        }
      }
    },
  )

  it('is no failure to say nothing, plain text, an answer, or no', async () => {
    for (const command of ['true', 'echo hello', `printf '{"systemMessage":"hi"}'`]) {
      const hook = { type: 'command', command, onFailure: 'block' }
      expect(
        (await (await classicEngineWith({ PreToolUse: [{ hooks: [hook] }] })).dispatch(bashCall)).decision.blocked,
      ).toBe(false)
    }
    const hook = { type: 'command', command: 'echo no >&2; exit 2', onFailure: 'block' }
    const { decision, hooks } = await (await classicEngineWith({ PreToolUse: [{ hooks: [hook] }] })).dispatch(bashCall)
    expect(decision).toMatchObject({ blocked: true, reason: 'no' })
    expect(hooks[0]).not.toHaveProperty('failed')
  })

  it('counts for a model that fails', async () => {
    const { models } = providedModel('I cannot say.')
    const hook = { type: 'prompt', prompt: 'Fine?', onFailure: 'block' }
    const { decision } = await (await classicEngineWith({ PreToolUse: [{ hooks: [hook] }] }, { models })).dispatch(
      bashCall,
    )
    expect(decision).toMatchObject({ blocked: true, reason: 'failed; blocking because onFailure is "block"' })
  })

  it('is not lost on a duplicate of the hook that runs', async () => {
    const world = await makeWorld({
      'project/.claude/settings.local.json': { hooks: { PreToolUse: [commands('exit 1')] } },
      'project/.claude/settings.json': {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 1', onFailure: 'block' }] }] },
      },
    })
    const { decision, hooks } = await (await openClassicOn(world)).dispatch(bashCall)
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'duplicate'])
    expect(decision.blocked).toBe(true)
  })

  it('is not lost when the scope of a duplicate fails closed', async () => {
    const hooks = { PreToolUse: [commands('exit 1')] }
    const world = await makeWorld({
      'project/.claude/settings.local.json': { hooks },
      'project/.claude/settings.json': { hooks },
    })
    const { decision } = await (await openClassicOn(world, { failClosed: ['project'] })).dispatch(bashCall)
    expect(decision.blocked).toBe(true)
  })

  it.each([
    [{ onFailure: 'stop' }, /onFailure must be one of "continue", "block"; its default holds/],
    [{ onFailure: true }, /onFailure must be one of "continue", "block"; its default holds/],
    [{ onFailure: 'block', async: true }, /nothing waits for an async hook/],
  ])('with another value, or in the background, is warned of and the hook runs: %j', async (fields, warning) => {
    const engine = await classicEngineWith({
      PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 1', ...fields }] }],
    })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision.blocked).toBe(false)
    expect(hooks).toMatchObject([{ verdict: expect.stringMatching(/ran|backgrounded/) }])
    expect(hooks[0]?.warnings).toContainEqual(expect.stringMatching(warning))
  })

  it('says nothing when it says "continue"', async () => {
    const engine = await classicEngineWith({
      Stop: [{ hooks: [{ type: 'command', command: 'exit 1', onFailure: 'continue' }] }],
    })
    expect((await engine.dispatch({ hook_event_name: 'Stop' })).hooks).toMatchObject([{ verdict: 'ran', warnings: [] }])
    expect(engine.problems).toEqual([])
  })
})
