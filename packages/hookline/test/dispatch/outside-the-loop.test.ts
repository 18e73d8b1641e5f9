import { describe, expect, it } from 'vitest'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { bashCall, classicEngineWith, commands } from '../support/project.ts'

const rows = [...DEFAULT_PROFILE.events.values()]
/** Nobody is in a conversation when they happen. */
const OUTSIDE = ['Notification', 'PreCompact', 'SessionEnd']

describe('a function hook', () => {
  it.each(rows)('on $name runs only where there is a loop to run it in', async (row) => {
    const engine = await classicEngineWith({ [row.name]: [commands('true')] })
    const called: unknown[] = []
    await engine.on(row.name, (input) => void called.push(input))
    const event = { hook_event_name: row.name, ...row.example }
    const { hooks, notices } = await engine.dispatch(event)
    const isOutside = OUTSIDE.includes(row.name)
    expect(hooks.map(({ verdict }) => verdict)).toEqual([isOutside ? 'unsupported' : 'ran', 'ran'])
    expect(called).toHaveLength(isOutside ? 0 : 1)
    if (isOutside) expect(notices).toEqual([expect.stringContaining(`function hooks do not run for ${row.name}`)])
  })
})

describe('hooks that were registered for a session', () => {
  const end = { hook_event_name: 'SessionEnd', reason: 'clear' } as const

  it('run at its end, and are gone after it', async () => {
    const engine = await classicEngineWith({ PreToolUse: [commands('true')] })
    await engine.register({ SessionEnd: [commands('echo bye')], PreToolUse: [commands('exit 2')] })
    const { remove } = await engine.on('PreToolUse', () => ({ decision: 'block', reason: 'no' }))
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
    expect((await engine.dispatch(end)).hooks).toMatchObject([{ scope: 'session', verdict: 'ran' }])
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(hooks.map(({ scope }) => scope)).toEqual(['project'])
    expect(decision.blocked).toBe(false)
    expect((await engine.dispatch(end)).hooks).toEqual([])
    expect(engine.list().map(({ hook }) => hook.scope)).toEqual(['project'])
    remove() // once more does no harm
  })

  it('are gone after an end that no hook listened to', async () => {
    const engine = await classicEngineWith({})
    await engine.on('PreToolUse', () => ({ decision: 'block', reason: 'no' }))
    await engine.dispatch(end)
    expect((await engine.dispatch(bashCall)).hooks).toEqual([])
  })
})
