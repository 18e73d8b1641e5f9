import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { TerminalUser } from '../../src/cli/input/terminal-user.ts'

it('reads no further in the end, although the last question came after the end of the input', async () => {
  const input = new PassThrough()
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin) // it is only read
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  const user = new TerminalUser()
  input.end('current\ny\n')
  await once(input, 'end')
  expect([await user.ask('Which?'), await user.confirm('Sure?'), await user.ask('More?')]).toEqual([
    'current',
    true,
    null,
  ])
  user.end()
  expect(input.isPaused()).toBe(true)
})
