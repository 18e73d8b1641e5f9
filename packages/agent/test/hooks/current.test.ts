import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../hookline/src/protocol/profiles.ts'
import { makeCommonInputSchema } from '../../../hookline/src/protocol/schemas/input.ts'
import { RULE_TABLES } from '../../../hookline/src/protocol/schemas/tables.ts'
import { answering, commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { config, realServer } from '../mcp/support.ts'
import { answeringFor, unlessActive } from '../support/answers.ts'
import { type Hook, hooked, modelReads, nothing, specific } from '../support/current.ts'
import { bash, type Opening, openAgent, textsOf, worldWithHooks } from '../support/opened-agent.ts'

describe('a call that a hook defers', () => {
  const defer = specific('PreToolUse', { permissionDecision: 'defer', permissionDecisionReason: 'Ada decides' })
  const touching = bash('touch mark')
  const giving = {
    name: 'Task',
    input: { subagent_type: 'general-purpose', description: 'x', prompt: 'y' },
    id: 'toolu_9',
  }

  it('ends a run that no user watches, and is left open', async () => {
    const opened = await hooked([{ text: 'I mark it.', tools: [touching] }], [['PreToolUse', () => defer]])
    expect(await opened.agent.run('Go')).toMatchObject({
      success: true,
      subtype: 'success',
      text: 'I mark it.',
      deferred: [{ id: 'toolu_1', name: 'Bash' }],
    })
    expect(existsSync(join(opened.world.project, 'mark'))).toBe(false)
    expect(opened.requests).toHaveLength(1)
    expect(opened.told().user).toContain(
      'Bash is left open: Ada decides. Hooks are asked again when the session goes on.',
    )
    expect((await opened.transcript()).at(-1)).toMatchObject({
      type: 'result',
      stop_reason: 'tool_deferred',
      deferred_tool_use: { id: 'toolu_1', name: 'Bash', input: { command: 'touch mark' } },
    })
  })

  it('is left open also where no profile is chosen', async () => {
    const world = await worldWithHooks({ PreToolUse: [commands(answering(defer))] })
    const { agent } = await openAgent({ turns: [{ tools: [touching] }] }, { world, allowedTools: ['Bash'] })
    expect(await agent.run('Go')).toMatchObject({ success: true, deferred: [{ id: 'toolu_1' }] })
  })

  it('is shown to hooks again before the next prompt, and made when they let it', async () => {
    const answers = [defer, defer, null]
    const opened = await hooked(
      [{ tools: [touching] }, { text: 'Marked.' }],
      [
        ['PreToolUse', () => answers.shift() ?? null],
        ['UserPromptSubmit', nothing],
      ],
    )
    for (let left = 2; left > 0; left--)
      expect(await opened.agent.run('Go')).toMatchObject({ deferred: [{ id: 'toolu_1' }] })
    expect(await opened.agent.run('Go on')).toMatchObject({ success: true, text: 'Marked.' })
    expect(opened.seen.map(({ hook_event_name, tool_use_id }) => tool_use_id ?? hook_event_name)).toEqual([
      'UserPromptSubmit',
      'toolu_1',
      'toolu_1',
      'toolu_1',
      'UserPromptSubmit',
    ])
    expect(existsSync(join(opened.world.project, 'mark'))).toBe(true)
    expect(opened.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_1' },
      { type: 'text', text: 'Go on' },
    ])
  })

  it('is made by a session that is resumed', async () => {
    const first = await hooked(
      [{ tools: [touching, bash('touch other', 'toolu_2')] }],
      [['PreToolUse', ({ tool_use_id }) => (tool_use_id === 'toolu_1' ? defer : null)]],
    )
    await first.agent.run('Go')
    await first.agent.close()
    const { world } = first
    const later = await hooked([{ text: 'Marked.' }], [['PreToolUse', nothing]], {
      world,
      resume: first.agent.sessionId,
    })
    expect(await later.agent.run('Go on')).toMatchObject({ text: 'Marked.' })
    expect(later.seen).toMatchObject([{ tool_use_id: 'toolu_1', tool_input: { command: 'touch mark' } }])
    expect([existsSync(join(world.project, 'mark')), existsSync(join(world.project, 'other'))]).toEqual([true, false])
    const results = later.requests[0]?.messages.at(-1)?.content.filter(({ type }) => type === 'tool_result')
    expect(results).toHaveLength(2)
    expect(results).toContainEqual(expect.objectContaining({ tool_use_id: 'toolu_2', is_error: true }))
  })

  it('has a result when the conversation is compacted instead', async () => {
    const opened = await hooked(
      [{ tools: [touching] }, { text: 'Summary.' }, { text: 'Fine.' }],
      [['PreToolUse', () => defer]],
    )
    await opened.agent.run('Go')
    expect(await opened.agent.compact()).toBeNull()
    expect(await opened.agent.run('Go on')).toMatchObject({ success: true })
    expect(modelReads(opened)).not.toContain('touch mark')
    expect(existsSync(join(opened.world.project, 'mark'))).toBe(false)
  })

  it.each([
    ['a user watches', { dialog: async () => ({ behavior: 'allow' }) as const }, { turns: [{ tools: [touching] }] }],
    [
      'a subagent makes it',
      {},
      { turns: [{ tools: [giving] }], agents: { 'general-purpose': { turns: [{ tools: [touching] }] } } },
    ],
  ])('is refused where %s, and the agent goes on', async (_where, options, script) => {
    const answer: Hook[1] = ({ tool_name }) => (tool_name === 'Bash' ? defer : null)
    const opened = await hooked(script, [['PreToolUse', answer]], options)
    expect(await opened.agent.run('Go')).toMatchObject({ success: true })
    expect(existsSync(join(opened.world.project, 'mark'))).toBe(false)
    const read = opened.requests.flatMap(({ messages }) => messages.flatMap(textsOf)).join('\n')
    expect(read).toContain('Ada decides: the call was deferred, and this host cannot leave a call open.')
  })
})

describe('what hooks are given under current', () => {
  it('has the id of the prompt, the mode, the time of tools and the last message where they belong', async () => {
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop']
    const hooks = [...events, 'PreCompact', 'SessionEnd'].map((event): Hook => [event, nothing])
    const { agent, seen } = await hooked(
      [{ tools: [bash('true'), bash('false', 'toolu_2')] }, { text: 'Done.' }, { text: 'Summary.' }],
      hooks,
    )
    await agent.run('Go')
    await agent.compact()
    await agent.close()
    const [started, ...later] = seen
    expect(started).toMatchObject({ hook_event_name: 'SessionStart' })
    expect(started).not.toHaveProperty('prompt_id')
    expect(new Set(later.map(({ prompt_id }) => prompt_id)).size).toBe(1)
    expect(later[0]?.prompt_id).toMatch(/^[0-9a-f]{8}-/)
    const withMode = seen.filter((input) => 'permission_mode' in input).map(({ hook_event_name }) => hook_event_name)
    expect(new Set(withMode)).toEqual(new Set(events.slice(1)))
    const of = (event: string) => seen.find(({ hook_event_name }) => hook_event_name === event)
    expect(of('PostToolUse')).toHaveProperty('duration_ms', expect.any(Number))
    expect(of('PostToolUseFailure')).toHaveProperty('duration_ms', expect.any(Number))
    expect(of('Stop')).toMatchObject({ last_assistant_message: 'Done.', background_tasks: [], session_crons: [] })
    expect(of('PreCompact')).toMatchObject({ trigger: 'manual', custom_instructions: null })
  })

  it('has the fields of its event and no others, inside of a subagent too', async () => {
    const { events } = await loadProfile('current')
    const asked = { subagent_type: 'general-purpose', description: 'x', prompt: 'y' }
    const { agent, seen } = await hooked(
      {
        effort: 'low',
        turns: [{ tools: [bash('true'), { name: 'Task', input: asked, id: 'toolu_2' }] }, { text: 'Done.' }],
        agents: { 'general-purpose': { turns: [{ tools: [bash('false')] }, { text: 'Found.' }] } },
      },
      [...events.keys()].map((event): Hook => [event, nothing]),
    )
    await agent.run('Go')
    await agent.close()
    const ofAll = new Set(['hook_event_name', ...Object.keys(makeCommonInputSchema(RULE_TABLES.current).shape)])
    const strangers = seen.flatMap((input) => {
      const event = String(input.hook_event_name)
      const known = events.get(event)?.inputFields ?? []
      return Object.keys(input).flatMap((field) =>
        ofAll.has(field) || known.includes(field) ? [] : `${event}.${field}`,
      )
    })
    expect(strangers).toEqual([])
    const telling = (field: string) => new Set(seen.flatMap((input) => (field in input ? [input.hook_event_name] : [])))
    expect(telling('agent_transcript_path')).toEqual(new Set(['SubagentStop']))
    const known = seen.filter(({ hook_event_name: name }) => events.get(String(name))?.inputFields.includes('effort'))
    expect(telling('effort')).toEqual(new Set(known.map(({ hook_event_name }) => hook_event_name)))
    expect(telling('effort').size).toBeGreaterThanOrEqual(5)
    expect(seen.find(({ effort }) => effort)?.effort).toEqual({ level: 'low' })
  })

  it.each(['classic', 'current'] as const)(
    'names the server of an MCP tool where %s has a field for it',
    async (profile) => {
      const everything = { command: process.execPath, args: [realServer, 'stdio'] }
      const world = await makeWorld({ 'project/.mcp.json': config({ everything }) })
      const call = { name: 'mcp__everything__echo', input: { message: 'hello' }, id: 'toolu_1' }
      const hooks = ['PreToolUse', 'PermissionRequest', 'PostToolUse'].map((event): Hook => [event, nothing])
      const { agent, seen } = await hooked([{ tools: [call] }], hooks, {
        ...{ world, profile, allowedTools: [] },
        dialog: async () => ({ behavior: 'allow' }),
      })
      await agent.run('Go')
      const told = profile === 'current' ? { name: 'everything', source: 'project' } : undefined
      expect(seen.map(({ mcp_server }) => mcp_server)).toEqual([told, told, told])
    },
  )

  it('names commands that still run when the agent wants to stop', async () => {
    const call = { name: 'Bash', input: { command: 'sleep 60', run_in_background: true }, id: 'toolu_1' }
    const { agent, seen } = await hooked([{ tools: [call] }, { text: 'Started.' }], [['Stop', nothing]])
    await agent.run('Go')
    expect(seen).toMatchObject([{ background_tasks: [{ id: 'bash_1', type: 'shell', command: 'sleep 60' }] }])
  })

  it('has none of that under classic', async () => {
    const hooks = ['UserPromptSubmit', 'PostToolUse', 'Stop'].map((event): Hook => [event, nothing])
    const { agent, seen } = await hooked([{ tools: [bash('true')] }], hooks, { profile: 'classic' })
    await agent.run('Go')
    const fields = new Set(seen.flatMap((input) => Object.keys(input)))
    for (const field of [
      'prompt_id',
      'duration_ms',
      'last_assistant_message',
      'background_tasks',
      'session_crons',
      'effort',
    ])
      expect(fields).not.toContain(field)
  })
})

describe('what hooks of current say', () => {
  it('replaces the output of any tool, which the model reads in the words of the tool', async () => {
    const world = await makeWorld({ 'project/a.txt': 'secret' })
    const file = { filePath: '/a.txt', content: 'hidden', numLines: 1, startLine: 1, totalLines: 1 }
    const opened = await hooked(
      [{ tools: [bash('echo secret'), { name: 'Read', input: { file_path: 'a.txt' }, id: 'toolu_2' }] }],
      [
        [
          'PostToolUse',
          ({ tool_name, tool_response }) =>
            specific('PostToolUse', {
              updatedToolOutput:
                tool_name === 'Bash' ? { ...(tool_response as object), stdout: 'hidden' } : { type: 'text', file },
            }),
        ],
      ],
      { world },
    )
    await opened.agent.run('Go')
    expect(textsOf(opened.requests[1]?.messages.at(-1))).toEqual(['hidden', '     1\thidden'])
    expect(JSON.stringify(await opened.transcript())).not.toContain('"secret"')
  })

  it('sends the agent on by a context when it wants to stop', async () => {
    const opened = await hooked(
      [{ text: 'One.' }, { text: 'Two.' }],
      [
        [
          'Stop',
          ({ stop_hook_active }) =>
            stop_hook_active ? null : specific('Stop', { additionalContext: 'There is a second part.' }),
        ],
      ],
    )
    expect(await opened.agent.run('Go')).toMatchObject({ text: 'Two.' })
    expect(modelReads(opened)).toContain('Stop hook additional context: There is a second part.')
  })

  it('keeps a conversation from being compacted', async () => {
    const hooks = { PreCompact: [commands("echo 'not yet' >&2; exit 2")] }
    const opened = await openAgent(
      { turns: [{ text: 'One.' }] },
      { profile: 'current', world: await worldWithHooks(hooks) },
    )
    await opened.agent.run('Go')
    const failed = await opened.agent.compact()
    expect(failed?.error).toMatch(/^Compaction blocked by PreCompact hook: \[.*\]: not yet$/)
    expect(opened.requests).toHaveLength(1)
    expect(opened.events.some(({ type }) => type === 'compacted')).toBe(false)
  })

  it.each([
    [true, undefined],
    [false, 'Original prompt: my secret'],
  ])('drops a prompt, and shows it beside the reason unless it is suppressed (%s)', async (suppressed, shown) => {
    const opened = await hooked(
      [{}],
      [
        [
          'UserPromptSubmit',
          () => ({
            decision: 'block',
            reason: 'no secrets',
            ...specific('UserPromptSubmit', { suppressOriginalPrompt: suppressed, sessionTitle: 'Secrets' }),
          }),
        ],
      ],
    )
    const result = await opened.agent.run('my secret')
    expect(result).toMatchObject({
      subtype: 'error_prompt_blocked',
      ...(shown === undefined ? { hidesPrompt: true } : {}),
    })
    expect('hidesPrompt' in result).toBe(suppressed)
    expect(opened.requests).toEqual([])
  })

  it('reaches the user as a message, and a title harms nothing', async () => {
    const opened = await hooked(
      [{ tools: [bash('true')] }, { text: 'Done.' }],
      [
        [
          'SessionStart',
          () => specific('SessionStart', { sessionTitle: 'Marks', watchPaths: ['/a'], reloadSkills: true }),
        ],
        [
          'UserPromptSubmit',
          () => ({ systemMessage: 'hello', ...specific('UserPromptSubmit', { sessionTitle: 'Marks' }) }),
        ],
        ['PostToolUse', () => ({ systemMessage: 'done it', terminalSequence: '\u0007' })],
        ['SessionEnd', () => ({ systemMessage: 'unheard' })],
      ],
    )
    expect(await opened.agent.run('Go')).toMatchObject({ success: true, text: 'Done.' })
    await opened.agent.close()
    expect(opened.told().user).toEqual(expect.arrayContaining(['hello', 'done it']))
    expect(opened.told().user).not.toContain('unheard')
  })

  it.each([
    ['UserPromptSubmit', 'UserPromptSubmit'],
    ['PreToolUse', 'PreToolUse:Bash'],
    ['PostToolUse', 'PostToolUse:Bash'],
    ['Stop', 'Stop'],
  ])('tells the model with the next request why %s stopped the turn', async (event, where) => {
    let halts = true
    const opened = await hooked(
      [{ tools: [bash('true')] }, { text: 'One.' }, { text: 'Two.' }],
      [[event, () => (halts ? { continue: false, stopReason: 'Lunch' } : null)]],
    )
    expect(await opened.agent.run('Go')).toMatchObject({ subtype: 'error_stopped_by_hook', error: 'Lunch' })
    halts = false
    await opened.agent.run('Go on')
    expect(modelReads(opened)).toContain(`${where} hook stopped continuation: Lunch`)
  })

  it('reaches the model late when it comes from the background', async () => {
    const late = `while [ ! -e go ]; do sleep 0.01; done; ${answering({ systemMessage: 'checked at last' })}`
    const hook = { type: 'command', command: late, async: true }
    const world = await worldWithHooks({ PostToolUse: [{ hooks: [hook] }] })
    const opened = await openAgent(
      { turns: [{ tools: [bash('true')] }] },
      { profile: 'current', world, allowedTools: ['Bash'] },
    )
    await opened.agent.run('Go')
    await writeFile(join(world.project, 'go'), '')
    for (const end = performance.now() + 20_000; !modelReads(opened).includes('checked at last'); ) {
      if (performance.now() > end) throw new Error('nothing came within 20 s')
      await opened.agent.run('Again')
    }
    expect(modelReads(opened).split('checked at last')).toHaveLength(2)
  })
})

describe('a call that no user can be asked about', () => {
  const touching = bash('touch mark')
  const request = (decision: object) => specific('PermissionRequest', { decision })
  const run = async (answer: object | null, options: Opening = {}, hooks: readonly Hook[] = []) => {
    const opened = await hooked([{ tools: [touching] }], [['PermissionRequest', () => answer], ...hooks], {
      allowedTools: [],
      ...options,
    })
    await opened.agent.run('Go')
    const asked = opened.seen.filter(({ hook_event_name }) => hook_event_name === 'PermissionRequest').length
    return { asked, made: existsSync(join(opened.world.project, 'mark')), read: modelReads(opened) }
  }

  it('is decided by PermissionRequest hooks', async () => {
    expect(await run(request({ behavior: 'allow' }))).toMatchObject({ asked: 1, made: true })
    const denied = await run(request({ behavior: 'deny', message: 'Not on Sundays' }))
    expect(denied).toMatchObject({ asked: 1, made: false, read: expect.stringContaining('Not on Sundays') })
    const open = await run(null)
    expect(open).toMatchObject({ asked: 1, made: false, read: expect.stringContaining('there is no user to answer') })
  })

  it('is not made when a hook asks for the user, whatever they say, and the model reads the reason', async () => {
    const ask = () => specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'Is it Sunday?' })
    expect(await run(request({ behavior: 'allow' }), {}, [['PreToolUse', ask]])).toMatchObject({
      asked: 0,
      made: false,
      read: expect.stringContaining('Is it Sunday?'),
    })
  })

  it('is not shown to them under classic', async () => {
    expect(await run(request({ behavior: 'allow' }), { profile: 'classic' })).toMatchObject({ asked: 0, made: false })
  })
})

describe('an mcp_tool hook', () => {
  const everything = { command: process.execPath, args: [realServer, 'stdio'] }
  const settings = (tool: string, fields: object = {}) => ({
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'mcp_tool', server: 'everything', tool, ...fields }] }],
  })
  const run = async (hooks: object, servers: object = { everything }) => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks },
      'project/.mcp.json': config(servers),
    })
    const opened = await openAgent(
      { turns: [{ tools: [bash('touch mark')] }] },
      { profile: 'current', world, allowedTools: ['Bash'] },
    )
    await opened.agent.run('Go')
    const fired = opened.events.flatMap((event) =>
      event.type === 'hook' && event.progress.type === 'decision' ? [event.progress.record] : [],
    )
    const record = fired.find(({ event }) => event === 'PreToolUse')
    return { made: existsSync(join(world.project, 'mark')), line: record?.hooks[0], told: opened.told().user, fired }
  }

  it('is a call of a tool of a real server, for which no hook fires', async () => {
    const { line, fired } = await run(settings('get-sum', { input: { a: 2, b: 3 } }))
    expect(line).toMatchObject({ verdict: 'ran', outcome: 'success', server: 'everything', tool: 'get-sum' })
    expect(fired.filter(({ event }) => event === 'PreToolUse')).toHaveLength(1)
  })

  it('fails, and decides nothing, when the server is not there or does not take the call', async () => {
    const gone = await run(settings('get-sum'), {})
    expect(gone.line).toMatchObject({ outcome: 'non_blocking_error' })
    expect(gone.told.join('\n')).toContain('the MCP server "everything" is not connected')
    const wrong = await run(settings('get-sum', { input: { a: 'x' } }))
    expect(wrong.line).toMatchObject({ outcome: 'non_blocking_error' })
    expect([gone.made, wrong.made]).toEqual([true, true])
  })
})

it('rejects a profile that does not exist, in one sentence', async () => {
  const profile = 'modern' as unknown as 'current'
  await expect(openAgent({}, { profile })).rejects.toThrow(
    /There is no profile "modern"\. Profiles: classic, current\./,
  )
})

// Commands say the same as functions: the shell answers of a Stop hook, once.
it('takes the same from commands', async () => {
  const hook = unlessActive(answeringFor('Stop', { additionalContext: 'Look again.' }))
  const world = await worldWithHooks({ Stop: [commands(hook)] })
  const opened = await openAgent({ turns: [{ text: 'One.' }, { text: 'Two.' }] }, { profile: 'current', world })
  expect(await opened.agent.run('Go')).toMatchObject({ text: 'Two.' })
})
