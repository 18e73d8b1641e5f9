// An agent on the AI SDK whose tools have hooks: node examples/guarded-tools/agent.js

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { generateText, stepCountIs, tool } from 'ai'
import { openEngine } from 'hookline'
import { findHalt, isHalted, withHooks } from 'hookline/tools'
import * as z from 'zod'
import { openModel } from './model.js'

const project = fileURLToPath(new URL('project', import.meta.url))

// The tools as they were before.
const tools = {
  readFile: tool({
    description: 'Reads a file of the project.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => readFile(new URL(`project/${path}`, import.meta.url), 'utf8'),
  }),
  order: tool({
    description: 'Orders lamps.',
    inputSchema: z.object({ lamps: z.number() }),
    execute: ({ lamps }) => ({ ordered: lamps }),
  }),
}

// What hooks need: an engine, the tools with hooks, and a reason to stop more.
const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const { model, close } = await openModel()
const result = await generateText({
  model,
  prompt: 'How many lamps are missing? Order them.',
  tools: withHooks(tools, engine),
  stopWhen: [stepCountIs(20), isHalted],
})

for (const { toolCalls, content } of result.steps) {
  for (const { toolName, input } of toolCalls) console.log(`${toolName} ${JSON.stringify(input)}`)
  for (const part of content) {
    if (part.type === 'tool-error') console.log(`  not done: ${part.error.message}`)
    if (part.type === 'tool-result') console.log(`  done: ${JSON.stringify(part.output)}`)
  }
}
const halt = findHalt(result.steps)
console.log(halt === null ? result.text : `Stopped by a hook: ${halt.stopReason}`)
await engine.close()
await close()
