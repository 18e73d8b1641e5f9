import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EngineOptions } from '../../src/index.ts'
import { bashCall, makeWorld, openOn } from '../support/project.ts'

const end = { hook_event_name: 'SessionEnd', reason: 'other' } as const
const sleeping = (seconds: number, fields: object = {}) => ({ type: 'command', command: `sleep ${seconds}`, ...fields })

/** What became of the hooks at the end of a session, those of the project's settings first. */
async function ended(project: object[], { plugin = [], ...options }: EngineOptions & { plugin?: object[] } = {}) {
  const world = await makeWorld({
    'project/.claude/settings.json': { hooks: { SessionEnd: [{ hooks: project }] } },
    'plugin/hooks/hooks.json': { hooks: { SessionEnd: [{ hooks: plugin }] } },
  })
  const engine = await openOn(world, { profile: 'current', plugins: [join(world.root, 'plugin')], ...options })
  const started = performance.now()
  const { hooks } = await engine.dispatch(end)
  return { timedOut: hooks.map(({ timedOut }) => timedOut), seconds: (performance.now() - started) / 1000 }
}

describe.concurrent('the hooks of SessionEnd', () => {
  it('share a second and a half, one after the other too', async () => {
    const { timedOut, seconds } = await ended([sleeping(61), sleeping(62), sleeping(63)], { order: 'sequential' })
    expect(timedOut).toEqual([true, true, true])
    expect(seconds).toBeGreaterThan(1.4)
    expect(seconds).toBeLessThan(15)
  })

  it('share more when a hook of a settings file asks for it', async () => {
    const { timedOut } = await ended([sleeping(1.6), sleeping(0, { timeout: 30 })])
    expect(timedOut).toEqual([false, false])
  })

  it('share no more when a plugin asks for it', async () => {
    const { timedOut, seconds } = await ended([sleeping(0)], { plugin: [sleeping(61, { timeout: 60 })] })
    expect(timedOut).toEqual([false, true])
    expect(seconds).toBeLessThan(15)
  })

  it('have no longer than their own timeout', async () => {
    const { timedOut, seconds } = await ended([sleeping(61, { timeout: 0.2 })])
    expect(timedOut).toEqual([true])
    expect(seconds).toBeLessThan(1.4 + 0.2 * 10)
  })

  it('share what the host gives hooks that set no timeout', async () => {
    const { timedOut } = await ended([sleeping(1.6), sleeping(1.7)], { defaultTimeout: null })
    expect(timedOut).toEqual([false, false])
  })
})

it('takes as long for other events as each hook may', async () => {
  const hooks = [sleeping(1.6), sleeping(1.7)]
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks }] } } })
  const record = await (await openOn(world, { profile: 'current' })).dispatch(bashCall)
  expect(record.hooks.map(({ timedOut }) => timedOut)).toEqual([false, false])
})
