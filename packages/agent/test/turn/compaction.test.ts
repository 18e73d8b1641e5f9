import { describe, expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { listening } from '../support/listening.ts'
import { openAgent, textsOf, worldWithHooks } from '../support/opened-agent.ts'

describe('a compaction', () => {
  it('leaves the summary, and SessionStart hooks speak again', async () => {
    const { heard, ...listener } = listening()
    const world = await worldWithHooks({ SessionStart: [{ matcher: 'compact', ...commands('echo remember') }] })
    const { agent, requests, transcript } = await openAgent(
      { agents: { compaction: { turns: [{ text: 'We said hello.' }] } } },
      { world, ...listener },
    )
    await agent.run('Hello')
    await agent.compact('the names')
    await agent.run('On')
    expect(heard).toEqual(['SessionStart startup', 'PreCompact manual', 'SessionStart compact'])
    expect(textsOf(requests.at(-1)?.messages[0])).toEqual([
      'This session goes on from an earlier conversation, which this summary stands for:\n\nWe said hello.',
      '<system-reminder>\nSessionStart:compact hook success: remember\n</system-reminder>',
      'On',
    ])
    expect((await transcript()).find(({ subtype }) => subtype === 'compact_boundary')).toMatchObject({
      compactMetadata: { trigger: 'manual' },
    })
  })

  it('happens by itself near the limit, and keeps a prompt that nobody has answered', async () => {
    const { heard, ...listener } = listening()
    const { agent, requests } = await openAgent(
      { contextWindow: 1000, turns: [{ text: 'Hello.', usage: { inputTokens: 900 } }] },
      { ...listener },
    )
    await agent.run('Hello')
    await agent.run('And now?')
    expect(heard).toEqual(['SessionStart startup', 'PreCompact auto', 'SessionStart compact'])
    expect(requests[1]).toMatchObject({ agentType: 'compaction', tools: [] })
    expect(requests[1]?.messages.flatMap(textsOf)).not.toContain('And now?')
    expect(textsOf(requests[2]?.messages.at(-1))).toContain('And now?')
  })

  it('is what a resumed session begins with', async () => {
    const world = await makeWorld()
    const first = await openAgent({}, { world })
    await first.agent.run('Hello')
    await first.agent.compact()
    await first.agent.close()
    const second = await openAgent({}, { world, resume: 'newest' })
    await second.agent.run('On')
    const texts = second.requests[0]?.messages.flatMap(textsOf) ?? []
    expect(texts[0]).toMatch(/^This session goes on from an earlier conversation/)
    expect(texts).not.toContain('Hello')
  })

  it('that fails changes nothing', async () => {
    const { agent, requests } = await openAgent({ agents: { compaction: { turns: [{ error: 'overloaded' }] } } })
    await agent.run('Hello')
    expect(await agent.compact()).toMatchObject({ subtype: 'error_during_execution', error: 'overloaded' })
    await agent.run('On')
    expect(requests.at(-1)?.messages.flatMap(textsOf)).toEqual(['Hello', 'done', 'On'])
  })
})
