// Tools of the AI SDK with hooks around each call.

import { generateText, stepCountIs } from 'ai'
import { openEngine } from 'hookline'
import { findHalt, isHalted, withHooks } from 'hookline/tools'
import { onAsk, onNotice, openSdk } from './host.ts'

const { model, tools, prompt, close } = await openSdk()

const engine = await openEngine()
const result = await generateText({
  model,
  prompt,
  tools: withHooks(tools, engine, { onAsk, onNotice }), // before: tools
  stopWhen: [stepCountIs(20), isHalted], // before: stepCountIs(20)
})
const halt = findHalt(result.steps)
if (halt !== null) console.log(`Stopped by a hook: ${halt.stopReason}`)
await engine.close()
await close()
