import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { runAgent, scripted } from '../support/command.ts'
import { bash, openAgent } from '../support/opened-agent.ts'

it('goes on when the disk of the transcript is full, says so once, and what was written can be resumed', async ({
  skip,
}) => {
  const world = await makeWorld()
  const folder = join(world.home, '.hookline')
  mkdirSync(folder)
  const unmount = mountSmall(folder)
  if (unmount === null) return skip('a small file system can be mounted by root on Linux alone')
  onTestFinished(unmount)
  const tools = (at: number) => [bash(`head -c 20000 /dev/zero | tr '\\0' x; touch call-${at}`, `call_${at}`)]
  const script = { turns: [{ tools: tools(0) }, { tools: tools(1) }, { tools: tools(2) }, { text: 'Done.' }] }
  const args = ['-p', 'Go', '--allowed-tools', 'Bash', ...(await scripted(world, script))]
  const { code, stdout, stderr } = await runAgent(world, { args })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' })
  expect(stderr.match(/The transcript .* cannot be written: ENOSPC/g)).toHaveLength(1)
  expect(stderr).toMatch(/lacks its last \d+ lines/)
  const { agent, requests } = await openAgent({}, { world, resume: 'newest' })
  await agent.run('And now?')
  expect(requests[0]?.messages.length).toBeGreaterThan(1)
})

/** Mounts a file system with little room; the answer takes it away. */
function mountSmall(folder: string): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null // not root, or not Linux
  }
  return () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
}
