import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type CallMcpTool, type DispatchRecord, openEngine } from 'hookline'
import { makeTemporaryProject } from 'hookline/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { realServer } from './support.ts'

/** A real server in a process of its own, as a host would provide it to hooks. */
async function providedServer(): Promise<{ readonly callMcpTool: CallMcpTool; readonly kill: () => void }> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [realServer], stderr: 'ignore' })
  const client = new Client({ name: 'a host', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const { pid } = transport
  return {
    callMcpTool: async ({ tool, input, signal }) => {
      const result = await client.callTool({ name: tool, arguments: { ...(input as object) } }, { signal })
      const texts = result.content.flatMap((part) => (part.type === 'text' ? part.text : []))
      return { content: texts.join('\n'), isError: result.isError === true }
    },
    kill: () => {
      if (pid !== null) process.kill(pid, 'SIGKILL')
    },
  }
}

/** Fires a tool call that hooks of this tool guard: one that may fail, and one that blocks when it does. */
async function guarded(hook: object, callMcpTool: CallMcpTool): Promise<() => Promise<DispatchRecord>> {
  const server = { type: 'mcp_tool', server: 'everything', ...hook }
  const hooks = { PreToolUse: [{ hooks: [server] }] }
  const project = await makeTemporaryProject({ '.claude/settings.json': { hooks } })
  const { path } = project
  const places = { project: path, home: `${path}/home`, managed: `${path}/managed.json` }
  const engine = await openEngine({ ...places, trust: 'accepted', profile: 'current', callMcpTool })
  onTestFinished(async () => {
    await engine.close()
    await project.remove()
  })
  return () => engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const echo = { tool: 'echo', input: { message: 'about ${tool_input.command}' } }
const slow = { tool: 'trigger-long-running-operation', input: { duration: 60, steps: 1 } }

describe('a tool of an MCP server that dies', () => {
  it('answers while the server lives, and fails open afterwards', async () => {
    const { callMcpTool, kill } = await providedServer()
    const fire = await guarded(echo, callMcpTool)
    const alive = await fire()
    expect(alive.hooks).toMatchObject([{ outcome: 'success' }])
    expect(alive.decision.messages.map(({ text }) => text).join()).toContain('about ls')
    kill()
    const dead = await fire()
    expect(dead.hooks).toMatchObject([{ verdict: 'ran', outcome: 'non_blocking_error' }])
    expect(dead.decision).toMatchObject({ blocked: false, permission: null })
    expect(dead.decision.messages.map(({ text }) => text).join()).toContain('everything/echo could not be called')
  })

  it.each([
    ['fails open', {}, { blocked: false, permission: null }],
    [
      'fails open with onFailure too, which is for commands and http alone,',
      { onFailure: 'block' },
      { blocked: false, permission: null },
    ],
  ])('%s when that happens in the middle of a call', async (_, fields, decision) => {
    const { callMcpTool, kill } = await providedServer()
    let asked = (): void => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const fire = await guarded({ ...slow, ...fields }, (call) => {
      const called = callMcpTool(call)
      asked()
      return called
    })
    const firing = fire()
    await isAsked
    kill()
    expect((await firing).decision).toMatchObject(decision)
  })

  it('is cancelled when the server hangs', async () => {
    const { callMcpTool } = await providedServer()
    const fire = await guarded({ ...slow, timeout: 0.3 }, callMcpTool)
    expect((await fire()).hooks).toMatchObject([{ outcome: 'cancelled', timedOut: true }])
  })

  it('decides nothing by a call that the server does not understand', async () => {
    const { callMcpTool } = await providedServer()
    const fire = await guarded({ tool: 'no-such-tool' }, callMcpTool)
    expect((await fire()).hooks).toMatchObject([{ outcome: 'non_blocking_error' }])
  })
})
