import { describe, expect, it } from 'vitest'
import { processesWith, until } from '../../../hookline/test/support/processes.ts'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { runAgent, scripted, startAgent } from '../support/command.ts'
import { config, smallServer } from './support.ts'

const servers = { meek: smallServer(['has-a-child']), stubborn: smallServer(['stays', 'has-a-child']) }

describe('the command', () => {
  it('leaves no server behind when it is terminated in the middle of a call', async () => {
    const token = `hookline-mcp-term-${process.pid}`
    const world = await makeWorld({ 'project/.mcp.json': config(servers) })
    const model = await scripted(world, { turns: [{ tools: [{ name: 'Bash', input: { command: 'sleep 40' } }] }] })
    const args = ['-p', 'Wait.', '--trust', '--allowed-tools', 'Bash', ...model]
    const { child, ended } = startAgent(world, { args, env: { MCP_TOKEN: token } })
    // the command itself, two servers with a child each, and the shell that waits
    await until('everything runs', () => processesWith(token).length >= 6)
    child.kill('SIGTERM')
    await expect(ended).resolves.toMatchObject({ code: 143 })
    expect(processesWith(token)).toEqual([])
  })

  it('leaves no server behind when it is terminated while one starts', async () => {
    const token = `hookline-mcp-start-${process.pid}`
    const world = await makeWorld({ 'project/.mcp.json': config({ slow: smallServer(['hangs', 'stays']) }) })
    const args = ['-p', 'Wait.', '--trust', ...(await scripted(world, {}))]
    const { child, ended } = startAgent(world, { args, env: { MCP_TOKEN: token } })
    await until('the server runs', () => processesWith(token).length === 2)
    child.kill('SIGTERM')
    await expect(ended).resolves.toMatchObject({ code: 143 })
    expect(processesWith(token)).toEqual([])
  })

  it('takes servers from a file that is named, also in a folder that was not accepted', async () => {
    const world = await makeWorld({ 'servers.json': config({ small: smallServer() }) })
    const say = { name: 'mcp__small__say', input: { text: 'yes' } }
    const model = await scripted(world, { turns: [{ tools: [say] }] })
    const args = ['-p', 'Say yes.', '--mcp-config', 'servers.json', '--allowed-tools', 'mcp__small']
    const { stdout, code } = await runAgent(world, { args: [...args, '--output-format', 'stream-json', ...model] })
    expect(code).toBe(0)
    expect(stdout).toContain('you said yes')
  })

  it('says that a slash command is unknown, and exits 1', async () => {
    const world = await makeWorld({ 'project/.claude/commands/greet.md': 'Greet $1.' })
    const model = await scripted(world, { turns: [{ text: 'Hello Ada.' }] })
    const known = await runAgent(world, { args: ['-p', '/greet Ada', ...model] })
    expect(known).toMatchObject({ code: 0, stdout: 'Hello Ada.\n' })
    const unknown = await runAgent(world, { args: ['-p', '/great Ada', ...model] })
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toContain('There is no command "/great". Commands: /clear')
  })
})
