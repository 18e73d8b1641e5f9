import { describe, expect, it } from 'vitest'
import type { CallMcpTool, McpToolCall } from '../../src/index.ts'
import type { DispatchRecord } from '../../src/protocol/record/record.ts'
import { bashCall, engineWith } from '../support/project.ts'

const profile = 'current'

/** The record of one event with one hook that calls a tool. */
async function call(hook: object, callMcpTool?: CallMcpTool, input: object = bashCall): Promise<DispatchRecord> {
  const { hook_event_name } = input as typeof bashCall // an event
  const hooks = { [hook_event_name]: [{ hooks: [{ type: 'mcp_tool', server: 'guard', tool: 'check', ...hook }] }] }
  const engine = await engineWith(hooks, { profile, ...(callMcpTool ? { callMcpTool } : {}) })
  return engine.dispatch(input as typeof bashCall)
}

describe('an mcp_tool hook', () => {
  it('calls the tool with its input, in which parts of the event are filled in', async () => {
    const calls: McpToolCall[] = []
    const input = {
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is how settings write it
      command: 'ran ${tool_input.command} by ${tool_name}',
      deep: [{ whole: '${tool_input}', nothing: '<${tool_input.no.such}>' }],
      inherited: '${constructor.name}',
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: this is how settings write it
      count: 3,
    }
    const record = await call({ input }, async (made) => {
      calls.push(made)
      return { content: '' }
    })
    expect(calls).toMatchObject([
      {
        server: 'guard',
        tool: 'check',
        input: {
          command: 'ran ls by Bash',
          deep: [{ whole: '{"command":"ls"}', nothing: '<>' }],
          inherited: '',
          count: 3,
        },
      },
    ])
    expect(record.hooks).toMatchObject([{ type: 'mcp_tool', server: 'guard', tool: 'check', outcome: 'success' }])
  })

  it('answers by the text of the result', async () => {
    const { decision } = await call({}, async () => ({ content: '{"decision":"block","reason":"no"}' }))
    expect(decision).toMatchObject({ blocked: true, reason: 'no' })
  })

  it('adds nothing to the context by plain text', async () => {
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'hello' }
    const { decision, hooks } = await call({}, async () => ({ content: 'be brief' }), prompt)
    expect(decision.context).toEqual([])
    expect(hooks).toMatchObject([{ outcome: 'success' }])
  })

  it.each<[string, CallMcpTool | undefined, string]>([
    ['the host lends no servers', undefined, 'the MCP server "guard" is not connected'],
    ['the server is gone', () => Promise.reject(new Error('guard died')), 'could not be called: guard died'],
    [
      'the host throws',
      () => {
        throw new Error('at once')
      },
      'could not be called: at once',
    ],
    ['the tool fails', async () => ({ content: '{"decision":"block"}', isError: true }), '{"decision":"block"}'],
    ['the host gives no text', async () => ({ content: [] }) as never, 'the host gave no text of the result'],
  ])('fails and decides nothing when %s', async (_, callMcpTool, words) => {
    const { decision, hooks } = await call({}, callMcpTool)
    expect(decision).toMatchObject({ blocked: false, permission: null })
    expect(hooks).toMatchObject([{ verdict: 'ran', outcome: 'non_blocking_error' }])
    expect(decision.messages.map(({ text }) => text).join('\n')).toContain(words)
  })

  it('is cancelled when its time is up, and the host is told', async () => {
    let aborted = false
    const { hooks } = await call({ timeout: 0.1 }, ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      return new Promise(() => {}) // a server that hangs
    })
    expect(hooks).toMatchObject([{ outcome: 'cancelled', timedOut: true }])
    expect(aborted).toBe(true)
  })
})
