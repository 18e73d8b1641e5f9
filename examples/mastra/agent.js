// An agent of Mastra with hooks at every place. Its README says how to run it.

import { fileURLToPath } from 'node:url'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { openEngine } from 'hookline'
import { withHooks } from 'hookline/mastra'
import { startModelServer } from 'hookline/testing'
import * as z from 'zod'

// The model: a server on this machine that follows a script, so that no key is needed.
const calls = ['cellar', 'hall'].map((room) => ({ name: 'light', input: { room } }))
const server = await startModelServer([
  { tools: calls },
  { text: 'The hall is lit.' },
  { text: 'The hall is lit, the cellar stays dark.' },
])
const { OPENAI_BASE_URL: url, OPENAI_API_KEY: apiKey } = server.env
const model = { providerId: 'script', modelId: 'scripted', url, apiKey }

const light = createTool({
  id: 'light',
  description: 'Lights a lamp.',
  inputSchema: z.object({ room: z.string() }),
  execute: async ({ room }) => `the ${room} is lit`,
})

// What hooks need.
const project = fileURLToPath(new URL('project', import.meta.url))
const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const hooks = withHooks(engine, { onNotice: (text) => console.error(text) })
const lamps = new Agent({
  id: 'lamps',
  name: 'Lamps',
  instructions: 'Light lamps.',
  model,
  tools: hooks.tools({ light }),
})
const agent = new Mastra({ agents: { lamps }, storage: new InMemoryStore(), logger: false }).getAgent('lamps')
const generate = (messages) => agent.generate(messages, { stopWhen: [hooks.isHalted] })

let end = await hooks.run('Light the house.', generate)
if (end.ended === 'waiting') {
  console.log('The user is asked, and says yes.')
  const { runId, suspendPayload } = end.result
  const resumed = agent.resumeGenerate({ allow: true }, { runId, toolCallId: suspendPayload.toolCallId })
  end = await hooks.resume(end, resumed, generate)
}
console.log(`\n${end.ended === 'answered' ? end.text : end.reason}`)
await engine.close()
await server.close()
