import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findHostSlots } from '../../src/dispatch/slots.ts'
import type { Engine } from '../../src/index.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

const LIMIT = Math.max(32, 8 * availableParallelism())

const worldWith = (event: string, hook: object): Promise<World> =>
  makeWorld({ 'project/.claude/settings.json': { hooks: { [event]: [hook] } } })

/** Takes all room of the host; the answer gives it back. */
function occupy(room: 'waitedFor' | 'background'): () => void {
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  for (let at = 0; at < LIMIT; at++) void findHostSlots()[room].run(() => gate)
  return open
}

describe('processes of all engines of a host', () => {
  it('are never more than the limit, and every hook gets its turn', { timeout: 60_000 }, async () => {
    const world = await worldWith('PreToolUse', commands('echo + >>log; sleep 0.05; echo - >>log; exit 2'))
    const engines = await Promise.all(Array.from({ length: 3 * LIMIT }, () => openOn(world, { launcher: 'direct' })))
    const records = await Promise.all(engines.map((engine) => engine.dispatch(bashCall)))
    expect(records.every(({ decision }) => decision.blocked)).toBe(true)
    let running = 0
    const seen = readFileSync(join(world.project, 'log'), 'utf8')
      .trim()
      .split('\n')
      .map((sign) => {
        running += sign === '+' ? 1 : -1
        return running
      })
    expect(seen).toHaveLength(6 * LIMIT)
    expect(Math.max(...seen)).toBeLessThanOrEqual(LIMIT)
    await Promise.all(engines.map((engine) => engine.close()))
  })

  it('start when there is room, with all of their time', async () => {
    const engine = await openOn(await worldWith('SessionEnd', commands('echo over >log')), { profile: 'current' })
    const open = occupy('waitedFor')
    const events: string[] = []
    const following = (async () => {
      for await (const progress of engine.stream({ hook_event_name: 'SessionEnd', reason: 'clear' })) {
        events.push(progress.type)
        if (progress.type === 'decision') expect(progress.record.hooks[0]).toMatchObject({ outcome: 'success' })
      }
    })()
    await new Promise((resolve) => setTimeout(resolve, 1600)) // SessionEnd hooks share 1.5 s
    expect(events).not.toContain('hook_started')
    open()
    await following
    expect(events).toContain('hook_result')
    await engine.close()
  })

  it.each([
    ['an abort', async (_: Engine, stop: AbortController) => stop.abort()],
    ['the end of the session', async (engine: Engine) => void (await engine.close())],
  ])('are not waited for after %s', async (_, end) => {
    const engine = await openOn(await worldWith('PreToolUse', commands('echo ran >log')))
    const open = occupy('waitedFor')
    const stop = new AbortController()
    const dispatching = engine.dispatch(bashCall, { signal: stop.signal })
    await new Promise(setImmediate)
    await end(engine, stop)
    expect((await dispatching).hooks).toMatchObject([{ outcome: 'cancelled' }])
    open()
    await engine.close()
  })

  it('leave hooks in this process, and those in the background, their own room', async () => {
    const engine = await openOn(await worldWith('PreToolUse', commands('exit 2')))
    const openBackground = occupy('background')
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
    const open = occupy('waitedFor')
    await engine.on('UserPromptSubmit', () => ({ decision: 'block', reason: 'no' }))
    expect((await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'x' })).decision.blocked).toBe(true)
    open()
    openBackground()
    await engine.close()
  })
})
