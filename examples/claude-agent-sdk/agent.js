// An agent on the Claude Agent SDK with hooks at every place. Its README says how to run it.

import { fileURLToPath } from 'node:url'
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { openEngine } from 'hookline'
import { withHooks } from 'hookline/claude-agent-sdk'
import { startModelServer } from 'hookline/testing'
import * as z from 'zod'

// The model: a server on this machine that follows a script, so that no key is needed.
const calls = ['cellar', 'hall'].map((room) => ({ name: 'mcp__lamps__light', input: { room } }))
const script = [
  { tools: calls.slice(0, 1) },
  { tools: calls.slice(1) },
  { text: 'The hall is lit.' },
  { text: 'The hall is lit, the cellar stays dark.' },
]
const server = await startModelServer(script, { otherPaths: 'empty' })
const env = { ...process.env, ...server.env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }

const light = tool('light', 'Lights a lamp.', { room: z.string() }, async ({ room }) => ({
  content: [{ type: 'text', text: `the ${room} is lit` }],
}))

// What hooks need.
const project = fileURLToPath(new URL('project', import.meta.url))
const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const hooks = withHooks(engine, { onNotice: (text) => console.error(text), waiting: new Map() })

async function turn(prompt, resume) {
  const mcpServers = { lamps: createSdkMcpServer({ name: 'lamps', tools: [light] }) }
  const own = {
    mcpServers,
    allowedTools: ['mcp__lamps__light'],
    tools: [],
    cwd: project,
    env,
    model: 'claude-sonnet-5',
  }
  let result
  const options = { ...own, hooks: hooks.hooks, settingSources: [], ...(resume && { resume }) }
  for await (const message of query({ prompt, options })) if (message.type === 'result') result = message
  return result
}

let result = await turn('Light the house.')
if (result.stop_reason === 'tool_deferred') {
  console.log('The user is asked, and says yes.')
  hooks.answer(result.deferred_tool_use.id, { allow: true })
  result = await turn('', result.session_id)
}
console.log(`\n${hooks.ended?.reason ?? result.result}`)
await engine.close()
await server.close()
