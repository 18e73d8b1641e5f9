// Whole turns on the AI SDK, with approvals.

import { generateText, type ModelMessage, stepCountIs } from 'ai'
import { openEngine } from 'hookline'
import { withHooks } from 'hookline/ai-sdk'
import { openSdk } from './host.ts'

const { model, tools, prompt, close } = await openSdk()

const hooks = withHooks(await openEngine(), { onNotice: (text) => console.error(text) })
const generate = (messages: ModelMessage[]) =>
  generateText({ model, messages, tools: hooks.tools(tools), stopWhen: [stepCountIs(20), hooks.isHalted] })
const end = await hooks.run(prompt, generate)
if (end.ended === 'waiting') console.log('The user has to be asked:', end.approvals)
else console.log(end.ended === 'answered' ? end.text : end.reason)

/** Goes on with the user's answer. */
export async function approve() {
  if (end.ended !== 'waiting') return end
  const content = end.approvals.map((approvalId) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved: true,
  }))
  return hooks.resume([...end.messages, { role: 'tool', content }], generate)
}

await close()
