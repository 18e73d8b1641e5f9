#!/usr/bin/env node
// PostToolUse with "async": true: the agent goes on at once, and reads the result at its next turn.

import { appendFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

const { tool_input } = JSON.parse(await text(process.stdin))
const lines = readFileSync(tool_input.file_path, 'utf8').trimEnd().split('\n')

await setTimeout(500) // stands for a type checker, a linter, a build

const longest = Math.max(...lines.map((line) => line.length))
const additionalContext = `Checked ${basename(tool_input.file_path)}: ${lines.length} lines, the longest has ${longest} characters.`
appendFileSync(join(process.env.CLAUDE_PROJECT_DIR, 'checks.log'), `${additionalContext}\n`)
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } }))
