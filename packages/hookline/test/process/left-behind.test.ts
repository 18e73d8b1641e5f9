import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LaunchListener } from '../../src/process/launched.ts'
import { OrphanGuard } from '../../src/process/orphan-guard.ts'
import { PipeStock } from '../../src/process/pipe-stock.ts'
import { ShellPool } from '../../src/process/pool/shell-pool.ts'
import { LeftBehind } from '../../src/process/session-members.ts'
import { openFor, printed } from '../faults/fire.ts'
import { bashCall, commands } from '../support/project.ts'

const ONLY_LINUX = process.platform !== 'linux'
const QUIET = '>/dev/null 2>&1'
/** Starts no process, so that no number is given for it. */
const TELL_SESSION = 'read -r pid name state parent group session rest < /proc/$$/stat; echo $session'

/** Starts a session with one process besides its leader; both are ended when the test is over. */
async function startSession(): Promise<{ session: number; member: number }> {
  const leader = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true })
  const session = leader.pid
  if (session === undefined) throw new Error('no session could be started')
  onTestFinished(() => void process.kill(-session, 'SIGKILL'))
  const [member] = await once(leader.stdout.setEncoding('latin1'), 'data')
  return { session, member: Number(member) }
}

/** Tells of last numbers that the system never gave. */
function tellNumbers(): { leftBehind: LeftBehind; tell: (last: number) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-numbers-'))
  const file = join(folder, 'loadavg')
  const leftBehind = new LeftBehind(file)
  onTestFinished(() => {
    leftBehind.close()
    rmSync(folder, { recursive: true })
  })
  return { leftBehind, tell: (last) => writeFileSync(file, `0.00 0.00 0.00 1/1 ${last}\n`) }
}

describe.skipIf(ONLY_LINUX)('the sessions of hooks that have ended', () => {
  it('are not looked through while every number was that of a hook which has ended', async () => {
    const { session, member } = await startSession()
    const { leftBehind, tell } = tellNumbers()
    tell(member - 1)
    const since = leftBehind.countFromNow()
    since.ended = 1
    tell(member)
    expect(leftBehind.listInhabited([{ session, since }])).toEqual(new Set())
  })

  it('are looked through when one number more was given', async () => {
    const { session, member } = await startSession()
    const { leftBehind, tell } = tellNumbers()
    tell(member - 2)
    const since = leftBehind.countFromNow()
    since.ended = 1
    tell(member)
    expect(leftBehind.listInhabited([{ session, since }])).toContain(session)
  })

  it('are looked through when numbering begins anew', async () => {
    const { session } = await startSession()
    const { leftBehind, tell } = tellNumbers()
    tell(4_194_300)
    const since = leftBehind.countFromNow()
    since.ended = 1
    tell(302)
    expect(leftBehind.listInhabited([{ session, since }])).toContain(session)
  })

  it('are looked through when numbering had the time to come round to the same number', async () => {
    const { session, member } = await startSession()
    const { leftBehind, tell } = tellNumbers()
    tell(member)
    const since = { first: member - 1, at: performance.now() - 101, ended: 1 }
    expect(leftBehind.listInhabited([{ session, since }])).toContain(session)
  })

  it('are looked through when hooks began at different times', async () => {
    const [one, other] = [await startSession(), await startSession()]
    const { leftBehind, tell } = tellNumbers()
    tell(other.member)
    const at = performance.now()
    const ended = [
      { session: one.session, since: { first: one.member - 1, at, ended: 2 } },
      { session: other.session, since: { first: other.member - 1, at, ended: 1 } },
    ]
    expect([...leftBehind.listInhabited(ended)]).toEqual(expect.arrayContaining([one.session, other.session]))
  })

  it.each([
    ['of another machine', 4_000_000, 4_000_001],
    ['that stand still', 7, 7],
    ['of which none is told', 0, 0],
  ])('are looked through where the system tells numbers %s', async (_, before, after) => {
    const { leftBehind, tell } = tellNumbers()
    tell(before)
    const since = leftBehind.countFromNow()
    const { session } = await startSession()
    tell(after)
    leftBehind.checkNumbers(since, session)
    since.ended = after - before
    expect(leftBehind.listInhabited([{ session, since }])).toContain(session)
  })
})

describe.skipIf(ONLY_LINUX)('a shell whose hook leaves a process behind', () => {
  it.each([
    ['in the background', `sleep 20 ${QUIET} & exit 0`],
    ['by a double fork', `(sleep 20 ${QUIET} & exit 0); exit 0`],
    ['in a group of its own', `set -m; sleep 20 ${QUIET} & exit 0`],
    ['before it becomes another program', `sleep 20 ${QUIET} & exec true`],
  ])('%s is given to no other hook', async (_, leave) => {
    const { engine, world } = await openFor('PreToolUse', ['ps -o sid= -p $$'], { launcher: 'pool' })
    await engine.register({ Stop: [commands(`ps -o sid= -p $$ > sid; ${leave}`)] })
    await engine.dispatch(bashCall)
    const left = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    expect(left.hooks).toMatchObject([{ launcher: 'pool', exitCode: 0 }])
    const session = readFileSync(`${world.project}/sid`, 'utf8').trim()
    for (let turns = 10; turns > 0; turns--) {
      expect(printed(await engine.dispatch(bashCall))?.trim()).not.toBe(session)
    }
  })

  it('is given to no other hook when another start was refused in the same moment', async () => {
    const guard = new OrphanGuard()
    const stock = new PipeStock()
    const pool = new ShellPool({ guard, stock }, () => false)
    onTestFinished(async () => {
      await pool.close()
      stock.close()
      await guard.dismiss()
    })
    const env = { PATH: process.env.PATH }
    for (let shells = 2; shells > 0; shells--) expect(await pool.grow(env)).toBe(true)
    const run = (command: string, cwd: string): Promise<string> => runInPool(pool, { command, cwd, env })
    for (let turns = 5; turns > 0; turns--) {
      const [refused, session] = await Promise.all([
        run('true', '/no/such/folder'),
        run(`sleep 20 ${QUIET} & ${TELL_SESSION}`, '/'),
      ])
      expect(refused).toBe('refused')
      expect(session).toMatch(/^\d+$/)
      onTestFinished(() => void process.kill(-Number(session), 'SIGKILL'))
      const later = await Promise.all([run(TELL_SESSION, '/'), run(TELL_SESSION, '/')])
      expect(later).not.toContain(session)
      expect(await pool.grow(env)).toBe(true)
    }
  })
})

/** Runs a command in a pool; the answer is what it prints, or why it did not run. */
function runInPool(
  pool: ShellPool,
  { command, cwd, env }: { command: string; cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const end = (answer: () => string): void => {
      if (launched?.isHeld()) setTimeout(() => end(answer), 1)
      else {
        launched?.release()
        resolve(answer().trim())
      }
    }
    const listener: LaunchListener = {
      wrote: (output, chunk) => {
        if (output === 'stdout') text += chunk.toString('latin1')
      },
      takeBack: () => false,
      closed: () => {},
      exited: () => end(() => text),
      failed: reject,
      refused: () => end(() => 'refused'),
    }
    const input = '{}\n'
    const spec = { file: '/bin/sh', args: ['-c', command], cwd, env, input: { line: input, bytes: Buffer.from(input) } }
    const launched = pool.launch(command, { ...spec, timeoutMs: null, outputLimit: 1000 }, listener)
    if (launched === null) resolve('no shell is free')
  })
}
