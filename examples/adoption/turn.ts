// The events around a whole turn.

import { openTurn, startSession } from 'hookline/tools'
import { onAsk, onNotice, openLoop, run } from './host.ts'

const { engine, call, messages } = await openLoop()
const answers = [{ text: '', calls: [call] }]
const ask = async (said: object) => answers.shift() ?? { text: JSON.stringify(said), calls: [] }
const show = (text: string | null): void => console.log(text)
await answerPrompt('Go')
await engine.close()

async function answerPrompt(prompt: string): Promise<void> {
  const start = await startSession(engine, { onNotice }) // once a session
  const turn = openTurn(engine, { onAsk, onNotice })
  const submitted = await turn.submit(prompt)
  if (submitted.ended !== 'submitted') return show(submitted.reason) // blocked, or halted
  messages.push({ role: 'user', text: [...start.texts, ...submitted.texts, prompt].join('\n\n') })
  for (;;) {
    const answer = await ask(messages)
    if (answer.calls.length > 0) {
      const ends = await turn.guardBatch(answer.calls.map((call) => ({ ...call, run })))
      const halt = ends.find((end) => end.halt !== null)?.halt ?? null
      if (halt !== null) return show(halt)
      messages.push({ role: 'tool', text: JSON.stringify(ends) })
      continue
    }
    const stop = await turn.mayStop({ last_assistant_message: answer.text })
    if (stop.ended !== 'continued') return show(stop.ended === 'halted' ? stop.reason : answer.text)
    messages.push({ role: 'user', text: [...stop.texts, ...turn.takeLate()].join('\n\n') })
  }
}
