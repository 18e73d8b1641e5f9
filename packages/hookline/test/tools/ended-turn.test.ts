import { generateText, stepCountIs, streamText, tool } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { resolveModel } from '../../src/models/index.ts'
import { startModelServer } from '../../src/testing/index.ts'
import { findHalt, HaltedByHook, isHalted, withHooks } from '../../src/tools/index.ts'
import { commands, engineWith } from '../support/project.ts'
import { calling, lamp } from './asked.ts'

describe('a hook that ends the turn', () => {
  it('before a call keeps it from running, and asks the model no more', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => ({ continue: false, stopReason: 'Enough for today' }))
    const { result, requests } = await calling(withHooks({ light }, engine), [['light', { room: 'hall' }]])
    const halt = findHalt(result.steps)
    expect(halt).toBeInstanceOf(HaltedByHook)
    expect(halt).toMatchObject({ stopReason: 'Enough for today', message: 'Not run: a hook ended the turn.' })
    expect({ requests, lit }).toEqual({ requests: 1, lit: [] })
  })

  it('after a call keeps what it gave for the model, and the reason from it', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    await engine.on('PostToolUse', () => ({ continue: false, stopReason: 'Enough for today' }))
    const { result, requests } = await calling(withHooks({ light }, engine), [['light', { room: 'hall' }]])
    expect(findHalt(result.steps)?.stopReason).toBe('Enough for today')
    expect(findHalt(result.steps)?.message).toBe('{"room":"hall","on":true}\n\nA hook ended the turn after this call.')
    expect({ requests, lit }).toEqual({ requests: 1, lit: ['hall'] })
  })

  it('keeps the other calls of the batch from running', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    let endIt = () => {}
    const ended = new Promise<void>((resolve) => {
      endIt = resolve
    })
    const stop = { continue: false, stopReason: 'Enough' }
    await engine.on('PreToolUse', () => stop, { matcher: 'tool_input.room == "hall"' })
    await engine.on('PreToolUse', () => ended, {
      matcher: 'tool_input.room == "cellar"',
    })
    const tools = withHooks({ light }, engine, {
      onRecord: ({ decision }) => decision.halt && setImmediate(endIt),
    })
    const { result } = await calling(tools, [
      ['light', { room: 'cellar' }],
      ['light', { room: 'hall' }],
    ])
    expect(findHalt(result.steps)?.stopReason).toBe('Enough')
    expect(lit).toEqual([])
  })

  it('keeps a call of the batch from running whose own hooks were done before', async () => {
    const { light, lit } = lamp()
    const halting = `sleep 0.2; echo '{"continue":false,"stopReason":"Enough"}'`
    const engine = await engineWith({ PreToolUse: [{ matcher: 'tool_input.room == "hall"', ...commands(halting) }] })
    const { result } = await calling(withHooks({ light }, engine), [
      ['light', { room: 'cellar' }],
      ['light', { room: 'hall' }],
    ])
    expect(findHalt(result.steps)?.stopReason).toBe('Enough')
    expect(lit).toEqual([])
  })

  it('lets no later call of the turn run, even if the host goes on, and those of the next turn do', async () => {
    const { light, lit } = lamp()
    const engine = await engineWith({})
    const stop = { continue: false, stopReason: 'Enough' }
    await engine.on('PreToolUse', () => stop, { matcher: 'tool_input.room == "hall"' })
    const tools = withHooks({ light }, engine)
    const asks = (room: string) => ({ tools: [{ name: 'light', input: { room } }] })
    const server = await startModelServer([
      asks('hall'),
      asks('cellar'),
      { text: 'So.' },
      asks('kitchen'),
      { text: 'On.' },
    ])
    onTestFinished(() => server.close())
    const model = await resolveModel('openai/local', { env: server.env })
    const stopWhen = stepCountIs(5)
    const first = await generateText({
      model,
      tools,
      stopWhen,
      messages: [{ role: 'user', content: 'Light the house' }],
    })
    expect({ text: first.text, lit }).toEqual({ text: 'So.', lit: [] })
    expect(JSON.stringify(server.requests[2]?.body)).not.toContain('Enough')
    const messages = [...first.response.messages, { role: 'user', content: 'Only the kitchen' } as const]
    await generateText({ model, tools, stopWhen, messages })
    expect(lit).toEqual(['kitchen'])
  })

  it('ends a stream too', async () => {
    const { light } = lamp()
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => ({ continue: false }))
    const server = await startModelServer([{ tools: [{ name: 'light', input: { room: 'hall' } }] }])
    onTestFinished(() => server.close())
    const model = await resolveModel('anthropic/claude-haiku-4-5', { env: server.env })
    const result = streamText({
      model,
      prompt: 'Go',
      tools: withHooks({ light }, engine),
      stopWhen: [stepCountIs(5), isHalted],
    })
    expect(findHalt(await result.steps)?.stopReason).toBe('Stopped by hook')
    expect(server.requests).toHaveLength(1)
  })
})

describe('an abort', () => {
  it('while hooks run keeps the call from running', async () => {
    const { light, lit } = lamp()
    const stop = new AbortController()
    const engine = await engineWith({})
    await engine.on('PreToolUse', (_input, { signal }) => {
      stop.abort()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
    })
    const run = calling(withHooks({ light }, engine), [['light', { room: 'hall' }]], { signal: stop.signal })
    await expect(run).rejects.toThrow('abort')
    expect(lit).toEqual([])
  })

  it('reaches the tool, and hooks hear that it was interrupted', async () => {
    const stop = new AbortController()
    const engine = await engineWith({})
    const failures: unknown[] = []
    await engine.on('PostToolUseFailure', ({ is_interrupt }) => void failures.push(is_interrupt))
    const wait = tool({
      inputSchema: z.object({}),
      execute: (_input, { abortSignal }) => {
        stop.abort()
        abortSignal?.throwIfAborted()
      },
    })
    const run = calling(withHooks({ wait }, engine), [['wait', {}]], { signal: stop.signal })
    await expect(run).rejects.toThrow('abort')
    expect(failures).toEqual([true])
  })
})
