import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { processesWith, until } from '../support/processes.ts'
import { answering, bashCall, commands, engineWith, makeWorld, openOn } from '../support/project.ts'

/** At most this many hooks of one event run at a time: `docs/configuration.md`. */
const MOST_AT_A_TIME = Math.max(8, 2 * availableParallelism())

const denying = answering({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
})

describe('many hooks, many events', () => {
  it('reliability 68: fills the slots, never runs more hooks than there are, and runs each of them once', async () => {
    const world = await makeWorld()
    const log = join(world.root, 'log')
    const line = (name: number): string =>
      `echo + >>'${log}'; until [ "$(grep -c + '${log}')" -ge ${MOST_AT_A_TIME} ]; do sleep 0.02; done; echo - >>'${log}' # ${name}`
    const engine = await openOn(world)
    await engine.register({ Stop: [commands(...Array.from({ length: 3 * MOST_AT_A_TIME }, (_, at) => line(at)))] })

    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })

    expect(hooks.map(({ outcome }) => outcome)).toEqual(Array(3 * MOST_AT_A_TIME).fill('success'))
    expect(mostAtATime(readFileSync(log, 'utf8'))).toBe(MOST_AT_A_TIME)
    expect(readFileSync(log, 'utf8').match(/\+/g)).toHaveLength(3 * MOST_AT_A_TIME)
  })

  it('reliability 68: counts the timeout of a hook from its own start, not from the event', async () => {
    const slow = Array.from({ length: MOST_AT_A_TIME }, (_, at) => ({ type: 'command', command: `sleep 2 # ${at}` }))
    const engine = await engineWith({
      Stop: [{ hooks: [...slow, { type: 'command', command: 'echo mine', timeout: 1 }] }],
    })

    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })

    expect(hooks.at(-1)).toMatchObject({ outcome: 'success', timedOut: false, stdoutBytes: 5 })
  })

  it('reliability 68: runs ten thousand hooks of one event, and lists their answers in configuration order', async () => {
    const engine = await engineWith({})
    const count = 10_000
    for (let at = 0; at < count; at++) {
      await engine.on('UserPromptSubmit', () => ({
        hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: String(at) },
      }))
    }
    const started = performance.now()

    const { hooks, decision } = await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })

    expect(hooks).toHaveLength(count)
    expect(decision.context).toEqual(Array.from({ length: count }, (_, at) => String(at)))
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  it('reliability 69: starts the hooks of two thousand simultaneous events in the order in which the events came', async () => {
    const engine = await engineWith({})
    const seen: unknown[] = []
    await engine.on('PreToolUse', async (input) => {
      seen.push(input.tool_use_id)
      await turn()
    })
    const ids = Array.from({ length: 2000 }, (_, at) => `toolu_${at}`)

    const records = await Promise.all(ids.map((id) => engine.dispatch({ ...bashCall, tool_use_id: id })))

    expect(seen).toEqual(ids)
    expect(records.every(({ hooks }) => hooks.length === 1 && hooks[0]?.outcome === 'success')).toBe(true)
  })

  it('reliability 69: keeps simultaneous events to the same number of processes, and answers each of them', async () => {
    const world = await makeWorld()
    const log = join(world.root, 'log')
    const engine = await openOn(world)
    await engine.register({
      PreToolUse: [commands(`echo + >>'${log}'; cat >/dev/null; ${denying}; echo - >>'${log}'`)],
    })

    const records = await Promise.all(Array.from({ length: 10 * MOST_AT_A_TIME }, () => engine.dispatch(bashCall)))

    expect(records.map(({ decision }) => decision.permission)).toEqual(Array(10 * MOST_AT_A_TIME).fill('deny'))
    expect(mostAtATime(readFileSync(log, 'utf8'))).toBeLessThanOrEqual(MOST_AT_A_TIME)
  })

  it('melodic #1345: gets the objection of a guard through while the machine is full of other hooks', async () => {
    const busy = Array.from({ length: 3 * MOST_AT_A_TIME }, (_, at) => ({
      type: 'command',
      command: `timeout 0.5 sh -c 'while :; do :; done'; : ${at}`,
    }))
    const engine = await engineWith({
      PreToolUse: [{ hooks: [...busy, { type: 'command', command: 'echo no >&2; exit 2', timeout: 10 }] }],
    })

    const { decision } = await engine.dispatch(bashCall)

    expect(decision).toMatchObject({ blocked: true, permission: 'deny', reason: 'no' })
  })
})

describe('aborting', () => {
  const sleeping = { PreToolUse: [commands('sleep 60; echo late')] }

  async function tokenEngine(hooks: object) {
    const token = randomUUID()
    const engine = await engineWith(hooks, { env: { ...process.env, HOOKLINE_TEST: token } })
    return { engine, token }
  }

  it('reliability 70: starts nothing when it is aborted before the event', async () => {
    const { engine, token } = await tokenEngine(sleeping)

    const { hooks } = await engine.dispatch(bashCall, { signal: AbortSignal.abort() })

    expect(hooks).toMatchObject([{ verdict: 'ran', outcome: 'cancelled', timedOut: false, exitCode: null }])
    expect(processesWith(token)).toEqual([])
  })

  it('reliability 70: resolves as cancelled and leaves no process, at whatever moment of the start it is aborted', async () => {
    const { engine, token } = await tokenEngine(sleeping)
    for (let turns = 0; turns < 12; turns++) {
      const aborting = new AbortController()
      const dispatched = engine.dispatch(bashCall, { signal: aborting.signal })
      for (let at = 0; at < turns; at++) await turn()
      aborting.abort()

      const { hooks, decision } = await dispatched

      expect(hooks).toMatchObject([{ outcome: 'cancelled', timedOut: false }])
      expect(decision).toMatchObject({ blocked: false, halt: false })
      expect(getEventListeners(aborting.signal, 'abort')).toEqual([])
    }
    await until('every process is gone', () => processesWith(token).length === 0)
  })

  it('reliability 70: ends what runs and never starts what waits for its turn', async () => {
    const many = Array.from({ length: 3 * MOST_AT_A_TIME }, (_, at) => `sleep 60 # ${at}`)
    const { engine, token } = await tokenEngine({ PreToolUse: [commands(...many)] })
    const aborting = new AbortController()
    const dispatched = engine.dispatch(bashCall, { signal: aborting.signal })
    await until('the slots are full', () => processesWith(token).length >= MOST_AT_A_TIME)
    aborting.abort()

    const { hooks } = await dispatched

    expect(hooks.map(({ outcome }) => outcome)).toEqual(Array(3 * MOST_AT_A_TIME).fill('cancelled'))
    expect(getEventListeners(aborting.signal, 'abort')).toEqual([])
    await until('every process is gone', () => processesWith(token).length === 0)
  })

  it('reliability 70: keeps the answer of a hook that has exited and is aborted while its output drains', async () => {
    const world = await makeWorld()
    const exited = join(world.root, 'exited')
    const engine = await openOn(world)
    await engine.register({ PreToolUse: [commands(`sleep 20 & echo done; touch '${exited}'`)] })
    const aborting = new AbortController()
    const dispatched = engine.dispatch(bashCall, { signal: aborting.signal })
    await until('the hook is done', () => existsSync(exited))
    aborting.abort()

    const { hooks } = await dispatched

    expect(['success', 'cancelled']).toContain(hooks[0]?.outcome)
    expect(hooks[0]?.durationMs).toBeLessThan(15_000)
  })

  it('reliability 70: settles once when it is aborted twice, by its signal and by closing the engine', async () => {
    const { engine, token } = await tokenEngine(sleeping)
    const aborting = new AbortController()
    const dispatched = engine.dispatch(bashCall, { signal: aborting.signal })
    await until('it runs', () => processesWith(token).length > 0)
    aborting.abort()
    aborting.abort()
    const closed = engine.close()

    expect((await dispatched).hooks).toMatchObject([{ outcome: 'cancelled' }])
    expect(await closed).toEqual([])
    await until('every process is gone', () => processesWith(token).length === 0)
  })

  it('reliability 70: ends the hooks of an event that is still on its way when the engine is closed', async () => {
    const { engine, token } = await tokenEngine({ PreToolUse: [commands('sleep 5')] })
    const dispatched = engine.dispatch(bashCall)
    await until('it runs', () => processesWith(token).length > 0)

    await engine.close()

    expect((await dispatched).hooks).toMatchObject([{ outcome: 'cancelled' }])
    expect(processesWith(token)).toEqual([])
  })

  it('reliability 70: does not gather listeners on a signal that many events share', async () => {
    const engine = await engineWith({ PreToolUse: [commands('true')] })
    await engine.on('PreToolUse', () => null)
    const { signal } = new AbortController()

    for (let at = 0; at < 20; at++) await engine.dispatch(bashCall, { signal })

    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('time limits that no timer can hold', () => {
  it.each([0, -1, '5', 2 ** 31, 1e300, [[1]], { seconds: 1 }, true])(
    'reliability 72: does not end a hook at once whose timeout is %j',
    async (timeout) => {
      const engine = await engineWith({
        Stop: [{ hooks: [{ type: 'command', command: 'sleep 0.3; echo ok', timeout }] }],
      })

      const { hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })

      expect(hooks).toMatchObject([{ outcome: 'success', timedOut: false, stdoutBytes: 3 }])
      const isSound = typeof timeout === 'number' && timeout > 0
      if (!isSound) expect(hooks[0]?.warnings.join()).toContain('timeout')
    },
  )

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 2 ** 31, 1e300])(
    'reliability 72: does not end a function at once whose timeout is %d',
    async (timeout) => {
      const engine = await engineWith({})
      await engine.on('Stop', () => new Promise((resolve) => setTimeout(resolve, 50)), { timeout })

      const { hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })

      expect(hooks).toMatchObject([{ outcome: 'success', timedOut: false }])
    },
  )

  it.each([Number.NaN, 0, -5])('reliability 72: refuses a default timeout of %d', async (defaultTimeout) => {
    const world = await makeWorld()

    await expect(openOn(world, { defaultTimeout })).rejects.toThrow('defaultTimeout must be a positive number')
  })

  it('reliability 72: refuses a default timeout that is a text', async () => {
    const world = await makeWorld()

    await expect(openOn(world, { defaultTimeout: 'abc' as unknown as number })).rejects.toThrow('defaultTimeout')
  })

  it.each([1e300, 2 ** 31, -1, 0, '"x"'])(
    'reliability 72: does not end a hook at once that goes to the background for %s ms',
    async (asyncTimeout) => {
      const engine = await engineWith({
        UserPromptSubmit: [commands(`echo '{"async": true, "asyncTimeout": ${asyncTimeout}}'; sleep 0.3; echo later`)],
      })

      const { hooks } = await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })

      expect(hooks).toMatchObject([{ verdict: 'backgrounded' }])
      expect(await engine.drain()).toMatchObject([{ context: ['later'], dropped: [] }])
    },
  )
})

describe('a host that is busy', () => {
  it('reliability 75: does not call a command late that was done while the host was blocked', async () => {
    const world = await makeWorld()
    const started = join(world.root, 'started')
    const engine = await openOn(world)
    await engine.register({
      PreToolUse: [{ hooks: [{ type: 'command', command: `touch '${started}'; sleep 0.1; ${denying}`, timeout: 1 }] }],
    })
    const dispatched = engine.dispatch(bashCall)
    await until('it runs', () => existsSync(started))

    blockFor(2500)

    const { hooks, decision } = await dispatched
    expect(hooks).toMatchObject([{ outcome: 'blocking', timedOut: false }])
    expect(decision.permission).toBe('deny')
  })

  it('reliability 75: does not call a function late that was done while the host was blocked', async () => {
    const engine = await engineWith({})
    let called = false
    await engine.on(
      'PreToolUse',
      async () => {
        called = true
        return (await readFile('/dev/null', 'utf8')) === '' ? { decision: 'block', reason: 'no' } : null
      },
      { timeout: 0.2 },
    )
    const dispatched = engine.dispatch(bashCall)
    while (!called) await Promise.resolve()

    blockFor(1000)

    expect((await dispatched).hooks).toMatchObject([{ outcome: 'blocking', timedOut: false }])
  })

  it('reliability 76: writes nothing to the streams of its host, whatever goes wrong', async () => {
    const out = vi.spyOn(process.stdout, 'write')
    const err = vi.spyOn(process.stderr, 'write')
    onTestFinished(() => void vi.restoreAllMocks())
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { Stop: [commands('echo out; echo err >&2; exit 3', 'kill -9 $$', '/does/not/exist')], Stopp: [] },
      },
      'home/.claude/settings.json': '{ no json',
    })
    const engine = await openOn(world)
    await engine.on('Stop', () => {
      throw new Error('thrown')
    })

    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })

    expect([...out.mock.calls, ...err.mock.calls]).toEqual([])
  })
})

describe('functions that misbehave', () => {
  const hostile: Record<string, () => unknown> = {
    'throws at once': () => {
      throw new Error('bang')
    },
    rejects: () => Promise.reject(new Error('bang')),
    'throws nothing at all': () => {
      throw undefined
    },
    'throws a symbol': () => {
      throw Symbol('bang')
    },
    'rejects with an object that has no text': () => Promise.reject(Object.create(null)),
    'throws an error whose message throws': () => {
      throw Object.defineProperty(new Error(), 'message', {
        get: () => {
          throw new Error('again')
        },
      })
    },
    'answers with a promise that is broken': () => ({
      // biome-ignore lint/suspicious/noThenProperty: this is what is tested
      then() {
        throw new Error('bang')
      },
    }),
    'answers with a circle': () => {
      const circle: Record<string, unknown> = {}
      circle.self = circle
      return circle
    },
    'answers with a bigint': () => 10n,
    'answers with a symbol': () => Symbol('answer'),
    'answers with a function': () => () => {},
    'answers with a field that throws': () => ({
      get decision() {
        throw new Error('bang')
      },
    }),
  }

  for (const [what, call] of Object.entries(hostile)) {
    it(`reliability 77: keeps a function to itself that ${what}`, async () => {
      const engine = await engineWith({ PreToolUse: [commands(denying)] })
      await engine.on('PreToolUse' as string, call) // which takes functions of any type

      const { hooks, decision } = await engine.dispatch(bashCall)

      expect(decision.permission).toBe('deny')
      expect(hooks).toMatchObject([{ scope: 'session', verdict: 'ran' }, { outcome: 'blocking' }])
      const [line] = hooks
      if (/^throws|^rejects|broken/.test(what)) expect(line?.outcome).toBe('non_blocking_error')
    })
  }

  it('reliability 77: gives up a function that never settles at its deadline, and tells it so', async () => {
    const engine = await engineWith({ PreToolUse: [commands(denying)] })
    let told: unknown
    await engine.on(
      'PreToolUse',
      (_input, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            told = signal.reason
          })
        }),
      { timeout: 0.1 },
    )

    const { hooks, decision } = await engine.dispatch(bashCall)

    expect(hooks[0]).toMatchObject({ outcome: 'cancelled', timedOut: true })
    expect(hooks[0]?.durationMs).toBeLessThan(10_000)
    expect(told).toBe('timed-out')
    expect(decision.permission).toBe('deny')
  })

  it('reliability 77: catches what a function throws after its deadline', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const engine = await engineWith({})
    let rejected = false
    await engine.on(
      'Stop',
      async (_input, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        await turn()
        rejected = true
        throw new Error('too late')
      },
      { timeout: 0.05 },
    )

    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    await until('it has rejected', () => rejected)
    await turn()

    expect(hooks).toMatchObject([{ outcome: 'cancelled' }])
    expect(unhandled).toEqual([])
  })

  it('reliability 77: does not let a function change what the host and other hooks see of the event', async () => {
    const engine = await engineWith({}, { order: 'sequential' })
    const toolInput = { command: 'rm -rf build' }
    let seen: unknown
    await engine.on('PreToolUse', (input) => {
      const given = input.tool_input as { command: string } // as it was dispatched
      given.command = 'ls'
    })
    await engine.on('PreToolUse', (input) => {
      seen = input.tool_input
    })

    await engine.dispatch({ ...bashCall, tool_input: toolInput })

    expect(toolInput).toEqual({ command: 'rm -rf build' })
    expect(seen).toEqual({ command: 'rm -rf build' })
  })
})

/** The largest number of hooks between their `+` and their `-`. */
function mostAtATime(log: string): number {
  let running = 0
  let most = 0
  for (const sign of log.trim().split('\n')) {
    running += sign === '+' ? 1 : -1
    most = Math.max(most, running)
  }
  return most
}

/** Keeps the event loop from turning. */
function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe('hooks that call agents', () => {
  it('reliability 30: a hook knows how many hooks it is inside of', async () => {
    const depth = async (env: NodeJS.ProcessEnv): Promise<string | undefined> => {
      const engine = await engineWith({ UserPromptSubmit: [commands('printf %s "$HOOKLINE_DEPTH"')] }, { env })
      return (await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })).decision.context[0]
    }
    const { HOOKLINE_DEPTH: _depth, ...outside } = process.env
    expect(await depth(outside)).toBe('1')
    expect(await depth({ ...outside, HOOKLINE_DEPTH: '2' })).toBe('3')
  })

  it('reliability 30: an engine three hooks deep does not open, and says why', async () => {
    const opening = engineWith({}, { env: { ...process.env, HOOKLINE_DEPTH: '3' } })
    await expect(opening).rejects.toThrow('Hooks call agents whose hooks call agents, 3 deep')
  })
})
