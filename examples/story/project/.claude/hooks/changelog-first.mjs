#!/usr/bin/env node
// Stop: sends the agent back once. A Stop hook that does not look at stop_hook_active never lets it stop.

import { text } from 'node:stream/consumers'

const input = JSON.parse(await text(process.stdin))

if (!input.stop_hook_active) {
  console.log(JSON.stringify({ decision: 'block', reason: 'Add a line to CHANGELOG.md about this change first.' }))
}
