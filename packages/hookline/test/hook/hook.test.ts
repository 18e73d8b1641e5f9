import { describe, expect, it } from 'vitest'
import { type Handlers, type HookInput, runHook } from '../../src/hook/index.ts'
import { bashCall } from '../support/project.ts'

const stop: HookInput = { hook_event_name: 'Stop', stop_hook_active: false }

/** Handlers as somebody writes them who has no types. */
const untyped = (handlers: object): Handlers => handlers as Handlers

describe('runHook', () => {
  it('gives what the process would, and touches nothing', async () => {
    const guard: Handlers = {
      PreToolUse: ({ tool_name }, reply) => reply.deny(`no ${tool_name} here`, { systemMessage: 'It tried.' }),
    }
    const { exitCode, stdout, stderr } = await runHook(guard, bashCall)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: 'It tried.',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no Bash here',
      },
    })
    expect(process.exitCode).toBeUndefined()
  })

  it('is silent about events without a handler, and when a handler returns nothing', async () => {
    const silent = { exitCode: 0, stdout: '', stderr: '' }
    expect(await runHook({}, stop)).toEqual(silent)
    expect(await runHook({ Stop() {} }, stop)).toEqual(silent)
    expect(await runHook({ async Stop() {} }, stop)).toEqual(silent)
    expect(await runHook({ Stop: (_input, reply) => reply.block('go on') }, bashCall)).toEqual(silent)
    expect(await runHook({}, { ...stop, hook_event_name: 'constructor' } as unknown as HookInput)).toEqual(silent)
  })

  it('reports what a handler throws, with its stack, or objects with the message alone', async () => {
    const broken: Handlers = {
      async Stop() {
        throw new Error('the lamp is broken')
      },
    }
    const reported = await runHook(broken, stop)
    expect(reported).toMatchObject({ exitCode: 1, stdout: '' })
    expect(reported.stderr).toMatch(/^hook: Error: the lamp is broken\n {4}at /)
    expect(await runHook(broken, stop, { onError: 'block' })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'hook: Error: the lamp is broken\n',
    })
  })

  it.each([
    [
      'a reply that is not returned',
      { Stop: (_: object, reply: { block(why: string): object }) => void reply.block('go on') },
      'Stop made a reply and did not return it',
    ],
    [
      'a reply that another one follows',
      {
        Stop(_: object, reply: { block(why: string): object }) {
          reply.block('go on')
          return reply.block('rest')
        },
      },
      'Stop made a reply and did not return it',
    ],
    [
      'an answer that no reply made',
      { Stop: () => ({ decision: 'block', reason: 'go on' }) },
      'Stop returned what no reply made',
    ],
    [
      'a reply that the event does not allow',
      { Stop: (_: object, reply: { deny(why: string): object }) => reply.deny('no') },
      'reply.deny is not a function',
    ],
    ['a misspelt event', { Stopp: () => undefined }, 'there is no handler for Stop, and "Stopp" is not an event'],
    ['a handler that is none', { Stop: 'go on' }, 'is not a function'],
  ])('fails loudly on %s', async (_what, handlers, message) => {
    const { exitCode, stdout, stderr } = await runHook(untyped(handlers), stop)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(message)
  })

  it('turns an error into a text, lest the refusal be lost', async () => {
    const refusing = untyped({
      PreToolUse: (_: object, reply: { deny(why: Error): object }) => reply.deny(new Error('no')),
    })
    const { stdout } = await runHook(refusing, bashCall)
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason).toBe('Error: no')
  })

  it('refuses instructions that would be read as JSON', async () => {
    const handlers: Handlers = { PreCompact: (_input, reply) => reply.instructions(' {"keep": "all"}') }
    const { exitCode, stderr } = await runHook(handlers, { hook_event_name: 'PreCompact', trigger: 'auto' })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('instructions that start with "{" are read as JSON')
  })

  it('lets a hook warn and halt at an event that only a newer host knows', async () => {
    const names = untyped({
      LampLit: (_: object, reply: { systemMessage(text: string): object }) =>
        reply.systemMessage(Object.keys(reply).join()),
    })
    const { stdout } = await runHook(names, { hook_event_name: 'LampLit' } as unknown as HookInput)
    expect(JSON.parse(stdout)).toEqual({ systemMessage: 'halt,systemMessage' })
  })
})
