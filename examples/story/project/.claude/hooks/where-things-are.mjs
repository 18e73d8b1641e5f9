#!/usr/bin/env node
// SubagentStart: what it adds goes into the conversation of the agent that begins, and nowhere else.

const additionalContext = 'The sources are in src/, and nowhere else.'
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext } }))
