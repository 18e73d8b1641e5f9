import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { answering, commands, makeWorld, type World } from '../support/project.ts'
import { pre } from './asked.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** A host: asks later without a clearance, and otherwise makes the call that it is for. Prints how the call ended. */
const HOST = `
import { openEngine } from 'hookline'
import { guardCall } from 'hookline/tools'
const { places, clearance, input } = JSON.parse(process.env.GIVEN)
const engine = await openEngine({ ...places, trust: 'accepted', sessionId: 'session-1' })
const answer = clearance && { clearance, allow: true }
const call = { name: 'light', input, id: 'toolu_1', answer, run: () => 'on' }
const end = await guardCall(engine, call, { onAsk: () => 'later' }).catch(({ fault }) => ({ ended: fault }))
await engine.close()
console.log(JSON.stringify(end))
`

/** Runs a host in a process of its own. */
async function host({ project, home, managed }: World, given: object): Promise<{ ended: string; clearance: unknown }> {
  const env = { ...process.env, GIVEN: JSON.stringify({ places: { project, home, managed }, ...given }) }
  const options = { cwd: here, env, timeout: 30_000 }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', HOST], options)
  return JSON.parse(stdout)
}

it('resumes a waiting call in one of several processes, and in no other', async () => {
  const hooks = { PreToolUse: [commands(answering(pre({ permissionDecision: 'ask' })))] }
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
  const input = { room: 'hall' }
  const { ended, clearance } = await host(world, { input })
  expect(ended).toBe('waiting')
  expect(await host(world, { input: { room: 'cellar' }, clearance })).toEqual({ ended: 'other-input' })
  const ends = await Promise.all([1, 2, 3].map(() => host(world, { input, clearance })))
  expect(ends.map((end) => end.ended).sort()).toEqual(['ran', 'used', 'used'])
})
