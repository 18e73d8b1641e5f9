import { describe, expect, it } from 'vitest'
import { commands, makeWorld, type World } from '../../../hookline/test/support/project.ts'
import { openAgent } from '../support/opened-agent.ts'

const ALLOW = { permissions: { allow: ['Bash'] } }
const call = { turns: [{ tools: [{ name: 'Bash', input: { command: 'touch made' } }] }] }

/** What the model reads of a call that only the folder's own rule allows. */
async function answerIn(world: World, trust: 'stored' | 'accepted'): Promise<string> {
  const { agent, requests } = await openAgent(call, { world, trust })
  await agent.run('Make it.')
  await agent.close()
  return JSON.stringify(requests[1]?.messages)
}

describe('the allow rules of a folder', () => {
  it('count in none that nobody was asked about, unless the run counts as accepted', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': ALLOW })
    expect(await answerIn(world, 'stored')).toContain('was denied')
    expect(await answerIn(world, 'accepted')).toContain('(no output)')
  })

  it('count once the user has accepted its hooks', async () => {
    const settings = { ...ALLOW, hooks: { Stop: [commands('true')] } }
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    expect(await answerIn(world, 'stored')).toContain('was denied')
    const { agent } = await openAgent(call, { world, trust: 'stored' })
    await agent.engine.acceptTrust()
    await agent.close()
    expect(await answerIn(world, 'stored')).toContain('(no output)')
  })

  it('count without that where the user gave them at a dialog, and only those', async () => {
    const world = await makeWorld()
    const { agent } = await openAgent(call, {
      world,
      trust: 'stored',
      dialog: async ({ suggestions }) => ({ behavior: 'allow', updatedPermissions: suggestions }),
    })
    await agent.run('Make it.')
    await agent.close()
    expect(await answerIn(world, 'stored')).toContain('(no output)')
    const planted = await makeWorld({ 'project/.claude/settings.local.json': ALLOW })
    expect(await answerIn(planted, 'stored')).toContain('was denied')
  })
})
