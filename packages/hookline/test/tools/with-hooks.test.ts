import { jsonSchema, tool } from 'ai'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { RefusedByHook, withHooks } from '../../src/tools/index.ts'
import { commands, engineWith } from '../support/project.ts'
import { call, calling, lamp, pre } from './asked.ts'

describe('a tool set with hooks', () => {
  it('has the type that it had', async () => {
    const { light } = lamp()
    const tools = { light, look: tool({ inputSchema: jsonSchema<{ at: string }>({}), execute: async ({ at }) => at }) }
    const guarded = withHooks(tools, await engineWith({}))
    expectTypeOf(guarded).toEqualTypeOf(tools)
  })

  it('does what it did when no hook has anything to say', async () => {
    const { light, lit } = lamp()
    const seen: unknown[] = []
    const engine = await engineWith({})
    for (const event of ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'])
      await engine.on(event, (input) => void seen.push(input))
    const { result, told } = await calling(withHooks({ light }, engine), [
      ['light', { room: 'hall' }],
      ['light', { room: 'attic' }],
    ])
    expect(result.text).toBe('Done.')
    expect(lit).toEqual(['hall'])
    expect(told).toEqual([
      { text: '{"room":"hall","on":true}', isError: false },
      { text: 'there is no lamp', isError: true },
    ])
    const common = { session_id: engine.sessionId, tool_name: 'light' }
    const hall = { ...common, tool_input: { room: 'hall' }, tool_use_id: 'toolu_0' }
    const attic = { ...common, tool_input: { room: 'attic' }, tool_use_id: 'toolu_1' }
    expect(seen).toHaveLength(4)
    expect(seen).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ hook_event_name: 'PreToolUse', ...hall }),
        expect.objectContaining({ hook_event_name: 'PreToolUse', ...attic }),
        expect.objectContaining({ hook_event_name: 'PostToolUse', ...hall, tool_response: { room: 'hall', on: true } }),
        expect.objectContaining({
          hook_event_name: 'PostToolUseFailure',
          ...attic,
          error: 'there is no lamp',
          is_interrupt: false,
        }),
      ]),
    )
  })

  it('leaves tools alone that are executed elsewhere', async () => {
    const elsewhere = tool({ inputSchema: z.object({}), outputSchema: z.string() })
    expect(withHooks({ elsewhere }, await engineWith({})).elsewhere).toBe(elsewhere)
  })

  it('calls a tool on itself', async () => {
    const counter = {
      inputSchema: z.object({}),
      count: 3,
      execute() {
        return this.count
      },
    }
    const { execute } = withHooks({ counter }, await engineWith({})).counter
    expect(await Reflect.apply(execute, undefined, [{}, call])).toBe(3)
  })
})

describe('a call that hooks refuse', () => {
  it('does not run, and the model reads the stderr of the hook', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({ PreToolUse: [{ matcher: 'light', ...commands('echo too bright >&2; exit 2') }] })
    const { told, result } = await calling(withHooks({ light }, engine), [['light', { room: 'hall' }]])
    expect(lit).toEqual([])
    expect(told).toEqual([
      { text: 'PreToolUse:light hook error: [echo too bright >&2; exit 2]: too bright', isError: true },
    ])
    const error = result.steps[0]?.content.find((part) => part.type === 'tool-error')?.error
    expect(error).toBeInstanceOf(RefusedByHook)
  })

  it('is one of several that run side by side', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    const no = pre({ permissionDecision: 'deny', permissionDecisionReason: 'not the hall' })
    await engine.on('PreToolUse', () => no, { matcher: 'tool_input.room == "hall"' })
    const calls = ['hall', 'cellar', 'kitchen'].map((room) => ['light', { room }] as const)
    const { told } = await calling(withHooks({ light }, engine), calls)
    expect(lit.sort()).toEqual(['cellar', 'kitchen'])
    expect(told.map(({ isError }) => isError)).toEqual([true, false, false])
    expect(told[0]?.text).toBe('PreToolUse:light hook error: not the hall')
  })

  it('is refused when the user has to be asked and the host cannot ask', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask', permissionDecisionReason: 'late' }))
    const { told } = await calling(withHooks({ light }, engine), [['light', { room: 'hall' }]])
    expect(lit).toEqual([])
    expect(told[0]?.text).toBe(
      'PreToolUse:light hook error: late: the user has to be asked, and this host has no way to ask.',
    )
  })

  it.each([
    [true, ['cellar'], '{"room":"cellar","on":true}'],
    [false, [], 'The user did not allow light here. Ask what to do instead.'],
  ])('is put to the user, who says %s', async (says, expected, read) => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    const ask = { permissionDecision: 'ask', permissionDecisionReason: 'late', updatedInput: { room: 'cellar' } }
    await engine.on('PreToolUse', () => pre(ask))
    const questions: unknown[] = []
    const onAsk = (question: object) => {
      questions.push(question)
      return says
    }
    const { told } = await calling(withHooks({ light }, engine, { onAsk }), [['light', { room: 'hall' }]])
    expect(questions).toMatchObject([{ tool: 'light', input: { room: 'cellar' }, reason: 'late' }])
    expect(lit).toEqual(expected)
    expect(told[0]?.text).toBe(read)
  })

  it.each(['allow', 'deny'] as const)(
    'is decided with %s by a hook of the dialog before the user is asked',
    async (behavior) => {
      const { light, lit } = lamp()
      const engine = await engineWith({})
      await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask' }))
      const decision = behavior === 'deny' ? { behavior, message: 'asleep' } : { behavior }
      await engine.on('PermissionRequest', () => ({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
      }))
      const onAsk = () => {
        throw new Error('the user was asked')
      }
      const { told } = await calling(withHooks({ light }, engine, { onAsk }), [['light', { room: 'hall' }]])
      expect(lit).toEqual(behavior === 'allow' ? ['hall'] : [])
      expect(told[0]).toEqual(
        behavior === 'allow'
          ? { text: '{"room":"hall","on":true}', isError: false }
          : { text: 'PermissionRequest:light hook error: asleep', isError: true },
      )
    },
  )
})

describe('an input that a hook rewrites', () => {
  it('is what the tool and the hooks after it see', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    const after: unknown[] = []
    await engine.on('PreToolUse', () => pre({ updatedInput: { room: 'cellar', extra: 1 } }))
    await engine.on('PostToolUse', ({ tool_input }) => void after.push(tool_input))
    await calling(withHooks({ light }, engine), [['light', { room: 'hall' }]])
    expect(lit).toEqual(['cellar'])
    expect(after).toEqual([{ room: 'cellar' }]) // as the schema reads it
  })

  const validate = (value: unknown) =>
    typeof value === 'object' && value !== null && 'room' in value
      ? ({ success: true, value: { room: String(value.room) } } as const)
      : ({ success: false, error: new Error('room: is missing') } as const)

  it.each([
    ['zod', z.object({ room: z.string() })],
    ['the SDK', jsonSchema<{ room: string }>({ type: 'object' }, { validate })],
    ['the SDK, made late', () => jsonSchema<{ room: string }>({ type: 'object' }, { validate })],
  ])('is refused when it does not fit a schema of %s', async (_of, inputSchema) => {
    const lit: string[] = []
    const light = tool({ inputSchema, execute: ({ room }) => void lit.push(room) })
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => pre({ updatedInput: { rum: 'cellar' } }))
    const { told } = await calling(withHooks({ light }, engine), [['light', { room: 'hall' }]])
    expect(lit).toEqual([])
    expect(told[0]?.text).toMatch(/^A hook rewrote the input, and light cannot be called so: room: ./)
  })
})

it('shows every record to the host, and marks the calls of a subagent', async () => {
  const { light } = lamp()
  const engine = await engineWith({ PreToolUse: [commands('cat >&2; exit 1')] })
  const seen: unknown[] = []
  await engine.on('PostToolUse', ({ agent_id }) => void seen.push(agent_id), { agent: 'agent-7' })
  const events: string[] = []
  const tools = withHooks({ light }, engine, { agent: 'agent-7', onRecord: ({ event }) => events.push(event) })
  await calling(tools, [['light', { room: 'hall' }]])
  expect(events).toEqual(['PreToolUse', 'PostToolUse'])
  expect(seen).toEqual(['agent-7'])
})
