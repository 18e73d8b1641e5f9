// An agent on pi with hooks at every place. Its README says how to run it.

import { fileURLToPath } from 'node:url'
import { Agent } from '@earendil-works/pi-agent-core'
import { streamSimple } from '@earendil-works/pi-ai/compat'
import { openEngine } from 'hookline'
import { withHooks } from 'hookline/pi'
import { startModelServer } from 'hookline/testing'

// The model: a server on this machine that follows a script, so that no key is needed.
const calls = ['cellar', 'hall'].map((room) => ({ name: 'light', input: { room } }))
const server = await startModelServer([
  { tools: calls },
  { text: 'The hall is lit.' },
  { text: 'The hall is lit, the cellar stays dark.' },
])
const model = {
  id: 'scripted',
  name: 'Scripted',
  api: 'openai-completions',
  provider: 'openai',
  baseUrl: server.env.OPENAI_BASE_URL,
  reasoning: false,
  input: ['text'],
  contextWindow: 100_000,
  maxTokens: 4_000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
}

const light = {
  name: 'light',
  label: 'Light',
  description: 'Lights a lamp.',
  parameters: { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] },
  execute: async (_, { room }) => ({ content: [{ type: 'text', text: `the ${room} is lit` }], details: {} }),
}

// What hooks need.
const project = fileURLToPath(new URL('project', import.meta.url))
const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const hooks = withHooks(engine, { onNotice: (text) => console.error(text) })
const agent = new Agent({
  streamFn: streamSimple,
  getApiKey: () => server.env.OPENAI_API_KEY,
  initialState: { model, tools: hooks.tools([light]) },
  ...hooks.agent,
})

let end = await hooks.run(agent, 'Light the house.')
if (end.ended === 'waiting') {
  console.log('The user is asked, and says yes.')
  end = await hooks.resume(agent, () => true)
}
console.log(`\n${end.ended === 'answered' ? end.text : end.reason}`)
await engine.close()
await server.close()
