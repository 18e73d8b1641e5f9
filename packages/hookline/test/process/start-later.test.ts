import { describe, expect, it } from 'vitest'
import type { LaunchedProcess, LaunchListener } from '../../src/process/launched.ts'
import { startLater } from '../../src/process/start-directly.ts'

const listener: LaunchListener = {
  wrote: () => {},
  takeBack: () => false,
  closed: () => {},
  exited: () => {},
  failed: () => {},
  refused: () => {},
}

describe('a process that is started later', () => {
  it('is ended when it is let go of between its start and the word of it', async () => {
    const done: string[] = []
    const launched: LaunchedProcess = {
      by: 'direct',
      isStarted: () => true,
      isHeld: () => false,
      signal: (signal) => void done.push(signal),
      isGone: () => false,
      release: () => void done.push('release'),
    }
    const later = startLater('direct', listener, async () => launched)
    later.release() // it has started, and that is not known here yet
    await new Promise((resolve) => setImmediate(resolve))
    expect(done).toEqual(['SIGKILL', 'release'])
  })
})
