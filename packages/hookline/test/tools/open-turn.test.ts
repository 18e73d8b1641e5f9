import { describe, expect, it } from 'vitest'
import { openTurn, startSession } from '../../src/tools/index.ts'
import { commands, engineWith } from '../support/project.ts'
import { context } from './asked.ts'

const hall = { name: 'light', input: { room: 'hall' }, run: () => 'on' }
const stop = { continue: false, stopReason: 'Enough' }

describe('a prompt', () => {
  it('is submitted with what hooks add to it', async () => {
    const engine = await engineWith({ UserPromptSubmit: [commands('echo It is night.')] })
    expect(await openTurn(engine).submit('Go')).toMatchObject({
      ended: 'submitted',
      texts: ['<system-reminder>\nUserPromptSubmit hook success: It is night.\n</system-reminder>'],
    })
  })

  it('is blocked with the words for the user', async () => {
    const engine = await engineWith({ UserPromptSubmit: [commands('echo not today >&2; exit 2')] })
    const submitted = await openTurn(engine, { onNotice: () => {} }).submit('Go')
    expect(submitted).toMatchObject({ ended: 'blocked', texts: [] })
    expect('reason' in submitted && submitted.reason).toMatch(
      /^UserPromptSubmit operation blocked by hook:\n.*not today/,
    )
  })

  it('that a hook halts ends the turn, and no call of it is made', async () => {
    const engine = await engineWith({})
    await engine.on('UserPromptSubmit', () => stop)
    const turn = openTurn(engine)
    expect(await turn.submit('Go')).toMatchObject({ ended: 'halted', reason: 'Enough' })
    expect(turn.halted).toBe('Enough')
    expect(await turn.guardCall(hall)).toMatchObject({ ended: 'refused', by: 'turn', halt: 'Enough' })
    expect(openTurn(engine).halted).toBeNull()
  })

  it('brings what background hooks have said, once', async () => {
    const engine = await engineWith({})
    await engine.register({
      PostToolUse: [{ hooks: [{ type: 'command', command: `echo '{"systemMessage":"late"}'`, async: true }] }],
    })
    const told: string[] = []
    const turn = openTurn(engine, { onNotice: (text) => told.push(text) })
    await turn.guardCall(hall)
    const drained = await engine.drain()
    engine.takeDeliveries = () => drained.splice(0)
    expect(await turn.submit('Go')).toMatchObject({ ended: 'submitted', texts: [] })
    expect(told).toEqual(['late'])
    expect(turn.takeLate()).toEqual([])
  })
})

describe('an agent that wants to stop', () => {
  it('stops when no hook sends it on', async () => {
    const engine = await engineWith({})
    expect(await openTurn(engine).mayStop()).toMatchObject({ ended: 'stopped', notice: null, texts: [] })
  })

  it('goes on with the words of the hook, which is told that it did', async () => {
    const engine = await engineWith({
      Stop: [commands('grep -q stop_hook_active.:true && exit 0; echo tests >&2; exit 2')],
    })
    const turn = openTurn(engine)
    const first = await turn.mayStop()
    expect(first.texts[0]).toMatch(/^Stop hook feedback:\n\[.*\]: tests/)
    expect([first.ended, (await turn.mayStop()).ended]).toEqual(['continued', 'stopped'])
  })

  it.each([
    [undefined, 8],
    [2, 2],
  ])('is sent on at most so often in a row without a call: %s', async (maxStopBlocks, times) => {
    const engine = await engineWith({})
    await engine.on('Stop', () => ({ decision: 'block', reason: 'go on' }))
    const turn = openTurn(engine, { maxStopBlocks })
    const sentOn = async () => {
      for (let count = 0; ; count++) {
        const answer = await turn.mayStop()
        if (answer.ended !== 'continued') return [count, answer.ended === 'stopped' && answer.notice]
      }
    }
    expect(await sentOn()).toEqual([
      times,
      `Stop hooks have sent the agent on ${times} times in a row without a tool call: the turn ends here.`,
    ])
    await turn.guardCall(hall)
    expect((await sentOn())[0]).toBe(times)
  })

  it('is told what the profile has a field for', async () => {
    for (const profile of ['classic', 'current'] as const) {
      const engine = await engineWith({}, { profile })
      const seen: unknown[] = []
      await engine.on('Stop', (input) => void seen.push((input as Record<string, unknown>).last_assistant_message))
      await openTurn(engine).mayStop({ last_assistant_message: 'Done.', unknown: 1 })
      expect(seen).toEqual([profile === 'current' ? 'Done.' : undefined])
    }
  })

  it('ends with the turn that a hook halts', async () => {
    const engine = await engineWith({})
    await engine.on('Stop', () => stop)
    const turn = openTurn(engine)
    expect(await turn.mayStop()).toMatchObject({ ended: 'halted', reason: 'Enough' })
    expect(turn.halted).toBe('Enough')
  })
})

it('fires the pair of events of a subagent, whose halt is for its own loop', async () => {
  const engine = await engineWith({})
  const seen: unknown[] = []
  await engine.on('SubagentStart', ({ agent_id, agent_type }) => {
    seen.push([agent_id, agent_type])
    return context('SubagentStart', 'Look in the attic.')
  })
  await engine.on('SubagentStop', (input) => {
    seen.push([input.agent_id, input.stop_hook_active])
    return stop
  })
  const main = openTurn(engine)
  const turn = openTurn(engine, { agent: { id: 'agent-7', type: 'scout' } })
  expect(await turn.begin()).toMatchObject({
    ended: 'begun',
    texts: ['<system-reminder>\nSubagentStart:scout hook additional context: Look in the attic.\n</system-reminder>'],
  })
  expect(await turn.mayStop()).toMatchObject({ ended: 'halted', reason: 'Enough' })
  expect(seen).toEqual([
    ['agent-7', 'scout'],
    ['agent-7', false],
  ])
  expect([turn.halted, main.halted]).toEqual(['Enough', null])
  expect(await main.begin()).toEqual({ ended: 'begun', texts: [] })
})

it('starts a session with what hooks add to it', async () => {
  const engine = await engineWith({ SessionStart: [{ matcher: 'resume', ...commands('echo Branch: main') }] })
  expect(await startSession(engine)).toEqual({ ended: 'begun', texts: [] })
  expect(await startSession(engine, { fields: { source: 'resume' } })).toEqual({
    ended: 'begun',
    texts: ['<system-reminder>\nSessionStart:resume hook success: Branch: main\n</system-reminder>'],
  })
})
