// PostToolUse, after the formatter: ends the run when the file does not parse.

import { spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

const { path } = JSON.parse(await text(process.stdin)).tool_input
const { status } = spawnSync(process.execPath, ['--check', path], { stdio: 'pipe' }) // its output is none of ours
const context = (additionalContext) => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } })
if (status === 0) console.log(JSON.stringify(context(`${path} parses`)))
else
  console.log(JSON.stringify({ ...context(`${path} does not parse`), continue: false, stopReason: 'Files must parse' }))
