/** `npm run test:launchers`: the whole of `npm test` once for each way of starting hooks; about 8 minutes each. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './tools.js'

for (const launcher of ['direct', 'auto', 'pool']) {
  console.log(`\nHOOKLINE_LAUNCHER=${launcher}`)
  const env = { ...process.env, HOOKLINE_LAUNCHER: launcher }
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/test.js')], { cwd: ROOT, env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
