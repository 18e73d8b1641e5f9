import { describe, expect, it } from 'vitest'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { bashCall, classicEngineWith, commands } from '../support/project.ts'
import { agentHook, promptHook, providedModel } from '../support/provided-model.ts'

const rows = [...DEFAULT_PROFILE.events.values()]
const judging = rows.filter(({ hookTypes }) => hookTypes === 'all')
const notJudging = rows.filter(({ hookTypes }) => hookTypes !== 'all')

const kinds = [
  { type: 'prompt', hook: promptHook },
  { type: 'agent', hook: agentHook },
] as const
const onEveryEvent = kinds.flatMap((kind) => judging.map((row) => ({ ...kind, row })))

describe('a hook that a model decides', () => {
  it.each(onEveryEvent)('$type lets $row.name pass when its condition is met', async ({ type, hook, row }) => {
    const engine = await classicEngineWith({ [row.name]: [hook()] }, { models: providedModel('{"ok": true}').models })
    const { decision, hooks } = await engine.dispatch({ hook_event_name: row.name, ...row.example })
    expect(decision).toMatchObject({ blocked: false, permission: null, halt: false, reason: null, context: [] })
    expect(decision.messages).toEqual([{ to: 'verbose', text: '{"ok": true}', hook: `project:${row.name}:0:0` }])
    expect(hooks).toMatchObject([{ verdict: 'ran', type, outcome: 'success', answer: { ok: true }, warnings: [] }])
  })

  it.each(onEveryEvent)(
    '$type blocks $row.name where it can be blocked, and tells the user elsewhere',
    async ({ hook, row }) => {
      const { models } = providedModel('{"ok": false, "reason": "tests fail"}')
      const engine = await classicEngineWith({ [row.name]: [hook()] }, { models })
      const { decision, hooks } = await engine.dispatch({ hook_event_name: row.name, ...row.example })
      const { canBlock: blocks, reasonTo: to } = row
      const text = 'Condition not met: tests fail'
      expect(decision).toMatchObject({ blocked: blocks, reason: blocks ? text : null, halt: false })
      expect(decision.messages[0]).toMatchObject({ to: blocks ? to : 'user', text })
      expect(hooks).toMatchObject([{ outcome: blocks ? 'blocking' : 'non_blocking_error' }])
      expect(hooks[0]).not.toHaveProperty('failed')
    },
  )

  it('says so when no reason is given', async () => {
    const engine = await classicEngineWith(
      { PreToolUse: [promptHook()] },
      { models: providedModel('{"ok": false}').models },
    )
    const { decision } = await engine.dispatch(bashCall)
    expect(decision).toMatchObject({ blocked: true, permission: 'deny', reason: 'Condition not met' })
  })

  it('does not undo what another hook denies, nor skip a dialog', async () => {
    const { models } = providedModel('{"decision": "approve"}')
    const engine = await classicEngineWith({ PreToolUse: [promptHook(), commands('echo no >&2; exit 2')] }, { models })
    expect((await engine.dispatch(bashCall)).decision).toMatchObject({ permission: 'deny', reason: 'no' })
    const alone = await classicEngineWith({ PreToolUse: [promptHook()] }, { models })
    expect((await alone.dispatch(bashCall)).decision).toMatchObject({ permission: null, blocked: false })
  })

  it('understands the older verdict with the fields that count beside it', async () => {
    const answer = {
      decision: 'block',
      reason: 'not yet',
      continue: false,
      stopReason: 'enough for today',
      systemMessage: 'look at the tests',
    }
    const engine = await classicEngineWith(
      { Stop: [promptHook()] },
      { models: providedModel(JSON.stringify(answer)).models },
    )
    const { decision, hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(decision).toMatchObject({ halt: true, stopReason: 'enough for today', blocked: true })
    expect(decision.reason).toBe('Condition not met: not yet')
    expect(decision.messages).toContainEqual(expect.objectContaining({ to: 'user', text: 'look at the tests' }))
    expect(hooks).toMatchObject([{ answer, outcome: 'blocking' }])
  })

  it('warns of fields that do not count beside ok', async () => {
    const { models } = providedModel('{"ok": true, "continue": false, "systemMessage": "hi"}')
    const engine = await classicEngineWith({ Stop: [promptHook()] }, { models })
    const { decision, hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(decision.halt).toBe(false)
    expect(hooks[0]?.warnings).toEqual([
      'misplaced field: continue has no effect beside "ok"',
      'misplaced field: systemMessage has no effect beside "ok"',
    ])
  })

  it('leaves in the record what it cost, in the published shape', async () => {
    const { models } = providedModel('{"ok": true}')
    const engine = await classicEngineWith({ Stop: [promptHook(), agentHook()] }, { models })
    const record = await engine.dispatch({ hook_event_name: 'Stop' })
    const run = { exitCode: null, signal: null, timedOut: false, stdoutBytes: 0, stderrBytes: 0, truncated: false }
    const [asked, looked] = record.hooks
    expect(asked).toMatchObject({ ...run, prompt: 'Is it fine?', model: 'small-1', inputTokens: 100, outputTokens: 7 })
    expect(asked).not.toHaveProperty('turns')
    expect(asked).not.toHaveProperty('attempts')
    expect(looked).toMatchObject({ ...run, model: 'small-1', inputTokens: 900, outputTokens: 40, turns: 3 })
    expect(asked?.durationMs).toBeGreaterThanOrEqual(0)
    expect(recordSchema.safeParse(JSON.parse(JSON.stringify(record)))).toMatchObject({ success: true })
  })

  it('says nothing of a cost that the provider does not tell', async () => {
    const usage = { inputTokens: null, outputTokens: null }
    const askModel = async () => ({ text: '{"ok": true}', model: 'small-1', usage })
    const engine = await classicEngineWith({ Stop: [promptHook()] }, { models: { askModel } })
    const [line] = (await engine.dispatch({ hook_event_name: 'Stop' })).hooks
    expect(line).toMatchObject({ model: 'small-1' })
    expect(line).not.toHaveProperty('inputTokens')
    expect(line).not.toHaveProperty('outputTokens')
  })

  it('runs once when it is there twice, with the longer time', async () => {
    const { models, questions } = providedModel('{"ok": true}')
    const groups = [promptHook('Fine?', { timeout: 40 }), promptHook('Fine?', { timeout: 90, model: 'other' })]
    const engine = await classicEngineWith({ Stop: groups }, { models })
    const before = performance.now()
    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'duplicate'])
    expect(questions).toHaveLength(1)
    expect(questions[0]?.deadline).toBeGreaterThanOrEqual(before + 90_000)
    expect(engine.list().map(({ duplicateOf }) => duplicateOf)).toEqual([null, 'project:Stop:0:0'])
  })

  it('is told in the debug log when it is asked and when it answers', async () => {
    const lines: string[] = []
    const debug = { categories: ['hooks'], write: (line: string) => lines.push(line) }
    const engine = await classicEngineWith(
      { Stop: [promptHook('Fine?', { model: 'big' })] },
      { models: providedModel('{"ok": true}').models, debug },
    )
    await engine.dispatch({ hook_event_name: 'Stop' })
    expect(lines).toContain('[DEBUG] Asking big for prompt hook project:Stop:0:0 with timeout 30000ms')
    expect(lines).toContain(
      '[DEBUG] Model small-1 for project:Stop:0:0: judged, asked 1 times, 100 input and 7 output tokens: {"ok": true}',
    )
  })
})

describe('a hook that needs a model', () => {
  const both = [
    {
      hooks: [
        { type: 'prompt', prompt: 'Fine?' },
        { type: 'agent', prompt: 'Fine?' },
      ],
    },
  ]

  it('is planned where one is lent', async () => {
    const engine = await classicEngineWith({ Stop: both }, { models: providedModel('{"ok": true}').models })
    expect(engine.explain({ hook_event_name: 'Stop' }).hooks).toMatchObject([
      { verdict: 'ran', planned: true, type: 'prompt', prompt: 'Fine?' },
      { verdict: 'ran', planned: true, type: 'agent', prompt: 'Fine?' },
    ])
    expect(engine.list().map(({ standing }) => standing.verdict)).toEqual(['active', 'active'])
  })

  it('is unsupported where none is lent, which is told once', async () => {
    const { models } = providedModel('{"ok": true}')
    const engine = await classicEngineWith({ Stop: both }, { models: { askModel: models.askModel } })
    const first = await engine.dispatch({ hook_event_name: 'Stop' })
    const because = 'no model is provided for agent hooks'
    expect(first.hooks).toMatchObject([{ verdict: 'ran' }, { verdict: 'unsupported', because }])
    expect(first.notices).toEqual([`project:Stop:0:1 does not run: ${because}.`])
    expect(await engine.dispatch({ hook_event_name: 'Stop' })).not.toHaveProperty('notices')
    const none = await classicEngineWith({ Stop: both })
    expect((await none.dispatch({ hook_event_name: 'Stop' })).hooks).toMatchObject([
      { verdict: 'unsupported', because: 'no model is provided for prompt hooks' },
      { verdict: 'unsupported', because },
    ])
  })

  it('does not run on five events', () => {
    const names = ['Notification', 'TeammateIdle', 'TaskCompleted', 'PreCompact', 'SessionEnd']
    expect(notJudging.map(({ name }) => name)).toEqual(names)
  })

  it.each(notJudging)('is unsupported on $name, which is told once', async ({ name, example }) => {
    const { models, questions, tasks } = providedModel('{"ok": false}')
    const engine = await classicEngineWith({ [name]: both }, { models })
    const record = await engine.dispatch({ hook_event_name: name, ...example })
    expect(record.decision.blocked).toBe(false)
    expect(record.hooks).toMatchObject([
      { verdict: 'unsupported', because: `prompt hooks do not run for ${name}` },
      { verdict: 'unsupported', because: `agent hooks do not run for ${name}` },
    ])
    expect(record.notices).toHaveLength(2)
    expect(await engine.dispatch({ hook_event_name: name, ...example })).not.toHaveProperty('notices')
    expect([...questions, ...tasks]).toEqual([])
  })

  it('asks nobody in a project that was not accepted', async () => {
    const { models, questions } = providedModel('{"ok": true}')
    const engine = await classicEngineWith({ Stop: both }, { models, trust: 'refused' })
    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['untrusted', 'untrusted'])
    expect(questions).toEqual([])
  })
})
