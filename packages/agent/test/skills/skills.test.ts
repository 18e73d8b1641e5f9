import { existsSync } from 'node:fs'
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import { bash, type Opening, openAgent, textsOf } from '../support/opened-agent.ts'

const review = `---
name: review
description: How code is reviewed here
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: "echo reviewers run nothing >&2; exit 2"
---
# Review

Look at $ARGUMENTS first.
`

const load = (skill: string, args?: string) => ({
  name: 'Skill',
  input: { skill, ...(args === undefined ? {} : { args }) },
  id: `toolu_${skill}`,
})

function worldWith(text = review): Promise<World> {
  return makeWorld({ 'project/.claude/skills/review/SKILL.md': text })
}

const stopping = `---
hooks:
  Stop:
    - hooks:
        - type: command
          command: echo stopped >>stopped
---
# Review
`

const allowedTools = ['Bash']

describe('a skill', () => {
  it('is offered by name and description, and its text is read when it is loaded', async () => {
    const world = await worldWith()
    const { agent, requests } = await openAgent({ turns: [{ tools: [load('review', 'src/a.ts')] }] }, { world })
    await agent.run('Review.')
    const spec = requests[0]?.tools.find(({ name }) => name === 'Skill')
    expect(spec?.description).toContain('- review: How code is reviewed here')
    const folder = join(world.project, '.claude', 'skills', 'review')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual([
      `Base folder of this skill: ${folder}\n\n# Review\n\nLook at src/a.ts first.`,
    ])
  })

  it('has hooks that run from the moment it is loaded, also for calls of the same answer, until the session ends', async () => {
    const script = { turns: [{ tools: [bash('echo one', 'before'), load('review'), bash('echo two', 'after')] }] }
    const { agent, requests } = await openAgent(script, { world: await worldWith(), allowedTools })
    await agent.run('Review.')
    const results = requests[1]?.messages.at(-1)?.content.filter(({ type }) => type === 'tool_result')
    expect(results).toMatchObject([
      { tool_use_id: 'before', content: expect.stringContaining('one') },
      { tool_use_id: 'toolu_review' },
      { tool_use_id: 'after', is_error: true, content: expect.stringContaining('reviewers run nothing') },
    ])
    await agent.run('And again.')
    expect(
      agent.engine.explain({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} }).hooks,
    ).toMatchObject([{ scope: 'skill', verdict: 'ran' }])
  })

  it('that a subagent loads has hooks for the calls of that subagent alone', async () => {
    const task = { description: 'Review', prompt: 'Review.', subagent_type: 'general-purpose' }
    const script = {
      turns: [{ tools: [{ name: 'Task', input: task, id: 'toolu_task' }] }, { tools: [bash('echo by the main one')] }],
      agents: { 'general-purpose': { turns: [{ tools: [load('review')] }, { tools: [bash('echo by the other')] }] } },
    }
    const { agent, requests } = await openAgent(script, { world: await worldWith(), allowedTools: ['Bash', 'Task'] })
    await agent.run('Review.')
    const last = (agentType: string | null): string =>
      textsOf(requests.findLast((request) => request.agentType === agentType)?.messages.at(-1)).join()
    expect(last('general-purpose')).toContain('reviewers run nothing')
    expect(last(null)).toContain('by the main one')
  })

  it('that a subagent loads has a Stop hook that runs neither there nor in the main loop, and the user is told once', async () => {
    const world = await worldWith(stopping)
    const task = { description: 'Review', prompt: 'Review.', subagent_type: 'general-purpose' }
    const turns = [{ tools: [load('review')] }, { text: 'Reviewed.' }]
    const script = {
      turns: [
        { tools: [{ name: 'Task', input: task, id: 'a' }] },
        { tools: [{ name: 'Task', input: task, id: 'b' }] },
        { text: 'Done.' },
      ],
      agents: { 'general-purpose': { turns: [...turns, ...turns] } },
    }
    const { agent, events, told } = await openAgent(script, { world, allowedTools: ['Task'] })
    expect(await agent.run('Review.')).toMatchObject({ success: true, text: 'Done.' })
    const fired = events.flatMap((event) =>
      event.type === 'hook' && event.progress.type === 'decision' && /Stop$/.test(event.event) ? [event] : [],
    )
    expect(fired.map(({ event }) => event)).toEqual(['SubagentStop', 'SubagentStop', 'Stop'])
    expect(existsSync(join(world.project, 'stopped'))).toBe(false)
    expect(told().user).toEqual([
      expect.stringMatching(
        /SKILL\.md:\d+ {2}This Stop hook does not run in a subagent: that ends with SubagentStop\./,
      ),
    ])
  })

  it('that the main agent loads has a Stop hook that runs when that stops, not when its subagents do', async () => {
    const world = await worldWith(stopping)
    const task = { description: 'Work', prompt: 'Work.', subagent_type: 'general-purpose' }
    const script = {
      turns: [{ tools: [load('review')] }, { tools: [{ name: 'Task', input: task, id: 'a' }] }, { text: 'Done.' }],
      agents: { 'general-purpose': { turns: [{ text: 'Worked.' }] } },
    }
    const { agent, told } = await openAgent(script, { world, allowedTools: ['Task'] })
    await agent.run('Review.')
    expect(await readFile(join(world.project, 'stopped'), 'utf8')).toBe('stopped\n')
    expect(told().user).toEqual([])
  })

  it('has a hook with once run one time', async () => {
    const once = review.replace('command: "', 'once: true\n          command: "')
    const script = {
      turns: [{ tools: [load('review')] }, { tools: [bash('echo one', 'a')] }, { tools: [bash('echo two', 'b')] }],
    }
    const { agent, requests } = await openAgent(script, { world: await worldWith(once), allowedTools })
    await agent.run('Review.')
    expect(textsOf(requests[2]?.messages.at(-1)).join()).toContain('reviewers run nothing')
    expect(textsOf(requests[3]?.messages.at(-1)).join()).toContain('two')
  })

  describe('with a once hook that has run', () => {
    const once = review.replace('command: "', 'once: true\n          command: "')

    /** Loads the skill, and lets its hook run. */
    async function spentIn(world: World) {
      const { agent } = await openAgent(
        { turns: [{ tools: [load('review'), bash('echo one')] }] },
        { world, allowedTools },
      )
      expect((await agent.run('Review.')).messages.flatMap(textsOf).join()).toContain('reviewers run nothing')
      await agent.close()
      return agent
    }

    /** What the model reads of a call then. */
    async function laterCall(options: Opening, tools = [bash('echo two')]) {
      const { agent, requests, told } = await openAgent({ turns: [{ tools }] }, { allowedTools, ...options })
      await agent.run('Go on.')
      await agent.close()
      return { text: textsOf(requests[1]?.messages.at(-1)).join(), told: told().user.join() }
    }

    it('does not run it again when the session is resumed, also when the skill is loaded again', async () => {
      const world = await worldWith(once)
      const { sessionId, transcriptPath } = await spentIn(world)
      const kept = transcriptPath.replace(/\.jsonl$/, '/once.json')
      expect((await stat(kept)).mode & 0o777).toBe(0o600)
      expect(await readFile(kept, 'utf8')).not.toContain('reviewers')
      expect((await laterCall({ world, resume: sessionId })).text).toBe('two')
      const again = [load('review'), bash('echo three')]
      expect((await laterCall({ world, resume: 'newest' }, again)).text).toMatch(/three$/)
    })

    it('runs it in another session', async () => {
      const world = await worldWith(once)
      await spentIn(world)
      await spentIn(world)
    })

    it('runs it in the session that /clear begins', async () => {
      const world = await worldWith(once)
      const { sessionId } = await spentIn(world)
      const script = { turns: [{ tools: [load('review'), bash('echo two')] }] }
      const { agent, requests } = await openAgent(script, { world, allowedTools, resume: sessionId })
      await agent.clear()
      await agent.run('Review.')
      expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('reviewers run nothing')
    })

    it('runs it when the hook was edited before the session is resumed', async () => {
      const world = await worldWith(once)
      const { sessionId } = await spentIn(world)
      await put(world, 'project/.claude/skills/review/SKILL.md', once.replace('run nothing', 'run still less'))
      expect((await laterCall({ world, resume: sessionId })).text).toContain('reviewers run still less')
    })

    it.each(['{"spent": 7}', 'null', '{"spent": [7]}', '{"spe'])(
      'runs it, and says so, when %s is kept of it',
      async (text) => {
        const world = await worldWith(once)
        const { sessionId, transcriptPath } = await spentIn(world)
        await writeFile(transcriptPath.replace(/\.jsonl$/, '/once.json'), text)
        const { text: read, told } = await laterCall({ world, resume: sessionId })
        expect(read).toContain('reviewers run nothing')
        expect(told).toMatch(/Hooks with "once" that have run in this session run again: .*once\.json is not/)
      },
    )

    it('runs it, and says so, when what is kept of it may be written by others', async () => {
      const world = await worldWith(once)
      const { sessionId, transcriptPath } = await spentIn(world)
      await chmod(transcriptPath.replace(/\.jsonl$/, '/once.json'), 0o666)
      const { text, told } = await laterCall({ world, resume: sessionId })
      expect(text).toContain('reviewers run nothing')
      expect(told).toContain('once.json may be written by others.')
    })
  })

  it('of a folder that was not accepted is read, and its hooks do not run', async () => {
    const script = { turns: [{ tools: [load('review')] }, { tools: [bash('echo one')] }] }
    const { agent, requests } = await openAgent(script, { world: await worldWith(), allowedTools, trust: 'stored' })
    await agent.run('Review.')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('# Review')
    expect(textsOf(requests[2]?.messages.at(-1)).join()).toContain('one')
  })

  it('has its hooks again in a session that is resumed', async () => {
    const world = await worldWith()
    const first = await openAgent({ turns: [{ tools: [load('review'), load('revue')] }] }, { world })
    await first.agent.run('Review.')
    await first.agent.close()
    const script = { turns: [{ tools: [bash('echo one')] }] }
    const { agent, requests } = await openAgent(script, { world, allowedTools, resume: first.agent.sessionId })
    await agent.run('Go on.')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('reviewers run nothing')
  })

  it('that nobody has is a failed call that names those that there are', async () => {
    const { agent, requests } = await openAgent({ turns: [{ tools: [load('revue')] }] }, { world: await worldWith() })
    await agent.run('Review.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['There is no skill "revue". Skills: review.'])
  })

  it('comes from the project, the user and plugins, in this order, and may be kept from the model', async () => {
    const world = await makeWorld({
      'project/.claude/skills/same/SKILL.md': '---\ndescription: of the project\n---\nx',
      'home/.claude/skills/same/SKILL.md': '---\ndescription: of the user\n---\nx',
      'home/.claude/skills/mine/SKILL.md': '# Mine alone\n',
      'home/.claude/skills/hidden/SKILL.md': '---\ndisable-model-invocation: true\n---\nx',
      'kit/skills/cut/SKILL.md': '---\nname: cut\ndescription: of the plugin\n---\nx',
    })
    const { agent, requests } = await openAgent({}, { world, plugins: [join(world.root, 'kit')] })
    await agent.run('Hello.')
    const spec = requests[0]?.tools.find(({ name }) => name === 'Skill')
    expect(spec?.description.split('\n').slice(1)).toEqual([
      '- same: of the project',
      '- mine: Mine alone',
      '- kit:cut: of the plugin',
    ])
  })

  it('may be a link to a folder elsewhere', async () => {
    const world = await makeWorld({
      'shared/tidy/SKILL.md': '# Tidy\n',
      'home/.claude/skills/mine/SKILL.md': '# Mine\n',
    })
    await symlink(join(world.root, 'shared', 'tidy'), join(world.home, '.claude', 'skills', 'tidy'))
    const { agent, requests } = await openAgent({}, { world })
    await agent.run('Hello.')
    expect(requests[0]?.tools.find(({ name }) => name === 'Skill')?.description).toContain('- tidy: Tidy')
  })

  it('whose hooks cannot be read is told of, and offered with its text', async () => {
    const { agent, requests, told } = await openAgent(
      {},
      { world: await worldWith('---\nhooks: b: c\n---\n# Still here\n') },
    )
    await agent.run('Hello.')
    expect(told().user.join()).toContain('its hooks cannot be read (line 2): not YAML')
    expect(requests[0]?.tools.find(({ name }) => name === 'Skill')?.description).toContain('- review: Still here')
  })
})

describe('a session without skills', () => {
  it('has no tool for them', async () => {
    const { agent, requests } = await openAgent({})
    await agent.run('Hello.')
    expect(requests[0]?.tools.map(({ name }) => name)).not.toContain('Skill')
  })
})
