import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Engine, EventInput } from '../../src/index.ts'
import { guardBatch, guardCall, HaltedByHook, type ToolCall, withHooks } from '../../src/tools/index.ts'
import { commands, engineWith } from '../support/project.ts'
import { pre } from './asked.ts'

const STOP = { continue: false, stopReason: 'Enough' }
const STOPPED = { ended: 'refused', reason: 'Not run: a hook ended the turn.', halt: 'Enough' }

/** Something that happens once, and can be waited for. */
function moment(): { readonly come: Promise<void>; readonly happens: () => void } {
  let happens = (): void => {}
  const come = new Promise<void>((resolve) => {
    happens = resolve
  })
  return { come, happens: () => happens() }
}

/** Calls of one loop by their rooms, and the rooms in which a tool ran. */
function calls(...rooms: string[]) {
  const ran: string[] = []
  const made = rooms.map((room) => ({
    name: 'light',
    input: { room },
    run: (): string => {
      ran.push(room)
      return 'on'
    },
  }))
  return { ran, made }
}

const roomOf = ({ tool_input }: EventInput): string => (tool_input as { room: string }).room // what these tests pass

/** How a host may make the calls of one answer. */
type Way = (
  engine: Engine,
  made: readonly (ToolCall & { readonly run: (input: unknown) => unknown })[],
) => Promise<readonly { readonly ended: string; readonly halt: string | null }[]>

const WAYS: readonly (readonly [string, Way])[] = [
  ['guardBatch', (engine, made) => guardBatch(engine, made)],
  ['guardCall side by side', (engine, made) => Promise.all(made.map((call) => guardCall(engine, call)))],
  ['withHooks in one step', throughTools],
  ['two tool sets with hooks in one step', (engine, made) => throughTools(engine, made, { sets: 2 })],
]

async function throughTools(...[engine, made, { sets = 1 } = {}]: [...Parameters<Way>, { sets?: number }?]) {
  const tool = (run: (input: unknown) => unknown) => ({
    inputSchema: z.unknown(),
    execute: async (input: unknown, _call: { toolCallId: string; messages: readonly { role: string }[] }) => run(input),
  })
  const guarded = made.map(({ run }) => ({ light: tool(run) }))
  const messages = [{ role: 'user' }]
  const shared = withHooks({ light: tool((input) => made.find((call) => call.input === input)?.run(input)) }, engine)
  return Promise.all(
    guarded.map(async (own, at) => {
      const { light } = sets === 1 ? shared : withHooks(own, engine)
      try {
        await light.execute(made[at]?.input, { toolCallId: `toolu_${at}`, messages })
        return { ended: 'ran', halt: null }
      } catch (error) {
        if (!(error instanceof HaltedByHook)) throw error
        return { ended: 'refused', halt: error.stopReason }
      }
    }),
  )
}

describe.each(WAYS)('a halt in a batch that is made by %s', (_name, make) => {
  it('stops a call whose own hooks were done before', async () => {
    const engine = await engineWith({})
    const { ran, made } = calls('cellar', 'hall')
    const others = moment()
    await engine.on('PreToolUse', () => others.happens(), { matcher: 'tool_input.room == "cellar"' })
    await engine.on('PreToolUse', () => others.come.then(() => new Promise(setImmediate)).then(() => STOP), {
      matcher: 'tool_input.room == "hall"',
    })
    const ends = await make(engine, made)
    expect(ran).toEqual([])
    expect(ends.map(({ ended, halt }) => [ended, halt])).toEqual([
      ['refused', 'Enough'],
      ['refused', 'Enough'],
    ])
  })

  it('stops a call that no hook is interested in, while a command takes its time to halt', async () => {
    const halting = { matcher: 'tool_input.room == "hall"', ...commands(`sleep 0.2; echo '${JSON.stringify(STOP)}'`) }
    const engine = await engineWith({ PreToolUse: [halting] })
    const { ran, made } = calls('cellar', 'hall', 'kitchen')
    const ends = await make(engine, made)
    expect(ran).toEqual([])
    expect(ends.map(({ halt }) => halt)).toEqual(['Enough', 'Enough', 'Enough'])
  })

  it('stops a call whose hooks still run', async () => {
    const engine = await engineWith({})
    const { ran, made } = calls('hall', 'cellar')
    const halted = moment()
    await engine.on('PreToolUse', (input) => {
      if (roomOf(input) !== 'hall') return halted.come
      setImmediate(halted.happens)
      return STOP
    })
    const ends = await make(engine, made)
    expect(ran).toEqual([])
    expect(ends.map(({ halt }) => halt)).toEqual(['Enough', 'Enough'])
  })

  it('leaves the calls of the next batch alone', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => STOP, { matcher: 'tool_input.room == "hall"' })
    await make(engine, calls('cellar', 'hall').made)
    const { ran, made } = calls('cellar', 'kitchen')
    await make(engine, made)
    expect(ran.toSorted()).toEqual(['cellar', 'kitchen'])
  })
})

describe('a halt', () => {
  it('after a call stops those that have not started, and lets those finish that have', async () => {
    const engine = await engineWith({})
    const started = moment()
    const halted = moment()
    await engine.on('PostToolUse', () => STOP, { matcher: 'tool_input.room == "hall"' })
    await engine.on('PreToolUse', () => halted.come, { matcher: 'tool_input.room == "cellar"' })
    const ran: string[] = []
    const running = guardCall(engine, {
      name: 'light',
      input: { room: 'attic' },
      run: async () => {
        started.happens()
        await halted.come
        return 'on'
      },
    })
    await started.come
    let waiting: Promise<unknown> = Promise.resolve()
    const cellar = { name: 'light', input: { room: 'cellar' }, run: () => ran.push('cellar') }
    const begin = (): void => {
      waiting = guardCall(engine, cellar)
    }
    expect(await guardCall(engine, { name: 'light', input: { room: 'hall' }, run: begin })).toMatchObject({
      ended: 'ran',
      halt: 'Enough',
    })
    halted.happens()
    expect(await waiting).toMatchObject(STOPPED)
    expect(await running).toMatchObject({ ended: 'ran', output: 'on', halt: null })
    expect(ran).toEqual([])
  })

  it('after a call is over with it when no other call is under way', async () => {
    const engine = await engineWith({})
    await engine.on('PostToolUse', () => STOP, { matcher: 'tool_input.room == "hall"' })
    const { ran, made } = calls('hall', 'cellar')
    for (const call of made) await guardCall(engine, call)
    expect(ran).toEqual(['hall', 'cellar'])
  })

  it('in a subagent stops the calls of that subagent alone', async () => {
    const engine = await engineWith({ PreToolUse: [] })
    await engine.on('PreToolUse', () => new Promise((resolve) => setImmediate(resolve, STOP)), { agent: 'agent-7' })
    const main = calls('hall')
    const inside = calls('cellar', 'kitchen')
    const turn = {}
    const [ends, [end]] = await Promise.all([
      guardBatch(engine, inside.made, { agent: 'agent-7', turn }),
      guardBatch(engine, main.made, { turn }),
    ])
    expect(ends).toMatchObject([STOPPED, STOPPED])
    expect(end).toMatchObject({ ended: 'ran', halt: null })
    expect([inside.ran, main.ran]).toEqual([[], ['hall']])
  })

  it('stops calls of the same turn that are made later, when the host says which turn they are of', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => STOP, { matcher: 'tool_input.room == "hall"' })
    const { ran, made } = calls('hall', 'cellar')
    const turn = {}
    const ends = []
    for (const call of made) ends.push(await guardCall(engine, call, { turn }))
    expect(ends).toMatchObject([STOPPED, STOPPED])
    expect(ran).toEqual([])
  })

  it('of one session leaves a turn of another alone, also when both have the same name', async () => {
    const [engine, other] = [await engineWith({}), await engineWith({})]
    await engine.on('PreToolUse', () => STOP)
    const { ran, made } = calls('hall')
    const turn = {}
    expect(await guardBatch(engine, made, { turn })).toMatchObject([STOPPED])
    expect(await guardBatch(other, made, { turn })).toMatchObject([{ ended: 'ran' }])
    expect(ran).toEqual(['hall'])
  })

  it('stops a call that waits for an answer of the user', async () => {
    const engine = await engineWith({})
    const asked = moment()
    const answer = moment()
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask' }), { matcher: 'tool_input.room == "cellar"' })
    await engine.on('PostToolUse', () => STOP)
    const { ran, made } = calls('cellar', 'hall')
    const [cellar, hall] = made
    if (cellar === undefined || hall === undefined) return expect.fail('two calls are made')
    const onAsk = async () => {
      asked.happens()
      await answer.come
      return true
    }
    const waiting = guardCall(engine, cellar, { onAsk })
    await asked.come
    expect(await guardCall(engine, hall)).toMatchObject({ ended: 'ran', halt: 'Enough' })
    answer.happens()
    expect(await waiting).toMatchObject(STOPPED)
    expect(ran).toEqual(['hall'])
  })

  it('asks nobody about calls that it stops', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', (input) => (roomOf(input) === 'hall' ? STOP : pre({ permissionDecision: 'ask' })))
    const { ran, made } = calls('cellar', 'hall')
    const onAsk = () => expect.fail('the user was asked')
    expect(await guardBatch(engine, made, { onAsk })).toMatchObject([STOPPED, STOPPED])
    expect(ran).toEqual([])
  })
})

describe('a batch', () => {
  it('shows all calls to PreToolUse hooks before the first one runs', async () => {
    const engine = await engineWith({})
    const order: string[] = []
    await engine.on('PreToolUse', async (input) => {
      if (roomOf(input) === 'hall') await new Promise(setImmediate)
      order.push(`before ${roomOf(input)}`)
    })
    const made = ['cellar', 'hall'].map((room) => ({
      name: 'light',
      input: { room },
      run: () => void order.push(`ran ${room}`),
    }))
    await guardBatch(engine, made)
    expect(order.slice(0, 2)).toEqual(['before cellar', 'before hall'])
    expect(order.slice(2).toSorted()).toEqual(['ran cellar', 'ran hall'])
  })

  it('gives the ends in the order of the calls, whichever comes first', async () => {
    const engine = await engineWith({ PreToolUse: [{ matcher: 'tool_input.at == 1', ...commands('exit 2') }] })
    const made = [30, 1, 0].map((at) => ({
      name: 'wait',
      input: { at },
      run: () => new Promise((resolve) => setTimeout(resolve, at, at)),
    }))
    expect(await guardBatch(engine, made)).toMatchObject([
      { ended: 'ran', output: 30 },
      { ended: 'refused' },
      { ended: 'ran', output: 0 },
    ])
  })

  it('does not wait for the hooks of others when its signal aborts', async () => {
    const engine = await engineWith({})
    const asked = moment()
    const answer = moment()
    await engine.on('PreToolUse', () => answer.come, { matcher: 'tool_input.room == "hall"' })
    await engine.on('PreToolUse', () => asked.happens(), { matcher: 'tool_input.room == "cellar"' })
    const leave = new AbortController()
    const { ran, made } = calls('hall', 'cellar')
    const [hall, cellar] = made
    if (cellar === undefined || hall === undefined) return expect.fail('two calls are made')
    const slow = guardCall(engine, hall)
    const left = guardCall(engine, { ...cellar, signal: leave.signal })
    await asked.come
    leave.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    answer.happens()
    expect(await slow).toMatchObject({ ended: 'ran' })
    expect(ran).toEqual(['hall'])
  })

  it('is rejected when one call is, once all others have ended', async () => {
    const engine = await engineWith({})
    const { ran, made } = calls('hall', 'cellar')
    const gone = { name: 'light', input: {}, signal: AbortSignal.abort(new Error('left')), run: () => 'on' }
    await expect(guardBatch(engine, [gone, ...made])).rejects.toThrow('left')
    expect(ran.toSorted()).toEqual(['cellar', 'hall'])
  })

  it('refuses a call whose input no hook could look at, and makes the others', async () => {
    const engine = await engineWith({})
    const { ran, made } = calls('hall')
    const bad = ['ls', null, undefined, ['ls'], 3].map((input) => ({ name: 'sh', input, run: () => ran.push('sh') }))
    const ends = await guardBatch(engine, [...bad, ...made])
    const reason = 'sh cannot be called so: its input must be an object.'
    expect(ends.slice(0, -1)).toMatchObject(bad.map(() => ({ ended: 'refused', reason })))
    expect(ran).toEqual(['hall'])
  })

  it('does not wait for itself when a hook makes a guarded call of its own', async () => {
    const engine = await engineWith({})
    const inner = { name: 'look', input: {}, run: () => 'seen' }
    await engine.on('PreToolUse', async () => void (await guardCall(engine, inner)), { matcher: 'light' })
    const { ran, made } = calls('hall', 'cellar')
    await guardBatch(engine, made)
    for (const call of made) await guardCall(engine, call)
    expect(ran).toEqual(['hall', 'cellar', 'hall', 'cellar'])
  })
})
