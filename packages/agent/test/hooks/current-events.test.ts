import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { startModelServer } from 'hookline/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import { chooseModel } from '../../src/models/choose-model.ts'
import { config, realServer, smallServer } from '../mcp/support.ts'
import { environment } from '../support/command.ts'
import { hooked, modelReads, nothing, specific } from '../support/current.ts'
import { bash } from '../support/opened-agent.ts'
import { makeRepository } from '../support/repository.ts'

const read = (path: string, id = 'toolu_1') => ({ name: 'Read', input: { file_path: path }, id })

describe('instructions', () => {
  const files = {
    'home/.claude/CLAUDE.md': 'Speak plainly.',
    'project/CLAUDE.md': 'Use tabs. See @docs/style.md and @nowhere.md, not `@docs/secret.md`.',
    'project/docs/style.md': 'Short sentences.',
    'project/docs/secret.md': 'hidden',
    'project/AGENTS.md': 'Run the tests.',
    'project/CLAUDE.local.md': 'Ada works here.',
    'project/.claude/rules/always.md': 'Always.',
    'project/.claude/rules/styles.md': '---\npaths: "**/*.css"\n---\nUse variables.',
    'project/web/CLAUDE.md': 'The web part.',
    'project/web/a.css': 'a {}',
    'project/web/b.css': 'b {}',
  }

  it('are read with the session, from nested folders and by pattern, each once, and hooks hear of every file', async () => {
    const world = await makeWorld(files)
    const turns = [{ tools: [read('web/a.css')] }, { tools: [read('web/b.css', 'toolu_2')] }, { text: 'Seen.' }]
    const opened = await hooked(turns, [['InstructionsLoaded', nothing]], { world })
    await opened.agent.run('Look')
    const told = opened.seen.map(({ file_path, load_reason, memory_type }) => [
      String(file_path).replace(`${world.root}/`, ''),
      load_reason,
      memory_type,
    ])
    expect(told.slice(0, 6).sort()).toEqual([
      ['home/.claude/CLAUDE.md', 'session_start', 'User'],
      ['project/.claude/rules/always.md', 'session_start', 'Project'],
      ['project/AGENTS.md', 'session_start', 'Project'],
      ['project/CLAUDE.local.md', 'session_start', 'Local'],
      ['project/CLAUDE.md', 'session_start', 'Project'],
      ['project/docs/style.md', 'include', 'Project'],
    ])
    expect(told.slice(6)).toEqual([
      ['project/web/CLAUDE.md', 'nested_traversal', 'Project'],
      ['project/.claude/rules/styles.md', 'path_glob_match', 'Project'],
    ])
    expect(opened.seen.at(-1)).toMatchObject({
      globs: ['**/*.css'],
      trigger_file_path: join(world.project, 'web/a.css'),
    })
    const { system = '' } = opened.requests[0] ?? {}
    for (const text of ['Speak plainly.', 'Short sentences.', 'Run the tests.', 'Always.'])
      expect(system).toContain(text)
    expect(system).not.toContain('hidden')
    expect(modelReads(opened).split('The web part.')).toHaveLength(2)
  })

  it('are told of again after a compaction', async () => {
    const world = await makeWorld({ 'project/CLAUDE.md': 'Use tabs.' })
    const opened = await hooked([{ text: 'Hi.' }], [['InstructionsLoaded', nothing]], { world })
    await opened.agent.run('Hello')
    await opened.agent.compact()
    expect(opened.seen.map(({ load_reason }) => load_reason)).toEqual(['session_start', 'compact'])
  })

  it('stay AGENTS.md or CLAUDE.md under classic', async () => {
    const opened = await hooked([{ text: 'Hi.' }], [], { world: await makeWorld(files), profile: 'classic' })
    await opened.agent.run('Hello')
    const { system = '' } = opened.requests[0] ?? {}
    expect(system).toContain('Run the tests.')
    expect(system).not.toContain('Use tabs.')
  })
})

describe('a command that changes the folder', () => {
  it('takes the session with it, and hooks hear of it', async () => {
    const world = await makeWorld({ 'project/src/a.txt': 'found' })
    const turns = [
      { tools: [bash('cd src && touch b.txt')] },
      { tools: [bash('pwd; cat a.txt', 'toolu_2')] },
      { tools: [bash('cd /; exit 3', 'toolu_3')] },
      { tools: [read('a.txt', 'toolu_4')] },
    ]
    const opened = await hooked(
      turns,
      [
        ['CwdChanged', nothing],
        ['PreToolUse', nothing],
      ],
      { world },
    )
    await opened.agent.run('Go')
    await opened.agent.close()
    const moved = opened.seen.filter(({ hook_event_name }) => hook_event_name === 'CwdChanged')
    expect(moved).toMatchObject([{ old_cwd: world.project, new_cwd: join(world.project, 'src') }])
    expect(modelReads(opened)).toContain(`${join(world.project, 'src')}\nfound`)
    expect(modelReads(opened)).toContain('is outside of the project')
    expect(opened.seen.findLast(({ tool_name }) => tool_name === 'Read')).toMatchObject({
      tool_input: { file_path: join(world.project, 'src/a.txt') },
      cwd: join(world.project, 'src'),
    })
  })
})

describe('a watched file', () => {
  it('is told of when it appears, changes and goes: those of matchers, and those that hooks ask for', async () => {
    const world = await makeWorld({ 'project/watched.txt': 'one' })
    const opened = await hooked(
      [{ text: 'Hi.' }],
      [
        ['SessionStart', () => specific('SessionStart', { watchPaths: [join(world.project, 'watched.txt')] })],
        ['FileChanged', nothing],
      ],
      { world },
    )
    const heard = async (count: number): Promise<unknown[]> => {
      const changes = () => opened.seen.filter(({ hook_event_name }) => hook_event_name === 'FileChanged')
      for (const end = performance.now() + 20_000; changes().length < count; ) {
        if (performance.now() > end) throw new Error('no change was heard of within 20 s')
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return changes().map(({ event }) => event)
    }
    await writeFile(join(world.project, 'watched.txt'), 'other')
    await writeFile(join(world.project, 'beside.txt'), 'nobody asked')
    expect(await heard(1)).toEqual(['change'])
    await rm(join(world.project, 'watched.txt'))
    expect(await heard(2)).toEqual(['change', 'unlink'])
    await writeFile(join(world.project, 'watched.txt'), 'again')
    expect(await heard(3)).toEqual(['change', 'unlink', 'add'])
  })
})

describe('an edit of settings', () => {
  const settings = (world: World): string => join(world.home, '.claude/settings.json')
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'echo live >"$CLAUDE_PROJECT_DIR"/mark' }] }] }

  it.each([
    [false, true],
    [true, false],
  ])('is told of before it counts; a hook that blocks (%s) keeps it from counting', async (blocks, counts) => {
    const world = await makeWorld({ 'home/.claude/settings.json': {} })
    const answer = () => (blocks ? { decision: 'block' } : null)
    const opened = await hooked([{ text: 'Hi.' }], [['ConfigChange', answer]], { world, liveSettings: true })
    await writeFile(settings(world), JSON.stringify({ hooks }))
    await opened.agent.run('Go')
    expect(opened.seen).toMatchObject([{ source: 'user_settings', file_path: settings(world) }])
    expect(existsSync(join(world.project, 'mark'))).toBe(counts)
  })

  it('is told of while nothing else goes on, and so is a skill that is written then', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': {}, 'home/.claude/skills/one/SKILL.md': 'One.' })
    const opened = await hooked([], [['ConfigChange', nothing]], { world })
    const heard = async (source: string): Promise<void> => {
      for (const end = performance.now() + 20_000; !opened.seen.some((input) => input.source === source); ) {
        if (performance.now() > end) throw new Error(`${source} was not told of within 20 s`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    await writeFile(settings(world), JSON.stringify({ hooks }))
    await heard('user_settings')
    await put(world, 'home/.claude/skills/two/SKILL.md', 'Two.')
    await heard('skills')
    await writeFile(join(world.home, '.claude/other.json'), '{}')
    await opened.agent.close()
    expect(opened.seen.map(({ file_path }) => basename(String(file_path)))).toEqual(['settings.json', 'SKILL.md'])
  })

  it('of a skill makes it be read again, unless a hook blocks that', async () => {
    const world = await makeWorld({ 'home/.claude/skills/one/SKILL.md': '---\ndescription: First\n---\nOne.' })
    const opened = await hooked([{ text: 'Hi.' }], [['ConfigChange', nothing]], { world, liveSettings: true })
    await put(world, 'home/.claude/skills/two/SKILL.md', '---\ndescription: Second\n---\nTwo.')
    await opened.agent.run('Go')
    expect(opened.seen).toMatchObject([{ source: 'skills' }])
    expect(opened.requests[0]?.tools.find(({ name }) => name === 'Skill')?.description).toContain('- two: Second')
  })
})

describe('a model that judges calls', () => {
  const verdict = (allow: boolean) => ({ text: JSON.stringify({ allow, reason: 'It was not asked for.' }) })
  const run = async (turns: { text: string }[], answer: object | null = null) => {
    const script = { turns: [{ tools: [bash('touch mark')] }], agents: { classifier: { turns } } }
    const opened = await hooked(script, [['PermissionDenied', () => answer]], {
      permissionMode: 'auto',
      allowedTools: [],
    })
    const result = await opened.agent.run('Go')
    return { ...opened, result, made: existsSync(join(opened.world.project, 'mark')) }
  }

  it('allows what it finds harmless', async () => {
    expect(await run([verdict(true)])).toMatchObject({ made: true, seen: [] })
  })

  it('denies the rest, of which hooks hear, who may let the model try again', async () => {
    const denied = await run([verdict(false)], specific('PermissionDenied', { retry: true }))
    expect(denied).toMatchObject({
      made: false,
      seen: [{ tool_name: 'Bash', tool_use_id: 'toolu_1', reason: 'It was not asked for.', permission_mode: 'auto' }],
      result: { denials: [{ toolName: 'Bash' }] },
    })
    expect(modelReads(denied)).toContain('The PermissionDenied hook indicated you may retry this tool call.')
  })

  it('denies what it gives no verdict on', async () => {
    expect(await run([{ text: 'I cannot say.' }])).toMatchObject({
      made: false,
      seen: [{ reason: 'the model that judges calls gave no verdict' }],
    })
  })
})

describe('a worktree', () => {
  const giving = (prompt: string) => ({
    name: 'Task',
    input: { prompt, description: 'x', subagent_type: 'general-purpose', isolation: 'worktree' },
    id: 'toolu_9',
  })
  const script = (command: string) => ({
    turns: [{ tools: [giving('Go')] }, { text: 'Done.' }],
    agents: { 'general-purpose': { turns: [{ tools: [bash(command)] }, { text: 'There.' }] } },
  })

  it('is made by git for an isolated subagent, and removed unless it holds changes', async () => {
    for (const [command, stays] of [
      ['cat a.txt', false],
      ['touch new.txt', true],
    ] as const) {
      const world = await makeWorld({ 'project/a.txt': 'content' })
      await makeRepository(world)
      const opened = await hooked(script(command), [], { world })
      await opened.agent.run('Go')
      const folder = join(dirname(world.project), `${basename(world.project)}-worktrees`)
      expect(readdirSync(folder)).toHaveLength(stays ? 1 : 0)
      expect(existsSync(join(world.project, 'new.txt'))).toBe(false)
      expect(modelReads(opened).includes('holds changes and stays')).toBe(stays)
    }
  })

  it.each([
    ['cat a.txt', false],
    ['touch new.txt', true],
  ])('is where a whole session works that asks for one: after %s it stays: %s', async (command, stays) => {
    const world = await makeWorld({ 'project/a.txt': 'content' })
    await makeRepository(world)
    const opened = await hooked([{ tools: [bash(command)] }], [['PreToolUse', nothing]], { world, worktree: 'lamps' })
    await opened.agent.run('Go')
    await opened.agent.close()
    const place = join(dirname(world.project), `${basename(world.project)}-worktrees`, 'lamps')
    expect(opened.seen).toMatchObject([{ cwd: place }])
    expect(existsSync(place)).toBe(stays)
    expect(opened.told().user).toEqual(stays ? [`The worktree ${place} holds changes and stays.`] : [])
  })

  it('is made and removed by hooks in its place', async () => {
    const world = await makeWorld({})
    const place = join(world.root, 'made-by-hook')
    await mkdir(place)
    const hooks = {
      WorktreeCreate: [
        { hooks: [{ type: 'command', command: `cat >'${world.root}/create.json'; echo making; echo '${place}'` }] },
      ],
      WorktreeRemove: [{ hooks: [{ type: 'command', command: `cat >'${world.root}/remove.json'; rm -r '${place}'` }] }],
    }
    await put(world, 'project/.claude/settings.json', { hooks })
    const opened = await hooked(script('pwd >where; cat where; rm where'), [], { world })
    await opened.agent.run('Go')
    expect(JSON.parse(readFileSync(join(world.root, 'create.json'), 'utf8'))).toMatchObject({
      name: expect.stringMatching(/^agent-/),
    })
    expect(JSON.parse(readFileSync(join(world.root, 'remove.json'), 'utf8'))).toMatchObject({ worktree_path: place })
    expect(existsSync(place)).toBe(false)
  })

  it('that a hook refuses keeps the subagent from beginning', async () => {
    const world = await makeWorld({})
    const hooks = { WorktreeCreate: [{ hooks: [{ type: 'command', command: "echo 'no room' >&2; exit 1" }] }] }
    await put(world, 'project/.claude/settings.json', { hooks })
    const opened = await hooked(script('touch mark'), [], { world })
    await opened.agent.run('Go')
    expect(modelReads(opened)).toMatch(/Error creating worktree: WorktreeCreate hook failed: .*no room/)
    expect(existsSync(join(world.project, 'mark'))).toBe(false)
  })
})

describe('a question of an MCP server', () => {
  const ask = { name: 'mcp__small__ask', input: {}, id: 'toolu_1' }
  const run = async (hooks: Parameters<typeof hooked>[1], options = {}) => {
    const world = await makeWorld({ 'project/.mcp.json': config({ small: smallServer() }) })
    const opened = await hooked([{ tools: [ask] }], hooks, { world, allowedTools: ['mcp__small'], ...options })
    await opened.agent.run('Go')
    return { ...opened, read: modelReads(opened) }
  }

  it('is answered by a hook in the user’s place, and another one may change what is sent', async () => {
    const answer = (event: string, branch: string) => () => specific(event, { action: 'accept', content: { branch } })
    const once = await run([['Elicitation', answer('Elicitation', 'main')]])
    expect(once.read).toContain('{"action":"accept","content":{"branch":"main"}}')
    expect(once.seen).toMatchObject([{ mcp_server_name: 'small', message: 'Which branch?', mode: 'form' }])
    const twice = await run([
      ['Elicitation', answer('Elicitation', 'main')],
      ['ElicitationResult', answer('ElicitationResult', 'release')],
    ])
    expect(twice.seen[1]).toMatchObject({ action: 'accept', content: { branch: 'main' } })
    expect(twice.read).toContain('release')
  })

  it('is cancelled where there is no user, of which hooks hear', async () => {
    const { seen, read: text } = await run([['ElicitationResult', nothing]])
    expect(seen).toMatchObject([{ mcp_server_name: 'small', action: 'cancel' }])
    expect(text).toContain('{"action":"cancel"}')
  })

  it('tells Notification hooks that it is open, and that it was answered', async () => {
    const elicit = async () => ({ action: 'accept', content: { branch: 'main' } }) as const
    const { seen } = await run([['Notification', nothing]], { elicit })
    expect(seen.map(({ notification_type }) => notification_type)).toEqual([
      'elicitation_dialog',
      'elicitation_response',
    ])
  })
})

describe('a turn that ends by an error', () => {
  const failing = async (
    answers: Parameters<typeof startModelServer>[0],
    hooks: Parameters<typeof hooked>[1],
    options = {},
  ) => {
    const server = await startModelServer(answers)
    onTestFinished(() => server.close())
    const env = { ...environment(), ...server.env }
    const model = await chooseModel('anthropic/claude-sonnet-4-5', { env, cwd: '.' })
    const opened = await hooked({}, hooks, { model, env, ...options })
    return { ...opened, result: await opened.agent.run('Go') }
  }

  it('is told of to StopFailure hooks in place of Stop, with the kind of error', async () => {
    const { seen, result } = await failing(
      [{ status: 401, message: 'no such key' }],
      [
        ['StopFailure', nothing],
        ['Stop', nothing],
      ],
    )
    expect(seen).toMatchObject([
      {
        hook_event_name: 'StopFailure',
        error: 'authentication_failed',
        last_assistant_message: expect.stringContaining('API Error: '),
      },
    ])
    expect(result).toMatchObject({ success: false })
  })
})

describe('a prompt of an MCP server', () => {
  const everything = { command: process.execPath, args: [realServer, 'stdio'] }
  const run = async (typed: string, answer: () => unknown = nothing) => {
    const world = await makeWorld({ 'project/.mcp.json': config({ everything }) })
    const opened = await hooked([{ text: 'Done.' }], [['UserPromptExpansion', answer]], { world })
    return { ...opened, result: await opened.agent.run(typed) }
  }

  it('is a command, of which hooks hear before the server is asked', async () => {
    const opened = await run('/mcp__everything__args-prompt Lisbon')
    expect(opened.result).toMatchObject({ success: true })
    expect(opened.seen).toMatchObject([
      {
        ...{ expansion_type: 'mcp_prompt', command_name: 'mcp__everything__args-prompt', command_args: 'Lisbon' },
        ...{ command_source: 'everything', prompt: '/mcp__everything__args-prompt Lisbon' },
      },
    ])
    expect(modelReads(opened)).toContain('Lisbon')
    expect(modelReads(opened)).not.toContain('/mcp__')
  })

  it('is dropped when a hook blocks it', async () => {
    const opened = await run('/mcp__everything__simple-prompt', () => ({ decision: 'block', reason: 'not today' }))
    expect(opened.result).toMatchObject({ subtype: 'error_prompt_blocked' })
    expect(opened.requests).toEqual([])
  })
})

it('fires Setup before SessionStart, and not when the conversation is cleared', async () => {
  const hooks = ['Setup', 'SessionStart'].map((event) => [event, nothing] as const)
  const { agent, seen } = await hooked([], hooks, { setup: 'maintenance' })
  await agent.clear()
  expect(seen.map(({ hook_event_name, trigger, source }) => [hook_event_name, trigger ?? source])).toEqual([
    ['Setup', 'maintenance'],
    ['SessionStart', 'startup'],
    ['SessionStart', 'clear'],
  ])
})

it('shows calls that could not be made to PostToolBatch hooks alone', async () => {
  const tools = [
    { name: 'Nothing', input: {}, id: 'toolu_1' },
    { name: 'Bash', input: { wrong: true }, id: 'toolu_2' },
  ]
  const events = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch']
  const { agent, seen } = await hooked(
    [{ tools }],
    events.map((event) => [event, nothing] as const),
  )
  await agent.run('Go')
  expect(seen).toMatchObject([
    {
      hook_event_name: 'PostToolBatch',
      tool_calls: [
        { tool_name: 'Nothing', tool_use_id: 'toolu_1', tool_response: expect.stringContaining('There is no tool') },
        { tool_name: 'Bash', tool_use_id: 'toolu_2', tool_input: { wrong: true } },
      ],
    },
  ])
})
