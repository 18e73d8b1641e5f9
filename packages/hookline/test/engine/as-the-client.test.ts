import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../src/protocol/profiles.ts'
import { answering, bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

// Behaviour of the profile `current` that no conformance case asks about.

const profile = 'current'
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } })
const settingsWith = (hooks: object) => ({ 'project/.claude/settings.json': { hooks } })

describe('asyncRewake alone', async () => {
  const { events } = await loadProfile(profile)

  it.each([...events.keys()])('is a background hook on %s: nothing waits, and it refuses nothing', async (event) => {
    const hook = { type: 'command', command: 'echo late >&2; exit 2', asyncRewake: true, timeout: 86_400 }
    const engine = await openOn(await makeWorld(settingsWith({ [event]: [{ hooks: [hook] }] })), { profile })
    const { decision, hooks } = await engine.dispatch({ ...events.get(event)?.example, hook_event_name: event })
    expect(hooks).toMatchObject([{ verdict: 'backgrounded' }])
    expect(decision).toMatchObject({ blocked: false, halt: false, permission: null })
    const messages = (await engine.drain()).flatMap((delivery) => delivery.messages)
    expect(messages).toContainEqual(expect.objectContaining({ to: 'model', text: expect.stringContaining('late') }))
  })
})

describe('CLAUDE_PLUGIN_ROOT of a component', () => {
  const HEAD = `---
name: x
hooks:
  PreToolUse:
    - hooks:
        - { type: command, command: 'echo "$CLAUDE_PLUGIN_ROOT|\${CLAUDE_PLUGIN_ROOT}|\${CLAUDE_PLUGIN_DATA-unset}" > seen' }
---
`
  it.each([
    ['project/.claude/skills/x/SKILL.md', 'project/.claude/skills/x'],
    ['home/.claude/skills/x/SKILL.md', 'home/.claude/skills/x'],
    ['project/.claude/agents/x.md', null],
    ['home/.claude/agents/x.md', null],
    ['project/.claude/commands/x.md', null],
    ['home/.claude/commands/x.md', null],
  ])('of %s is %s, without CLAUDE_PLUGIN_DATA', async (path, folder) => {
    const world = await makeWorld({ [path]: HEAD })
    const engine = await openOn(world, { profile })
    await engine.activate(join(world.root, path))
    await engine.dispatch(bashCall)
    const root = folder === null ? '' : join(world.root, folder)
    expect(await readFile(join(world.project, 'seen'), 'utf8')).toBe(`${root}|${root}|unset\n`)
  })
})

describe('the same hook twice', () => {
  const MANIFEST = '.claude-plugin/plugin.json'
  const noting = (more: object = {}) => ({ type: 'command', command: 'echo ran >> ran', ...more })
  const group = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ hooks }] } })

  async function runsIn(world: World, plugins: string[]) {
    const engine = await openOn(world, { profile, plugins: plugins.map((name) => join(world.root, name)) })
    const { hooks } = await engine.dispatch(bashCall)
    await engine.drain()
    const file = join(world.project, 'ran')
    const lines = existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n') : []
    return { runs: lines.length, verdicts: hooks.map(({ verdict }) => verdict).sort() }
  }

  it.each([
    [
      'in two groups',
      {
        'p/hooks/hooks.json': {
          hooks: { PreToolUse: [{ hooks: [noting()] }, { matcher: 'Bash', hooks: [noting()] }] },
        },
      },
    ],
    [
      'in its file and its manifest',
      { 'p/hooks/hooks.json': group(noting()), [`p/${MANIFEST}`]: { name: 'p', ...group(noting()) } },
    ],
  ])('within one plugin runs once: %s', async (_where, files) => {
    const world = await makeWorld({ [`p/${MANIFEST}`]: { name: 'p' }, ...files })
    expect(await runsIn(world, ['p'])).toEqual({ runs: 1, verdicts: ['duplicate', 'ran'] })
  })

  it.each([[[{ async: true }, {}]], [[{}, { async: true }]]])('is never weaker than a copy: %j', async (copies) => {
    const files = { [`p/${MANIFEST}`]: { name: 'p' }, 'p/hooks/hooks.json': group(...copies.map(noting)) }
    expect(await runsIn(await makeWorld(files), ['p'])).toEqual({ runs: 1, verdicts: ['duplicate', 'ran'] })
  })

  it('runs twice in two plugins, and in a plugin and settings', async () => {
    const one = (name: string) => ({ [`${name}/${MANIFEST}`]: { name }, [`${name}/hooks/hooks.json`]: group(noting()) })
    expect(await runsIn(await makeWorld({ ...one('p'), ...one('q') }), ['p', 'q'])).toMatchObject({ runs: 2 })
    const beside = await makeWorld({ ...one('p'), 'project/.claude/settings.json': group(noting()) })
    expect(await runsIn(beside, ['p'])).toMatchObject({ runs: 2 })
  })
})

describe('once', () => {
  const REFUSALS: Readonly<Record<string, object>> = {
    'decision block': { decision: 'block', reason: 'no' },
    deny: specific('PreToolUse', { permissionDecision: 'deny' }),
    ask: specific('PreToolUse', { permissionDecision: 'ask' }),
    defer: specific('PreToolUse', { permissionDecision: 'defer' }),
    'continue: false': { continue: false, stopReason: 'no' },
  }
  const hookOf = (answer: object) => ({ type: 'command', command: answering(answer), once: true })
  const head = (hook: object) => `---\nname: x\nhooks: ${JSON.stringify({ PreToolUse: [{ hooks: [hook] }] })}\n---\n`

  async function threeVerdicts(path: string, content: string | object, plugins: readonly string[] = []) {
    const world = await makeWorld({ [path]: content })
    const engine = await openOn(world, { profile, plugins: plugins.map((name) => join(world.root, name)) })
    if (path.endsWith('.md')) await engine.activate(join(world.root, path), { openedBy: 'model' })
    const verdicts: string[] = []
    for (let event = 0; event < 3; event++)
      verdicts.push(...(await engine.dispatch(bashCall)).hooks.map(({ verdict }) => verdict))
    return verdicts
  }

  it.each(Object.entries(REFUSALS))('is not spent by %s', async (_what, answer) => {
    expect(await threeVerdicts('project/.claude/skills/x/SKILL.md', head(hookOf(answer)))).toEqual([
      'ran',
      'ran',
      'ran',
    ])
  })

  it('is spent by leave to go on', async () => {
    const allow = hookOf(specific('PreToolUse', { permissionDecision: 'allow' }))
    const verdicts = await threeVerdicts('project/.claude/skills/x/SKILL.md', head(allow))
    expect(verdicts).toEqual(['ran', 'once-spent', 'once-spent'])
  })

  it('is ignored in plugins and agents', async () => {
    const hook = { type: 'command', command: 'true', once: true }
    expect(await threeVerdicts('project/.claude/agents/x.md', head(hook))).toEqual(['ran', 'ran', 'ran'])
    const file = { hooks: { PreToolUse: [{ hooks: [hook] }] } }
    expect(await threeVerdicts('p/hooks/hooks.json', file, ['p'])).toEqual(['ran', 'ran', 'ran'])
  })
})

describe('a key that stands twice', () => {
  const guard = (word: string) => `[{"hooks":[{"type":"command","command":"echo ${word} >> ran"}]}]`
  const TWICE: Readonly<Record<string, string>> = {
    'an event': `{"hooks":{"PreToolUse":${guard('one')},"PreToolUse":${guard('two')}}}`,
    '"hooks"': `{"hooks":{"PreToolUse":${guard('one')}},"hooks":{"PreToolUse":${guard('two')}}}`,
  }
  const places = ['home/.claude/settings.json', 'p/hooks/hooks.json']
  const copied = [...places, 'managed.json']
  const inside =
    '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"echo one >> ran","command":"true"}]}]}}'
  const cases = Object.keys(TWICE).flatMap((what) => copied.map((place) => [what, place] as const))

  it.each(cases)('has the groups of all copies run: %s in %s', async (what, place) => {
    const world = await makeWorld({ 'p/.claude-plugin/plugin.json': { name: 'p' }, [place]: TWICE[what] ?? '' })
    const engine = await openOn(world, { profile, plugins: [join(world.root, 'p')] })
    await engine.dispatch(bashCall)
    const ran = (await readFile(join(world.project, 'ran'), 'utf8')).trim().split('\n').sort()
    expect(ran).toEqual(['one', 'two'])
  })

  it.each(places)('sets the entry aside where it is inside a hook: %s', async (place) => {
    const world = await makeWorld({ 'p/.claude-plugin/plugin.json': { name: 'p' }, [place]: inside })
    const engine = await openOn(world, { profile, plugins: [join(world.root, 'p')] })
    const { decision } = await engine.dispatch(bashCall)
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
    expect(decision.blocked).toBe(false)
  })

  const UNCLEAR = [
    '[{"hooks":[{"type":"command","command":"echo one >> ran","command":"true"}]}]',
    '[{"hooks":[{"type":"command","type":"command","command":"echo one >> ran"}]}]',
    '[{"hooks":[{"type":"command","command":"echo one >> ran","if":"Read","if":"Write"}]}]',
    '[{"hooks":[{"type":"command","command":"echo one >> ran","async":true,"async":false}]}]',
    '[{"matcher":"Bash","matcher":"Read","hooks":[{"type":"command","command":"echo one >> ran"}]}]',
    '[{"matcher":"Bash","hooks":[{"type":"command","command":"echo one >> ran"}],"hooks":[]}]',
    '[{"matcher":"Bash","hooks":[{"type":"command","command":"echo one >> ran"}],"hooks":null}]',
    '[{"hooks":[{"type":"command","command":"echo one >> ran","env":{"A":"1","A":"2"}}]}]',
  ]
  const guarding = ['PreToolUse', 'PermissionRequest']
  const policies = UNCLEAR.flatMap((groups) =>
    guarding.map((event) => [event, `{"hooks":{"${event}":${groups}}}`] as const),
  )

  it.each(policies)('refuses %s where a policy has it inside an entry: %s', async (event, text) => {
    const world = await makeWorld({ 'managed.json': text })
    const engine = await openOn(world, { profile })
    const { decision, hooks } = await engine.dispatch({ ...bashCall, hook_event_name: event })
    expect(decision.blocked || decision.permission === 'deny').toBe(true)
    expect(hooks).toMatchObject([{ verdict: 'invalid', because: expect.stringContaining('twice') }])
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
  })

  it('refuses only the calls that an unclear entry of a policy names, and other events never', async () => {
    const groups = '[{"matcher":"Write","hooks":[{"type":"command","command":"true","command":"false"}]}]'
    const world = await makeWorld({ 'managed.json': `{"hooks":{"PreToolUse":${groups},"PostToolUse":${groups}}}` })
    const engine = await openOn(world, { profile })
    const call = (name: string) => ({ ...bashCall, tool_name: name })
    expect((await engine.dispatch(call('Bash'))).decision.permission).toBeNull()
    expect((await engine.dispatch(call('Write'))).decision.permission).toBe('deny')
    const after = { ...call('Write'), hook_event_name: 'PostToolUse' as const, tool_response: {} }
    expect((await engine.dispatch(after)).decision.blocked).toBe(false)
  })

  it.each([
    '{"hooks":{},"model":"a","model":"b"}',
    '{"permissions":{"deny":["Bash"],"deny":[]}}',
    '{"hooks":{"PreToolUse":[],"PreToolUse":[]},"permissions":{"deny":["Bash"],"deny":[]}}',
  ])('keeps every session from starting where it is beside the hooks of a policy: %s', async (text) => {
    await expect(openOn(await makeWorld({ 'managed.json': text }), { profile })).rejects.toThrow('Policy is unknown')
  })

  it.each([...Object.values(TWICE), inside])(
    'keeps every session from starting where a policy has it and no profile is chosen: %s',
    async (text) => {
      await expect(openOn(await makeWorld({ 'managed.json': text }))).rejects.toThrow('Policy is unknown')
    },
  )

  it.each(Object.keys(TWICE))('sets a file of a project aside, and tells it: %s', async (what) => {
    const world = await makeWorld({ 'project/.claude/settings.json': TWICE[what] ?? '' })
    const engine = await openOn(world, { profile })
    await engine.dispatch(bashCall)
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
    expect(engine.problems.map(({ message }) => message).join()).toContain('twice')
  })
})

describe('hooks of a plugin', () => {
  it('count in hooks/hooks.json without a manifest', async () => {
    const world = await makeWorld({ 'p/hooks/hooks.json': { hooks: { PreToolUse: [commands('exit 2')] } } })
    const engine = await openOn(world, { profile, plugins: [join(world.root, 'p')] })
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
  })

  it.each(['settings.json', '.claude-plugin/hooks/hooks.json'])('do not count in %s', async (file) => {
    const hooks = { hooks: { PreToolUse: [commands('exit 2')] } }
    const world = await makeWorld({ 'p/.claude-plugin/plugin.json': { name: 'p' }, [`p/${file}`]: hooks })
    const engine = await openOn(world, { profile, plugins: [join(world.root, 'p')] })
    expect((await engine.dispatch(bashCall)).hooks).toEqual([])
  })
})

describe('answers of several hooks', () => {
  async function decide(event: object & { hook_event_name: string }, ...lines: string[]) {
    const world = await makeWorld(settingsWith({ [event.hook_event_name]: [commands(...lines)] }))
    return { world, ...(await (await openOn(world, { profile })).dispatch(event)) }
  }
  const showing = (displayContent: string) => answering(specific('MessageDisplay', { displayContent }))
  const worktree = { hook_event_name: 'WorktreeCreate', name: 'feature' }

  it('show what the last one says in order, whichever ends last', async () => {
    const event = { hook_event_name: 'MessageDisplay', delta: 'x' }
    const { decision } = await decide(event, `sleep 0.3; ${showing('first')}`, showing('last'))
    expect(decision.displayContent).toBe('last')
  })

  it.each([1, 2])('make a worktree although another hook exits %i', async (code) => {
    const { decision } = await decide(worktree, `exit ${code}`, 'echo /tmp/wt')
    expect(decision).toMatchObject({ blocked: false, worktreePath: '/tmp/wt' })
  })

  it('make none where none gives a path', async () => {
    expect((await decide(worktree, 'exit 1', 'true')).decision).toMatchObject({ blocked: true, worktreePath: null })
  })

  it.each(['../wt', 'wt'])('give a path from the folder of the event: %s', async (path) => {
    const { world, decision } = await decide(worktree, `echo ${path}`)
    expect(decision.worktreePath).toBe(join(world.project, path))
  })

  it('halt where one asks and another says continue: false', async () => {
    const ask = answering(specific('PreToolUse', { permissionDecision: 'ask' }))
    const { decision } = await decide(bashCall, ask, answering({ continue: false, stopReason: 'no' }))
    expect(decision.halt).toBe(true)
  })

  it.each([
    ['the agent of the whole session', { agent_type: 'reviewer' }, 'reviewer'],
    ['not a subagent', { agent_type: 'reviewer', agent_id: 'a1' }, 'unset'],
    ['nobody', {}, 'unset'],
  ])('know %s as CLAUDE_CODE_AGENT', async (_what, fields, value) => {
    const command = `echo "\${CLAUDE_CODE_AGENT-unset}" > agent`
    const { world } = await decide({ ...bashCall, ...fields }, command)
    expect((await readFile(join(world.project, 'agent'), 'utf8')).trim()).toBe(value)
  })

  it('reach nobody where a decision of Stop comes late, with the message beside it', async () => {
    const late = { type: 'command', async: true }
    const block = { ...late, command: answering({ decision: 'block', reason: 'LATE', systemMessage: 'BESIDE' }) }
    const engine = await openOn(await makeWorld(settingsWith({ Stop: [{ hooks: [block] }] })), { profile })
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    const delivered = (await engine.drain()).flatMap(({ messages, context }) => [
      ...messages.filter(({ to }) => to !== 'verbose').map(({ text }) => text),
      ...context,
    ])
    expect(delivered.join('\n')).not.toMatch(/LATE|BESIDE/)
  })
})
