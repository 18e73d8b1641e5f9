// All calls of an answer side by side.

import { guardBatch } from 'hookline/tools'
import { onAsk, onNotice, openLoop } from './host.ts'

const { engine, answer, callTool, signal } = await openLoop()

const calls = answer.calls.map((call) => ({ ...call, signal, run: (input: unknown) => callTool(call.name, input) }))
const ends = await guardBatch(engine, calls, { onAsk, onNotice })
const halt = ends.find((end) => end.halt !== null)?.halt ?? null

console.log(ends, halt)
await engine.close()
