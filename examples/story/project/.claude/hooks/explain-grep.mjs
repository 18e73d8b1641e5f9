#!/usr/bin/env node
// PostToolUseFailure on Bash: grep exits with 1 when it finds nothing, which is an answer and no fault.

import { text } from 'node:stream/consumers'

const { tool_input, error } = JSON.parse(await text(process.stdin))

if (/^grep\b/.test(tool_input.command) && error.startsWith('Exit code 1')) {
  const additionalContext = 'grep found nothing; that is no error.'
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext } }))
}
