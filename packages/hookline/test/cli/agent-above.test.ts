import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findAgentAbove } from '../../src/cli/start/calling-agent.ts'

/** Starts a program that waits, as a child of this process. */
async function startWaiting(options: { readonly env?: NodeJS.ProcessEnv; readonly argv0?: string }): Promise<number> {
  const child: ChildProcess = spawn('cat', [], { env: {}, stdio: ['pipe', 'ignore', 'ignore'], ...options })
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  return child.pid ?? 0
}

describe.runIf(process.platform === 'linux')('the agent above a command', () => {
  it('is seen by a variable that the command itself no longer has', async () => {
    expect(findAgentAbove(await startWaiting({ env: { CLAUDECODE: '1' } }))).toContain('Claude Code runs this')
  })

  it('is seen by its name', async () => {
    expect(findAgentAbove(await startWaiting({ argv0: '/usr/bin/codex' }))).toContain('codex runs this')
  })

  it('is looked for in the parents of a program that is none', async () => {
    expect(findAgentAbove(await startWaiting({}))).toBe(findAgentAbove(process.pid))
  })
})
