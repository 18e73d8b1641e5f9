import { describe, expect, it } from 'vitest'
import { processesWith, until } from '../../../hookline/test/support/processes.ts'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import { makeScriptedModel } from '../../src/models/scripted.ts'
import { createAgent } from '../../src/session/agent.ts'
import { environment } from '../support/command.ts'
import { openAgent, textsOf } from '../support/opened-agent.ts'
import { config, smallServer, variable } from './support.ts'

const say = { name: 'mcp__small__say', input: { text: 'yes' }, id: 'toolu_1' }

function worldWith(mcpServers: object): Promise<World> {
  return makeWorld({ 'project/.mcp.json': config(mcpServers) })
}

/** Names of the tools that servers brought. */
function fromServers(tools: readonly { readonly name: string }[] = []): string[] {
  return tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'))
}

describe('a server', () => {
  it('that exits while it starts is told of with its last words, and the session goes on', async () => {
    const world = await worldWith({ broken: smallServer(['complains', 'exits']), small: smallServer() })
    const { agent, told, requests } = await openAgent({}, { world })
    await expect(agent.run('Hello.')).resolves.toMatchObject({ success: true })
    expect(told().user).toEqual([
      '.mcp.json:3:5  The MCP server "broken" did not start: it ended (exit code 3)\nno database here',
    ])
    expect(fromServers(requests[0]?.tools)).toContain('mcp__small__say')
  })

  it('whose program is missing is told of', async () => {
    const { told } = await openAgent({}, { world: await worldWith({ absent: { command: 'no-such-program-here' } }) })
    expect(told().user.join()).toContain('The MCP server "absent" did not start: spawn no-such-program-here ENOENT')
  })

  it('that never answers is given up after its time, and ended', async () => {
    const token = `hookline-mcp-hangs-${process.pid}`
    const world = await worldWith({ slow: smallServer(['hangs', 'stays']) })
    const env = { ...environment(), MCP_TOKEN: token }
    const { told } = await openAgent({}, { world, env, mcpStartWithinMs: 1000 })
    expect(told().user.join()).toContain('The MCP server "slow" did not start: it did not answer within 1 s')
    expect(processesWith(token)).toEqual([])
  })

  it('that never answers is given up at once when the user interrupts', async () => {
    const world = await worldWith({ slow: smallServer(['hangs']) })
    const texts: string[] = []
    const agent = await createAgent(
      {
        ...world,
        model: makeScriptedModel({}, { name: 'scripted' }),
        trust: 'accepted',
        onEvent: (event) => event.type === 'told' && texts.push(event.text),
      },
      { signal: AbortSignal.timeout(300) },
    )
    await agent.close()
    expect(texts.join()).toContain('The MCP server "slow" did not start')
  })

  it('that answers garbage when it starts is told of', async () => {
    const { told } = await openAgent({}, { world: await worldWith({ odd: smallServer(['babbles']) }) })
    expect(told().user.join()).toContain('The MCP server "odd" did not start: it wrote what is not a message')
  })

  it('that dies takes its tools along, and the session goes on', async () => {
    const world = await worldWith({ small: smallServer(), other: smallServer() })
    const die = { ...say, name: 'mcp__small__die' }
    const { agent, requests, told } = await openAgent(
      { turns: [{ tools: [die] }, { tools: [say] }] },
      { world, allowedTools: ['mcp__small', 'mcp__other'] },
    )
    await expect(agent.run('Die.')).resolves.toMatchObject({ success: true })
    const failure = 'The MCP server "small" did not answer the call: it ended (exit code 7)'
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ is_error: true, content: failure }])
    expect(told().user).toEqual(['The MCP server "small" is gone, and its tools with it: it ended (exit code 7)'])
    expect(fromServers(requests[1]?.tools)).toContain('mcp__other__say')
    expect(fromServers(requests[1]?.tools)).not.toContain('mcp__small__say')
    expect(textsOf(requests[2]?.messages.at(-1)).join()).toContain('There is no tool "mcp__small__say"')
  })

  it('that ends right after an answer is heard to its end', async () => {
    const world = await worldWith({ small: smallServer() })
    const leave = { ...say, name: 'mcp__small__leave' }
    const { agent, requests, told } = await openAgent(
      { turns: [{ tools: [leave] }] },
      { world, allowedTools: ['mcp__small'] },
    )
    await agent.run('Leave.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['that was all'])
    await until('its end is told', () => told().user.join().includes('it ended (exit code 0)'))
  })

  it('gets the environment of the session and its own', async () => {
    const token = `hookline-mcp-env-${process.pid}`
    const world = await worldWith({ small: smallServer([], { env: { OWN_TOKEN: `${token}-${variable('LAST')}` } }) })
    await openAgent({}, { world, env: { ...environment(), LAST: 'end' } })
    expect(processesWith(`OWN_TOKEN=${token}-end`)).toHaveLength(1)
    expect(processesWith(`CLAUDE_PROJECT_DIR=${world.project}`)).toHaveLength(1)
  })

  it('is gone with everything it started when the agent is closed', async () => {
    const token = `hookline-mcp-close-${process.pid}`
    const world = await worldWith({
      meek: smallServer(['has-a-child']),
      stubborn: smallServer(['stays', 'has-a-child']),
    })
    const { agent } = await openAgent({}, { world, env: { ...environment(), MCP_TOKEN: token } })
    await until('both servers have a child', () => processesWith(token).length === 4)
    await agent.close()
    expect(processesWith(token)).toEqual([])
  })

  it('that dies leaves none of its children behind', async () => {
    const token = `hookline-mcp-orphan-${process.pid}`
    const world = await worldWith({ small: smallServer(['has-a-child']) })
    const die = { ...say, name: 'mcp__small__die' }
    const { agent, told } = await openAgent(
      { turns: [{ tools: [die] }] },
      { world, env: { ...environment(), MCP_TOKEN: token }, allowedTools: ['mcp__small'] },
    )
    await agent.run('Die.')
    await until('the server is told of', () => told().user.length > 0)
    expect(processesWith(token)).toEqual([])
  })

  it('starts anew with the session that clears the old one', async () => {
    const token = `hookline-mcp-clear-${process.pid}`
    const world = await worldWith({ small: smallServer() })
    const { agent } = await openAgent({}, { world, env: { ...environment(), MCP_TOKEN: token } })
    const [first] = processesWith(token)
    await agent.clear()
    expect(processesWith(token)).toHaveLength(1)
    expect(processesWith(token)).not.toContain(first)
  })
})

describe('the configuration', () => {
  it('of one server that is wrong is told with its place, and the others start', async () => {
    const world = await makeWorld()
    const text = `{
  "mcpServers": {
    "old": { "type": "sse", "url": "http://127.0.0.1:9" },
    "secret": { "command": "x", "env": { "KEY": "${variable('NOT_SET_HERE')}" } },
    "half": { "args": ["x"] },
    "small": ${JSON.stringify(smallServer())}
  }
}`
    await put(world, 'project/.mcp.json', text)
    const { told, agent, requests } = await openAgent({}, { world })
    expect(told().user).toEqual([
      '.mcp.json:3:5  The MCP server "old" has the type "sse", which is not known here; "stdio" and "http" are.',
      expect.stringContaining(
        '.mcp.json:4:5  The MCP server "secret" wants the variable NOT_SET_HERE, which is not set',
      ),
      expect.stringMatching(/^\.mcp\.json:5:5 {2}The MCP server "half" cannot be read: .*command/s),
    ])
    await agent.run('Hello.')
    expect(fromServers(requests[0]?.tools)).toContain('mcp__small__say')
  })

  it('that is no JSON is told with the place of the fault', async () => {
    const { told } = await openAgent({}, { world: await makeWorld({ 'project/.mcp.json': '{"mcpServers": {' }) })
    expect(told().user.join()).toMatch(/^\.mcp\.json:1:\d+ {2}\.mcp\.json is not JSON/)
  })

  it('of a folder that was not accepted starts nothing, and says so', async () => {
    const token = `hookline-mcp-trust-${process.pid}`
    const world = await worldWith({ small: smallServer() })
    const env = { ...environment(), MCP_TOKEN: token }
    const { told, agent, requests } = await openAgent({}, { world, env, trust: 'stored' })
    await agent.run('Hello.')
    expect(processesWith(token)).toEqual([])
    expect(told().user.join()).toContain('.mcp.json: the MCP servers of this folder (small) do not start')
    expect(fromServers(requests[0]?.tools)).toEqual([])
  })

  it('that the caller names counts in every folder, and before that of the project', async () => {
    const world = await worldWith({ small: { command: 'no-such-program-here' } })
    const named = await put(world, 'servers.json', config({ small: smallServer() }))
    const { told, agent, requests } = await openAgent({}, { world, mcpConfig: [named] })
    await agent.run('Hello.')
    expect(fromServers(requests[0]?.tools)).toContain('mcp__small__say')
    expect(told().user.join()).toContain(`.mcp.json:3:5  The MCP server "small" does not start: ${named}:3:5 has one`)
  })

  it('that the caller names and that is not there is a mistake of the caller', async () => {
    await expect(openAgent({}, { mcpConfig: ['no-such-file.json'] })).rejects.toThrow('there is no such file')
  })

  it('of a plugin may name its folder, in a file of its own or in its manifest', async () => {
    const world = await makeWorld({
      'tools/.claude-plugin/plugin.json': {
        name: 'kit',
        mcpServers: { inline: smallServer([], { env: { ROOT: variable('CLAUDE_PLUGIN_ROOT') } }) },
      },
      'tools/.mcp.json': config({ beside: smallServer() }),
    })
    const root = `${world.root}/tools`
    const { agent, requests } = await openAgent({}, { world, plugins: [root], trust: 'stored' })
    await agent.run('Hello.')
    expect(fromServers(requests[0]?.tools)).toEqual(
      expect.arrayContaining(['mcp__plugin_kit_inline__say', 'mcp__plugin_kit_beside__say']),
    )
    expect(processesWith(`ROOT=${root}`)).toHaveLength(1)
  })
})
