// An agent without any framework, and every place where hooks have a say in it.

import { guardCall, remindersOf } from 'hookline/tools'

const MOST_STOP_BLOCKS = 8

/**
 * Does what the user asks. `ask(messages)` resolves with the model's answer, `{ text, calls: [{ id, name, input }] }`,
 * `tools` are functions by name, and `messages` is the conversation so far. `onAsk` is the dialog; `onNotice` gets what the
 * user is to read.
 */
export async function runPrompt(prompt, { engine, ask, tools, messages, onAsk, onNotice }) {
  const fire = async (event) => {
    const record = await engine.dispatch(event)
    tell(record, onNotice)
    return record
  }
  const halted = ({ decision }) => ({ success: false, text: decision.stopReason ?? 'Stopped by hook' })

  const submitted = await fire({ hook_event_name: 'UserPromptSubmit', prompt })
  if (submitted.decision.halt) return halted(submitted)
  if (submitted.decision.blocked) return { success: false, text: `Not sent: ${submitted.decision.reason}` }
  messages.push({ role: 'user', text: [...remindersOf(submitted), prompt].join('\n\n') })

  let stopBlocks = 0
  for (let goesOn = false; ; ) {
    const answer = await ask(messages)
    messages.push({ role: 'assistant', ...answer })
    for (const call of answer.calls) {
      const run = (input) => tools[call.name](input)
      const end = await guardCall(engine, { ...call, run }, { onAsk, onNotice })
      messages.push({ role: 'tool', id: call.id, text: [resultOf(end), ...end.texts].join('\n\n') })
      if (end.halt !== null) return { success: false, text: end.halt }
      stopBlocks = 0
    }
    if (answer.calls.length > 0) continue

    const stop = await fire({ hook_event_name: 'Stop', stop_hook_active: goesOn })
    if (stop.decision.halt) return halted(stop)
    if (!stop.decision.blocked || stopBlocks === MOST_STOP_BLOCKS) return { success: true, text: answer.text }
    messages.push({ role: 'user', text: `Stop hook feedback:\n${stop.decision.reason}` })
    goesOn = true
    stopBlocks += 1
  }
}

/** What the user is to read of an event, first of all that the folder is not trusted yet. `guardCall` does it by itself. */
function tell({ notices = [], decision }, onNotice) {
  for (const notice of notices) onNotice(notice)
  for (const { to, text } of decision.messages) if (to === 'user') onNotice(text)
}

/** What the model reads of a call. */
function resultOf(end) {
  if (end.ended === 'refused' || end.ended === 'deferred') return `Error: ${end.reason}`
  if (end.ended === 'failed') return String(end.error)
  return end.output
}

/** What the conversation starts with, and what ends the session. */
export async function startSession(engine, onNotice) {
  const record = await engine.dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
  tell(record, onNotice)
  const messages = remindersOf(record, 'startup').map((text) => ({ role: 'user', text }))
  const end = async () => {
    await engine.dispatch({ hook_event_name: 'SessionEnd', reason: 'other' })
    await engine.close()
  }
  return { messages, end }
}
