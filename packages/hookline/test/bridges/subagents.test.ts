import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { findRule, findSession } from '../../src/bridges/call/origin.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { runWrapped } from '../../src/bridges/wrap.ts'
import { put, type World } from '../support/project.ts'
import { FATES } from './fates.ts'
import { ask, HOSTS, worldWith } from './host.ts'

const EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SubagentStart',
  'SubagentStop',
]
const RECORDING = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"; echo >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'
const recording = Object.fromEntries(
  EVENTS.map((event) => [event, [{ hooks: [{ type: 'command', command: RECORDING }] }]]),
)

interface Heard {
  readonly hook_event_name: string
  readonly session_id: string
  readonly agent_id?: string
  readonly agent_type?: string
  readonly prompt?: string
}

function heardIn({ project }: World): Heard[] {
  const file = join(project, 'seen.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
}

const events = (heard: readonly Heard[]): string[] => heard.map(({ hook_event_name }) => hook_event_name)

const codexSays = (hook_event_name: string, fields: object = {}): [string, object] => [
  hook_event_name,
  { session_id: 'root', turn_id: 't', model: 'm', hook_event_name, ...fields },
]
const ofChild = { agent_id: 'child', agent_type: 'worker' }

const copilotSays = (event: string, fields: object): [string, object] => [event, { timestamp: 1, ...fields }]
const ofKid = { agentId: 'kid', agentType: 'task', parentAgentId: 'root' }
const ofGrandkid = { agentId: 'grandkid', agentType: 'task', parentAgentId: 'kid' }

const opencodeChild = { sessionID: 'root', agentID: 'child', agentType: 'general' }

/** Sessions with a subagent, event by event as the clients were seen to send them, and what hooks are to hear. */
const SESSIONS: Readonly<Record<string, { said: readonly [string, object][]; heard: readonly string[] }>> = {
  codex: {
    said: [
      codexSays('SessionStart', { source: 'startup' }),
      codexSays('UserPromptSubmit', { prompt: 'of the user' }),
      codexSays('SubagentStart', ofChild),
      codexSays('UserPromptSubmit', { ...ofChild, prompt: 'of the model' }),
      codexSays('PreToolUse', { ...ofChild, tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'c' }),
      codexSays('SubagentStop', { ...ofChild, stop_hook_active: false }),
      codexSays('UserPromptSubmit', { ...ofChild, prompt: 'more of the model' }),
      codexSays('SubagentStop', { ...ofChild, stop_hook_active: false }),
      codexSays('Stop', { stop_hook_active: false }),
    ],
    heard: ['SessionStart', 'UserPromptSubmit', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'SubagentStop', 'Stop'],
  },
  copilot: {
    said: [
      copilotSays('sessionStart', { sessionId: 'root', source: 'new' }),
      copilotSays('userPromptSubmitted', { sessionId: 'root', prompt: 'of the user' }),
      copilotSays('subagentStart', { sessionId: 'root', agentName: 'task', ...ofKid }),
      copilotSays('userPromptSubmitted', { sessionId: 'kid', prompt: 'of the model', ...ofKid }),
      copilotSays('preToolUse', { sessionId: 'kid', toolName: 'bash', toolArgs: { command: 'ls' }, ...ofKid }),
      copilotSays('subagentStart', { sessionId: 'another', agentName: 'task', ...ofGrandkid }),
      copilotSays('userPromptSubmitted', { sessionId: 'grandkid', prompt: 'of the model', ...ofGrandkid }),
      copilotSays('preToolUse', {
        sessionId: 'grandkid',
        toolName: 'bash',
        toolArgs: { command: 'ls' },
        ...ofGrandkid,
      }),
      copilotSays('agentStop', { sessionId: 'grandkid', ...ofGrandkid }),
      copilotSays('subagentStop', { sessionId: 'another', response: 'done', ...ofGrandkid }),
      copilotSays('agentStop', { sessionId: 'kid', ...ofKid }),
      copilotSays('subagentStop', { sessionId: 'root', response: 'done', ...ofKid }),
      copilotSays('agentStop', { sessionId: 'root' }),
    ],
    heard: [
      'SessionStart',
      'UserPromptSubmit',
      'SubagentStart',
      'PreToolUse',
      'SubagentStart',
      'PreToolUse',
      'SubagentStop',
      'SubagentStop',
      'Stop',
    ],
  },
  opencode: {
    said: [
      ['session.created', { sessionID: 'root' }],
      ['chat.message', { sessionID: 'root', parts: [{ type: 'text', text: 'of the user' }] }],
      ['session.created', opencodeChild],
      ['chat.message', { ...opencodeChild, parts: [{ type: 'text', text: 'of the model' }] }],
      ['tool.execute.before', { ...opencodeChild, tool: 'bash', callID: 'c', args: { command: 'ls' } }],
      ['session.idle', opencodeChild],
      ['session.deleted', opencodeChild],
      ['session.idle', { sessionID: 'root' }],
    ],
    heard: ['SessionStart', 'UserPromptSubmit', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop'],
  },
}

describe.each(Object.entries(SESSIONS))('a subagent of %s', (agent, { said, heard }) => {
  it('is not the user: prompt hooks hear what a person typed, once', async () => {
    const world = await worldWith(recording)
    for (const [event, payload] of said) await ask(world, agent, event, payload)
    const all = heardIn(world)
    expect(events(all)).toEqual(heard)
    expect(all.flatMap(({ prompt }) => prompt ?? [])).toEqual(['of the user'])
    expect(new Set(all.map(({ session_id }) => session_id))).toEqual(new Set(['root']))
    for (const one of all.filter(({ hook_event_name }) => hook_event_name.startsWith('Subagent')))
      expect(one).toMatchObject({
        agent_id: expect.stringMatching(/kid|child/),
        agent_type: expect.stringMatching(/./),
      })
  })

  it('does not lift a halt by being spoken to', async () => {
    if (findBridge(agent)?.answers.halt.how === 'exact') return // the host ends the turn
    const halt = `echo '{"continue": false, "stopReason": "enough"}'`
    const world = await worldWith({ PostToolUse: [{ hooks: [{ type: 'command', command: halt }] }] })
    const before = said.find(([event]) => /pre_?tool|before/i.test(event))
    const after = agent === 'codex' ? 'PostToolUse' : 'postToolUse'
    const of = ([event, payload]: [string, object]): [string, object] => [
      event,
      JSON.parse(JSON.stringify(payload).replaceAll('PreToolUse', 'PostToolUse')),
    ]
    if (before === undefined) throw new TypeError('no call')
    await ask(world, agent, after, { ...of(before)[1], output: 'x', tool_response: 'x' })
    for (const [event, payload] of said.filter(([, one]) => JSON.stringify(one).includes('of the model')))
      await ask(world, agent, event, payload)
    const answer = await ask(world, agent, before[0], before[1])
    expect(answer.stdout + answer.stderr).toContain('enough')
  })
})

/** Sessions of Kimi Code as 2.1.0 sends them: nothing in a Stop says which agent stops. */
const kimiSays = (event: string, fields: object = {}): [string, object] => [
  event,
  { session_id: 'root', client_type: 'kimi_code_cli', hook_event_name: event, ...fields },
]
const kimiAgent = (tool_call_id: string, more: object = {}) => ({
  tool_name: 'Agent',
  tool_input: { description: 'd', prompt: 'of the model', ...more },
  tool_call_id,
})
const KIMI_START = kimiSays('SubagentStart', { agent_name: 'coder', prompt: 'of the model' })
const KIMI_STOP = kimiSays('Stop', { stop_hook_active: false })
const KIMI_END = kimiSays('SubagentStop', { agent_name: 'coder', response: 'done' })
const kimiCalls = (id: string, more?: object) => kimiSays('PreToolUse', kimiAgent(id, more))
const kimiReturns = (id: string, more?: object) =>
  kimiSays('PostToolUse', { ...kimiAgent(id, more), tool_output: 'done' })
const IN_BACKGROUND = { run_in_background: true }

const KIMI_TURNS: readonly [name: string, said: readonly [string, object][], stops: readonly boolean[]][] = [
  ['a subagent', [kimiCalls('a'), KIMI_START, KIMI_STOP, KIMI_END, kimiReturns('a'), KIMI_STOP], [false, true]],
  [
    'two side by side',
    [
      ...[kimiCalls('a'), kimiCalls('b'), KIMI_START, KIMI_START, KIMI_STOP, KIMI_END, KIMI_STOP],
      ...[kimiReturns('a'), KIMI_END, kimiReturns('b'), KIMI_STOP],
    ],
    [false, false, true],
  ],
  [
    'a swarm',
    [
      kimiSays('PreToolUse', { tool_name: 'AgentSwarm', tool_input: { items: ['one', 'two'] }, tool_call_id: 'a' }),
      ...[KIMI_START, KIMI_START, KIMI_STOP, KIMI_STOP, KIMI_END, KIMI_END, kimiReturns('a'), KIMI_STOP],
    ],
    [false, false, true],
  ],
  [
    'one in the background, which nothing tells apart',
    [kimiCalls('a', IN_BACKGROUND), KIMI_START, kimiReturns('a', IN_BACKGROUND), KIMI_STOP, KIMI_STOP, KIMI_END],
    [true, true],
  ],
  [
    'one that failed',
    [kimiCalls('a'), KIMI_START, kimiSays('PostToolUseFailure', { ...kimiAgent('a'), error: 'x' }), KIMI_STOP],
    [true],
  ],
  ['one that never started', [kimiCalls('a'), KIMI_STOP], [true]],
  [
    'one that the user ended with a new prompt',
    [kimiCalls('a'), KIMI_START, kimiSays('UserPromptSubmit', { prompt: [] }), KIMI_STOP],
    [true],
  ],
]

describe('the end of a turn of kimi', () => {
  it.each(KIMI_TURNS)('is told from the end of %s', async (_, said, stops) => {
    const sent = await worldWith({ Stop: [{ hooks: [{ type: 'command', command: 'echo not yet >&2; exit 2' }] }] })
    const heard: boolean[] = []
    for (const [event, payload] of said) {
      const { code } = await ask(sent, 'kimi', event, payload)
      if (event === 'Stop') heard.push(code === 2)
    }
    expect(heard).toEqual(stops)
  })
})

/** SubagentStart as Copilot 1.0.102 sends it to a hook of `.claude`: in that dialect, but for the name of its session. */
const COPILOT_START = {
  ...{ sessionId: 'root', timestamp: 2, transcriptPath: '/home/t.jsonl', agentName: 'task' },
  ...{ agent_id: 'kid', agent_type: 'task', parent_agent_id: 'root' },
}

describe('a subagent of copilot', () => {
  it.each([
    ['as it was recorded', COPILOT_START],
    ['without the agent above', { ...COPILOT_START, parent_agent_id: undefined }],
    ['with its session in the dialect of .claude', { ...COPILOT_START, sessionId: undefined, session_id: 'root' }],
    ['without a type', { ...COPILOT_START, agent_type: '' }],
    ['without a session', { ...COPILOT_START, sessionId: undefined, parent_agent_id: undefined }],
    ['without anything but its name', { timestamp: 2, agentName: 'task' }],
  ])('starts once where the hook is wrapped and the bridge is installed: %s', async (_, payload) => {
    const world = await worldWith({})
    await put(world, 'home/.claude/settings.json', { hooks: recording })
    const bridge = findBridge('copilot')
    if (bridge === null) throw new TypeError('no bridge to copilot')
    await put(world, 'home/.copilot/hooks/hookline.json', {
      version: 1,
      hooks: { subagentStart: [{ type: 'command', bash: 'hookline bridge run copilot subagentStart --limit 600' }] },
    })
    await ask(world, 'copilot', ...copilotSays('subagentStart', { sessionId: 'root', agentName: 'task', ...ofKid }))
    await runWrapped(
      {
        event: 'SubagentStart',
        matcher: null,
        condition: null,
        words: [RECORDING],
        isProgram: false,
        seconds: null,
        decidesNothing: false,
        text: JSON.stringify({ ...payload, cwd: world.project }),
        env: { PATH: process.env.PATH, COPILOT_CLI: '1', COPILOT_PROJECT_DIR: world.project },
        home: world.home,
      },
      bridge,
    )
    expect(heardIn(world)).toHaveLength(1)
    expect(heardIn(world)[0]).toMatchObject({ session_id: 'root', agent_id: 'kid', agent_type: 'task' })
  })
})

const OF_THE_USER = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop']

describe.each(AGENTS)('an event of %s', (agent) => {
  const bridge = findBridge(agent) as Bridge // of the list
  const { subagent } = bridge

  it('means the user only where no subagent fires it', () => {
    for (const [name, { as }] of Object.entries(bridge.events)) {
      expect(findRule(bridge, name, {})?.as, name).toBe(as)
      if (subagent === null || as === null) continue
      const found = findRule(bridge, name, nested(subagent.id, 'child'))
      if (OF_THE_USER.includes(as)) expect([null, 'SubagentStart', 'SubagentStop'], name).toContain(found?.as ?? null)
      else expect(found?.as, name).toBe(as)
    }
  })

  it('is guarded whatever names the subagent that fires it, and the one above', async () => {
    const host = HOSTS[agent]
    if (subagent === null || host === undefined) return
    const world = await worldWith({ PreToolUse: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }] })
    const ids = [
      'child',
      '',
      's1',
      '../../x',
      'a\u0000b',
      '\ud800',
      'x'.repeat(5000),
      '__proto__',
      5,
      null,
      {},
      ['child'],
    ]
    for (const id of ids)
      for (const above of subagent.parent === null ? [undefined] : [undefined, 's1', id]) {
        const parent = above === undefined || subagent.parent === null ? {} : nested(subagent.parent, above)
        const payload = { ...host.shell('ls', { cwd: world.project }), ...nested(subagent.id, id), ...parent }
        const answer = await ask(world, agent, host.before, payload)
        expect(FATES[agent]?.(answer), JSON.stringify(payload).slice(0, 300)).toBe('refused')
      }
  })

  it('tells of the start and of the end of a subagent once, if at all', () => {
    if (subagent === null) return
    const told = Object.keys(bridge.events).map((name) => findRule(bridge, name, nested(subagent.id, 'child'))?.as)
    for (const event of ['SubagentStart', 'SubagentStop']) expect(told.filter((one) => one === event)).toHaveLength(1)
  })

  it('of a subagent belongs to the session of the user, however deep', async () => {
    const parent = subagent?.parent
    if (subagent === null || parent == null) return
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[a-z0-9/._-]{1,12}$/), { minLength: 2, maxLength: 6 }),
        async (line) => {
          const { home } = await worldWith({})
          for (const [index, id] of line.entries()) {
            const above = line[index - 1]
            const payload =
              above === undefined
                ? nested(String(bridge.common.session_id), id)
                : { ...nested(subagent.id, id), ...nested(parent, above) }
            expect(findSession(bridge, payload, home)).toBe(line[0])
          }
        },
      ),
      { numRuns: 10 },
    )
  })
})

/** An object that has a value at a path. */
function nested(path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.split('.')
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) }
}

describe('the plugin for opencode', () => {
  it('says of every event which session of the user it belongs to, and which subagent fired it', async () => {
    const world = await worldWith({})
    const log = join(world.root, 'asked.jsonl')
    const fake = `#!/bin/sh\n{ printf '%s\\t' "$4"; cat; echo; } >> '${log}'; echo '{}'; exit 86\n`
    await put(world, 'bin/hookline', fake)
    chmodSync(join(world.root, 'bin/hookline'), 0o755)
    const path = process.env.PATH
    process.env.PATH = `${join(world.root, 'bin')}:${path}`
    try {
      const { Hookline } = await import(new URL('../../bridges/opencode-plugin.js', import.meta.url).href)
      const infos: Record<string, object> = {
        root: { id: 'root' },
        old: { id: 'old', parentID: 'root', agent: 'build' },
      }
      const get = async ({ path: { id } }: { path: { id: string } }) => ({ data: infos[id] })
      const plugin = await Hookline({ client: { session: { get }, tui: {} }, directory: world.project })
      const created = (info: object) => plugin.event({ event: { type: 'session.created', properties: { info } } })
      await created({ id: 'root' })
      await created({ id: 'child', parentID: 'root', agent: 'general' })
      await created({ id: 'grandchild', parentID: 'child', agent: 'general' })
      for (const sessionID of ['root', 'child', 'grandchild', 'old'])
        await plugin['tool.execute.before']({ tool: 'bash', sessionID, callID: 'c' }, { args: { command: 'ls' } })
      await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 'grandchild' } } })
    } finally {
      process.env.PATH = path
    }
    const asked = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line.split('\t')[1] ?? ''))
    expect(asked.map(({ sessionID, agentID }) => [sessionID, agentID])).toEqual([
      ['root', undefined],
      ['root', 'child'],
      ['root', 'grandchild'],
      ['root', undefined],
      ['root', 'child'],
      ['root', 'grandchild'],
      ['root', 'old'],
      ['root', 'grandchild'],
    ])
  })
})
