import { describe, expect, it } from 'vitest'
import type { ModelPorts } from '../../src/index.ts'
import { bashCall, engineWith } from '../support/project.ts'
import { agentHook, deafModel, promptHook } from '../support/provided-model.ts'

describe('a model that does not answer in time', () => {
  it.each([
    ['a prompt hook', promptHook],
    ['an agent hook', agentHook],
  ])('is left behind, and %s is cancelled', async (_what, hook) => {
    const { models, asked } = deafModel()
    const engine = await engineWith({ PreToolUse: [hook('Fine?', { timeout: 0.05 })] }, { models })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision).toMatchObject({ blocked: false, permission: null })
    expect(decision.messages[0]?.text).toMatch(/^\[Fine\?\]: timed out after/)
    expect(hooks).toMatchObject([{ outcome: 'cancelled', timedOut: true }])
    expect(asked.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('is not asked again when it answers too late', async () => {
    const { models, asked, speak } = deafModel()
    const engine = await engineWith({ PreToolUse: [promptHook('Fine?', { timeout: 0.05 })] }, { models })
    await engine.dispatch(bashCall)
    speak('Hm.')
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toHaveLength(1)
  })

  it('is not asked at all when the conversation comes too late', async () => {
    const { models, asked } = deafModel()
    let lend: (messages: []) => void = () => {}
    const conversation = () => new Promise<[]>((resolve) => (lend = resolve))
    const hooks = { PreToolUse: [promptHook('Fine?', { timeout: 0.05 })] }
    const engine = await engineWith(hooks, { models: { ...models, conversation } })
    expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ outcome: 'cancelled', timedOut: true }])
    lend([])
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual([])
  })

  it('does not hold up a host that gives up', async () => {
    const { models, asked } = deafModel()
    const giveUp = new AbortController()
    const ask: NonNullable<ModelPorts['askModel']> = (question) => {
      giveUp.abort()
      return models.askModel(question)
    }
    const engine = await engineWith({ PreToolUse: [promptHook()] }, { models: { askModel: ask } })
    const { hooks, decision } = await engine.dispatch(bashCall, { signal: giveUp.signal })
    expect(hooks).toMatchObject([{ outcome: 'cancelled', timedOut: false }])
    expect(decision.messages).toEqual([])
    expect(asked.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('is not asked by a host that has given up, and is let go when the engine closes', async () => {
    const { models, asked } = deafModel()
    const engine = await engineWith({ Stop: [promptHook(), agentHook()] }, { models })
    const gone = await engine.dispatch({ hook_event_name: 'Stop' }, { signal: AbortSignal.abort() })
    expect(gone.hooks).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled' }])
    expect(asked).toEqual([])
    const open = engine.dispatch({ hook_event_name: 'Stop' })
    await engine.close()
    expect((await open).hooks).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled' }])
    expect(asked.every(({ aborted }) => aborted)).toBe(true)
  })
})
