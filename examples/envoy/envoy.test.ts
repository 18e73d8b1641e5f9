import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const demo = fileURLToPath(new URL('demo.js', import.meta.url))

it('formats, then checks, tells the model both in the next message, and stops at a file that does not parse', async () => {
  const env = { ...process.env, HOME: '/nonexistent' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [demo], { env, timeout: 30_000 })
  expect(stderr).toBe('')
  expect(stdout).toBe(`user: Lamps are written in JavaScript.

Write a lamp
assistant: I write it.
tool: Wrote lamp.mjs
user: Formatted lamp.mjs
user: lamp.mjs parses
assistant: I write it.
tool: Wrote lamp.mjs
user: Formatted lamp.mjs
user: lamp.mjs does not parse
stopped: Files must parse
`)
})
