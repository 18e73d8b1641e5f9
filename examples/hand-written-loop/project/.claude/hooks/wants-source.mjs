// Stop: sends the agent back once, to name its source.

import { text } from 'node:stream/consumers'

const { stop_hook_active } = JSON.parse(await text(process.stdin))
if (!stop_hook_active)
  console.log(JSON.stringify({ decision: 'block', reason: 'Name the file that you have this from.' }))
