import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { RunningProcess } from '../../src/process/process.ts'
import { processesWith, until } from '../support/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-blocked-'))
const TOKEN = `HOOKLINE_BLOCKED_LOOP=${folder}`
/** Between SIGTERM and SIGKILL, and until a process counts as ended, with room for rounding. */
const AFTER_KILL_MS = 205
const PAST_BOTH_MS = 400

describe.skipIf(process.platform !== 'linux')('a host whose event loop is blocked', () => {
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('kills a hook that ignores SIGTERM although another one is given up in the same turn', async () => {
    const [first, second] = [startDeafHook('first'), startDeafHook('second')]
    await until('both ignore SIGTERM', () => isDeaf('first') && isDeaf('second'))
    first.abort()
    await pause(AFTER_KILL_MS) // the timer that gives the first up is older than the one that kills the second
    second.abort()
    for (const end = performance.now() + PAST_BOTH_MS; performance.now() < end; ); // blocks
    const runs = await Promise.all([first.ended, second.ended])
    expect(runs.map(({ ended }) => ended)).toEqual(['aborted', 'aborted'])
    await until('no process of either is left', () => processesWith(TOKEN).length === 0)
  })
})

function startDeafHook(name: string): RunningProcess {
  return new RunningProcess({
    file: '/bin/sh',
    args: ['-c', `trap "" TERM; echo deaf > ${join(folder, name)}; sleep 300`],
    cwd: folder,
    env: { PATH: process.env.PATH, HOOKLINE_BLOCKED_LOOP: folder },
    input: Buffer.alloc(0),
    timeoutMs: 120_000,
    outputLimit: 1000,
  })
}

function isDeaf(name: string): boolean {
  try {
    return readFileSync(join(folder, name), 'utf8') === 'deaf\n'
  } catch {
    return false // not yet
  }
}
