// A loop that makes its calls one by one, with hooks around each.

import { type CallEnd, guardCall } from 'hookline/tools'
import { onAsk, onNotice, openLoop } from './host.ts'

const { engine, answer, callTool, messages, signal } = await openLoop()
console.log(JSON.stringify(await makeCalls()), JSON.stringify(messages))
await engine.close()

async function makeCalls() {
  for (const { id, name, input } of answer.calls) {
    const call = { id, name, input, signal, run: (input: unknown) => callTool(name, input) }
    const end = await guardCall(engine, call, { onAsk, onNotice })
    messages.push({ role: 'tool', text: [resultOf(end), ...end.texts].join('\n\n') })
    if (end.halt !== null) return { success: false, error: end.halt } // for the user; the model is not asked again
  }
  return { success: true }
}

function resultOf(end: CallEnd) {
  if (end.ended === 'refused' || end.ended === 'deferred') return `Error: ${end.reason}`
  if (end.ended === 'waiting') return `Error: ${end.halt}`
  return String(end.ended === 'failed' ? end.error : end.output)
}
