import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { BackgroundCommands } from '../../src/tools/background-commands.ts'
import { bashTool } from '../../src/tools/bash.ts'
import { bashOutputTool } from '../../src/tools/bash-output.ts'
import { killShellTool } from '../../src/tools/kill-shell.ts'
import { makePlace } from './support.ts'

const inBackground = (command: string) => ({ command, run_in_background: true })

/** Waits until no command runs any more. */
async function allEnded(background: BackgroundCommands): Promise<void> {
  await until('all have ended', () => background.list().every(({ state }) => state.status !== 'running'))
}

it('a session that is over makes no folder for commands any more', async () => {
  const background = new BackgroundCommands()
  const { failure, context } = await makePlace({}, { background })
  await background.close()
  expect(await failure(bashTool, inBackground('ls'))).toContain('The session has ended')
  expect(context.background.list()).toEqual([])
})

describe('a command in the background', () => {
  it('is started without being waited for, and has an id', async () => {
    const { call, context } = await makePlace()
    const { content, response } = await call(bashTool, inBackground('sleep 600'))
    expect(content).toContain('bash_1')
    expect(response).toMatchObject({ backgroundTaskId: 'bash_1', interrupted: false })
    expect(context.background.list()).toMatchObject([
      { id: 'bash_1', command: 'sleep 600', state: { status: 'running' } },
    ])
  })

  it('hands out what it wrote since it was last asked, both outputs in order', async () => {
    const { call, context, path, put } = await makePlace()
    const command =
      'echo one; echo two >&2; touch wrote; until [ -e go ]; do sleep 0.05; done; printf "dr\\303\\244i\\n"; exit 4'
    await call(bashTool, inBackground(command))
    await until('it wrote', () => existsSync(path('wrote')))
    expect((await call(bashOutputTool, { bash_id: 'bash_1' })).content).toBe('Status: running\none\ntwo')
    expect((await call(bashOutputTool, { bash_id: 'bash_1' })).content).toBe('Status: running\n(no new output)')
    await put('go', '')
    await allEnded(context.background)
    const { content, response } = await call(bashOutputTool, { bash_id: 'bash_1' })
    expect(content).toBe('Status: exited with code 4\ndräi')
    expect(response).toMatchObject({ shellId: 'bash_1', status: 'exited', code: 4, stdout: 'dräi' })
  })

  it('keeps half a character until its rest is written', async () => {
    const { call, context, path, put } = await makePlace()
    const command = 'printf "\\303"; touch wrote; until [ -e go ]; do sleep 0.05; done; printf "\\244"'
    await call(bashTool, inBackground(command))
    await until('it wrote', () => existsSync(path('wrote')))
    expect((await call(bashOutputTool, { bash_id: 'bash_1' })).content).toContain('(no new output)')
    await put('go', '')
    await allEnded(context.background)
    expect((await call(bashOutputTool, { bash_id: 'bash_1' })).content).toMatch(/\nä$/)
  })

  it('shows the end of a long output and says what was left out', async () => {
    const { call, context } = await makePlace()
    await call(bashTool, inBackground('yes 0123456789 | head -n 100000; echo last'))
    await allEnded(context.background)
    const { content } = await call(bashOutputTool, { bash_id: 'bash_1' })
    expect(content).toContain(`[… ${1_100_005 - 65_536} bytes left out …]`)
    expect(content).toMatch(/last$/)
    expect(content.length).toBeLessThan(31_000)
  })

  it('is ended by KillShell, with everything it started', async () => {
    const { call, living } = await makePlace()
    await call(bashTool, inBackground('sleep 600 & sleep 600'))
    await until('both run', () => living().length >= 3)
    expect((await call(killShellTool, { shell_id: 'bash_1' })).content).toBe('bash_1: ended on request')
    expect(living()).toEqual([])
    expect((await call(bashOutputTool, { bash_id: 'bash_1' })).content).toContain('Status: ended on request')
  })

  it('that nobody started is told apart from those that were', async () => {
    const { call, failure } = await makePlace()
    expect(await failure(killShellTool, { shell_id: 'x' })).toBe(
      'There is no command "x" in the background. None was started.',
    )
    await call(bashTool, inBackground('true'))
    expect(await failure(bashOutputTool, { bash_id: 'x' })).toContain('There are: bash_1.')
  })

  it('is ended when it fills the disk', async () => {
    const background = new BackgroundCommands({ largestOutput: 1000 })
    const { call, living } = await makePlace({}, { background })
    await call(bashTool, inBackground('while sleep 0.01; do echo 0123456789; echo 0123456789 >&2; done'))
    await allEnded(background)
    expect((await call(bashOutputTool, { bash_id: 'bash_1' })).content).toMatch(/^Status: ended: it wrote too much/)
    expect(living()).toEqual([])
  })

  it('that cannot be started says why', async () => {
    const { call, context, folder } = await makePlace()
    await call(bashTool, { command: `rm -r '${folder}'` })
    await call(bashTool, inBackground('ls'))
    await allEnded(context.background)
    expect((await call(bashOutputTool, { bash_id: 'bash_1' })).content).toContain('does not exist')
  })

  it('ends with the session, which leaves neither a process nor a file behind', async () => {
    const { call, context, living, failure } = await makePlace()
    await Promise.all([1, 2, 3].map(() => call(bashTool, inBackground('trap "" TERM; sleep 600 & sleep 600'))))
    await until('all run', () => living().length >= 9)
    const [first] = context.background.list()
    expect(context.background.list().map(({ id }) => id)).toEqual(['bash_1', 'bash_2', 'bash_3'])
    await context.background.close()
    await context.background.close()
    expect(living()).toEqual([])
    expect(existsSync(dirname(first?.outputFile ?? '/'))).toBe(false)
    expect(await failure(bashTool, inBackground('ls'))).toContain('The session has ended')
  })
})

describe.skipIf(process.platform !== 'linux')('what a command in the background leaves behind when it exits', () => {
  const leave = `sleep 600 & (trap '' TERM; sleep 601; sleep 602) & timeout 300 sleep 603 & exit 3`

  it('goes on while the session does, and ends with it', async () => {
    const { call, context, living } = await makePlace()
    await call(bashTool, inBackground(leave))
    await allEnded(context.background)
    expect(context.background.list()).toMatchObject([{ state: { status: 'exited', code: 3 } }])
    await until('its children run', () => living().length === 5)
    await context.background.close()
    await until('nobody is left', () => living().length === 0)
  })

  it('is left alone when the command was not one in the background, or became a daemon', async () => {
    const { call, context, living } = await makePlace()
    await call(bashTool, { command: 'sleep 21 >/dev/null 2>&1 &' })
    await call(bashTool, inBackground('setsid sleep 21 & sleep 0.2'))
    await allEnded(context.background)
    await context.background.close()
    expect(living()).toHaveLength(2)
    for (const pid of living()) process.kill(pid, 'SIGKILL')
  })
})
