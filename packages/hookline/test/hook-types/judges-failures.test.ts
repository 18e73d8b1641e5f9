import { describe, expect, it } from 'vitest'
import type { AgentReply, ModelPorts } from '../../src/index.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { bashCall, classicEngineWith, commands } from '../support/project.ts'
import { agentHook, deafModel, promptHook, providedModel } from '../support/provided-model.ts'

const judging = [...DEFAULT_PROFILE.events.values()].filter(({ hookTypes }) => hookTypes === 'all')

const unread = 'there is no {"ok": …} in it'

describe('an answer that cannot be read', () => {
  it('is asked for once more, with what was wrong', async () => {
    const { models, questions } = providedModel('I think so.', '{"ok": false, "reason": "no"}')
    const engine = await classicEngineWith({ PreToolUse: [promptHook()] }, { models })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision.reason).toBe('Condition not met: no')
    const [first, second] = questions
    const wanted = 'Answer with nothing but the JSON object, {"ok": true} or {"ok": false, "reason": "…"}.'
    expect(questions).toHaveLength(2)
    expect(second).toEqual({
      ...first,
      messages: [
        ...(first?.messages ?? []),
        { role: 'assistant', text: 'I think so.' },
        { role: 'user', text: `This cannot be read: ${unread}. ${wanted}` },
      ],
    })
    expect(hooks).toMatchObject([{ attempts: 2, inputTokens: 200, outputTokens: 14 }])
  })

  it('that is empty is asked for again without an empty message', async () => {
    const { models, questions } = providedModel(' ', '{"ok": true}')
    const engine = await classicEngineWith({ PreToolUse: [promptHook()] }, { models })
    expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ outcome: 'success' }])
    expect(questions[1]?.messages[1]).toEqual({ role: 'assistant', text: '(no text)' })
  })

  it('twice decides nothing, and the user reads why', async () => {
    const { models, questions } = providedModel('Hm.', 'Well,\nmaybe.', '{"ok": true}')
    const engine = await classicEngineWith({ PreToolUse: [promptHook()] }, { models })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(questions).toHaveLength(2)
    expect(decision).toMatchObject({ blocked: false, permission: null, halt: false })
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error', answer: null, attempts: 2 }])
    const text = `Failed with non-blocking status code: the model's answer cannot be read: ${unread}`
    expect(decision.messages).toMatchObject([
      { to: 'user', text },
      { to: 'verbose', text: `${text}\nWell,\nmaybe.` },
    ])
  })

  it('because it is endless is not searched', async () => {
    const { models } = providedModel(`${'{a}'.repeat(40_000)}{"ok": true}`)
    const engine = await classicEngineWith({ PreToolUse: [promptHook()] }, { models })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error' }])
    expect(decision.messages[0]?.text).toMatch(/cannot be read: it has more than 100000 characters$/)
  })

  it('of an agent is not asked for again', async () => {
    const { models, tasks } = providedModel('Hm.')
    const engine = await classicEngineWith({ Stop: [agentHook()] }, { models })
    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(tasks).toHaveLength(1)
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error', turns: 3 }])
  })

  it('cannot write to a terminal', async () => {
    const engine = await classicEngineWith(
      { Stop: [promptHook()] },
      { models: providedModel('\u001b[2J\u0007hi').models },
    )
    const { decision } = await engine.dispatch({ hook_event_name: 'Stop' })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(JSON.stringify(decision.messages)).not.toMatch(/\\u001b|\\u0007|[\x00-\x1f]/)
  })
})

describe('a model that fails', () => {
  const overloaded = new Error('529 Overloaded')

  it.each([
    ['a prompt hook', promptHook],
    ['an agent hook', agentHook],
  ])('lets %s decide nothing, in the words of the provider', async (_what, hook) => {
    const engine = await classicEngineWith({ PreToolUse: [hook()] }, { models: providedModel(overloaded).models })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision).toMatchObject({ blocked: false, permission: null })
    expect(decision.messages).toMatchObject([
      { to: 'user', text: 'Failed with non-blocking status code: 529 Overloaded' },
    ])
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error', timedOut: false, exitCode: null }])
    expect(hooks[0]).not.toHaveProperty('model')
  })

  it('at the second question keeps what the first one cost', async () => {
    const engine = await classicEngineWith(
      { PreToolUse: [promptHook()] },
      { models: providedModel('Hm.', overloaded).models },
    )
    const { hooks } = await engine.dispatch(bashCall)
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error', model: 'small-1', inputTokens: 100, attempts: 2 }])
  })

  it('does not keep the other hooks from deciding', async () => {
    const groups = [promptHook(), commands('echo no >&2; exit 2')]
    const engine = await classicEngineWith({ PreToolUse: groups }, { models: providedModel(overloaded).models })
    expect((await engine.dispatch(bashCall)).decision).toMatchObject({ permission: 'deny', reason: 'no' })
  })

  it.each([
    [
      'throws before it promises anything',
      () => {
        throw overloaded
      },
    ],
    ['rejects with something that is no Error', () => Promise.reject('down')],
    ['answers nothing', async () => undefined],
    ['answers without a text', async () => ({ model: 'm' })],
  ])('and %s breaks nothing', async (_what, port) => {
    const models = { askModel: port, runAgent: port } as unknown as ModelPorts // a host in JavaScript may lend anything
    const engine = await classicEngineWith({ Stop: [promptHook(), agentHook()] }, { models })
    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error' }, { outcome: 'non_blocking_error' }])
  })

  it('and says nothing about its cost is read all the same', async () => {
    const askModel = (async () => ({ text: '{"ok": true}' })) as unknown as NonNullable<ModelPorts['askModel']> // as above
    const engine = await classicEngineWith({ Stop: [promptHook()] }, { models: { askModel } })
    expect((await engine.dispatch({ hook_event_name: 'Stop' })).hooks).toMatchObject([{ outcome: 'success' }])
  })

  it('is not asked when the conversation cannot be lent', async () => {
    const { models, questions } = providedModel('{"ok": true}')
    const conversation = () => Promise.reject(new Error('no transcript'))
    const engine = await classicEngineWith({ Stop: [promptHook()] }, { models: { ...models, conversation } })
    const { decision, hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(decision.messages).toMatchObject([{ text: 'Failed with non-blocking status code: no transcript' }])
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error' }])
    expect(questions).toEqual([])
  })
})

describe('an agent without a verdict', () => {
  it('is cancelled when its turns are used up', async () => {
    const runAgent = async (): Promise<AgentReply> => ({
      text: null,
      model: 'small-1',
      usage: { inputTokens: 5, outputTokens: 5 },
      turns: 50,
    })
    const engine = await classicEngineWith({ Stop: [agentHook('Look.')] }, { models: { runAgent } })
    const { decision, hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(decision).toMatchObject({
      blocked: false,
      messages: [{ to: 'user', text: '[Look.]: it came to no verdict in 50 turns' }],
    })
    expect(hooks).toMatchObject([{ outcome: 'cancelled', timedOut: false, turns: 50, inputTokens: 5 }])
  })
})

describe('a judge that fails in a scope that fails closed', () => {
  const FAILURES: Readonly<Record<string, { models: ModelPorts; failed: RegExp; outcome: string }>> = {
    'an unreadable answer': {
      models: providedModel('Hm.').models,
      failed: /cannot be read/,
      outcome: 'non_blocking_error',
    },
    'a failing model': {
      models: providedModel(new Error('HTTP 500')).models,
      failed: /no model answered: HTTP 500/,
      outcome: 'non_blocking_error',
    },
    'a deaf model': { models: deafModel().models, failed: /timed out/, outcome: 'cancelled' },
  }
  const cases = Object.entries(FAILURES).flatMap(([what, failure]) => judging.map((row) => ({ what, ...failure, row })))

  it.each(cases)(
    'on $row.name by $what blocks where the event can be blocked',
    async ({ models, failed, outcome, row }) => {
      const hooks = { [row.name]: [promptHook('Fine?', { timeout: 0.05 })] }
      const engine = await classicEngineWith(hooks, { models, failClosed: ['project'] })
      const { decision, hooks: lines } = await engine.dispatch({ hook_event_name: row.name, ...row.example })
      expect(decision.blocked).toBe(row.canBlock)
      expect(lines).toMatchObject([{ outcome }])
      if (row.canBlock) expect(lines[0]?.failed).toMatch(failed)
      else expect(lines[0]).not.toHaveProperty('failed')
    },
  )
})
