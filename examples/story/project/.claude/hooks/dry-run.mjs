#!/usr/bin/env node
// PreToolUse on `npm publish` and `git push`: the command goes ahead, but with --dry-run.

import { text } from 'node:stream/consumers'

const { tool_input } = JSON.parse(await text(process.stdin))

if (!tool_input.command.includes('--dry-run')) {
  const command = tool_input.command.replace(/\b(?:npm publish|git push)\b/g, '$& --dry-run')
  const answer = {
    hookEventName: 'PreToolUse',
    updatedInput: { ...tool_input, command }, // the whole input: it replaces the old one
    additionalContext: 'In this project an agent publishes with --dry-run only; a person does the rest.',
  }
  console.log(JSON.stringify({ hookSpecificOutput: answer }))
}
