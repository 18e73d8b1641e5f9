import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const demo = fileURLToPath(new URL('demo.js', import.meta.url))

it('refuses one call, runs another, and goes on after Stop', async () => {
  const env = { ...process.env, HOME: '/nonexistent' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [demo], { env, timeout: 30_000 })
  expect(stderr).toBe('')
  expect(stdout).toBe(`user: <system-reminder>
SessionStart:startup hook success: It is night.
</system-reminder>
user: Where is the lamp?
assistant: I look at the settings.
tool: Error: PreToolUse:read hook error: [echo .env is not for models >&2; exit 2]: .env is not for models
assistant: Then the notes.
tool: The lamp hangs in the hall.

assistant: The lamp is in the hall.
user: Stop hook feedback:
Name the file that you have this from.
assistant: The lamp is in the hall. Source: NOTES.md

The answer: The lamp is in the hall. Source: NOTES.md
`)
})
