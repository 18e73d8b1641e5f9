import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { bashTool } from '../../src/tools/bash.ts'
import { makePlace } from './support.ts'

describe('Bash', () => {
  it('returns what a command wrote to both outputs, in the shape that hooks know', async () => {
    const { call } = await makePlace()
    const { content, response } = await call(bashTool, { command: 'echo out; echo err >&2' })
    expect(content).toBe('out\nerr')
    expect(response).toEqual({
      ...{ stdout: 'out', stderr: 'err', interrupted: false, isImage: false, noOutputExpected: false },
    })
  })

  it('runs in the current folder with the environment of the session', async () => {
    const { call, folder } = await makePlace()
    const { content } = await call(bashTool, { command: 'pwd; echo "$FROM_ENV_FILE"; [[ a == a ]] && echo bash' })
    expect(content).toBe(`${folder}\nfrom the env file\nbash`)
  })

  it('forgets a cd until the next call', async () => {
    const { call, folder } = await makePlace()
    await call(bashTool, { command: 'mkdir inner && cd inner' })
    expect((await call(bashTool, { command: 'pwd' })).content).toBe(folder)
  })

  it('says so when there is no output, and does not wait for somebody to type', async () => {
    const { call } = await makePlace()
    expect((await call(bashTool, { command: 'cat' })).content).toBe('(no output)')
  })

  it('fails with the exit code first and the output behind it', async () => {
    const { failure } = await makePlace()
    expect(await failure(bashTool, { command: 'echo out; echo err >&2; exit 3' })).toBe('Exit code 3\nerr\n\nout')
    expect(await failure(bashTool, { command: 'false' })).toBe('Exit code 1')
  })

  it('gives a command that a signal ended the exit code a shell would', async () => {
    const { failure } = await makePlace()
    expect(await failure(bashTool, { command: 'echo before; kill -9 $$' })).toBe(
      'Exit code 137\nEnded by SIGKILL.\nbefore',
    )
  })

  it('takes a command that begins with a dash for a command', async () => {
    const { failure } = await makePlace()
    expect(await failure(bashTool, { command: '-x' })).toMatch(/^Exit code 127\n.*-x: command not found/)
  })

  it('ends a command at its timeout, with everything it started, and tells what it printed', async () => {
    const { failure, living } = await makePlace()
    const message = await failure(bashTool, { command: 'echo started; sleep 600 & sleep 600', timeout: 1500 })
    expect(message).toMatch(/^The command was ended after 1500 ms, its timeout\..*\nstarted$/)
    expect(living()).toEqual([])
  })

  it('ends a command and its group when it is interrupted', async () => {
    const { failure, interrupt, path, living } = await makePlace()
    const failed = failure(bashTool, { command: 'trap "" TERM; echo begun; touch begun; sleep 600 & sleep 600' })
    await until('the command has begun', () => existsSync(path('begun')))
    interrupt()
    expect(await failed).toBe('The command was interrupted.\nbegun')
    expect(living()).toEqual([])
  })

  it('starts nothing when it was interrupted before', async () => {
    const { failure, interrupt, path } = await makePlace()
    interrupt()
    expect(await failure(bashTool, { command: 'touch x' })).toBe('Interrupted before it began.')
    expect(await failure(bashTool, { command: 'touch x', run_in_background: true })).toBe(
      'Interrupted before it began.',
    )
    expect(existsSync(path('x'))).toBe(false)
  })

  it('cuts the middle out of a long output and says how much, in a failure too', async () => {
    const { call, failure } = await makePlace()
    const command = 'echo first; yes 0123456789 | head -n 100000; echo last'
    const { content, response } = await call(bashTool, { command })
    const whole = 'first\n'.length + 1_100_000 + 'last'.length
    expect(content).toMatch(/^first\n/)
    expect(content).toMatch(/last$/)
    expect(content).toContain(`[… ${whole - 30_000} characters left out …]`)
    expect(content.length).toBeLessThan(30_200)
    expect(JSON.stringify(response).length).toBeLessThan(40_000)
    expect((await failure(bashTool, { command: `${command}; exit 1` })).length).toBeLessThan(30_200)
  })

  it('reads and drops what is more than it keeps', async () => {
    const { call } = await makePlace()
    const { content } = await call(bashTool, { command: 'head -c 20000000 /dev/zero | tr "\\0" x' })
    expect(content).toContain(`[… ${20_000_000 - 8 * 1024 * 1024} more bytes were not kept]`)
  })

  it('does not wait for a process that the command left behind, and says that it runs', async () => {
    const { call, living, path } = await makePlace()
    const { content } = await call(bashTool, { command: 'sleep 600 & echo $! >pid; echo done' })
    expect(content).toBe('done\nA process it started still runs and holds its output. Use run_in_background for those.')
    process.kill(Number(await readFile(path('pid'), 'utf8')))
    await until('it is gone', () => living().length === 0)
  })

  it('says why a command could not be started', async () => {
    const { call, failure, folder } = await makePlace()
    await call(bashTool, { command: `rm -r '${folder}'` })
    expect(await failure(bashTool, { command: 'ls' })).toContain(`the working directory ${folder} does not exist`)
    expect(await failure(bashTool, { command: 'echo \0' })).toMatch(/^bash cannot be started: /)
  })

  it('takes no timeout longer than ten minutes, and no field that it does not know', () => {
    expect(bashTool.input.safeParse({ command: 'ls', timeout: 600_000 }).success).toBe(true)
    expect(bashTool.input.safeParse({ command: 'ls', timeout: 600_001 }).success).toBe(false)
    expect(bashTool.input.safeParse({ command: 'ls', shell: 'zsh' }).success).toBe(false)
  })
})
