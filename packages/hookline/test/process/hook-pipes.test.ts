import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { HookPipes, OutputReader } from '../../src/process/hook-pipes.ts'
import { until } from '../support/processes.ts'

/** Pipes as a shell makes them. */
async function madePipes(options: { canListen: boolean }): Promise<HookPipes> {
  const make = 'exec 3<<E 4<<E 5<<E\n0\nE\n1\nE\n2\nE\necho; read -r line'
  const maker = spawn('/bin/sh', ['-c', make], { stdio: ['pipe', 'pipe', 'inherit'] })
  await new Promise((resolve) => maker.stdout.once('data', resolve))
  const pipes = new HookPipes(maker.pid ?? 0, options)
  maker.stdin.end()
  onTestFinished(() => pipes.close())
  return pipes
}

describe.skipIf(process.platform !== 'linux').each([true, false])(
  'pipes of hooks, when it is %s that they can be listened to',
  (canListen) => {
    it('carry more than they hold at a time, both ways, for one hook after the other', async () => {
      const pipes = await madePipes({ canListen })
      for (const letter of ['a', 'b']) {
        const ends = pipes.openEnds()
        const fill = pipes.openInput()
        const hook = spawn('/bin/sh', ['-c', 'cat; echo said >&2'], { stdio: ends as [number, number, number] })
        fill(Buffer.alloc(300_000, letter))
        for (const end of ends) closeSync(end)
        const seen = { stdout: '', stderr: '' }
        let closed = 0
        pipes.follow(
          (output, chunk) => {
            seen[output] += chunk.toString()
          },
          () => closed++,
        )
        await new Promise((resolve) => hook.once('exit', resolve))
        await until('both ends are closed', () => closed === 2)
        expect([seen.stdout === letter.repeat(300_000), seen.stderr]).toEqual([true, 'said\n'])
        expect(pipes.reset()).toBe(true)
      }
    })

    it('are read to the end when a hook is slow to open them', async () => {
      const pipes = await madePipes({ canListen })
      const follow = vi.spyOn(pipes, 'follow')
      const read = { stdout: 0, stderr: 0 }
      const reader = new OutputReader(pipes, {
        wrote: (output, chunk) => {
          read[output] += chunk.length
        },
        takeBack: () => false,
        closed: () => {},
        exited: () => {},
        failed: () => {},
        refused: () => {},
      })
      await until('it was looked for what the hook writes', () => follow.mock.calls.length > 1)
      const ends = pipes.openEnds()
      const flood = 'head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2'
      const hook = spawn('/bin/sh', ['-c', flood], { stdio: ends as [number, number, number] })
      for (const end of ends) closeSync(end)
      await new Promise((resolve) => hook.once('exit', resolve))
      reader.noteExit()
      await until('no process holds the outputs', () => !reader.isHeld())
      expect([reader.stop(), read]).toEqual([true, { stdout: 300_000, stderr: 300_000 }])
    })

    it('are not used again while somebody still reads the input', async () => {
      const pipes = await madePipes({ canListen })
      const [input = 0, ...outputs] = pipes.openEnds()
      pipes.openInput()(Buffer.from('{}\n'))
      for (const output of outputs) closeSync(output)
      expect(pipes.reset()).toBe(false)
      closeSync(input)
    })
  },
)
