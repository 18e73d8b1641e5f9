/** `npm run test:launchers`: the whole of `npm test` once for each other way of starting hooks, some 12 minutes each. `npm test` itself has `auto` for both. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readCall } from './read-options.js'
import { ROOT } from './tools.js'

readCall(import.meta.url, {}) // it has no options

const WAYS = [
  { HOOKLINE_LAUNCHER: 'direct', HOOKLINE_WARM: 'off' },
  { HOOKLINE_LAUNCHER: 'pool', HOOKLINE_WARM: 'on' },
]

for (const way of WAYS) {
  console.log(
    `\n${Object.entries(way)
      .map((pair) => pair.join('='))
      .join(' ')}`,
  )
  const env = { ...process.env, ...way }
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/test.js')], { cwd: ROOT, env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
