import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesWith, until } from '../../../hookline/test/support/processes.ts'
import { commands, put } from '../../../hookline/test/support/project.ts'
import { scripted, startAgent, transcripts } from '../support/command.ts'
import { bash, worldWithHooks } from '../support/opened-agent.ts'

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s during a turn ends it in order: SessionEnd fires, nothing is left, exit code %i',
    async (name, expected) => {
      const world = await worldWithHooks({
        SessionEnd: [{ matcher: 'other', ...commands('touch ended') }],
        Stop: [commands('touch stopped')],
      })
      const script = { turns: [{ tools: [bash('touch started; sleep 60 & sleep 60')] }] }
      const token = `signalled-${name}-${world.root}`
      const { child, ended } = startAgent(world, {
        args: ['-p', 'Go', '--trust', '--allowed-tools', 'Bash', ...(await scripted(world, script))],
        env: { SIGNAL_TOKEN: token },
      })
      await until('the command runs', () => existsSync(join(world.project, 'started')))
      child.kill(name)
      expect(await ended).toMatchObject({ code: expected, stderr: 'Interrupted\n' })
      expect(processesWith(token)).toEqual([])
      expect(existsSync(join(world.project, 'ended'))).toBe(true)
      expect(existsSync(join(world.project, 'stopped'))).toBe(false)
      expect(transcripts(world)[0]?.at(-1)).toMatchObject({ type: 'result', subtype: 'error_interrupted' })
    },
  )

  it('SIGINT while a SessionStart hook runs ends it, and SessionEnd fires', async () => {
    const world = await worldWithHooks({
      SessionStart: [commands('touch started; sleep 60')],
      SessionEnd: [commands('touch ended')],
    })
    const { child, ended } = startAgent(world, { args: ['-p', 'Go', '--trust', ...(await scripted(world, {}))] })
    await until('the hook runs', () => existsSync(join(world.project, 'started')))
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    expect(existsSync(join(world.project, 'ended'))).toBe(true)
  })

  it('a reader that leaves ends the run in order', async () => {
    const world = await worldWithHooks({ SessionEnd: [commands('touch ended')] })
    const script = {
      turns: Array.from({ length: 3 }, () => ({ tools: [bash('while [ ! -e left ]; do sleep 0.01; done')] })),
    }
    const args = [
      '-p',
      'Go',
      '--trust',
      '--allowed-tools',
      'Bash',
      '--output-format',
      'stream-json',
      ...(await scripted(world, script)),
    ]
    const { child, ended } = startAgent(world, { args })
    child.stdout?.once('data', () => {
      child.stdout?.destroy()
      void put(world, 'project/left', '')
    })
    await ended.catch(() => {}) // its output was closed on purpose
    await until('the run has ended', () => existsSync(join(world.project, 'ended')))
  })
})
