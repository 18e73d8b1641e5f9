// A loop that cannot hand its tool over as a function.

import { guardAfterCall, guardBeforeCall } from 'hookline/tools'
import { onAsk, onNotice, openLoop, run } from './host.ts'

const { engine, call } = await openLoop()
console.log(JSON.stringify(await makeCall()))
await engine.close()

async function makeCall() {
  const before = await guardBeforeCall(engine, call, { onAsk, onNotice })
  if (before.ended !== 'cleared') return before // refused, deferred or waiting, as above
  const started = performance.now()
  const output = await run(before.input)
  const outcome = { output, durationMs: performance.now() - started } // or { error, durationMs }
  const after = await guardAfterCall(engine, { ...call, input: before.input }, { outcome, onNotice })
  return { ...after, texts: [...before.texts, ...after.texts] }
}
