import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadProfile } from '../../../hookline/src/protocol/profiles.ts'
import { makeWorld, put } from '../../../hookline/test/support/project.ts'
import { makeScriptedModel } from '../../src/models/scripted.ts'
import { config, smallServer } from '../mcp/support.ts'
import { hooked, modelReads, nothing, specific } from '../support/current.ts'
import { bash, textsOf } from '../support/opened-agent.ts'
import { makeRepository } from '../support/repository.ts'

/** What the agent does with everything that hooks of `current` may ask of a host, by its name in the decision. */
const EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  terminalSequences: async () => {
    const { agent, events } = await hooked([{ text: 'Hi.' }], [['Stop', () => ({ terminalSequence: '\u0007' })]])
    await agent.run('Go')
    expect(events.filter(({ type }) => type === 'terminal')).toEqual([{ type: 'terminal', sequence: '\u0007' }])
  },

  watchPaths: async () => {
    const world = await makeWorld({ 'project/a.txt': 'one' })
    const { agent, seen } = await hooked(
      [{ text: 'Hi.' }],
      [
        ['SessionStart', () => specific('SessionStart', { watchPaths: ['a.txt'] })],
        ['FileChanged', nothing],
      ],
      { world },
    )
    await writeFile(join(world.project, 'a.txt'), 'other')
    for (const end = performance.now() + 20_000; seen.length < 2 && performance.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(seen[1]).toMatchObject({ hook_event_name: 'FileChanged', file_path: join(world.project, 'a.txt') })
    await agent.close()
  },

  initialUserMessage: async () => {
    const { agent } = await hooked(
      [{ text: 'Hi.' }],
      [['SessionStart', () => specific('SessionStart', { initialUserMessage: 'Look around first' })]],
    )
    expect(agent.firstPrompt).toContain('Look around first')
  },

  sessionTitle: async () => {
    const opened = await hooked(
      [{ text: 'Hi.' }, { text: 'Hi again.' }],
      [['UserPromptSubmit', () => specific('UserPromptSubmit', { sessionTitle: 'Lamps' })]],
    )
    await opened.agent.run('Go')
    await opened.agent.run('Go on')
    expect(opened.seen.map(({ session_title }) => session_title)).toEqual([undefined, 'Lamps'])
    expect(opened.events).toContainEqual({ type: 'title', title: 'Lamps' })
    await opened.agent.close()
    const { world, agent } = opened
    const resumed = await hooked([], [['SessionStart', nothing]], { world, resume: agent.sessionId })
    expect(resumed.seen).toMatchObject([{ source: 'resume', session_title: 'Lamps' }])
  },

  reloadSkills: async () => {
    const world = await makeWorld({})
    const opened = await hooked(
      [{ text: 'Hi.' }],
      [
        [
          'SessionStart',
          async () => {
            await put(world, 'home/.claude/skills/late/SKILL.md', '---\ndescription: Came late\n---\nText.')
            return specific('SessionStart', { reloadSkills: true })
          },
        ],
      ],
      { world },
    )
    await opened.agent.run('Go')
    expect(opened.requests[0]?.tools.find(({ name }) => name === 'Skill')?.description).toContain('- late: Came late')
  },

  suppressOriginalPrompt: async () => {
    const answer = { decision: 'block', ...specific('UserPromptSubmit', { suppressOriginalPrompt: true }) }
    const { agent } = await hooked([], [['UserPromptSubmit', () => answer]])
    expect(await agent.run('my secret')).toMatchObject({ subtype: 'error_prompt_blocked', hidesPrompt: true })
  },

  displayContent: async () => {
    const hook = () => specific('MessageDisplay', { displayContent: 'The key is ***.' })
    const opened = await hooked([{ text: 'The key is 42.' }, { text: 'Yes.' }], [['MessageDisplay', hook]])
    expect(await opened.agent.run('Go')).toMatchObject({ text: 'The key is ***.' })
    expect(opened.events.filter(({ type }) => type === 'text')).toEqual([])
    expect(opened.events).toContainEqual(expect.objectContaining({ type: 'message', shown: 'The key is ***.' }))
    await opened.agent.run('Really?')
    expect(opened.requests[1]?.messages.flatMap(textsOf)).toContain('The key is 42.')
  },

  retry: async () => {
    const opened = await hooked(
      {
        turns: [{ tools: [bash('touch mark')] }],
        agents: { classifier: { turns: [{ text: '{"allow": false, "reason": "no"}' }] } },
      },
      [['PermissionDenied', () => specific('PermissionDenied', { retry: true })]],
      { permissionMode: 'auto', allowedTools: [] },
    )
    await opened.agent.run('Go')
    expect(modelReads(opened)).toContain('you may retry this tool call')
  },

  updatedToolOutput: async () => {
    const output = { stdout: 'hidden', stderr: '', interrupted: false, isImage: false, noOutputExpected: false }
    const opened = await hooked(
      [{ tools: [bash('echo secret')] }],
      [['PostToolUse', () => specific('PostToolUse', { updatedToolOutput: output })]],
    )
    await opened.agent.run('Go')
    expect(modelReads(opened)).toContain('hidden')
    expect(modelReads(opened)).not.toContain('\nsecret')
  },

  classifierContext: async () => {
    const opened = await hooked(
      { turns: [{ tools: [bash('true')] }, { tools: [bash('touch mark', 'toolu_2')] }] },
      [['PostToolUse', () => specific('PostToolUse', { classifierContext: 'Ada is on call.' })]],
      { permissionMode: 'auto', allowedTools: [] },
    )
    await opened.agent.run('Go')
    const judged = opened.requests.filter(({ agentType }) => agentType === 'classifier')
    expect(judged.map(({ messages }) => messages.flatMap(textsOf).join().includes('Ada is on call.'))).toEqual([
      false,
      true,
    ])
  },

  worktreePath: async () => {
    const world = await makeWorld({ 'made/a.txt': 'content' })
    await makeRepository(world)
    const hook = () => specific('WorktreeCreate', { worktreePath: join(world.root, 'made') })
    const { agent, seen } = await hooked([{ tools: [bash('cp a.txt b.txt')] }], [['WorktreeCreate', hook]], {
      ...{ world, worktree: 'lamps' },
    })
    await agent.run('Go')
    expect(seen).toMatchObject([{ name: 'lamps' }])
    expect(existsSync(join(world.root, 'made/b.txt'))).toBe(true)
  },

  instructions: async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { PreCompact: [{ hooks: [{ type: 'command', command: 'echo keep the names' }] }] },
      },
    })
    const opened = await hooked([{ text: 'Hi.' }], [], { world })
    await opened.agent.run('Go')
    await opened.agent.compact()
    expect(modelReads(opened)).toContain('keep the names')
  },

  elicitation: async () => {
    const world = await makeWorld({ 'project/.mcp.json': config({ small: smallServer() }) })
    const opened = await hooked(
      [{ tools: [{ name: 'mcp__small__ask', input: {}, id: 'toolu_1' }] }],
      [['Elicitation', () => specific('Elicitation', { action: 'accept', content: { branch: 'main' } })]],
      { world, allowedTools: ['mcp__small'] },
    )
    await opened.agent.run('Go')
    expect(modelReads(opened)).toContain('"branch":"main"')
  },
}

it('is tried for every effect that an event of current has', async () => {
  const { events } = await loadProfile('current')
  const effects = new Set([...events.values()].flatMap((row) => Object.keys(row.effects)))
  expect(effects.size).toBeGreaterThan(10)
  expect(new Set(Object.keys(EFFECTS))).toEqual(effects)
})

it.each(Object.entries(EFFECTS))('does what a hook asks for with %s', async (_name, tried) => tried())

it('wakes the model when a background hook with asyncRewake objects', async () => {
  const world = await makeWorld({
    'project/.claude/settings.json': {
      hooks: {
        Stop: [{ hooks: [{ type: 'command', command: RARE, async: true, asyncRewake: true }] }],
      },
    },
  })
  const opened = await hooked([{ text: 'One.' }, { text: 'Two.' }], [], { world })
  await opened.agent.run('Go')
  expect(await opened.agent.waitForWake()).toBe(true)
  expect(await opened.agent.wake()).toMatchObject({ success: true, text: 'Two.' })
  expect(modelReads(opened)).toContain('the tests are red')
  expect(await opened.agent.waitForWake()).toBe(false)
})

/** Objects once. */
const RARE = "test -e told && exit 0; touch told; echo 'the tests are red' >&2; exit 2"

it('goes on from an earlier session as another one that is forked', async () => {
  const first = await hooked([{ text: 'One lamp.' }], [])
  await first.agent.run('Count')
  await first.agent.close()
  const { world } = first
  const fork = await hooked([{ text: 'Two.' }], [['SessionStart', nothing]], { world, resume: 'newest', fork: true })
  await fork.agent.run('And now?')
  await fork.agent.close()
  expect(fork.agent.sessionId).not.toBe(first.agent.sessionId)
  expect(fork.seen).toMatchObject([{ source: 'fork', context_tokens: expect.any(Number) }])
  expect(modelReads(fork)).toContain('One lamp.')
  const again = await hooked([{ text: 'Three.' }], [], { world, resume: fork.agent.sessionId })
  await again.agent.run('And then?')
  expect(modelReads(again)).toMatch(/Count\nOne lamp\.\nAnd now\?\nTwo\./)
})

it('asks hooks about another model, and says what the switch costs', async () => {
  const opened = await hooked(
    [{ text: 'One.' }],
    [
      ['PreModelSwitch', ({ to_model }) => (to_model === 'bad' ? { decision: 'block', reason: 'too slow' } : null)],
      ['PostModelSwitch', () => specific('PostModelSwitch', { additionalContext: 'You are new here.' })],
    ],
  )
  await opened.agent.run('Go')
  const named = (name: string) => makeScriptedModel({ turns: [{ text: `I am ${name}.` }] }, { name })
  expect(await opened.agent.switchModel(named('bad'))).toBe('Model switch blocked by a PreModelSwitch hook: too slow')
  expect(await opened.agent.switchModel(named('claude-haiku-4-5'))).toBeNull()
  expect(await opened.agent.run('Who?')).toMatchObject({ text: 'I am claude-haiku-4-5.' })
  expect(opened.seen.at(-1)).toMatchObject({
    ...{ from_model: 'scripted', to_model: 'claude-haiku-4-5', requested_model: null, source: 'sdk' },
    ...{ prompt_cache_warm: true, cache_ttl: '5m', pricing: 'catalog' },
  })
  expect((await opened.transcript()).map((line) => JSON.stringify(line)).join()).toContain('You are new here.')
})

it('gives the model what a hook says of an added folder, which counts as the project from then on', async () => {
  const world = await makeWorld({ 'other/a.txt': 'found' })
  const opened = await hooked(
    [{ tools: [{ name: 'Read', input: { file_path: join(world.root, 'other/a.txt') }, id: 'toolu_1' }] }],
    [['DirectoryAdded', () => ({ systemMessage: 'That one is the other team’s.' })]],
    { world, allowedTools: [] },
  )
  expect(await opened.agent.addDirectory(join(world.root, 'nowhere'))).toContain('is not a folder')
  expect(await opened.agent.addDirectory('../other')).toBeNull()
  await opened.agent.run('Look')
  expect(modelReads(opened)).toContain('That one is the other team’s.')
  expect(modelReads(opened)).toContain('found')
})

it('refuses what would have to be asked for in the mode dontAsk, without asking hooks or the user', async () => {
  const opened = await hooked([{ tools: [bash('touch mark')] }], [['PermissionRequest', nothing]], {
    ...{ permissionMode: 'dontAsk', allowedTools: [] },
    dialog: async () => ({ behavior: 'allow' }),
  })
  expect(await opened.agent.run('Go')).toMatchObject({ denials: [{ toolName: 'Bash' }] })
  expect(opened.seen).toEqual([])
  expect(existsSync(join(opened.world.project, 'mark'))).toBe(false)
})
