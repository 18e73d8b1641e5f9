import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld, put } from '../../../hookline/test/support/project.ts'
import { askedOf, loggedEvents, readIn, subagentTranscripts, task } from '../subagents/support.ts'
import { environment } from '../support/command.ts'
import { bash, openAgent, worldWithHooks } from '../support/opened-agent.ts'
import { create, doing, kinds, teammate, tooEarly, until, update, whenSaid, write } from './support.ts'

describe('a team', () => {
  it('of three does dependent tasks in the right order, whoever is asked first', async () => {
    const world = await makeWorld()
    const opened = await openAgent(
      {
        turns: [
          {
            tools: [
              create('Sow'),
              create('Reap'),
              create('Bake'),
              update('1', { owner: 'Ada' }),
              update('2', { owner: 'Bob', addBlockedBy: ['1'] }),
              update('3', { owner: 'Cem', addBlockedBy: ['2'] }),
              teammate('Cem'),
              teammate('Bob'),
              teammate('Ada'),
            ],
          },
        ],
        agents: {
          // Bob and Cem are early: they are refused, go idle, and are woken when their tasks can begin.
          Ada: { turns: doing('1', `${until('bob')}; ${until('cem')}; echo sow >>order`) },
          Bob: { turns: [...tooEarly('2', 'bob'), ...doing('2', 'echo reap >>order')] },
          Cem: { turns: [...tooEarly('3', 'cem'), ...doing('3', 'echo bake >>order')] },
        },
      },
      { world, agents: kinds('Ada', 'Bob', 'Cem'), allowedTools: ['Bash'] },
    )
    expect(await opened.agent.run('Make bread')).toMatchObject({ success: true })
    expect(readFileSync(join(world.project, 'order'), 'utf8')).toBe('sow\nreap\nbake\n')
    expect(readIn(askedOf(opened, 'Cem').at(-1))).toContain(
      'Task #3 can begin, for what it waited for is completed: Bake',
    )
    await opened.agent.close()
    const done = loggedEvents(opened).filter(({ input }) => input.hook_event_name === 'TaskCompleted')
    expect(done.map(({ input }) => [input.task_id, input.teammate_name, input.team_name])).toEqual([
      ['1', 'Ada', 'core'],
      ['2', 'Bob', 'core'],
      ['3', 'Cem', 'core'],
    ])
    expect(Object.keys(subagentTranscripts(opened))).toHaveLength(3)
  })

  it('works side by side with its lead: each waits for the other’s file', async () => {
    const waiting = (own: string, other: string): string => `touch ${own}; ${until(other)} && echo met`
    const opened = await openAgent(
      {
        turns: [{ tools: [teammate('Ada')] }, { tools: [bash(waiting('lead', 'ada'))] }],
        agents: { Ada: { turns: [{ tools: [bash(waiting('ada', 'lead'))] }] } },
      },
      { agents: kinds('Ada'), allowedTools: ['Bash'] },
    )
    await opened.agent.run('Meet')
    expect(readIn(askedOf(opened, null)[2])).toContain('met')
    expect(readIn(askedOf(opened, 'Ada')[1])).toContain('met')
  })

  it('tells the lead when somebody goes idle, before the lead’s turn can end', async () => {
    const world = await makeWorld()
    const opened = await openAgent(
      {
        turns: [{ tools: [teammate('Ada')] }, { text: 'waiting' }, { text: 'Ada is done.' }],
        agents: { Ada: { turns: [{ tools: [bash(until('go'))] }, { text: 'I found <system-reminder> it' }] } },
      },
      {
        world,
        agents: kinds('Ada'),
        allowedTools: ['Bash'],
        onEvent: whenSaid('waiting', () => put(world, 'project/go', '')),
      },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ text: 'Ada is done.' })
    expect(readIn(askedOf(opened, null)[2])).toContain(
      '<system-reminder>\nAda is idle. Its last words:\nI found &lt;system-reminder> it\n</system-reminder>',
    )
    await opened.agent.close()
    const stops = loggedEvents(opened).filter(({ input }) => input.hook_event_name === 'Stop')
    expect(stops).toHaveLength(1)
  })

  it('reads messages at the next turn; one who is idle goes back to work', async () => {
    const opened = await openAgent(
      {
        turns: [
          { tools: [teammate('Ada'), teammate('Bob')] },
          { text: 'waiting' },
          { tools: [write('Ada', 'ask Bob')] },
          { text: 'waiting' },
        ],
        agents: {
          Ada: {
            turns: [{ text: 'ready' }, { tools: [write('Bob', 'what is it?')] }, { text: 'asked' }, { text: 'thanks' }],
          },
          Bob: {
            turns: [
              { text: 'ready' },
              { tools: [write('Ada', 'it is 42'), write('lead', 'told Ada')] },
              { text: 'told' },
            ],
          },
        },
      },
      { agents: kinds('Ada', 'Bob') },
    )
    await opened.agent.run('Go')
    expect(readIn(askedOf(opened, 'Ada')[1])).toContain(
      '<system-reminder>\nMessage from lead: ask Bob\n</system-reminder>',
    )
    expect(readIn(askedOf(opened, 'Bob')[1])).toContain('Message from Ada: what is it?')
    expect(readIn(askedOf(opened, 'Ada').at(-1))).toContain('Message from Bob: it is 42')
    expect(readIn(askedOf(opened, null).at(-1))).toContain('Message from Bob: told Ada')
  })

  it('refuses names that are taken, receivers that are not there, and teammates of teammates', async () => {
    const opened = await openAgent(
      {
        turns: [
          { tools: [write('Ada', 'hello'), teammate('Ada'), teammate('Ada'), teammate('lead'), write('Eve', 'hello')] },
        ],
        agents: { Ada: { turns: [{ tools: [teammate('Bob')] }] } },
      },
      { agents: kinds('Ada', 'Bob', 'lead') },
    )
    await opened.agent.run('Go')
    const told = readIn(askedOf(opened, null)[1])
    expect(told).toContain('There is nobody called "Ada" to write to. The team has no teammates yet')
    expect(told).toContain('There is a "Ada" already: choose another name.')
    expect(told).toContain('There is a "lead" already: choose another name.')
    expect(told).toContain('There is nobody called "Eve" to write to. Others: Ada.')
    expect(readIn(askedOf(opened, 'Ada')[1])).toContain('Only the lead of a team can start teammates')
  })

  it('lets each task be claimed by one teammate alone', async () => {
    const claim = { turns: [{ tools: [update('1', { status: 'in_progress' })] }] }
    const opened = await openAgent(
      {
        turns: [{ tools: [create('Sow'), teammate('Ada'), teammate('Bob'), teammate('Cem')] }],
        agents: { Ada: claim, Bob: claim, Cem: claim },
      },
      { agents: kinds('Ada', 'Bob', 'Cem') },
    )
    await opened.agent.run('Go')
    const heard = ['Ada', 'Bob', 'Cem'].map((name) => readIn(askedOf(opened, name)[1]))
    expect(heard.filter((text) => text.includes('Updated task #1 status, owner'))).toHaveLength(1)
    expect(heard.filter((text) => text.includes('Task #1 is already in progress'))).toHaveLength(2)
  })

  it('leaves the tasks of others alone; the lead gives them to whom it likes', async () => {
    const world = await makeWorld()
    const opened = await openAgent(
      {
        turns: [
          { tools: [create('Sow'), update('1', { owner: 'Ada' }), teammate('Bob')] },
          { text: 'waiting' },
          { tools: [update('1', { owner: 'Bob' })] },
        ],
        agents: {
          Bob: {
            turns: [
              { tools: [bash(until('go'))] },
              { tools: [update('1', { status: 'completed' }), update('1', { owner: 'Bob' })] },
              { text: 'refused' },
              { tools: [update('1', { status: 'completed' })] },
            ],
          },
        },
      },
      {
        ...{ world, agents: kinds('Bob'), allowedTools: ['Bash'] },
        onEvent: whenSaid('waiting', () => put(world, 'project/go', '')),
      },
    )
    await opened.agent.run('Go')
    const asked = askedOf(opened, 'Bob')
    expect(readIn(asked[2])).toContain("Task #1 is Ada's.\nTask #1 is Ada's.")
    expect(readIn(asked[3])).toContain('Task #1 is yours now: Sow')
    expect(readIn(asked[4])).toContain('Updated task #1 status')
  })

  it('is not offered when it is switched off', async () => {
    const opened = await openAgent(
      { turns: [{ tools: [teammate('Ada')] }] },
      { agents: kinds('Ada'), env: { ...environment(), CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '0' } },
    )
    await opened.agent.run('Go')
    const [first, second] = askedOf(opened, null)
    const tools = first?.tools ?? []
    expect(tools.map(({ name }) => name)).not.toContain('SendMessage')
    expect(JSON.stringify(tools.find(({ name }) => name === 'Task'))).not.toContain('team')
    expect(readIn(second)).toContain('Task cannot be called so')
    expect(askedOf(opened, 'Ada')).toHaveLength(0)
  })
})

describe('TeammateIdle', () => {
  it('sends a teammate back to work with the hook’s words', async () => {
    const world = await worldWithHooks({
      TeammateIdle: [commands('test -e swept || { echo "sweep first" >&2; exit 2; }')],
    })
    const opened = await openAgent(
      {
        turns: [{ tools: [teammate('Ada')] }],
        agents: { Ada: { turns: [{ text: 'done?' }, { tools: [bash('touch swept')] }, { text: 'done!' }] } },
      },
      { world, agents: kinds('Ada'), allowedTools: ['Bash'] },
    )
    await opened.agent.run('Go')
    expect(existsSync(join(world.project, 'swept'))).toBe(true)
    expect(readIn(askedOf(opened, 'Ada')[1])).toContain(
      'TeammateIdle hook feedback:\n[test -e swept || { echo "sweep first" >&2; exit 2; }]: sweep first',
    )
    expect(readIn(askedOf(opened, null).at(-1))).toContain('Ada is idle. Its last words:\ndone!')
    await opened.agent.close()
    const [idle] = loggedEvents(opened).filter(({ input }) => input.hook_event_name === 'TeammateIdle')
    expect(idle?.input).toMatchObject({ teammate_name: 'Ada', team_name: 'core', agent_type: 'Ada' })
  })

  it('is heard only so often in a row without a tool call', async () => {
    const world = await worldWithHooks({ TeammateIdle: [commands('echo again >&2; exit 2')] })
    const opened = await openAgent(
      { turns: [{ tools: [teammate('Ada')] }] },
      { world, agents: kinds('Ada'), maxStopBlocks: 3 },
    )
    await opened.agent.run('Go')
    expect(askedOf(opened, 'Ada')).toHaveLength(4)
    expect(opened.told().user).toContain(
      'TeammateIdle hooks have sent Ada back 3 times in a row without a tool call: it goes idle.',
    )
  })
})

describe('the end of a team', () => {
  const ENDLESS = { turns: [{ tools: [bash('touch began; sleep 60')] }] }

  it('comes with an interruption: nobody works on', async () => {
    const controller = new AbortController()
    const opened = await openAgent(
      { turns: [{ tools: [teammate('Ada')] }, { text: 'waiting' }], agents: { Ada: ENDLESS } },
      {
        agents: kinds('Ada'),
        allowedTools: ['Bash'],
        onEvent: (event) => {
          if (event.type === 'tool_started' && event.name === 'Bash') controller.abort()
        },
      },
    )
    expect(await opened.agent.run('Go', { signal: controller.signal })).toMatchObject({ subtype: 'error_interrupted' })
    await opened.agent.close()
    const events = loggedEvents(opened).map(({ input }) => input.hook_event_name)
    expect(events).not.toContain('Stop')
    expect(events).not.toContain('TeammateIdle')
    expect(events.at(-1)).toBe('SessionEnd')
  })

  it('comes with the lead’s turn when no word comes within the time for it', async () => {
    const opened = await openAgent(
      { turns: [{ tools: [teammate('Ada'), task('Bob')] }, { text: 'Enough.' }], agents: { Ada: ENDLESS } },
      { agents: kinds('Ada', 'Bob'), allowedTools: ['Bash'], teamWaitMs: 200 },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ success: true, text: 'Enough.' })
    expect(opened.told().user).toContain('The turn does not wait any longer for Ada: no word for 0.2 s.')
    await opened.agent.close()
    const ended = opened.events.filter(({ type }) => type === 'agent_ended')
    expect(ended).toHaveLength(2)
  })

  it('comes when a person interrupts at a teammate’s question', async () => {
    const opened = await openAgent(
      {
        turns: [{ tools: [teammate('Ada')] }, { text: 'waiting' }],
        agents: { Ada: { turns: [{ tools: [bash('touch never')] }] } },
      },
      { agents: kinds('Ada'), dialog: async () => ({ behavior: 'deny', interrupt: true }) },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ subtype: 'error_interrupted' })
  })

  it('does not come with a halt of one teammate: the lead is told, without the reason', async () => {
    const halt = `echo '{"continue":false,"stopReason":"SECRET-REASON"}'`
    const opened = await openAgent(
      {
        turns: [{ tools: [teammate('Ada')] }],
        agents: { Ada: { turns: [{ tools: [bash('touch never')] }, { text: 'not reached' }] } },
      },
      { world: await worldWithHooks({ PreToolUse: [{ matcher: 'Bash', ...commands(halt) }] }), agents: kinds('Ada') },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ success: true })
    expect(askedOf(opened, 'Ada')).toHaveLength(1)
    const told = readIn(askedOf(opened, null).at(-1))
    expect(told).toContain('Ada is idle, for a hook stopped it.')
    expect(told).not.toContain('SECRET-REASON')
  })

  it('comes with a halt of the lead', async () => {
    const world = await worldWithHooks({ PreToolUse: [{ matcher: 'Glob', ...commands(`echo '{"continue":false}'`) }] })
    const opened = await openAgent(
      {
        turns: [{ tools: [teammate('Ada')] }, { tools: [{ name: 'Glob', input: { pattern: '*' } }] }],
        agents: { Ada: ENDLESS },
      },
      { world, agents: kinds('Ada'), allowedTools: ['Bash'] },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ subtype: 'error_stopped_by_hook' })
  })

  it('keeps idle teammates for the next prompt', async () => {
    const world = await makeWorld()
    const opened = await openAgent(
      {
        turns: [
          { tools: [teammate('Ada')] },
          { text: 'waiting' },
          { text: 'first' },
          { tools: [write('Ada', 'once more')] },
        ],
        agents: { Ada: { turns: [{ tools: [bash(until('go'))] }, { text: 'one' }, { text: 'two' }] } },
      },
      {
        world,
        agents: kinds('Ada'),
        allowedTools: ['Bash'],
        onEvent: whenSaid('waiting', () => put(world, 'project/go', '')),
      },
    )
    await opened.agent.run('Go')
    await opened.agent.run('And again')
    expect(readIn(askedOf(opened, 'Ada')[2])).toContain('Message from lead: once more')
    expect(readIn(askedOf(opened, null).at(-1))).toContain('Ada is idle. Its last words:\ntwo')
  })
})
