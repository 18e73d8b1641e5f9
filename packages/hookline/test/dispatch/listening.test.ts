import { describe, expect, it } from 'vitest'
import type { DispatchRecord, EventInput, TraceContext } from '../../src/index.ts'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { guardCall } from '../../src/tools/index.ts'
import { printed } from '../faults/fire.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
const worldWith = (hooks: object): Promise<World> => makeWorld({ 'project/.claude/settings.json': { hooks } })

describe('who listens to an engine', () => {
  it('gets every record with its event: of dispatch, of stream and of guarded calls', async () => {
    const world = await worldWith({ PreToolUse: [{ matcher: 'Bash', ...commands('exit 2') }] })
    const heard: [DispatchRecord, EventInput][] = []
    const engine = await openOn(world, { onRecord: (record, input) => heard.push([record, input]) })
    const record = await engine.dispatch(bashCall)
    for await (const _step of engine.stream(stop)) {
      // only its end counts here
    }
    await guardCall(engine, { name: 'Read', input: {}, run: async () => 'text' }, { onNotice: () => {} })
    expect(heard.map(([{ event }]) => event)).toEqual(['PreToolUse', 'Stop', 'PreToolUse', 'PostToolUse'])
    expect(heard[0]?.[0]).toBe(record)
    expect(heard[0]?.[1]).toMatchObject({ ...bashCall, session_id: engine.sessionId })

    const others: string[] = []
    const forget = engine.onRecord(({ event }) => others.push(event))
    await engine.dispatch(stop)
    forget()
    await engine.dispatch(stop)
    await engine.close()
    expect(others).toEqual(['Stop'])
    expect(heard).toHaveLength(6)
  })

  it('gets how a hook in the background ended, as a record that adds to the first one', async () => {
    const hook = { type: 'command', command: 'printf \'{"systemMessage":"tests fail"}\'; exit 0', async: true }
    const world = await worldWith({ PostToolUse: [{ hooks: [hook] }] })
    const heard: DispatchRecord[] = []
    const engine = await openOn(world, { onRecord: (record) => heard.push(record), log: `${world.root}/log.jsonl` })
    const input = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {}, tool_response: 'x' } as const
    const first = await engine.dispatch(input)
    await engine.drain()
    await engine.close()
    const [told, late] = heard
    expect(heard).toHaveLength(2)
    expect(told).toBe(first)
    expect(first.hooks).toMatchObject([{ verdict: 'backgrounded' }])
    expect(late).toMatchObject({ lateOf: first.id, event: 'PostToolUse', at: first.at, snapshot: first.snapshot })
    expect(late?.id).not.toBe(first.id)
    expect(late?.hooks).toMatchObject([{ verdict: 'ran', outcome: 'success', exitCode: 0 }])
    expect(late?.decision).toMatchObject({ blocked: false, halt: false, permission: null })
    expect(JSON.stringify(late?.decision.messages)).toContain('tests fail')
    expect(recordSchema.safeParse(late)).toMatchObject({ success: true })
  })

  it('gets the record of an event before that of a hook which ended in the background first', async () => {
    const fast = { type: 'command', command: 'touch ended', async: true }
    const slow = { type: 'command', command: 'until test -e ended; do sleep 0.02; done; sleep 0.2' }
    const world = await worldWith({ Stop: [{ hooks: [fast, slow] }] })
    const heard: DispatchRecord[] = []
    const engine = await openOn(world, { onRecord: (record) => heard.push(record) })
    const { id } = await engine.dispatch(stop)
    await engine.drain()
    await engine.close()
    expect(heard.map(({ lateOf }) => lateOf)).toEqual([undefined, id])
  })

  it('gets a hook that the end of the session ended, and nothing of a prompt that was erased', async () => {
    const world = await worldWith({
      UserPromptSubmit: [
        { hooks: [{ type: 'command', command: 'cat >&2; exit 1', async: true }] },
        commands('echo no >&2; exit 2'),
      ],
      Stop: [{ hooks: [{ type: 'command', command: 'sleep 30', async: true }] }],
    })
    const heard: unknown[] = []
    const engine = await openOn(world, { onRecord: (...both) => heard.push(both), outputTail: 1000 })
    await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'my old password is lamplight' })
    await engine.drain()
    await engine.dispatch(stop)
    await engine.close()
    expect(heard).toHaveLength(4)
    expect(JSON.stringify(heard)).not.toContain('lamplight')
    expect(heard.at(-1)).toMatchObject([{ hooks: [{ outcome: 'cancelled' }] }, {}])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no disk\u001b[2J')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no disk\u001b[2J'))],
  ])('changes nothing when it %s, which is told once', async (_how, onRecord) => {
    const world = await worldWith({ PreToolUse: [commands('exit 2')] })
    const engine = await openOn(world, { onRecord })
    const records: DispatchRecord[] = []
    for (let sent = 0; sent < 3; sent++) records.push(await engine.dispatch(bashCall))
    await engine.close()
    expect(records.map(({ decision }) => decision.blocked)).toEqual([true, true, true])
    const notices = records.flatMap((record) => record.notices ?? [])
    expect(notices).toEqual([expect.stringContaining("The host's onRecord failed: no disk")])
    expect(notices.join('')).not.toContain('\u001b')
  })
})

describe('the span of the host', () => {
  const span = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`
  const spanOf = (record: DispatchRecord): string | undefined => printed(record)?.trim()
  const env = { ...process.env, TRACEPARENT: span('9'), TRACESTATE: 'old=1' }
  const show = commands('echo "$TRACEPARENT|$TRACESTATE"')

  it.each(['direct', 'pool'] as const)('is in the environment of commands: %s', async (launcher) => {
    const world = await worldWith({ PreToolUse: [show] })
    let current: TraceContext | null = { traceparent: span('1'), tracestate: 'a=1,b=2' }
    const engine = await openOn(world, { env, launcher, trace: () => current })
    const seen = [spanOf(await engine.dispatch(bashCall))]
    current = { traceparent: span('2') }
    seen.push(spanOf(await engine.dispatch(bashCall)))
    seen.push(spanOf(await engine.dispatch(bashCall, { trace: { traceparent: span('3') } })))
    current = null
    seen.push(spanOf(await engine.dispatch(bashCall)))
    await engine.close()
    expect(seen).toEqual([`${span('1')}|a=1,b=2`, `${span('2')}|`, `${span('3')}|`, `${span('9')}|old=1`])
  })

  it.each<[string, unknown]>([
    ['upper case', { traceparent: span('A') }],
    ['no trace', { traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01` }],
    ['no span', { traceparent: `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01` }],
    ['a version that there is not', { traceparent: `ff${span('1').slice(2)}` }],
    ['more behind it', { traceparent: `${span('1')}\nX=1` }],
    ['a number', { traceparent: 7 }],
    ['nothing', {}],
    [
      'an error',
      () => {
        throw new Error('no span')
      },
    ],
  ])('that is malformed does not count, and is told once: %s', async (_what, trace) => {
    const world = await worldWith({ PreToolUse: [show] })
    const engine = await openOn(world, { env, trace: trace as TraceContext })
    const records = [await engine.dispatch(bashCall), await engine.dispatch(bashCall)]
    await engine.close()
    expect(records.map(spanOf)).toEqual([`${span('9')}|old=1`, `${span('9')}|old=1`])
    expect(records.flatMap(({ notices = [] }) => notices)).toHaveLength(1)
  })

  it('has no state that could be something else', async () => {
    const world = await worldWith({ PreToolUse: [show] })
    const engine = await openOn(world, { env, trace: { traceparent: span('1'), tracestate: 'a=1\nPATH=/evil' } })
    const record = await engine.dispatch(bashCall)
    await engine.close()
    expect(spanOf(record)).toBe(`${span('1')}|`)
    expect(record.notices).toEqual(['The tracestate of the host is malformed: hooks do not get it.'])
  })
})

describe('a project that is not trusted', () => {
  const hooks = { PreToolUse: [commands('exit 2')] }

  it('is told to the host at once, with what it asks for; among the problems, and in the first record', async () => {
    const world = await worldWith(hooks)
    const asked: string[][] = []
    const engine = await openOn(world, {
      trust: 'stored',
      onUntrusted: ({ files }) => asked.push(Object.keys(files)),
    })
    expect(asked).toEqual([['.claude/settings.json']])
    const [problem] = engine.problems
    expect(problem).toMatchObject({ rule: 'untrusted', severity: 'warning', file: '.claude/settings.json', line: 1 })
    const records = [await engine.dispatch(bashCall), await engine.dispatch(bashCall)]
    expect(records.flatMap(({ notices = [] }) => notices)).toEqual([problem?.message])
    await engine.acceptTrust()
    expect(engine.problems).toEqual([])
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
    await engine.close()
    expect(asked).toHaveLength(1)
  })

  it.each(['accepted', 'refused', () => false] as const)(
    'is not told to a host that answers itself: %s',
    async (trust) => {
      const world = await worldWith(hooks)
      const asked: unknown[] = []
      const engine = await openOn(world, { trust, onUntrusted: (request) => asked.push(request) })
      await engine.dispatch(bashCall)
      await engine.close()
      expect({ asked, problems: engine.problems }).toEqual({ asked: [], problems: [] })
    },
  )

  it('does not keep an engine from opening when the host fails to listen', async () => {
    const world = await worldWith(hooks)
    const onUntrusted = (): never => {
      throw new Error('no screen')
    }
    const engine = await openOn(world, { trust: 'stored', onUntrusted })
    const { notices } = await engine.dispatch(bashCall)
    await engine.close()
    expect(notices).toEqual([
      "The host's onUntrusted failed: no screen",
      expect.stringContaining('This folder is not trusted yet'),
    ])
  })
})
