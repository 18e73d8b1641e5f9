import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { bash, openAgent, textsOf, worldWithHooks } from '../support/opened-agent.ts'
import { until } from '../team/support.ts'
import { askedOf, loggedEvents, readIn, subagentTranscripts, task } from './support.ts'

const REVIEWER = `---
name: reviewer
description: Reviews code
tools: Read, Grep
model: haiku
---
You review code, and change nothing.
`

describe('a subagent', () => {
  it('works in a conversation of its own and hands its last answer to whoever started it', async () => {
    const opened = await openAgent({
      turns: [{ tools: [task('general-purpose')] }, { text: 'All done.' }],
      agents: { 'general-purpose': { turns: [{ text: 'It is 42.' }] } },
    })
    const result = await opened.agent.run('Find it')
    expect(result).toMatchObject({ success: true, text: 'All done.' })
    const [, after] = askedOf(opened, null)
    expect(textsOf(after?.messages.at(-1))).toEqual(['It is 42.'])
    const [own] = askedOf(opened, 'general-purpose')
    expect(own?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Work as general-purpose' }] }])
    expect(own?.system).toContain('Another agent has given you one task')
  })

  it('has the prompt, the tools and the name that its file gives it', async () => {
    const world = await makeWorld({ 'project/.claude/agents/review.md': REVIEWER })
    const opened = await openAgent(
      { turns: [{ tools: [task('reviewer')] }], agents: { reviewer: { turns: [{ text: 'Fine.' }] } } },
      { world },
    )
    await opened.agent.run('Review it')
    const [asked] = askedOf(opened, 'reviewer')
    expect(asked?.system).toContain('You review code, and change nothing.')
    expect(asked?.tools.map(({ name }) => name)).toEqual(['Read', 'Grep'])
    const [main] = askedOf(opened, null)
    const offer = main?.tools.find(({ name }) => name === 'Task')?.description
    expect(offer).toContain('- reviewer: Reviews code')
    expect(offer).toContain('- general-purpose: ')
  })

  it('is found in the project, in the home and in plugins; the host and then the project come first', async () => {
    const agent = (prompt: string): string => `---\ndescription: d\n---\n${prompt}`
    const world = await makeWorld({
      'project/.claude/agents/one.md': agent('the project’s one'),
      'home/.claude/agents/one.md': agent('the user’s one'),
      'home/.claude/agents/two.md': agent('the user’s two'),
      'plug/agents/three.md': agent('the plugin’s three'),
      'plug/.claude-plugin/plugin.json': { name: 'tools' },
      'project/.claude/agents/four.md': agent('the project’s four'),
    })
    const kinds = ['one', 'two', 'tools:three', 'four']
    const opened = await openAgent(
      { turns: [{ tools: kinds.map((kind) => task(kind)) }] },
      {
        world,
        plugins: [`${world.root}/plug`],
        agents: { four: { description: 'given', prompt: 'the host’s four' } },
      },
    )
    await opened.agent.run('Go')
    const systems = kinds.map((kind) => askedOf(opened, kind)[0]?.system)
    expect(systems[0]).toContain('the project’s one')
    expect(systems[1]).toContain('the user’s two')
    expect(systems[2]).toContain('the plugin’s three')
    expect(systems[3]).toContain('the host’s four')
  })

  it('is left out, with the reason, when its hooks cannot be read, or what it says does not fit', async () => {
    const world = await makeWorld({
      'project/.claude/agents/broken.md': '---\nhooks: [Read\n---\nYou are broken.',
      'project/.claude/agents/odd.md': '---\ntools: true\n---\nYou are odd.',
    })
    const opened = await openAgent({ turns: [{ tools: [task('broken')] }] }, { world })
    await opened.agent.run('Go')
    expect(opened.told().user.join('\n')).toMatch(/broken\.md: its hooks cannot be read \(line \d\): not YAML/)
    expect(opened.told().user.join('\n')).toMatch(/odd\.md: its frontmatter does not fit/)
    expect(readIn(askedOf(opened, null)[1])).toContain('There is no agent "broken". Agents: general-purpose.')
  })

  it('keeps a transcript of its own, whose lines name it', async () => {
    const opened = await openAgent(
      {
        turns: [{ tools: [task('general-purpose')] }],
        agents: { 'general-purpose': { turns: [{ tools: [bash('echo in-sub')] }, { text: 'sub done' }] } },
      },
      { allowedTools: ['Bash'] },
    )
    await opened.agent.run('Go')
    const [[file = '', lines = []] = []] = Object.entries(subagentTranscripts(opened))
    const id = /^agent-(a[0-9a-f]{12})\.jsonl$/.exec(file)?.[1]
    expect(lines.map(({ type }) => type)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'result'])
    const said = lines.filter(({ type }) => type === 'user' || type === 'assistant')
    expect(said.every(({ isSidechain, agentId }) => isSidechain === true && agentId === id)).toBe(true)
    const main = JSON.stringify(await opened.transcript())
    expect(main).not.toContain('in-sub')
    expect(main).toContain('sub done')
  })

  it('answers hooks with what it took, as other clients do', async () => {
    const opened = await openAgent({
      turns: [{ tools: [task('general-purpose')], usage: { inputTokens: 1, outputTokens: 1 } }],
      agents: {
        'general-purpose': {
          turns: [
            { tools: [{ name: 'Glob', input: { pattern: '*' } }], usage: { inputTokens: 100, outputTokens: 10 } },
            { text: 'sub done', usage: { inputTokens: 200, outputTokens: 20 } },
          ],
        },
      },
    })
    const result = await opened.agent.run('Go')
    await opened.agent.close()
    const after = loggedEvents(opened).find(
      ({ input }) => input.hook_event_name === 'PostToolUse' && input.tool_name === 'Task',
    )
    expect(after?.input.tool_response).toEqual({
      status: 'completed',
      prompt: 'Work as general-purpose',
      agentId: expect.stringMatching(/^a/),
      content: [{ type: 'text', text: 'sub done' }],
      totalDurationMs: expect.any(Number),
      totalTokens: 330,
      totalToolUseCount: 1,
      usage: { input_tokens: 300, output_tokens: 30 },
    })
    expect(result.usage.inputTokens).toBeGreaterThanOrEqual(301)
  })

  it('uses the model that the call, then its file asks for, and the session’s where the host knows no other', async () => {
    const asked: string[] = []
    const world = await makeWorld({ 'project/.claude/agents/review.md': REVIEWER })
    const turns = [{ tools: [task('reviewer'), task('reviewer', { model: 'opus' }), task('general-purpose')] }]
    const plain = await openAgent({ turns }, { world })
    const model = {
      name: 'other',
      contextWindow: 1000,
      async *stream() {
        yield { type: 'text', text: 'from the other model' } as const
        yield { type: 'end', usage: { inputTokens: 1, outputTokens: 1 }, cutShort: false } as const
      },
    }
    const modelOf = async (name: string) => {
      asked.push(name)
      return model
    }
    const choosing = await openAgent({ turns }, { world, modelOf })
    await plain.agent.run('Go')
    await choosing.agent.run('Go')
    expect(askedOf(plain, 'reviewer')).toHaveLength(2)
    expect(asked.toSorted()).toEqual(['haiku', 'opus'])
    expect(askedOf(choosing, 'reviewer')).toHaveLength(0)
    expect(askedOf(choosing, 'general-purpose')).toHaveLength(1)
    expect(readIn(askedOf(choosing, null)[1])).toContain('from the other model')
  })

  it('starts others down to the depth that is allowed, and is told so', async () => {
    const chain = Object.fromEntries(
      ['one', 'two', 'three'].map((name, at, all) => [name, { turns: [{ tools: [task(all[at + 1] ?? 'four')] }] }]),
    )
    const agents = Object.fromEntries(
      ['one', 'two', 'three', 'four'].map((name) => [name, { description: name, prompt: name }]),
    )
    const opened = await openAgent({ turns: [{ tools: [task('one')] }], agents: chain }, { agents, maxAgentDepth: 2 })
    await opened.agent.run('Go')
    expect(askedOf(opened, 'two')).toHaveLength(2)
    expect(askedOf(opened, 'three')).toHaveLength(0)
    expect(readIn(askedOf(opened, 'two')[1])).toContain('Agents can be nested 2 deep, and you are that deep')
  })

  it('fails the call, and not the turn, when its model fails', async () => {
    const opened = await openAgent({
      turns: [{ tools: [task('general-purpose')] }, { text: 'Then not.' }],
      agents: { 'general-purpose': { turns: [{ error: 'overloaded' }] } },
    })
    expect(await opened.agent.run('Go')).toMatchObject({ success: true, text: 'Then not.' })
    expect(readIn(askedOf(opened, null)[1])).toContain('The general-purpose agent failed: overloaded')
  })

  it('is offered beside tools of the host’s own only when the host names agents', async () => {
    const alone = await openAgent({}, { tools: [] })
    const named = await openAgent({}, { tools: [], agents: {} })
    const without = await openAgent({}, { disallowedTools: ['Task', 'SendMessage'] })
    for (const { agent } of [alone, named, without]) await agent.run('Hello')
    const offered = (opened: typeof alone): string[] => opened.requests[0]?.tools.map(({ name }) => name) ?? []
    expect(offered(alone)).toEqual([])
    expect(offered(named)).toEqual(['Task', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet', 'SendMessage'])
    expect(offered(without)).not.toContain('Task')
    expect(offered(without)).toContain('TaskList')
  })
})

describe('permission', () => {
  it('is not needed to start a subagent, and plan mode holds inside it', async () => {
    const opened = await openAgent(
      {
        turns: [{ tools: [task('general-purpose')] }],
        agents: { 'general-purpose': { turns: [{ tools: [bash('touch x')] }] } },
      },
      { permissionMode: 'plan', allowedTools: ['Bash'] },
    )
    await opened.agent.run('Go')
    expect(askedOf(opened, 'general-purpose')).toHaveLength(2)
    expect(readIn(askedOf(opened, 'general-purpose')[1])).toContain('plan')
    expect(existsSync(join(opened.world.project, 'x'))).toBe(false)
  })

  it('may be denied for one kind of agent, teammates of that kind included', async () => {
    const opened = await openAgent(
      { turns: [{ tools: [task('one'), task('one', { name: 'Ada' }), task('two')] }] },
      {
        agents: { one: { description: '1', prompt: '1' }, two: { description: '2', prompt: '2' } },
        disallowedTools: ['Task(one)'],
      },
    )
    await opened.agent.run('Go')
    expect(askedOf(opened, 'one')).toHaveLength(0)
    expect(askedOf(opened, 'two')).toHaveLength(1)
  })
})

describe('siblings', () => {
  it('run side by side: each waits for the other’s file', async () => {
    const waiting = (own: string, other: string): string => `touch ${own}; ${until(other)} && echo met`
    const agents = {
      left: { description: 'l', prompt: 'l' },
      right: { description: 'r', prompt: 'r' },
    }
    const opened = await openAgent(
      {
        turns: [{ tools: [task('left'), task('right')] }],
        agents: {
          left: { turns: [{ tools: [bash(waiting('l', 'r'))] }, { text: 'left met right' }] },
          right: { turns: [{ tools: [bash(waiting('r', 'l'))] }, { text: 'right met left' }] },
        },
      },
      { agents, allowedTools: ['Bash'] },
    )
    await opened.agent.run('Meet')
    expect(readIn(askedOf(opened, 'left')[1])).toContain('met')
    expect(textsOf(askedOf(opened, null)[1]?.messages.at(-1))).toEqual(['left met right', 'right met left'])
  })
})

describe('ending', () => {
  it('a halt inside a subagent ends that subagent alone; its reason is not for the model', async () => {
    const halt = `echo '{"continue":false,"stopReason":"SECRET-REASON"}'`
    const opened = await openAgent(
      {
        turns: [{ tools: [task('general-purpose')] }, { text: 'Going on.' }],
        agents: { 'general-purpose': { turns: [{ tools: [bash('touch never')] }, { text: 'not reached' }] } },
      },
      { world: await worldWithHooks({ PreToolUse: [{ matcher: 'Bash', ...commands(halt) }] }), allowedTools: ['Bash'] },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ success: true, text: 'Going on.' })
    expect(askedOf(opened, 'general-purpose')).toHaveLength(1)
    const told = readIn(askedOf(opened, null)[1])
    expect(told).toContain('The general-purpose agent was stopped by a hook before it was done.')
    expect(told).not.toContain('SECRET-REASON')
    expect(opened.told().user).toContain('SECRET-REASON')
  })

  it('an interruption ends every agent at every depth', async () => {
    const controller = new AbortController()
    const agents = { outer: { description: 'o', prompt: 'o' }, inner: { description: 'i', prompt: 'i' } }
    const opened = await openAgent(
      {
        turns: [{ tools: [task('outer'), task('outer')] }],
        agents: {
          outer: { turns: [{ tools: [task('inner')] }] },
          inner: { turns: [{ tools: [bash('touch began; sleep 60')] }] },
        },
      },
      {
        agents,
        allowedTools: ['Bash'],
        onEvent: (event) => {
          if (event.type === 'tool_started' && event.name === 'Bash') controller.abort()
        },
      },
    )
    expect(await opened.agent.run('Go', { signal: controller.signal })).toMatchObject({ subtype: 'error_interrupted' })
    expect(askedOf(opened, null)).toHaveLength(1)
    expect(askedOf(opened, 'outer').length).toBeLessThanOrEqual(2)
  })

  it('a halt of the parent ends the subagents beside it', async () => {
    const halt = `${until('began')}; echo '{"continue":false,"stopReason":"enough"}'`
    const opened = await openAgent(
      {
        turns: [{ tools: [task('general-purpose'), { name: 'Glob', input: { pattern: '*' } }] }],
        agents: { 'general-purpose': { turns: [{ tools: [bash('touch began; sleep 60')] }, { text: 'not reached' }] } },
      },
      {
        world: await worldWithHooks({ PostToolUse: [{ matcher: 'Glob', ...commands(halt) }] }),
        allowedTools: ['Bash'],
      },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ subtype: 'error_stopped_by_hook', error: 'enough' })
    expect(askedOf(opened, 'general-purpose')).toHaveLength(1)
  })

  it('a person who interrupts at a subagent’s question interrupts the whole turn', async () => {
    const opened = await openAgent(
      {
        turns: [{ tools: [task('general-purpose')] }, { text: 'not reached' }],
        agents: { 'general-purpose': { turns: [{ tools: [bash('touch never')] }] } },
      },
      { dialog: async () => ({ behavior: 'deny', interrupt: true }) },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ subtype: 'error_interrupted' })
    expect(askedOf(opened, null)).toHaveLength(1)
  })
})
