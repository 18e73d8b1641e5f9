// An agent on the AI SDK with hooks at every place: node examples/ai-sdk/agent.js

import { fileURLToPath } from 'node:url'
import { generateText, stepCountIs, tool } from 'ai'
import { openEngine } from 'hookline'
import { withHooks } from 'hookline/ai-sdk'
import * as z from 'zod'
import { openModel } from './model.js'

const project = fileURLToPath(new URL('project', import.meta.url))
const tools = {
  light: tool({
    description: 'Lights a lamp.',
    inputSchema: z.object({ room: z.string() }),
    execute: ({ room }) => `the ${room} is lit`,
  }),
}
const { model, close } = await openModel()

// What hooks need.
const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const hooks = withHooks(engine, { onNotice: (text) => console.error(text) })
const generate = (messages) =>
  generateText({ model, messages, tools: hooks.tools(tools), stopWhen: [stepCountIs(20), hooks.isHalted] })

let end = await hooks.run('Light the house.', generate)
if (end.ended === 'waiting') {
  console.log('The user is asked, and says yes.')
  const content = end.approvals.map((approvalId) => ({ type: 'tool-approval-response', approvalId, approved: true }))
  end = await hooks.resume([...end.messages, { role: 'tool', content }], generate)
}
for (const { role, content } of end.messages) {
  for (const part of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
    if (part.type === 'text') console.log(`${role}: ${part.text}`)
    if (part.type === 'tool-call') console.log(`${role} calls ${part.toolName} ${JSON.stringify(part.input)}`)
    if (part.type === 'tool-result') console.log(`${role}: ${part.output.value}`)
  }
}
console.log(`\n${end.ended === 'answered' ? end.text : end.reason}`)
await engine.close()
await close()
