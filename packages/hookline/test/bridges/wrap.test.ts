import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { findCaller } from '../../src/bridges/call/caller.ts'
import { withBridge, writeEdit } from '../../src/bridges/install/install.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { runWrapped, type WrappedCall } from '../../src/bridges/wrap.ts'
import { wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { askWrapped, isAskedByLauncher } from '../support/both-ways.ts'
import { answering, commands, makeWorld, openOn, put, type World } from '../support/project.ts'
import { asRead } from './fates.ts'
import { ask, HOSTS, readEnd, worldWith } from './host.ts'

const bridge = (name: string): Bridge => {
  const found = findBridge(name)
  if (found === null) throw new TypeError(`no bridge to ${name}`)
  return found
}

/** Agents that load `.claude/settings.json` by themselves, with a call before it is made and after, as they send it to those hooks. */
const LOADING = {
  copilot: {
    env: { COPILOT_CLI: '1' },
    shell: (command: string, output?: string) =>
      copilot(output === undefined ? 'PreToolUse' : 'PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command, description: 'x' },
        ...(output === undefined
          ? {}
          : {
              tool_result: {
                result_type: 'success',
                text_result_for_llm: `${output}\n<shellId: 0 completed with exit code 0>`,
              },
            }),
      }),
    write: (path: string, file_text: string) =>
      copilot('PreToolUse', { tool_name: 'Write', tool_input: { path, file_text } }),
    refusal: (reason: string) => ({ permissionDecision: 'deny', permissionDecisionReason: reason }),
    other: copilot('PreToolUse', { tool_name: 'Read', tool_input: { path: 'a' } }),
    prompt: copilot('UserPromptSubmit', { prompt: 'hello' }),
  },
  cursor: {
    env: {},
    shell: (command: string, output?: string) =>
      cursor(output === undefined ? 'preToolUse' : 'postToolUse', {
        tool_name: 'Shell',
        tool_input: { command, cwd: '' },
        tool_use_id: 'u1',
        ...(output === undefined ? {} : { tool_output: output, duration: 3 }),
      }),
    write: (file_path: string, content: string) =>
      cursor('preToolUse', { tool_name: 'Write', tool_input: { file_path, content }, tool_use_id: 'u3' }),
    refusal: (reason: string) => ({ permission: 'deny', user_message: reason, agent_message: reason }),
    other: cursor('preToolUse', { tool_name: 'Read', tool_input: { file_path: 'a' }, tool_use_id: 'u2' }),
    prompt: cursor('beforeSubmitPrompt', { prompt: 'hello' }),
  },
} as const

function copilot(hook_event_name: string, fields: object): object {
  return { hook_event_name, session_id: 's1', timestamp: '2026-11-16T03:15:01.889Z', ...fields }
}

function cursor(hook_event_name: string, fields: object): object {
  return {
    hook_event_name,
    conversation_id: 's1',
    generation_id: 'g',
    cursor_version: '3.0',
    workspace_roots: [],
    ...fields,
  }
}

type Asking = Partial<Omit<WrappedCall, 'words' | 'text' | 'isProgram'>> & {
  readonly command: string
  readonly args?: readonly string[]
  readonly payload: object | string
}

/** What an agent is answered that calls a wrapped hook in a world. */
async function called(world: World, agent: string, { command, args, payload, ...more }: Asking) {
  const text = typeof payload === 'string' ? payload : JSON.stringify({ cwd: world.project, ...payload })
  const { event = 'PreToolUse', matcher, condition, seconds, env, decidesNothing, ...others } = more
  if (isAskedByLauncher(world) && decidesNothing !== true && Object.keys(others).length === 0) {
    const flags = { agent, event, matcher, if: condition, timeout: seconds }
    const words = Object.entries(flags).flatMap(([name, value]) => (value ? [`--${name}`, String(value)] : []))
    const wrapped = { command, ...(args === undefined ? {} : { args }), flags: words }
    return readEnd(await askWrapped(world, wrapped, { input: text, env: env ?? {}, isTrusted: false }))
  }
  const call: WrappedCall = {
    event: 'PreToolUse',
    matcher: null,
    condition: null,
    seconds: null,
    decidesNothing: false,
    env: { PATH: process.env.PATH },
    home: world.home,
    words: [command, ...(args ?? [])],
    isProgram: args !== undefined,
    text,
    ...more,
  }
  return asRead(await runWrapped(call, bridge(agent)))
}

function payloadsOf(agent: string): NonNullable<(typeof HOSTS)[string]> {
  const host = HOSTS[agent]
  if (host === undefined) throw new TypeError(`no payloads of ${agent}`)
  return host
}

/** The event that a payload is of, where an agent has several for one of Claude Code. */
const eventOf = (payload: object): string | null =>
  'agent_action_name' in payload ? String(payload.agent_action_name) : null

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PROJECT = '${CLAUDE_PROJECT_DIR}'
const RECORDING = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"; echo >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'
const seenIn = ({ project }: World): Record<string, unknown>[] => {
  if (!existsSync(join(project, 'seen.jsonl'))) return []
  const lines = readFileSync(join(project, 'seen.jsonl'), 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
}

describe.each(AGENTS.filter((name) => bridge(name).install.loadsClaude?.calls === undefined))(
  'a wrapped hook in %s',
  (agent) => {
    it('answers as the bridge does, whatever the hook says', async () => {
      const { before, shell, write } = payloadsOf(agent)
      const nested = { hookEventName: 'PreToolUse', permissionDecisionReason: 'no', additionalContext: 'context' }
      for (const command of [
        'echo no >&2; exit 2',
        'exit 1',
        answering({ continue: false, stopReason: 'enough' }),
        ...['deny', 'ask', 'defer', 'allow'].map((permissionDecision) =>
          answering({ hookSpecificOutput: { ...nested, permissionDecision } }),
        ),
        answering({ hookSpecificOutput: { ...nested, updatedInput: { command: 'echo changed' } } }),
      ]) {
        for (const payload of [shell('ls'), write('a.txt', 'hello')]) {
          const [one, other] = await Promise.all([makeWorld(), worldWith({ PreToolUse: [commands(command)] })])
          const { notes: _, ...wrapped } = await called(one, agent, { command, payload })
          const { notes: __, ...bridged } = await ask(other, agent, eventOf(payload) ?? before, payload)
          const same = (text: string): string => text.replaceAll(one.root, '').replaceAll(other.root, '')
          expect({ command, ...wrapped, stdout: same(wrapped.stdout) }).toEqual({
            ...{ command, ...bridged },
            stdout: same(bridged.stdout),
          })
        }
      }
    })
  },
)

describe.each(AGENTS)('a wrapped guard in %s', (agent) => {
  it('is asked about calls of subagents as about those of the agent', async () => {
    const own = LOADING[agent as keyof typeof LOADING]
    const shell: object = own === undefined ? payloadsOf(agent).shell('ls') : own.shell('ls')
    const { common, subagent, install } = bridge(agent)
    const calling = install.loadsClaude?.calls ?? { common, subagent }
    const paths = [
      calling.common?.agent_id,
      calling.subagent?.id,
      calling.subagent?.parent,
      'agent_id',
      'parent_agent_id',
    ]
    const fields = [...new Set(paths.filter((path) => typeof path === 'string'))]
    const world = await makeWorld()
    const plain = await called(world, agent, { command: 'echo no >&2; exit 2', payload: shell })
    for (const id of ['kid', '']) {
      const payload = { ...shell, ...Object.fromEntries(fields.map((path) => [path, id])) }
      const { stdout, code } = await called(world, agent, { command: 'echo no >&2; exit 2', payload })
      expect({ id, stdout, code }).toEqual({ id, stdout: plain.stdout, code: plain.code })
    }
  })
})

it('knows how those agents call that load the files of Claude Code in a way of their own', () => {
  const own = AGENTS.filter((name) => bridge(name).install.loadsClaude?.calls !== undefined)
  expect(Object.keys(LOADING)).toEqual(expect.arrayContaining([...own]))
})

describe.each(Object.entries(LOADING))('a hook that %s calls by itself', (agent, host) => {
  it('gets the event as Claude Code would send it', async () => {
    const world = await makeWorld()
    const { project } = world
    await called(world, agent, { command: RECORDING, payload: host.shell('echo hi') })
    await called(world, agent, { command: RECORDING, payload: host.write('sub/../a.txt', 'hello') })
    await called(world, agent, { command: RECORDING, payload: host.shell('echo hi', 'hi'), event: 'PostToolUse' })
    await called(world, agent, { command: RECORDING, payload: host.prompt, event: 'UserPromptSubmit' })
    const [before, write, after, prompt] = seenIn(world)
    expect(before).toMatchObject({
      hook_event_name: 'PreToolUse',
      session_id: 's1',
      cwd: project,
      tool_name: 'Bash',
      tool_input: { command: 'echo hi' },
      permission_mode: 'default',
      transcript_path: expect.stringContaining('transcript.jsonl'),
      host: { agent },
    })
    expect(write).toMatchObject({
      tool_name: 'Write',
      tool_input: { file_path: join(project, 'a.txt'), content: 'hello' },
    })
    expect(after).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_use_id: before?.tool_use_id,
      tool_response: { stdout: 'hi', stderr: '', interrupted: false },
    })
    expect(prompt).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: 'hello' })
  })

  it('refuses in the form of the agent, however it says no', async () => {
    const world = await makeWorld()
    const nested = (permissionDecision: string) => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'no' },
    })
    for (const command of [
      'echo no >&2; exit 2',
      answering(nested('deny')),
      answering({ ...nested('deny'), suppressOutput: true, one: 1 }),
      answering({ decision: 'block', reason: 'no' }),
      answering({ continue: false, stopReason: 'no' }),
    ]) {
      const home = join(world.root, `home-${command.length}`)
      const { stdout, code } = await called(world, agent, { command, payload: host.shell('rm -rf /'), home })
      expect({ command, code, said: JSON.parse(stdout) }).toEqual({ command, code: 0, said: host.refusal('no') })
    }
    const deferred = await called(world, agent, { command: answering(nested('defer')), payload: host.shell('ls') })
    expect(JSON.parse(deferred.stdout)).toEqual(host.refusal(expect.stringContaining('no')))
  })

  it('is asked its matcher and its condition again', async () => {
    const world = await makeWorld()
    const command = 'echo no >&2; exit 2'
    const refuses = async (asking: Omit<Asking, 'command'>): Promise<boolean> =>
      (await called(world, agent, { command, ...asking })).stdout.includes('deny')
    expect(await refuses({ matcher: 'Bash', payload: host.shell('git push') })).toBe(true)
    expect(await refuses({ matcher: 'Bash', payload: host.other })).toBe(false)
    expect(await refuses({ condition: 'Bash(git *)', payload: host.shell('git push') })).toBe(true)
    expect(await refuses({ condition: 'Bash(git *)', payload: host.shell('ls') })).toBe(false)
  })

  it('leaks no exit code, and nothing that it prints', async () => {
    const world = await makeWorld()
    for (const command of ['exit 1', 'exit 3', 'no-such-program-here', 'kill -9 $$', 'echo a banner']) {
      const { stdout, code } = await called(world, agent, { command, payload: host.shell('ls') })
      expect({ command, code, stdout }).toEqual({ command, code: 0, stdout: expect.not.stringMatching(/banner|deny/) })
    }
  })

  it('refuses what it cannot be shown', async () => {
    const world = await makeWorld()
    for (const payload of ['garbage', '', '[1]', '{"hook_event_name":']) {
      const { stdout, code } = await called(world, agent, { command: 'true', payload })
      expect({ payload, code, said: JSON.parse(stdout) }).toEqual({
        payload,
        code: 0,
        said: host.refusal(expect.stringContaining('could not ask the hooks')),
      })
    }
    const later = await called(world, agent, { command: 'true', payload: 'garbage', event: 'PostToolUse' })
    expect(later.stdout).not.toContain('deny')
  })

  it('refuses where the agent gives it less time than Claude Code, and it does not end', async () => {
    const world = await makeWorld()
    const slow = { ...bridge(agent), capabilities: { ...bridge(agent).capabilities, limit: 0.6 } }
    const call: WrappedCall = {
      ...{ event: 'PreToolUse', matcher: null, condition: null, seconds: null, decidesNothing: false },
      ...{ env: { PATH: process.env.PATH }, home: world.home, words: ['sleep 60'], isProgram: false },
      text: JSON.stringify({ cwd: world.project, ...host.shell('ls') }),
    }
    expect(asRead(await runWrapped(call, slow)).stdout).toContain('did not end within the time')
    expect(asRead(await runWrapped({ ...call, seconds: 0.6 }, slow)).stdout).not.toContain('deny')
  })

  it('runs in a folder that was not trusted: the agent has asked its user about it', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: {} } })
    await called(world, agent, { command: RECORDING, payload: host.shell('ls') })
    expect(seenIn(world)).toHaveLength(1)
  })

  it('ends the turn for every later call, until the next prompt', async () => {
    const world = await makeWorld()
    const halt = answering({ continue: false, stopReason: 'enough' })
    const next = () => called(world, agent, { command: 'true', payload: host.shell('ls') })
    await called(world, agent, { command: halt, payload: host.shell('ls', 'out'), event: 'PostToolUse' })
    expect(JSON.parse((await next()).stdout)).toEqual(host.refusal('enough'))
    await called(world, agent, { command: 'true', payload: host.prompt, event: 'UserPromptSubmit' })
    expect((await next()).stdout).not.toContain('deny')
  })

  it('says what it has to say later, where nothing waits for it, and decides nothing', async () => {
    const world = await makeWorld()
    const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny', additionalContext: 'from the background' }
    const late = { command: answering({ hookSpecificOutput: deny }), payload: host.shell('ls'), decidesNothing: true }
    await called(world, agent, late)
    const { stdout } = await called(world, agent, { command: 'true', payload: host.shell('ls') })
    expect(stdout).toContain('from the background')
    expect(stdout).not.toContain('"deny"')
  })

  it('is a program with arguments where its entry says so, and knows the project', async () => {
    const world = await makeWorld()
    await put(world, 'project/guard.sh', 'printf "%s|" "$0" "$@" >&2; exit 2\n')
    const args = [`${PROJECT}/guard.sh`, 'a b', '$HOME', PROJECT]
    const { stdout } = await called(world, agent, { command: 'sh', args, payload: host.shell('ls') })
    const words = [`${world.project}/guard.sh`, 'a b', '$HOME', world.project]
    expect(JSON.parse(stdout)).toEqual(host.refusal(words.map((word) => `${word}|`).join('')))
  })

  it.each([
    ['shell text', { command: RECORDING }],
    ['a program', { command: 'sh', args: ['-c', RECORDING, PROJECT] }],
  ])('leaves its work to the bridge, where that runs the same hook: %s', async (_, runsWith) => {
    const command = wrapCommand({ ...runsWith, flags: ['--event', 'PreToolUse'] })
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const shell = host.shell('ls')
    const runs = async (): Promise<number> => {
      const before = seenIn(world).length
      await called(world, agent, { ...runsWith, payload: shell })
      return seenIn(world).length - before
    }
    const viaBridge = () =>
      ask(world, agent, HOSTS[agent]?.before ?? '', HOSTS[agent]?.shell('ls') ?? '', { trust: 'stored' })
    expect(await runs()).toBe(1)
    const place = { bridge: bridge(agent), scope: 'user', project: world.project, home: world.home, env: {} } as const
    for (const edit of await withBridge(place, { program: 'hookline', ifMissing: 'refuse', attended: false }))
      await writeEdit(edit, place)
    expect(await runs()).toBe(1) // it is installed, but was not called in this session
    await viaBridge()
    expect(await runs()).toBe(1) // it is called, but may not run the hook: the folder is not trusted
    await (await openOn(world, { trust: 'stored', profile: 'current' })).acceptTrust()
    expect(await runs()).toBe(0)
    const before = seenIn(world).length
    await viaBridge()
    expect(seenIn(world)).toHaveLength(before + 1)
  })
})

describe('several hooks that an agent calls for one call', () => {
  it('get the same id for it, which is that of the event after it', async () => {
    const world = await makeWorld()
    const { shell } = LOADING.copilot
    for (const mark of ['one', 'two', 'one', 'two'])
      await called(world, 'copilot', { command: `${RECORDING} # ${mark}`, payload: shell('ls') })
    await called(world, 'copilot', { command: RECORDING, payload: shell('ls', 'out'), event: 'PostToolUse' })
    const ids = seenIn(world).map(({ tool_use_id }) => tool_use_id)
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).toBe(ids[3])
    expect(ids[0]).not.toBe(ids[2])
    expect(ids[4]).toBe(ids[3])
  })
})

describe('a patch of Copilot', () => {
  const patch = '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Update File: b.txt\n@@\n-one\n+two\n*** End Patch'

  it('is shown file by file, and refused as a whole', async () => {
    const world = await makeWorld({ 'project/b.txt': 'one\n' })
    const payload = copilot('PreToolUse', { tool_name: 'Edit', tool_input: patch })
    await called(world, 'copilot', { command: RECORDING, payload, matcher: 'Edit|Write' })
    const inOrder = seenIn(world).sort((one, other) => (String(one.tool_use_id) < String(other.tool_use_id) ? -1 : 1))
    expect(inOrder.map(({ tool_name, tool_input }) => [tool_name, tool_input])).toEqual([
      ['Write', { file_path: join(world.project, 'new.txt'), content: 'hello\n' }],
      ['Edit', { file_path: join(world.project, 'b.txt'), old_string: 'one', new_string: 'two', replace_all: false }],
    ])
    const guard = 'grep -q b.txt && { echo protected >&2; exit 2; }; true'
    const { stdout } = await called(world, 'copilot', { command: guard, payload, matcher: 'Edit|Write' })
    expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: 'deny' })
  })
})

describe('a tool of an MCP server in Cursor, which does not name the server', () => {
  it('is shown to the hook that Cursor has matched', async () => {
    const world = await makeWorld()
    const payload = cursor('preToolUse', { tool_name: 'MCP:create_issue', tool_input: {}, tool_use_id: 'u' })
    const { stdout } = await called(world, 'cursor', { command: 'exit 2', payload, matcher: 'mcp__github__.*' })
    expect(JSON.parse(stdout)).toMatchObject({ permission: 'deny' })
  })
})

describe('who calls a hook', () => {
  const CLAUDE = {
    session_id: 's',
    transcript_path: '/t.jsonl',
    cwd: '/p',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'toolu_1',
  }
  /** What an agent puts into the environment of hooks. */
  const VARIABLES: Readonly<Record<string, NodeJS.ProcessEnv>> = {
    copilot: { COPILOT_CLI: '1' },
    gemini: { GEMINI_SESSION_ID: 's' },
    qwen: { QWEN_CODE_SESSION_ID: 's', GEMINI_SESSION_ID: 's' },
    droid: { FACTORY_PROJECT_DIR: '/p' },
  }
  const nameOf = (payload: object | null, env: NodeJS.ProcessEnv): string => {
    const caller = findCaller(payload as Record<string, unknown> | null, env)
    return caller.is === 'agent' ? caller.bridge.name : caller.is
  }
  const known = AGENTS.filter((name) => bridge(name).detect.length > 0 && HOSTS[name] !== undefined)

  it.each(known)('is seen to be %s, also where that was started inside of Claude Code', (name) => {
    const payload = { timestamp: 'x', ...HOSTS[name]?.shell('ls', { cwd: '/p' }) }
    for (const env of [{}, { CLAUDECODE: '1' }]) expect(nameOf(payload, { ...VARIABLES[name], ...env })).toBe(name)
  })

  it.each(known)('is seen to be Claude Code that was started inside of %s', (name) => {
    for (const payload of [CLAUDE, { ...CLAUDE, tool_name: undefined, hook_event_name: 'Stop' }])
      expect(nameOf(payload, { ...VARIABLES[name], CLAUDECODE: '1' })).toBe('claude-code')
  })

  it('is not known where nothing tells', () => {
    expect(nameOf({ event: 'x' }, {})).toBe('unknown')
    expect(nameOf(CLAUDE, {})).toBe('claude-code')
    expect(nameOf(null, {})).toBe('claude-code')
    expect(nameOf(null, { COPILOT_CLI: '1' })).toBe('copilot')
  })
})

it('reads no settings of the project that is not its own hook', async () => {
  const world = await makeWorld({ 'home/.claude/settings.json': { hooks: {} } })
  await put(world, 'managed.json', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } })
  const { stdout } = await called(world, 'copilot', { command: 'true', payload: LOADING.copilot.shell('ls') })
  expect(stdout).toBe('')
})
