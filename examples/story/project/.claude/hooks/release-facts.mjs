#!/usr/bin/env node
// UserPromptSubmit: a prompt about a release gets the facts a release needs.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const input = JSON.parse(await text(process.stdin))

if (/\b(?:release|publish)\b/i.test(input.prompt)) {
  const { name, version } = JSON.parse(readFileSync(join(process.env.CLAUDE_PROJECT_DIR, 'package.json'), 'utf8'))
  const additionalContext = `The last release of ${name} is ${version}.`
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext } }))
}
