import { describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../../../hookline/test/support/project.ts'
import { openAgent, textsOf } from '../support/opened-agent.ts'
import { serve } from '../tools/server.ts'
import { remoteServer } from './remote-server.ts'
import { config, variable } from './support.ts'

const add = (input: object, id = 'toolu_1') => ({ name: 'mcp__remote__add', input, id })
const allowedTools = ['mcp__remote']

function worldWith(url: string): Promise<World> {
  const headers = { Authorization: `Bearer ${variable('REMOTE_KEY:-none')}` }
  return makeWorld({ 'project/.mcp.json': config({ remote: { type: 'http', url, headers } }) })
}

describe('a server over HTTP', () => {
  it('is called with the headers of its entry', async () => {
    const { url, authorizations } = await remoteServer()
    const script = { turns: [{ tools: [add({ a: 2, b: 3 })] }] }
    const { agent, requests } = await openAgent(script, { world: await worldWith(url), allowedTools })
    await agent.run('Add.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['5'])
    expect(new Set(authorizations)).toEqual(new Set(['Bearer none']))
  })

  it('can ask the user in the middle of a call', async () => {
    const { url } = await remoteServer()
    const { agent, requests } = await openAgent(
      { turns: [{ tools: [add({ b: 3 })] }] },
      {
        world: await worldWith(url),
        allowedTools,
        elicit: async ({ message }) => ({ action: 'accept', content: { a: message === 'Which number?' ? 4 : 0 } }),
      },
    )
    await agent.run('Add.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['7'])
  })

  it('that breaks down fails its calls, and the session goes on', async () => {
    const remote = await remoteServer()
    const script = { turns: [{ tools: [add({ a: 1, b: 1 })] }] }
    const { agent, requests } = await openAgent(script, { world: await worldWith(remote.url), allowedTools })
    remote.breakDown()
    await expect(agent.run('Add.')).resolves.toMatchObject({ success: true })
    const content = expect.stringContaining('The MCP server "remote" did not answer the call')
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ is_error: true, content }])
  })

  it('that does not answer is told of', async () => {
    const url = await serve((_, response) => void response.writeHead(500).end('out of order'))
    const { told } = await openAgent({}, { world: await worldWith(url) })
    expect(told().user.join()).toContain('.mcp.json:3:5  The MCP server "remote" did not start')
  })
})
