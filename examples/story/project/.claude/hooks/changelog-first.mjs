#!/usr/bin/env node
// Stop: sends the agent back while the changelog is older than the code.
// A Stop hook that does not look at stop_hook_active may never let it stop.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const { stop_hook_active } = JSON.parse(await text(process.stdin))
const changed = (file) => statSync(join(process.env.CLAUDE_PROJECT_DIR, file)).mtimeMs

if (!stop_hook_active && changed('CHANGELOG.md') < changed('src/lamp.js')) {
  console.log(JSON.stringify({ decision: 'block', reason: 'Add a line to CHANGELOG.md about this change first.' }))
}
