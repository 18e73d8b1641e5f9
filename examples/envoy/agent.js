// An agent as Envoy is one: two events, and what hooks add stands in the next message.

/** The events of this agent; a hook for another one would never run, and its owner is told. */
const FIRED = new Set(['SessionStart', 'PostToolUse'])

/**
 * Does what the user asks, and resolves with `{ success, text, messages }`, or `{ success: false, error, messages }`.
 *
 * `ask(messages)` resolves with the model's answer, `{ text, calls: [{ name, input }] }`; `tools` are functions by name;
 * `onMessage` gets every message; `log` has `debug`, `info` and `warn`.
 */
export async function runAgent(prompt, { engine, ask, tools, source = 'startup', messages = [], onMessage, log }) {
  const add = (message) => {
    messages.push(message)
    onMessage?.(message)
  }
  for (const { id, event } of engine.hooks)
    if (!FIRED.has(event)) log.warn(`${id} does not run: this agent fires ${[...FIRED].join(' and ')} alone.`)
  const start = await engine.dispatch({ hook_event_name: 'SessionStart', source })
  tell(start, log)
  if (start.decision.halt) return stopped(start, messages, log)
  const output = start.decision.context.join('\n')
  add({ role: 'user', content: output === '' ? prompt : `${output}\n\n${prompt}` })

  for (;;) {
    const { text, calls } = await ask(messages)
    add({ role: 'assistant', content: text, calls })
    if (calls.length === 0) return { success: true, text, messages }
    for (const { name, input } of calls) {
      const tool_response = await tools[name](input)
      const result = { role: 'tool', name, content: tool_response }
      add(result) // hooks find it in the conversation
      const after = await engine.dispatch({
        hook_event_name: 'PostToolUse',
        tool_name: name,
        tool_input: input,
        tool_response,
      })
      tell(after, log)
      const { context, blocked, reason, updatedToolOutput } = after.decision
      if (updatedToolOutput !== null) result.content = updatedToolOutput // before the model or anybody else reads it
      for (const content of [...context, ...(blocked ? [reason] : [])]) add({ role: 'user', content })
      if (after.decision.halt) return stopped(after, messages, log)
    }
  }
}

/** What hooks have for the user is a warning; what nobody need read is for the debug log. */
function tell({ decision, notices = [] }, log) {
  for (const text of notices) log.warn(text)
  for (const { to, text } of decision.messages) {
    if (to === 'verbose') log.debug(text)
    else if (to === 'user') log.warn(text)
  }
}

function stopped({ decision }, messages, log) {
  const error = decision.stopReason ?? 'Stopped by hook'
  log.info(`Hook requested stop: ${error}`)
  return { success: false, error, messages }
}
