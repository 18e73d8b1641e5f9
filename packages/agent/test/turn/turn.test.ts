import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { answering, commands } from '../../../hookline/test/support/project.ts'
import { bash, openAgent, textsOf, worldWithHooks } from '../support/opened-agent.ts'

describe('Stop hooks', () => {
  const always = answering({ decision: 'block', reason: 'not yet' })

  it('send the agent on at most 8 times in a row, then the user is told', async () => {
    const { agent, told, requests } = await openAgent({}, { world: await worldWithHooks({ Stop: [commands(always)] }) })
    expect(await agent.run('Go')).toMatchObject({ success: true, text: 'done', turns: 9 })
    expect(requests).toHaveLength(9)
    expect(told().user.at(-1)).toBe(
      'Stop hooks have sent the agent on 8 times in a row without a tool call: the turn ends here.',
    )
  })

  it('are counted anew after a call, and the limit is an option', async () => {
    const { agent, requests } = await openAgent(
      { turns: [{ text: 'a' }, { text: 'b' }, { tools: [bash('true')] }] },
      { world: await worldWithHooks({ Stop: [commands(always)] }), allowedTools: ['Bash'], maxStopBlocks: 2 },
    )
    await agent.run('Go')
    expect(requests).toHaveLength(6) // a, b, the call, and three answers after it
  })

  it('see stop_hook_active exactly while the turn goes on because of one, calls in between or not', async () => {
    const seen: unknown[] = []
    const { agent } = await openAgent(
      { turns: [{ text: 'a' }, { tools: [bash('true')] }, { text: 'b' }, { text: 'c' }] },
      {
        allowedTools: ['Bash'],
        hooks: {
          Stop: [
            {
              hooks: [
                ({ stop_hook_active }: { stop_hook_active?: unknown }) => {
                  seen.push(stop_hook_active)
                  return seen.length === 1 ? { decision: 'block', reason: 'not yet' } : null
                },
              ],
            },
          ],
        },
      },
    )
    await agent.run('First')
    expect(seen).toEqual([false, true])
    await agent.run('Second')
    expect(seen).toEqual([false, true, false])
  })

  it('are not asked after an interruption, nor when the model failed', async () => {
    const asked: string[] = []
    const hooks = { Stop: [{ hooks: [() => void asked.push('Stop')] }] }
    const { agent } = await openAgent({ turns: [{ text: 'half', error: 'overloaded' }, { text: 'a' }] }, { hooks })
    expect(await agent.run('Go')).toMatchObject({ subtype: 'error_during_execution', error: 'overloaded' })
    expect(await agent.run('Go', { signal: AbortSignal.abort() })).toMatchObject({ subtype: 'error_interrupted' })
    expect(asked).toEqual([])
  })
})

describe('an interruption', () => {
  it('ends a command under way; its hooks hear that, and the conversation can go on', async () => {
    const seen: unknown[] = []
    const interrupter = new AbortController()
    const { agent, world, requests } = await openAgent(
      { turns: [{ tools: [bash('touch started; sleep 60', 'a'), bash('touch second', 'b')] }, { text: 'Fine.' }] },
      {
        allowedTools: ['Bash'],
        hooks: {
          PostToolUseFailure: [
            { hooks: [({ is_interrupt }: object & { is_interrupt?: unknown }) => void seen.push(is_interrupt)] },
          ],
        },
      },
    )
    const turn = agent.run('Go', { signal: interrupter.signal })
    await until('the command runs', () => existsSync(join(world.project, 'started')))
    interrupter.abort()
    expect(await turn).toMatchObject({ success: false, subtype: 'error_interrupted', error: 'Interrupted' })
    expect(seen).toEqual([true])
    expect(existsSync(join(world.project, 'second'))).toBe(false)
    expect(await agent.run('Go on')).toMatchObject({ text: 'Fine.' })
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual([
      'The command was interrupted.',
      'Not run: the user interrupted the turn.',
      '[Request interrupted by user]',
      'Go on',
    ])
  })

  it('keeps a call from being made that was allowed a moment before', async () => {
    const interrupter = new AbortController()
    const { agent, events } = await openAgent(
      { turns: [{ tools: [bash('touch made')] }] },
      {
        dialog: async () => ({
          behavior: 'allow',
          updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
        }),
        onEvent: ({ type }) => type === 'mode' && interrupter.abort(), // while the answer is taken over
      },
    )
    expect(await agent.run('Go', interrupter)).toMatchObject({ subtype: 'error_interrupted' })
    expect(events.filter(({ type }) => type === 'tool_started')).toEqual([])
  })

  it('keeps what the model had said, and makes none of its calls', async () => {
    const interrupter = new AbortController()
    const { agent, requests } = await openAgent(
      { turns: [{ text: 'I will now look around.', tools: [bash('touch mark')] }, { text: 'Fine.' }] },
      { allowedTools: ['Bash'], onEvent: ({ type }) => type === 'text' && interrupter.abort() },
    )
    expect(await agent.run('Go', { signal: interrupter.signal })).toMatchObject({ subtype: 'error_interrupted' })
    await agent.run('Go on')
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(requests[1]?.messages[1]?.content).toMatchObject([{ type: 'text' }])
  })

  it('ends a dialog that nobody answers', async () => {
    const interrupter = new AbortController()
    const { agent } = await openAgent(
      { turns: [{ tools: [bash('touch mark')] }] },
      {
        dialog: () => {
          setImmediate(() => interrupter.abort())
          return new Promise(() => {})
        },
      },
    )
    expect(await agent.run('Go', { signal: interrupter.signal })).toMatchObject({ subtype: 'error_interrupted' })
  })

  it('by close ends the turn before SessionEnd hooks run', async () => {
    const order: string[] = []
    const { agent, world } = await openAgent(
      { turns: [{ tools: [bash('touch started; sleep 60')] }] },
      {
        allowedTools: ['Bash'],
        hooks: {
          PostToolUseFailure: [{ hooks: [() => void order.push('call ended')] }],
          SessionEnd: [commands('true')],
        },
        onEvent: (event) => {
          const isStart = event.type === 'hook' && event.progress.type === 'hook_started'
          if (isStart && event.event === 'SessionEnd') order.push('session ended')
        },
      },
    )
    const turn = agent.run('Go')
    await until('the command runs', () => existsSync(join(world.project, 'started')))
    await agent.close()
    expect(await turn).toMatchObject({ subtype: 'error_interrupted' })
    expect(order).toEqual(['call ended', 'session ended'])
    await expect(agent.run('More')).rejects.toThrow('The session has ended.')
  })
})

it('makes one thing at a time', async () => {
  const { agent } = await openAgent({ turns: [{ tools: [bash('true')] }] }, { allowedTools: ['Bash'] })
  const turn = agent.run('Go')
  await expect(agent.run('Beside')).rejects.toThrow('The agent is busy with an earlier prompt')
  expect(await turn).toMatchObject({ success: true })
})

it('ends a turn that takes more requests than were allowed', async () => {
  const tools = [bash('true')]
  const { agent, requests } = await openAgent(
    { turns: [{ tools }, { tools }, { tools }] },
    { allowedTools: ['Bash'], maxTurns: 2 },
  )
  expect(await agent.run('Go')).toMatchObject({
    subtype: 'error_max_turns',
    error: 'Stopped after 2 turns, as many as were allowed.',
    turns: 2,
  })
  expect(requests).toHaveLength(2)
})
