// An agent of LangChain with hooks at every place. Its README says how to run it.

import { fileURLToPath } from 'node:url'
import { Command, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { openEngine } from 'hookline'
import { withHooks } from 'hookline/langchain'
import { startModelServer } from 'hookline/testing'
import { createAgent, tool } from 'langchain'
import * as z from 'zod'

// The model: a server on this machine that follows a script, so that no key is needed.
const calls = ['cellar', 'hall'].map((room) => ({ name: 'light', input: { room } }))
const server = await startModelServer([
  { tools: calls },
  { text: 'The hall is lit.' },
  { text: 'The hall is lit, the cellar stays dark.' },
])
const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = server.env
const model = new ChatOpenAI({ model: 'scripted', apiKey, configuration: { baseURL } })
const light = tool(({ room }) => `the ${room} is lit`, {
  name: 'light',
  description: 'Lights a lamp.',
  schema: z.object({ room: z.string() }),
})

// What hooks need.
const project = fileURLToPath(new URL('project', import.meta.url))
const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const hooks = withHooks(engine, { onNotice: (text) => console.error(text) })
const checkpointer = new MemorySaver()
const agent = createAgent({ model, tools: [light], checkpointer, middleware: [hooks.middleware] })
const generate = (input) => agent.invoke(input, { configurable: { thread_id: 'house' } })

let end = await hooks.run('Light the house.', generate)
if (end.ended === 'waiting') {
  console.log('The user is asked, and says yes.')
  end = await hooks.resume(new Command({ resume: { allow: true } }), generate)
}
console.log(`\n${end.ended === 'answered' ? end.text : end.reason}`)
await engine.close()
await server.close()
