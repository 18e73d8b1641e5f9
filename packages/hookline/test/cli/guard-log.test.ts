import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addToLog, readLog } from '../../src/cli/input/guard-log.ts'
import { makeWorld, put } from '../support/project.ts'

it('moves a full log of guards aside, and goes on in a new one', async () => {
  const world = await makeWorld({})
  const line = { at: '2026-11-18T00:00:00Z', project: '/p', tool: 'Bash', answer: 'deny', findings: [], files: {} }
  const full = `${JSON.stringify({ ...line, tool: 'x'.repeat(4 * 1024 * 1024) })}\n`
  await put(world, 'home/.hookline/guards.log', full)
  await addToLog(world.home, line)
  await addToLog(world.home, line)
  expect((await stat(join(world.home, '.hookline/guards.log.1'))).size).toBe(full.length)
  expect((await stat(join(world.home, '.hookline/guards.log'))).size).toBeLessThan(1000)
  expect(readLog(world.home).map(({ tool }) => tool.length)).toEqual([4 * 1024 * 1024, 4, 4])
})
