import { describe, expect, it } from 'vitest'
import type { Engine, EngineOptions } from '../../src/index.ts'
import {
  DeferredByHook,
  findHalt,
  fireAfterBatch,
  type GuardOptions,
  guardBatch,
  guardCall,
  RefusedByHook,
  withHooks,
} from '../../src/tools/index.ts'
import { engineWith } from '../support/project.ts'
import { call, calling, lamp, pre } from './asked.ts'

/** Whatever a hook answers, and whatever event it is of: the types of engines know the default profile alone. */
type AnyEngine = Engine & {
  on(event: string, hook: (input: Record<string, unknown>) => unknown): Promise<unknown>
}

async function currentEngine(options: EngineOptions = {}): Promise<AnyEngine> {
  const engine: unknown = await engineWith({}, { profile: 'current', ...options })
  return engine as AnyEngine
}

const answer = (event: string, fields: object) => ({ hookSpecificOutput: { hookEventName: event, ...fields } })
const hall = { name: 'light', input: { room: 'hall' }, id: 'toolu_1' }
const attic = { name: 'light', input: { room: 'attic' }, id: 'toolu_2' }
const fails = () => expect.fail('it ran')

describe('a call that a hook defers', () => {
  const putsOff = async (reason?: string) => {
    const engine = await currentEngine()
    await engine.on('PreToolUse', () =>
      pre({ permissionDecision: 'defer', ...(reason === undefined ? {} : { permissionDecisionReason: reason }) }),
    )
    return engine
  }

  it('is not made, and ends the turn with an end of its own', async () => {
    const engine = await putsOff('Ask Ada first')
    const asked = { onAsk: () => true, permit: () => fails() }
    expect(await guardCall(engine, { ...hall, run: fails }, asked)).toEqual({
      ended: 'deferred',
      reason: 'Ask Ada first',
      texts: [],
      halt: 'Ask Ada first',
    })
  })

  it('has words for the user when the hook gives no reason', async () => {
    const end = await guardCall(await putsOff(), { ...hall, run: fails })
    expect(end).toMatchObject({ ended: 'deferred', reason: null, halt: 'A hook deferred light' })
  })

  it('is refused where the host cannot leave a call open, and the turn goes on', async () => {
    const options: GuardOptions = { deferred: 'refused', onAsk: () => true }
    expect(await guardCall(await putsOff('Ask Ada first'), { ...hall, run: fails }, options)).toEqual({
      ended: 'refused',
      reason:
        'PreToolUse:light hook error: Ask Ada first: the call was deferred, and this host cannot leave a call open.',
      by: 'hook',
      texts: [],
      halt: null,
    })
  })

  it('keeps the calls beside it from starting', async () => {
    const engine = await currentEngine()
    await engine.on('PreToolUse', ({ tool_use_id }) =>
      tool_use_id === 'toolu_2' ? pre({ permissionDecision: 'defer' }) : null,
    )
    const ends = await guardBatch(engine, [
      { ...hall, run: fails },
      { ...attic, run: fails },
    ])
    expect(ends).toMatchObject([
      { ended: 'refused', by: 'turn', halt: 'A hook deferred light' },
      { ended: 'deferred', halt: 'A hook deferred light' },
    ])
  })

  it('ends a run of the AI SDK, which says so', async () => {
    const { lit, light } = lamp()
    const engine = await putsOff('Ask Ada first')
    const { result, requests } = await calling(withHooks({ light }, engine), [['light', { room: 'hall' }]])
    expect([lit, requests]).toEqual([[], 1])
    const halt = findHalt(result.steps)
    expect(halt).toBeInstanceOf(DeferredByHook)
    expect(halt).toMatchObject({ stopReason: 'Ask Ada first', message: 'Not run: a hook deferred light.' })
  })

  it('is denied when another hook denies it', async () => {
    const engine = await putsOff()
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'deny', permissionDecisionReason: 'no' }))
    expect(await guardCall(engine, { ...hall, run: fails })).toMatchObject({ ended: 'refused', by: 'hook', halt: null })
  })
})

describe('the calls of one answer', () => {
  it('are shown to PostToolBatch hooks together, as the model reads them', async () => {
    const engine = await currentEngine()
    const seen: unknown[] = []
    await engine.on('PreToolUse', ({ tool_name }) => (tool_name === 'rm' ? { decision: 'block', reason: 'no' } : null))
    await engine.on('PostToolBatch', ({ tool_calls }) => {
      seen.push(tool_calls)
      return answer('PostToolBatch', { additionalContext: 'Both lamps are on.' })
    })
    const ends = await guardBatch(engine, [
      { ...hall, run: () => ({ on: true }) },
      { ...attic, run: () => Promise.reject(new Error('no lamp')) },
      { name: 'rm', input: {}, id: 'toolu_3', run: fails },
    ])
    expect(seen).toEqual([
      [
        { tool_name: 'light', tool_input: { room: 'hall' }, tool_use_id: 'toolu_1', tool_response: '{"on":true}' },
        { tool_name: 'light', tool_input: { room: 'attic' }, tool_use_id: 'toolu_2', tool_response: 'no lamp' },
        { tool_name: 'rm', tool_input: {}, tool_use_id: 'toolu_3', tool_response: 'PreToolUse:rm hook error: no' },
      ],
    ])
    expect(ends.map(({ ended }) => ended)).toEqual(['ran', 'failed', 'refused'])
    expect(ends.at(-1)).toMatchObject({
      texts: ['<system-reminder>\nPostToolBatch hook additional context: Both lamps are on.\n</system-reminder>'],
      halt: null,
    })
  })

  it.each([
    ['blocks', { decision: 'block', reason: 'Enough light' }, 'hook blocking error'],
    ['halts', { continue: false, stopReason: 'Enough light' }, 'hook stopped continuation'],
  ])('end the turn when such a hook %s', async (_how, said, words) => {
    const engine = await currentEngine()
    await engine.on('PostToolBatch', () => said)
    const turn = {}
    const ends = await guardBatch(engine, [{ ...hall, run: () => 'on' }], { turn })
    expect(ends).toMatchObject([{ ended: 'ran', output: 'on', halt: 'Enough light' }])
    expect(ends[0]?.texts).toEqual([expect.stringMatching(new RegExp(`PostToolBatch ${words}: .*Enough light`))])
    expect(await guardCall(engine, { ...attic, run: fails }, { turn })).toMatchObject({
      by: 'turn',
      halt: 'Enough light',
    })
  })

  it.each([
    ['a hook halted one', { continue: false }],
    ['a hook deferred one', pre({ permissionDecision: 'defer' })],
  ])('are not shown when %s: there is no next request', async (_why, said) => {
    const engine = await currentEngine()
    await engine.on('PreToolUse', () => said)
    await engine.on('PostToolBatch', fails)
    expect(await guardBatch(engine, [{ ...hall, run: fails }])).toHaveLength(1)
  })

  it('can be shown by a host that makes them one by one', async () => {
    const engine = await currentEngine()
    await engine.on('PostToolBatch', () => ({ decision: 'block', reason: 'Enough light' }))
    expect(await fireAfterBatch(engine, [{ ...hall, response: 'on' }])).toMatchObject({ halt: 'Enough light' })
    expect(await fireAfterBatch(engine, [])).toEqual({ texts: [], halt: null })
  })

  it('are told to no one where the profile has no such event', async () => {
    const engine = await engineWith({})
    expect(await fireAfterBatch(engine, [{ ...hall, response: 'on' }])).toEqual({ texts: [], halt: null })
    expect(await guardBatch(engine, [{ ...hall, run: () => 'on' }])).toMatchObject([{ ended: 'ran', halt: null }])
  })
})

describe('a call that the host denies by itself', () => {
  const options: GuardOptions = { permit: () => ({ behavior: 'deny', reason: 'Too risky', automatic: true }) }
  const retrying = async (retry: boolean, profile: 'classic' | 'current' = 'current') => {
    const engine = await currentEngine({ profile })
    const seen: unknown[] = []
    if (profile === 'current')
      await engine.on('PermissionDenied', ({ reason, tool_use_id }) => {
        seen.push([reason, tool_use_id])
        return answer('PermissionDenied', { retry })
      })
    return { end: await guardCall(engine, { ...hall, run: fails }, options), seen }
  }

  it('may be tried again when a PermissionDenied hook says so', async () => {
    const { end, seen } = await retrying(true)
    expect(seen).toEqual([['Too risky', 'toolu_1']])
    expect(end).toEqual({
      ended: 'refused',
      reason: 'Too risky',
      by: 'permission',
      texts: [
        '<system-reminder>\nThe PermissionDenied hook indicated you may retry this tool call.\n</system-reminder>',
      ],
      halt: null,
    })
  })

  it('stays denied without more words otherwise', async () => {
    for (const { end } of [await retrying(false), await retrying(true, 'classic')])
      expect(end).toMatchObject({ ended: 'refused', reason: 'Too risky', texts: [] })
  })
})

describe('what hooks of current say of a call', () => {
  it('may replace the output of any tool, in the words that the tool has for it', async () => {
    const engine = await currentEngine()
    await engine.on('PostToolUse', () => answer('PostToolUse', { updatedToolOutput: { room: 'hall', on: false } }))
    expect(await guardCall(engine, { ...hall, run: () => ({ room: 'hall', on: true }) })).toMatchObject({
      ended: 'ran',
      output: { room: 'hall', on: false },
    })
    const worded = {
      ...lamp().light,
      toModelOutput: ({ output }: { output: { on: boolean } }) => ({
        type: 'text' as const,
        value: `On: ${output.on}.`,
      }),
    }
    const { told } = await calling(withHooks({ light: worded }, engine), [['light', { room: 'hall' }]])
    expect(told).toEqual([{ text: 'On: false.', isError: false }])
  })

  it('tells the model why the turn was stopped', async () => {
    const engine = await currentEngine()
    await engine.on('PreToolUse', () => ({ continue: false, stopReason: 'Lights out' }))
    expect(await guardCall(engine, { ...hall, run: fails })).toMatchObject({
      by: 'turn',
      halt: 'Lights out',
      texts: ['<system-reminder>\nPreToolUse:light hook stopped continuation: Lights out\n</system-reminder>'],
    })
  })

  it('is no objection when it says why the turn was stopped', async () => {
    const engine = await currentEngine()
    await engine.on('PostToolUse', () => ({ decision: 'block', reason: 'Moths', continue: false, stopReason: 'Late' }))
    const { texts } = await guardCall(engine, { ...hall, run: () => 'on' })
    expect(texts.map((text) => text.split('\n')[1])).toEqual([
      'PostToolUse:light hook stopped continuation: Late',
      expect.stringMatching(/^PostToolUse:light hook blocking error: .*Moths$/),
    ])
  })

  it.each(['classic', 'current'] as const)(
    'is told how long the tool took where %s has a field for it',
    async (profile) => {
      const engine = await currentEngine({ profile })
      const took: unknown[] = []
      for (const event of ['PostToolUse', 'PostToolUseFailure'])
        await engine.on(event, ({ duration_ms }) => void took.push(duration_ms))
      await guardCall(engine, { ...hall, run: () => 'on' })
      await guardCall(engine, { ...hall, run: () => Promise.reject(new Error('no lamp')) })
      const { light } = withHooks({ light: lamp().light }, engine)
      await light.execute?.({ room: 'hall' }, call)
      const number = profile === 'current' ? expect.any(Number) : undefined
      expect(took).toEqual([number, number, number])
    },
  )

  it('is refused in words of a hook when it asks and there is no user', async () => {
    const engine = await currentEngine()
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask', permissionDecisionReason: 'Is it late?' }))
    await engine.on('PermissionRequest', fails)
    const { light } = withHooks({ light: lamp().light }, engine)
    const making = Promise.resolve(light.execute?.({ room: 'hall' }, call))
    await expect(making).rejects.toThrow(RefusedByHook)
    await expect(making).rejects.toThrow('Is it late?')
  })
})
