import { expect, it } from 'vitest'
import { findSessionFolder } from '../../src/bridges/memory.ts'
import { SHRINKING, USER, writeGuards } from '../bridges/shrinking.ts'
import { hookline } from '../support/command.ts'
import { put } from '../support/project.ts'
import { bashEvent, call, makeServedHome, readFigures, startCall } from './resident.ts'

const isRefused = ({ code, stdout }: { code: number | null; stdout: string }): boolean =>
  code === 2 || /"(?:deny|block)"/.test(stdout)

it('refuses every call of a session whose agent shrinks its guards, however, also many at once', async () => {
  const served = await makeServedHome({})
  const { world, home } = served
  await writeGuards(world)
  const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
  expect((await hookline(world, ['trust', 'accept', '--yes', digest])).code).toBe(0)
  const wrong: string[] = []
  for (const [at, [how, shrink]] of Object.entries(SHRINKING).entries()) {
    await writeGuards(world)
    const event = bashEvent('ls', { session_id: `way-${at}` })
    const before = await startCall(served, event)
    if (isRefused(before)) wrong.push(`${how}: refused before: ${JSON.stringify(before)}`)
    await shrink(world, findSessionFolder(home, 'codex', `way-${at}`))
    const ends = await Promise.all([1, 2].map(() => startCall(served, event)))
    if (!ends.every(isRefused)) wrong.push(how)
  }
  expect(wrong).toEqual([])
  await expect.poll(() => readFigures(served)?.served ?? 0, { timeout: 30_000 }).toBeGreaterThan(100)
})

it('lets no call pass whose guard comes and goes while it is made', async () => {
  const refusing = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }] } }
  const served = await makeServedHome(refusing.hooks)
  expect(isRefused(call(served, bashEvent('ls')))).toBe(true)
  const calls = Array.from({ length: 24 }, () => startCall(served, bashEvent('ls')))
  let ended = 0
  const ends = Promise.all(calls.map((one) => one.finally(() => ended++)))
  for (let at = 0; ended < calls.length; at++) await put(served.world, USER, at % 2 === 0 ? '{}' : refusing)
  expect((await ends).filter((end) => !isRefused(end))).toEqual([])
})
