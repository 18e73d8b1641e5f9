import { describe, expect, it } from 'vitest'
import { listSessions } from '../../src/log/sessions.ts'
import { readStatistics } from '../../src/log/statistics.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'
import { makeWorld, put } from '../support/project.ts'

function line(sessionId: string, nth: number, blocked = false): string {
  const at = new Date(Date.parse('2026-11-15T09:30:00.000Z') + nth * 1000).toISOString()
  const hooks = [ranHook('project:Stop:0:0', { durationMs: 10 + nth })]
  const record = recordWith({ sessionId, id: `m/${sessionId}/${nth}`, at, hooks, decision: { blocked } })
  return `${JSON.stringify({ record, input: { hook_event_name: 'Stop', prompt: `turn ${nth % 3}` } })}\n`
}

async function makeLog() {
  const world = await makeWorld()
  const lines = [line('one', 0), line('one', 1), line('one', 2), line('two', 3), line('two', 4, true), line('two', 5)]
  return { world, file: await put(world, 'hooks.jsonl', lines.join('')) }
}

describe('the sessions of a log', () => {
  it('are listed with the figures of hookline stats, the newest first', async () => {
    const { world, file } = await makeLog()
    const { code, stdout } = await hooklineInProcess(world, ['log', file, '--sessions', '--json'])
    const sessions = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { id: string; events: number })
    expect(code).toBe(0)
    expect(sessions).toEqual(await listSessions(file))
    const { groups } = await readStatistics(file, { by: 'session' })
    for (const { name, ...figures } of groups) expect(sessions.find(({ id }) => id === name)).toMatchObject(figures)
    expect(sessions.map(({ id }) => id)).toEqual(['two', 'one'])
    expect((await hooklineInProcess(world, ['log', file, '--sessions'])).stdout).toMatch(/two +lamp +3 +1 +0/)
  })

  it('are compared by their ids', async () => {
    const { world, file } = await makeLog()
    const { stdout } = await hooklineInProcess(world, ['log', '--compare', 'one', 'two', file, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      paired: 3,
      differences: [{ kind: 'decision', a: 'passed', b: 'blocked', ids: ['m/one/1', 'm/two/4'] }],
    })
    expect((await hooklineInProcess(world, ['log', '--compare', 'one', 'two', file])).stdout).toContain(
      'passed -> blocked',
    )
    expect(await hooklineInProcess(world, ['log', '--compare', 'one', 'three', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no recorded session has the id "three"'),
    })
    expect((await hooklineInProcess(world, ['log', '--compare', 'one'])).stderr).toContain(
      '--compare takes two sessions',
    )
  })
})
