// PreToolUse on order: up to 10 lamps as they are, up to 100 ten at a time, and more end the turn.

import { text } from 'node:stream/consumers'

const { tool_input } = JSON.parse(await text(process.stdin))
if (tool_input.lamps > 100) answer({ continue: false, stopReason: `${tool_input.lamps} lamps are beyond the budget` })
else if (tool_input.lamps > 10) {
  answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...tool_input, lamps: 10 } } })
}

function answer(object) {
  console.log(JSON.stringify(object))
}
