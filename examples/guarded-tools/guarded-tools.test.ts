import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const agent = fileURLToPath(new URL('agent.js', import.meta.url))

it('refuses a call, rewrites another, and stops at the third', async () => {
  const env = { ...process.env, HOME: '/nonexistent' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [agent], { env, timeout: 30_000 })
  expect(stderr).toBe('')
  expect(stdout).toBe(`readFile {"path":".env"}
readFile {"path":"STOCK.md"}
  not done: PreToolUse:readFile hook error: [echo .env is not for models >&2; exit 2]: .env is not for models
  done: "Lamps on stock: 2. Lamps needed: 42.\\n"
order {"lamps":40}
  done: {"ordered":10}
order {"lamps":400}
  not done: Not run: a hook ended the turn.
Stopped by a hook: 400 lamps are beyond the budget
`)
})
