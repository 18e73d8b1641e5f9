import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Engine } from '../../src/index.ts'
import { answering, bashCall, commands, makeWorld, openOn, put } from '../support/project.ts'
import { denying, guard, LOCAL, marking, PROJECT, SKILL, skillWith, stop, USER, verdicts } from './accepting.ts'

describe('managed policy', () => {
  const policy = { hooks: { PreToolUse: [commands(denying)] } }
  const isDenied = async (engine: Engine, event: object = {}): Promise<boolean> =>
    (await engine.dispatch({ ...bashCall, ...event })).decision.permission === 'deny'

  it.each([PROJECT, LOCAL, USER])('claude-code #26637: is not turned off by `disableAllHooks` in %s', async (place) => {
    const world = await makeWorld({ 'managed.json': policy, [place]: { disableAllHooks: true, ...policy } })
    const engine = await openOn(world)

    expect(await isDenied(engine)).toBe(true)
    expect(verdicts(await engine.dispatch(bashCall))).toContain('managed ran')
  })

  it.each([PROJECT, LOCAL, USER, 'plugin/hooks/hooks.json'])(
    'reliability 100: cannot be restricted to itself, or be let go, from %s',
    async (place) => {
      const world = await makeWorld({
        'managed.json': { ...policy, allowManagedHooksOnly: true, disableAllHooks: false },
        [place]: { allowManagedHooksOnly: false, disableAllHooks: true, hooks: { PreToolUse: [commands('true')] } },
      })
      const engine = await openOn(world, { plugins: [join(world.root, 'plugin')] })

      expect(await isDenied(engine)).toBe(true)
      expect(verdicts(await engine.dispatch(bashCall)).at(0)).toMatch(/policy-off$/)
    },
  )

  it.each([PROJECT, LOCAL, USER])('reliability 97: does not take `allowManagedHooksOnly` from %s', async (place) => {
    const world = await makeWorld({ [place]: { allowManagedHooksOnly: true, ...guard } })

    expect(await isDenied(await openOn(world))).toBe(true)
  })

  it('reliability 100: lets nothing in beside itself when it says so: no session hook, no component, no plugin', async () => {
    const world = await makeWorld({ 'managed.json': { allowManagedHooksOnly: true } })
    const { command, ran } = marking(world)
    for (const place of [PROJECT, LOCAL, USER, 'plugin/hooks/hooks.json']) {
      await put(world, place, {
        hooks: { Stop: [commands(command)] },
        statusLine: { type: 'command', command },
        fileSuggestion: { type: 'command', command },
      })
    }
    await put(world, `project/${SKILL}`, skillWith(command))
    await put(world, 'home/.claude/agents/mine.md', skillWith(command))
    const engine = await openOn(world, { plugins: [join(world.root, 'plugin')] })
    let called = false
    await engine.on('Stop', () => {
      called = true
    })
    await engine.register({ Stop: [commands(command)] })
    await engine.activate(SKILL)
    await engine.activate(join(world.home, '.claude/agents/mine.md'))
    await engine.add('user', { event: 'Stop', hook: { type: 'command', command: `${command} # added` } })

    const { hooks } = await engine.dispatch(stop)
    await engine.runStatusLine({})
    await engine.suggestFiles('a')

    expect(new Set(hooks.map(({ verdict }) => verdict))).toEqual(new Set(['policy-off']))
    expect({ ran: ran(), called }).toEqual({ ran: false, called: false })
  })

  it('reliability 100: is not shadowed by a duplicate of a hook of it', async () => {
    const twin = { hooks: { PreToolUse: [commands(denying)] } }
    const world = await makeWorld({ 'managed.json': policy, [PROJECT]: twin, [LOCAL]: twin, [USER]: twin })
    const engine = await openOn(world)
    await engine.register(twin.hooks)

    expect(verdicts(await engine.dispatch(bashCall))).toEqual([
      'session duplicate',
      'local duplicate',
      'project duplicate',
      'user duplicate',
      'managed ran',
    ])
    expect(await isDenied(engine)).toBe(true)
  })

  it('reliability 100: is not outvoted by an allow of others', async () => {
    const allowing = answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } })
    const world = await makeWorld({
      'managed.json': policy,
      [PROJECT]: { hooks: { PreToolUse: [commands(allowing)] } },
    })
    const engine = await openOn(world)
    await engine.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    }))

    expect(await isDenied(engine)).toBe(true)
  })

  it('reliability 100: is not kept from running by an earlier hook of others in sequence that does not halt', async () => {
    const world = await makeWorld({
      'managed.json': policy,
      [PROJECT]: { hooks: { PreToolUse: [commands('exit 1', 'kill -9 $$')] } },
    })

    expect(await isDenied(await openOn(world, { order: 'sequential' }))).toBe(true)
  })

  it('claude-code #21460: concerns the calls of subagents, at any depth and with components of their own', async () => {
    const world = await makeWorld({ 'managed.json': policy })
    await put(world, 'project/.claude/agents/mine.md', skillWith('true', 'PreToolUse'))
    const engine = await openOn(world)
    await engine.activate('.claude/agents/mine.md', { agent: 'agent-1' })

    for (const agent_id of ['agent-1', 'agent-2', 'agent-1/agent-3', ''])
      expect(await isDenied(engine, { agent_id })).toBe(true)
    expect(await isDenied(engine, { agent_id: 'x', session_id: 'another' })).toBe(true)
  })

  it('reliability 100: is not moved by the environment', async () => {
    const world = await makeWorld({ 'managed.json': policy, 'empty/settings.json': {} })
    const moved = Object.fromEntries(
      [
        'CLAUDE_CONFIG_DIR',
        'CLAUDE_MANAGED_SETTINGS',
        'HOOKLINE_MANAGED',
        'HOOKLINE_HOME',
        'XDG_CONFIG_HOME',
        'HOME',
      ].map((name) => [name, join(world.root, 'empty')]),
    )
    for (const [name, value] of Object.entries({ ...moved, HOOKLINE_DISABLE: '1', CLAUDE_DISABLE_HOOKS: '1' }))
      vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())

    expect(await isDenied(await openOn(world))).toBe(true)
  })

  it('reliability 100: goes on in a session whose policy file is deleted, also after a review of other files', async () => {
    const world = await makeWorld({ 'managed.json': policy, [PROJECT]: {} })
    const engine = await openOn(world)
    await rm(world.managed)

    expect(await isDenied(engine)).toBe(true)
    await engine.add('project', { event: 'Stop', hook: { type: 'command', command: 'true' } })
    expect(await isDenied(engine)).toBe(true)
  })

  it('reliability 100: is made of all its parts, of which any can close and none can open', async () => {
    const world = await makeWorld({
      'managed.json': { allowManagedHooksOnly: true },
      'managed-settings.d/10.json': policy,
      'managed-settings.d/20.json': { allowManagedHooksOnly: false, disableAllHooks: false, hooks: {} },
      [USER]: { hooks: { PreToolUse: [commands('true')] } },
    })
    const engine = await openOn(world)

    expect(verdicts(await engine.dispatch(bashCall))).toEqual(['user policy-off', 'managed ran'])
  })

  it('reliability 100: cannot be written through the engine', async () => {
    const world = await makeWorld({ 'managed.json': policy })
    const engine = await openOn(world)

    await expect(
      engine.add('managed' as 'user', { event: 'Stop', hook: { type: 'command', command: 'true' } }),
    ).rejects.toThrow()
    expect(JSON.parse(readFileSync(world.managed, 'utf8'))).toEqual(policy)
  })

  it.each([
    ['crashes', 'kill -9 $$', 'killed by SIGKILL'],
    ['fails', 'exit 1', 'exit code 1'],
    ['is missing', '/no/such/guard', '127'],
    ['is too slow', 'sleep 20', 'timed out'],
    ['answers nonsense', 'echo "{ no"', 'cannot be read'],
  ])('claude-code #84302: is not mistaken for one that agreed when its guard %s', async (_what, command, why) => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command, timeout: 0.3 }] }] }
    const world = await makeWorld({ 'managed.json': { hooks } })
    const { decision, hooks: lines } = await (await openOn(world, { failClosed: ['managed'] })).dispatch(bashCall)

    expect(decision.blocked).toBe(true)
    expect(lines[0]?.failed).toContain(why)
    expect(lines[0]?.outcome).not.toBe('blocking')
  })
})

describe('control characters', () => {
  const ESCAPE = '\u001b[2J\u001b]0;title\u0007\r\u0000\u009b31m'
  const hasControls = (text: string): boolean =>
    [...text].some((letter) => /\p{Cc}/u.test(letter) && letter !== '\n' && letter !== '\t')

  it('control characters: do not reach those who read what is wrong with a file', async () => {
    const world = await makeWorld({
      [PROJECT]: {
        disableAllHooks: ESCAPE,
        hooks: {
          [`PreTool${ESCAPE}Use`]: [],
          PreToolUse: [
            { matcher: `[${ESCAPE}`, ...commands('true') },
            {
              [`matcher${ESCAPE}`]: '',
              hooks: [{ type: `command${ESCAPE}` }, { type: 'command', command: 'true', [ESCAPE]: 1 }],
            },
          ],
        },
      },
    })
    const engine = await openOn(world)
    const { hooks, notices = [] } = await engine.dispatch(bashCall)

    expect(engine.problems.length).toBeGreaterThanOrEqual(5)
    for (const { message } of engine.problems) expect(message).not.toSatisfy(hasControls)
    for (const { because = '', warnings } of hooks) expect([because, ...warnings].join()).not.toSatisfy(hasControls)
    expect(notices.join()).not.toSatisfy(hasControls)
  })

  it('control characters: do not reach those who read names of plugins and components', async () => {
    const name = `evil${ESCAPE}\nmanaged:PreToolUse:0:0`
    const world = await makeWorld({
      'plugin/.claude-plugin/plugin.json': { name },
      'plugin/hooks/hooks.json': { hooks: { Stop: [commands('true')] } },
      [`project/${SKILL}`]: `---\nname: ${JSON.stringify(name)}\nhooks:\n  Stop:\n    - hooks:\n        - { type: command, command: "true" }\n---\n`,
    })
    const engine = await openOn(world, { plugins: [join(world.root, 'plugin')] })
    const active = await engine.activate(SKILL)
    const { hooks } = await engine.dispatch(stop)

    for (const text of [...active, ...hooks.map(({ id }) => id)]) {
      expect(text).not.toSatisfy(hasControls)
      expect(text).not.toContain('\n')
    }
  })

  it('control characters: do not reach those who read why a caller is refused', async () => {
    const world = await makeWorld()
    const engine = await openOn(world)
    const refused = [
      await engine.dispatch({ hook_event_name: `Stop${ESCAPE}` }).catch(String),
      await engine.on(`Stop${ESCAPE}` as string, () => {}).catch(String),
      await engine.activate(`skills/${ESCAPE}.md`).catch(String),
    ]

    for (const text of refused) {
      expect(text).toMatch(/^HooklineError: /)
      expect(text).not.toSatisfy(hasControls)
    }
  })

  it('control characters: cannot forge a line of the debug log', async () => {
    const world = await makeWorld({
      [PROJECT]: { hooks: { Stop: [commands("printf 'x\\n[INFO] forged\\033[2J\\n'")] } },
    })
    const lines: string[] = []
    const engine = await openOn(world, { debug: { categories: ['hooks'], write: (line) => lines.push(line) } })
    await engine.dispatch(stop)

    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      expect(line).not.toMatch(/\n\[INFO\] forged/)
      expect(line).not.toSatisfy(hasControls)
    }
  })
})
