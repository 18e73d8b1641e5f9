import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { answeringFor } from '../support/answers.ts'
import { bash, openAgent, resultOf, textsOf, worldWithHooks } from '../support/opened-agent.ts'

describe('a call', () => {
  /** Hooks on every event that a call can fire. */
  const listeners = (heard: string[]) =>
    Object.fromEntries(
      ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'].map((event) => [
        event,
        [{ hooks: [() => void heard.push(event)] }],
      ]),
    )

  it('of an unknown tool is answered with the tools there are, and no hook hears of it', async () => {
    const heard: string[] = []
    const hooks = listeners(heard)
    const result = await resultOf({ name: 'Teleport', input: {}, id: 'a' }, { hooks })
    expect(result).toMatch(/^There is no tool "Teleport"\. Tools: Bash, /)
    expect(heard).toEqual([])
  })

  it.each([
    [{ command: 7 }, /string/],
    [{}, /command/],
    [{ command: 'true', surprise: 1 }, /surprise/],
    ['not an object', /object/],
  ])('with the input %j is answered with what is wrong, and no hook hears of it', async (input, wrong) => {
    const heard: string[] = []
    const hooks = listeners(heard)
    const result = await resultOf({ name: 'Bash', input, id: 'a' }, { hooks, allowedTools: ['Bash'] })
    expect(result).toMatch(/^Bash cannot be called so: /)
    expect(result).toMatch(wrong)
    expect(heard).toEqual([])
  })

  it('with an input that a hook spoilt fires PreToolUse and nothing after it', async () => {
    const heard: string[] = []
    const spoil = () => {
      heard.push('PreToolUse')
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 7 } } }
    }
    const hooks = { ...listeners(heard), PreToolUse: [{ hooks: [spoil] }] }
    const result = await resultOf(bash('touch made'), { hooks, allowedTools: ['Bash'] })
    expect(result).toMatch(/^A hook rewrote the input, and Bash cannot be called so: /)
    expect(heard).toEqual(['PreToolUse'])
  })

  it.each(['Grep', 'Glob'])('of %s shows nothing of a file that a rule keeps from being read', async (name) => {
    const world = await makeWorld({ 'project/.env': 'SECRET=1', 'project/a.txt': 'SECRET' })
    const call = { name, input: { pattern: name === 'Grep' ? 'SECRET' : '**' }, id: 'a' }
    expect(await resultOf(call, { world })).toContain('.env')
    const result = await resultOf(call, { world, disallowedTools: ['Read(.env)'] })
    expect(result).toContain('a.txt')
    expect(result).not.toContain('.env')
  })

  it('of an MCP-like tool is held against the rules of a server whose name holds a separator', async () => {
    const say = defineTool({
      ...{ name: 'mcp__my__server__say', server: 'my__server', description: '', readOnly: false, edits: false },
      input: z.object({}),
      run: async () => ({ content: 'said', response: {} }),
    })
    const call = { name: say.name, input: {}, id: 'a' }
    const options = { tools: [say] }
    expect(await resultOf(call, { ...options, allowedTools: ['mcp__my__server'] })).toBe('said')
    const denied = await resultOf(call, {
      ...options,
      allowedTools: [say.name],
      disallowedTools: ['mcp__my__server__*'],
    })
    expect(denied).toMatch(/denied by the rule mcp__my__server__\*/)
  })

  it('is made with the input that a hook gave it, and hooks after it see that one', async () => {
    const seen: unknown[] = []
    const world = await worldWithHooks({
      PreToolUse: [commands(answeringFor('PreToolUse', { updatedInput: { command: 'echo rewritten' } }))],
    })
    const hooks = {
      PostToolUse: [{ hooks: [({ tool_input }: { tool_input?: unknown }) => void seen.push(tool_input)] }],
    }
    expect(await resultOf(bash('echo original'), { world, hooks, allowedTools: ['Bash'] })).toBe('rewritten')
    expect(seen).toEqual([{ command: 'echo rewritten' }])
  })

  it('of a file tool is seen with an absolute path, rewritten or not', async () => {
    const world = await makeWorld({ 'project/a.txt': 'first', 'project/b.txt': 'second' })
    const seen: unknown[] = []
    const hooks = {
      PreToolUse: [
        {
          hooks: [
            ({ tool_input }: { tool_input?: unknown }) => {
              seen.push(tool_input)
              return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { file_path: 'b.txt' } } }
            },
          ],
        },
      ],
      PostToolUse: [{ hooks: [({ tool_input }: { tool_input?: unknown }) => void seen.push(tool_input)] }],
    }
    expect(await resultOf({ name: 'Read', input: { file_path: 'a.txt' } }, { world, hooks })).toContain('second')
    expect(seen).toEqual([{ file_path: join(world.project, 'a.txt') }, { file_path: join(world.project, 'b.txt') }])
  })

  it('of a tool of the host is checked, shown to hooks and run as any other, whatever it throws', async () => {
    const tool = defineTool({
      name: 'Lamp',
      description: 'Turns the lamp',
      input: z.strictObject({ on: z.boolean() }),
      readOnly: true,
      edits: false,
      run: async ({ on }) => {
        if (on) return { content: 'It shines.', response: { on } }
        throw new RangeError('no fuse')
      },
    })
    expect(await resultOf({ name: 'Lamp', input: { on: true } }, { tools: [tool] })).toBe('It shines.')
    expect(await resultOf({ name: 'Lamp', input: { on: false } }, { tools: [tool] })).toBe('Lamp failed: no fuse')
  })

  it('whose hook kills itself is made all the same, and the user is told', async () => {
    const world = await worldWithHooks({ PreToolUse: [commands('kill -9 $$')] })
    const { agent, told, requests } = await openAgent(
      { turns: [{ tools: [bash('echo out')] }] },
      { world, allowedTools: ['Bash'] },
    )
    expect(await agent.run('Go')).toMatchObject({ success: true })
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['out'])
    expect(told().user).toEqual(['Failed with non-blocking status code: killed by SIGKILL'])
  })

  it('finds the variables that SessionStart hooks exported', async () => {
    const world = await worldWithHooks({
      SessionStart: [commands('echo "export LAMP=\'lit here\'" >>"$CLAUDE_ENV_FILE"')],
    })
    expect(await resultOf(bash('echo "$LAMP"'), { world, allowedTools: ['Bash'] })).toBe('lit here')
  })
})

describe('several calls in one answer', () => {
  it('run side by side when they change nothing, and each gets its result in order', async () => {
    const inside = new Set<string>()
    let most = 0
    const tool = defineTool({
      name: 'Look',
      description: 'Looks',
      input: z.strictObject({ at: z.string() }),
      readOnly: true,
      edits: false,
      run: async ({ at }) => {
        inside.add(at)
        most = Math.max(most, inside.size)
        while (most < 3) await new Promise(setImmediate) // each waits until all are there
        inside.delete(at)
        return { content: `seen ${at}`, response: null }
      },
    })
    const look = (at: string) => ({ name: 'Look', input: { at }, id: at })
    const { agent, requests } = await openAgent(
      { turns: [{ tools: [look('a'), look('b'), look('c')] }] },
      { tools: [tool] },
    )
    await agent.run('Go')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['seen a', 'seen b', 'seen c'])
  })

  it('run one after the other when they may change something', async () => {
    const { agent, requests } = await openAgent(
      { turns: [{ tools: [bash('echo one >>log', 'a'), bash('cat log; echo two >>log', 'b'), bash('cat log', 'c')] }] },
      { allowedTools: ['Bash'] },
    )
    await agent.run('Go')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['(no output)', 'one', 'one\ntwo'])
  })

  it('each pass the engine once', async () => {
    const seen: unknown[] = []
    const note = ({ hook_event_name, tool_use_id }: { hook_event_name: string; tool_use_id?: unknown }) =>
      void seen.push(`${hook_event_name} ${tool_use_id}`)
    const { agent } = await openAgent(
      { turns: [{ tools: [bash('true', 'a'), bash('false', 'b')] }] },
      {
        allowedTools: ['Bash'],
        hooks: {
          PreToolUse: [{ hooks: [note] }],
          PostToolUse: [{ hooks: [note] }],
          PostToolUseFailure: [{ hooks: [note] }],
        },
      },
    )
    await agent.run('Go')
    expect(seen).toEqual(['PreToolUse a', 'PostToolUse a', 'PreToolUse b', 'PostToolUseFailure b'])
  })
})

describe('the result of a call is in the transcript when its hooks fire', () => {
  it.each([
    ['PostToolUse', undefined],
    ['PostToolUseFailure', undefined],
    ['PostToolUse', 'envoy'],
    ['PostToolUseFailure', 'envoy'],
  ] as const)('of %s, with the preset %s', async (event, preset) => {
    const found: unknown[] = []
    const look = async ({ transcript_path, tool_use_id }: Record<string, unknown>) => {
      const lines = (await readFile(String(transcript_path), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      found.push(lines.filter(({ message }) => message?.content?.[0]?.tool_use_id === tool_use_id).length)
    }
    const command = event === 'PostToolUse' ? 'echo out' : 'exit 3'
    const opened = await openAgent(
      { turns: [{ tools: [bash(command, 'toolu_1'), bash(command, 'toolu_2')] }, { text: 'Done.' }] },
      { allowedTools: ['Bash'], hooks: { [event]: [{ hooks: [look] }] }, ...(preset === undefined ? {} : { preset }) },
    )
    await opened.agent.run('Go')
    expect(found).toEqual([1, 1])
    const results = (await opened.transcript()).filter(({ message }) =>
      JSON.stringify(message ?? '').includes('tool_result'),
    )
    expect(results).toHaveLength(2) // and it is there once
  })
})
