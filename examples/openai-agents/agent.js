// An agent on the OpenAI Agents SDK with hooks at every place. Its README says how to run it.

import { fileURLToPath } from 'node:url'
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { openEngine } from 'hookline'
import { withHooks } from 'hookline/openai-agents'
import { startModelServer } from 'hookline/testing'
import * as z from 'zod'

// The model: a server on this machine that follows a script, so that no key is needed.
const calls = ['cellar', 'hall'].map((room) => ({ name: 'light', input: { room } }))
const server = await startModelServer([
  { tools: calls },
  { text: 'The hall is lit.' },
  { text: 'The hall is lit, the cellar stays dark.' },
])
const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = server.env
const runner = new Runner({
  modelProvider: new OpenAIProvider({ baseURL, apiKey, useResponses: false }),
  tracingDisabled: true,
})

// What hooks need.
const project = fileURLToPath(new URL('project', import.meta.url))
const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const hooks = withHooks(engine, { onNotice: (text) => console.error(text) })
const light = tool(
  hooks.guard({
    name: 'light',
    description: 'Lights a lamp.',
    parameters: z.object({ room: z.string() }),
    execute: ({ room }) => `the ${room} is lit`,
  }),
)
const agent = new Agent({ name: 'Lamps', model: 'scripted', tools: [light] })
const generate = (input) => runner.run(agent, input)

let end = await hooks.run('Light the house.', generate)
if (end.ended === 'waiting') {
  console.log('The user is asked, and says yes.')
  const { state, interruptions } = end.result
  for (const one of interruptions) state.approve(one)
  end = await hooks.resume(state, generate)
}
console.log(`\n${end.ended === 'answered' ? end.text : end.reason}`)
await engine.close()
await server.close()
