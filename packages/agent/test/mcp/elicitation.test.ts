import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { openAgent, textsOf } from '../support/opened-agent.ts'
import { config, smallServer } from './support.ts'

const script = { turns: [{ tools: [{ name: 'mcp__small__ask', input: {}, id: 'toolu_1' }] }] }
const allowedTools = ['mcp__small']

function world() {
  const hooks = { Notification: [{ matcher: 'elicitation_dialog', ...commands('cat > told.json') }] }
  return makeWorld({
    'project/.claude/settings.json': { hooks },
    'project/.mcp.json': config({ small: smallServer() }),
  })
}

describe('a form of a server', () => {
  it('is shown to the user, with a notification, and what they fill in goes back', async () => {
    const place = await world()
    const questions: object[] = []
    const { agent, requests } = await openAgent(script, {
      world: place,
      allowedTools,
      elicit: async ({ signal, ...question }) => {
        questions.push(question)
        return { action: 'accept', content: { branch: 'main' } }
      },
    })
    await agent.run('Ask me.')
    const schema = { type: 'object', properties: { branch: { type: 'string' } } }
    expect(questions).toEqual([{ server: 'small', message: 'Which branch?', schema }])
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['{"action":"accept","content":{"branch":"main"}}'])
    const told = JSON.parse(await readFile(join(place.project, 'told.json'), 'utf8'))
    expect(told).toMatchObject({ notification_type: 'elicitation_dialog', message: 'small asks: Which branch?' })
    expect(told).not.toHaveProperty('permission_mode')
  })

  it('is declined where there is no person, and opens nothing', async () => {
    const options = { world: await world(), allowedTools, profile: 'classic' } as const
    const { agent, requests, told, events } = await openAgent(script, options)
    await agent.run('Ask me.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['{"action":"decline"}'])
    expect(told().user).toEqual(['The MCP server "small" asked and nobody could answer: Which branch?'])
    expect(events.some((event) => event.type === 'hook' && event.event === 'Notification')).toBe(false)
  })

  it('that the user closes is cancelled', async () => {
    const { agent, requests } = await openAgent(script, {
      world: await world(),
      allowedTools,
      elicit: () => Promise.reject(new Error('closed')),
    })
    await agent.run('Ask me.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['{"action":"cancel"}'])
  })
})
