#!/usr/bin/env node
// PreToolUse in the frontmatter of an agent: it counts for that agent alone.

import { text } from 'node:stream/consumers'

const { tool_input } = JSON.parse(await text(process.stdin))

if (!/^(?:cat|git (?:diff|log|show)|grep|ls)\b[^;&|<>$`]*$/.test(tool_input.command)) {
  console.error('A scout only looks.')
  process.exitCode = 2
}
