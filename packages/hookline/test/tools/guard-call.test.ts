import { describe, expect, it } from 'vitest'
import type { HookAnswer } from '../../src/index.ts'
import {
  type DialogAnswer,
  type GuardOptions,
  guardBatch,
  guardCall,
  HaltedByHook,
  type Permit,
  type PermitDialog,
  type PermitRequest,
  type ToolCall,
} from '../../src/tools/index.ts'
import { commands, engineWith } from '../support/project.ts'
import { context, pre } from './asked.ts'

const hall = { name: 'light', input: { room: 'hall' }, id: 'toolu_1' }

it('gives what the tool gave, and what hooks say beside it', async () => {
  const engine = await engineWith({ PostToolUse: [commands('echo moths >&2; exit 2')] })
  await engine.on('PreToolUse', () => context('PreToolUse', 'It is night.'))
  expect(await guardCall(engine, { ...hall, run: () => 'on' })).toEqual({
    ended: 'ran',
    output: 'on',
    texts: [
      '<system-reminder>\nPreToolUse:light hook additional context: It is night.\n</system-reminder>',
      '<system-reminder>\nPostToolUse:light hook blocking error: [echo moths >&2; exit 2]: moths\n</system-reminder>',
    ],
    halt: null,
  })
})

it('runs the tool with the input that hooks leave', async () => {
  const engine = await engineWith({})
  await engine.on('PreToolUse', () => pre({ updatedInput: { room: 'cellar' } }))
  expect(await guardCall(engine, { ...hall, run: (input) => input })).toMatchObject({ output: { room: 'cellar' } })
  const check = () => ({ fault: 'there is no cellar' })
  expect(await guardCall(engine, { ...hall, check, run: (input) => input })).toMatchObject({
    ended: 'refused',
    reason: 'A hook rewrote the input, and light cannot be called so: there is no cellar',
  })
})

it('does not run what hooks refuse', async () => {
  const engine = await engineWith({ PreToolUse: [commands('echo too bright >&2; exit 2')] })
  const run = () => expect.fail('it ran')
  expect(await guardCall(engine, { ...hall, run })).toEqual({
    ended: 'refused',
    reason: 'PreToolUse:light hook error: [echo too bright >&2; exit 2]: too bright',
    by: 'hook',
    texts: [],
    halt: null,
  })
})

it('takes what a tool throws for a failure', async () => {
  const engine = await engineWith({})
  const seen: unknown[] = []
  await engine.on('PostToolUseFailure', ({ error }) => void seen.push(error))
  const error = new Error('no lamp')
  const run = () => Promise.reject(error)
  expect(await guardCall(engine, { ...hall, run })).toEqual({ ended: 'failed', error, texts: [], halt: null })
  expect(seen).toEqual(['no lamp'])
})

it.each(['PreToolUse', 'PostToolUse'])('says that a hook of %s ended the turn', async (event) => {
  const engine = await engineWith({})
  await engine.on(event, () => ({ continue: false, stopReason: 'Enough' }))
  expect(await guardCall(engine, { ...hall, run: () => 'on' })).toMatchObject({
    ended: event === 'PreToolUse' ? 'refused' : 'ran',
    halt: 'Enough',
  })
})

it('ends the turn when a hook of the dialog interrupts', async () => {
  const engine = await engineWith({})
  await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask' }))
  const decision = { behavior: 'deny', message: 'Stop that', interrupt: true } as const
  await engine.on('PermissionRequest', () => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }))
  const onAsk = () => expect.fail('the user was asked')
  expect(await guardCall(engine, { ...hall, run: () => 'on' }, { onAsk })).toMatchObject({
    ended: 'refused',
    reason: 'PermissionRequest:light hook error: Stop that',
    halt: 'Stop that',
  })
})

it('says what kept a call from being made', async () => {
  const run = () => expect.fail('it ran')
  const by = async (answer: HookAnswer<'PreToolUse'>, options: GuardOptions = {}, check?: ToolCall['check']) => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => answer)
    const end = await guardCall(engine, { ...hall, run, check }, options)
    return 'by' in end && end.by
  }
  expect(await by(pre({ permissionDecision: 'deny' }))).toBe('hook')
  expect(await by(pre({ permissionDecision: 'ask' }))).toBe('permission')
  expect(await by(pre({ permissionDecision: 'ask' }), { onAsk: () => false })).toBe('permission')
  expect(await by(pre({ updatedInput: {} }), {}, () => ({ fault: 'no room' }))).toBe('input')
  expect(await by({ continue: false })).toBe('turn')
})

describe('a permission step of the host', () => {
  it('gets the call as the model wrote it and as hooks left it, and what they decided', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'allow', updatedInput: { room: 'cellar' } }))
    const requests: PermitRequest[] = []
    const permit = (request: PermitRequest): Permit => {
      requests.push(request)
      return { behavior: 'allow', input: { room: 'attic' } }
    }
    const end = await guardCall(engine, { ...hall, run: (input) => input }, { permit })
    expect(end).toMatchObject({ ended: 'ran', output: { room: 'attic' } })
    expect(requests).toMatchObject([
      { tool: 'light', input: { room: 'cellar' }, original: { room: 'hall' }, decision: { permission: 'allow' } },
    ])
  })

  it('is asked about every call that no hook refused, and refuses it in words of its own', async () => {
    const engine = await engineWith({})
    const run = () => expect.fail('it ran')
    const permit = (): Permit => ({ behavior: 'deny', reason: 'Lamps are locked.' })
    expect(await guardCall(engine, { ...hall, run }, { permit })).toEqual({
      ended: 'refused',
      reason: 'Lamps are locked.',
      by: 'permission',
      texts: [],
      halt: null,
    })
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'deny' }))
    const never = () => expect.fail('it was asked')
    expect(await guardCall(engine, { ...hall, run }, { permit: never })).toMatchObject({ by: 'hook' })
  })

  it.each([
    ['interrupts', { behavior: 'deny', reason: 'No.', interrupt: true }, { by: 'permission', halt: 'Interrupted' }],
    ['halts', { behavior: 'halt', reason: 'Enough' }, { by: 'turn', halt: 'Enough' }],
  ] as const)('that %s ends the turn for the calls beside it', async (_what, answer, expected) => {
    const engine = await engineWith({})
    const run = () => expect.fail('it ran')
    const permit = async ({ input }: PermitRequest): Promise<Permit> => {
      if (input !== hall.input) await new Promise(setImmediate)
      return input === hall.input ? answer : { behavior: 'allow', input }
    }
    const calls = [hall, { ...hall, input: { room: 'cellar' } }].map((call) => ({ ...call, run }))
    const [first, second] = await guardBatch(engine, calls, { permit })
    expect(first).toMatchObject({ ended: 'refused', ...expected })
    expect(second).toMatchObject({ ended: 'refused', by: 'turn', halt: expected.halt })
  })
})

describe('a call that the rules of the host leave to its dialog', () => {
  const request = (decision: object) =>
    ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }) as HookAnswer<'PermissionRequest'> // decisions of tests are of every kind
  const asking = (own: Partial<PermitDialog> = {}): GuardOptions => ({
    permit: () => ({ behavior: 'ask', askedBy: 'host', reason: 'Lamps are dear.', dialog: () => UNASKED, ...own }),
  })
  const UNASKED: DialogAnswer = { behavior: 'deny', message: 'the user was asked' }
  const run = (input: unknown): unknown => input

  it('is decided by hooks of the dialog, who read what would spare the question', async () => {
    const engine = await engineWith({})
    const seen: unknown[] = []
    await engine.on('PermissionRequest', ({ permission_suggestions }) => {
      seen.push(permission_suggestions)
      return request({ behavior: 'allow', updatedInput: { room: 'attic' }, updatedPermissions: [{ rule: 'light' }] })
    })
    const granted: unknown[] = []
    const options = asking({
      suggestions: [{ rule: 'light' }],
      recheck: () => null,
      grant: (updates) => void granted.push(...updates),
    })
    expect(await guardCall(engine, { ...hall, run }, options)).toMatchObject({
      ended: 'ran',
      output: { room: 'attic' },
    })
    expect(seen).toEqual([[{ rule: 'light' }]])
    expect(granted).toEqual([{ rule: 'light' }])
  })

  it('is held against the rules again where a hook of the dialog rewrote it', async () => {
    const engine = await engineWith({})
    await engine.on('PermissionRequest', () => request({ behavior: 'allow', updatedInput: { room: 'safe' } }))
    const options = asking({ recheck: (input) => `${JSON.stringify(input)} is locked.`, grant: () => expect.fail() })
    expect(await guardCall(engine, { ...hall, run }, options)).toMatchObject({
      ended: 'refused',
      reason: '{"room":"safe"} is locked.',
      by: 'permission',
    })
  })

  it('goes to the user where hooks leave it open, and what the user says is done', async () => {
    const engine = await engineWith({})
    const questions: unknown[] = []
    const end = async (answer: DialogAnswer) => {
      const dialog = (question: object): DialogAnswer => {
        questions.push(question)
        return answer
      }
      return guardCall(engine, { ...hall, run }, { ...asking({ dialog }), turn: {} })
    }
    expect(await end({ behavior: 'allow' })).toMatchObject({ ended: 'ran', output: { room: 'hall' } })
    expect(questions).toMatchObject([{ tool: 'light', input: { room: 'hall' }, reason: 'Lamps are dear.' }])
    expect(await end({ behavior: 'deny' })).toMatchObject({
      reason: 'The user did not allow light here. Ask what to do instead.',
      by: 'permission',
      halt: null,
    })
    expect(await end({ behavior: 'deny', message: 'No.', interrupt: true })).toMatchObject({
      reason: 'No.',
      halt: 'Interrupted',
    })
    expect(await end({ behavior: 'halt', reason: 'Enough' })).toMatchObject({ by: 'turn', halt: 'Enough' })
  })

  it('is refused where there is no user; hooks decide in the place of one only where the profile has them', async () => {
    const options = (askedBy: 'hook' | 'host') => asking({ askedBy, dialog: null, unanswered: 'No user is here.' })
    for (const profile of ['classic', 'current'] as const) {
      const engine = await engineWith({}, { profile })
      await engine.on('PermissionRequest', () => request({ behavior: 'allow' }))
      expect(await guardCall(engine, { ...hall, run }, options('hook'))).toMatchObject({ reason: 'No user is here.' })
      const unattended = await guardCall(engine, { ...hall, run }, options('host'))
      expect(unattended.ended).toBe(profile === 'current' ? 'ran' : 'refused')
    }
  })
})

it('lets the host dispatch the events itself', async () => {
  const engine = await engineWith({})
  const seen: unknown[] = []
  await engine.on('PreToolUse', ({ permission_mode }) => void seen.push(permission_mode))
  const dispatch: GuardOptions['dispatch'] = (event, options) => {
    seen.push(event.hook_event_name)
    return engine.dispatch({ ...event, permission_mode: 'plan' }, options)
  }
  await guardCall(engine, { ...hall, run: () => 'on' }, { dispatch })
  expect(seen).toEqual(['PreToolUse', 'plan', 'PostToolUse'])
})

it('ends the turn with a tool whose own hooks have ended it', async () => {
  const engine = await engineWith({})
  const run = () => Promise.reject(new HaltedByHook('stopped inside', 'Enough'))
  expect(await guardCall(engine, { ...hall, run })).toMatchObject({ ended: 'failed', halt: 'Enough' })
})

it('rejects when it is aborted before the tool runs', async () => {
  const run = () => expect.fail('it ran')
  const signal = AbortSignal.abort(new Error('left'))
  await expect(guardCall(await engineWith({}), { ...hall, signal, run })).rejects.toThrow('left')
})

it('runs as many calls of one signal as a host likes without a warning, and one abort ends them all', async () => {
  const engine = await engineWith({ PreToolUse: [commands('sleep 0.1')] })
  const warnings: string[] = []
  const note = (warning: Error): void => void warnings.push(warning.message)
  process.on('warning', note)
  const turn = new AbortController()
  const options = (at: number) => ({ ...hall, id: `toolu_${at}`, input: { at }, signal: turn.signal })
  const calls = Array.from({ length: 15 }, (_, at) => guardCall(engine, { ...options(at), run: () => 'on' }))
  expect((await Promise.all(calls)).map(({ ended }) => ended)).toEqual(Array(15).fill('ran'))
  const waiting = Array.from({ length: 15 }, (_, at) => guardCall(engine, { ...options(at), run: () => 'on' }))
  turn.abort()
  const ended = (await Promise.allSettled(waiting)).map((one) =>
    one.status === 'fulfilled' ? one.value.ended : 'threw',
  )
  expect(ended).not.toContain('ran')
  process.off('warning', note)
  expect(warnings).toEqual([])
})
