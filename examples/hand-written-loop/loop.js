// An agent without any framework, and every place where hooks have a say in it.

import { startSession as fireSessionStart, openTurn } from 'hookline/tools'

/**
 * Does what the user asks. `ask(messages)` resolves with the model's answer, `{ text, calls: [{ id, name, input }] }`,
 * `tools` are functions by name, and `messages` is the conversation so far. `onAsk` is the dialog; `onNotice` gets what the
 * user is to read.
 */
export async function runPrompt(prompt, { engine, ask, tools, messages, onAsk, onNotice }) {
  const turn = openTurn(engine, { onAsk, onNotice })
  const submitted = await turn.submit(prompt)
  if (submitted.ended !== 'submitted') return { success: false, text: submitted.reason }
  messages.push({ role: 'user', text: [...submitted.texts, prompt].join('\n\n') })

  for (;;) {
    const answer = await ask(messages)
    messages.push({ role: 'assistant', ...answer })
    if (answer.calls.length > 0) {
      const calls = answer.calls.map((call) => ({ ...call, run: (input) => tools[call.name](input) }))
      const ends = await turn.guardBatch(calls)
      for (const [at, end] of ends.entries())
        messages.push({ role: 'tool', id: answer.calls[at].id, text: [resultOf(end), ...end.texts].join('\n\n') })
      const { halt = null } = ends.find((end) => end.halt !== null) ?? {}
      if (halt !== null) return { success: false, text: halt }
      continue
    }

    const stop = await turn.mayStop({ last_assistant_message: answer.text })
    if (stop.ended === 'halted') return { success: false, text: stop.reason }
    if (stop.ended === 'stopped') return { success: true, text: answer.text }
    messages.push({ role: 'user', text: [...stop.texts, ...turn.takeLate()].join('\n\n') })
  }
}

/** What the model reads of a call. */
function resultOf(end) {
  if (end.ended === 'ran') return end.output
  if (end.ended === 'failed') return String(end.error)
  return `Error: ${end.ended === 'waiting' ? end.halt : end.reason}`
}

/** What the conversation starts with, and what ends the session. */
export async function startSession(engine, onNotice) {
  const { texts } = await fireSessionStart(engine, { onNotice })
  const end = async () => {
    await engine.dispatch({ hook_event_name: 'SessionEnd', reason: 'other' })
    await engine.close()
  }
  return { messages: texts.map((text) => ({ role: 'user', text })), end }
}
