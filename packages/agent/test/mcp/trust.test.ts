import { describe, expect, it } from 'vitest'
import { makeWorld, put } from '../../../hookline/test/support/project.ts'
import { openAgent } from '../support/opened-agent.ts'
import { config, smallServer } from './support.ts'

describe('servers that a project brings along', () => {
  it('start once the user has accepted the project with them, and not when they have changed since', async () => {
    const world = await makeWorld({ 'project/.mcp.json': config({ small: smallServer() }) })
    const servers = async (): Promise<string[]> => {
      const { agent, requests } = await openAgent({}, { world, trust: 'stored' })
      await agent.run('Hello.')
      return (requests[0]?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith('mcp__'))
    }
    expect(await servers()).toEqual([])
    const { agent } = await openAgent({}, { world, trust: 'stored' })
    await agent.engine.acceptTrust()
    expect(await servers()).toContain('mcp__small__say')
    await put(world, 'project/.mcp.json', config({ small: smallServer(['complains']) }))
    expect(await servers()).toEqual([])
  })

  it('are asked about together with its hooks', async () => {
    const servers = { small: smallServer() }
    const world = await makeWorld({ 'project/.mcp.json': config(servers) })
    const shown: object[] = []
    await openAgent({}, { world, trust: ({ files }) => shown.push(files) > 0 })
    expect(shown).toEqual([{ '.mcp.json': { mcpServers: servers } }])
  })
})
