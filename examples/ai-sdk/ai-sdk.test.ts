import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const agent = fileURLToPath(new URL('agent.js', import.meta.url))

it('refuses one call, asks the user about another, and goes on after Stop', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hookline-example-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const env = { ...process.env, HOME: home }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [agent], { env, timeout: 30_000 })
  expect(stderr).toBe('A guest sleeps in the hall\n')
  expect(stdout).toContain('The user is asked, and says yes.\n')
  expect(stdout).toContain('UserPromptSubmit hook success: It is night.\n')
  expect(stdout).toContain(
    'tool: PreToolUse:light hook error: [echo the cellar stays dark >&2; exit 2]: the cellar stays dark\n',
  )
  expect(stdout).toContain('tool: the hall is lit\n')
  expect(stdout).toMatch(/\nThe hall is lit, the cellar stays dark\.\n$/)
})
