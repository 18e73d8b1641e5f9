import { generateText, jsonSchema, streamText, tool } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveModel } from '../../src/models/index.ts'
import {
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../src/testing/index.ts'

const MODELS = ['anthropic/claude-haiku-5-5', 'openai/local']

const look = tool({
  description: 'Looks.',
  inputSchema: jsonSchema<{ at: string }>({ type: 'object', properties: { at: { type: 'string' } }, required: ['at'] }),
  execute: ({ at }) => `seen ${at}`,
})

async function started(script: ModelScript, options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(script, options)
  onTestFinished(() => server.close())
  return server
}

describe.each(MODELS)('the scripted server, asked for %s', (name) => {
  it('says a text, with the tokens it cost', async () => {
    const server = await started([{ text: 'Good morning, Ärger 🙂.', usage: { inputTokens: 7, outputTokens: 3 } }])
    const { text, usage, finishReason } = await generateText({
      model: await resolveModel(name, { env: server.env }),
      prompt: 'Hi',
    })
    expect({ text, finishReason }).toEqual({ text: 'Good morning, Ärger 🙂.', finishReason: 'stop' })
    expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
    expect(server.requests).toMatchObject([{ streaming: false, hasKey: true, format: name.split('/')[0] }])
    expect(await server.requests[0]?.ended).toBe('answered')
  })

  it('streams a conversation with thoughts, text and parallel calls', async () => {
    const server = await started([
      {
        thinking: 'Where?',
        text: 'I look.',
        tools: [
          { name: 'look', input: { at: 'ä"1' } },
          { name: 'look', input: { at: 'b' } },
        ],
      },
      { text: 'Done.', usage: { inputTokens: 30, outputTokens: 2 } },
    ])
    const result = streamText({
      model: await resolveModel(name, { env: server.env }),
      prompt: 'Hi',
      tools: { look },
      stopWhen: ({ steps }) => steps.length === 2,
    })
    const steps = await result.steps
    expect(steps.map(({ finishReason, text, reasoningText }) => ({ finishReason, text, reasoningText }))).toEqual([
      { finishReason: 'tool-calls', text: 'I look.', reasoningText: 'Where?' },
      { finishReason: 'stop', text: 'Done.', reasoningText: undefined },
    ])
    expect(steps[0]?.toolResults.map(({ output }) => output)).toEqual(['seen ä"1', 'seen b'])
    expect(await result.totalUsage).toMatchObject({ inputTokens: 40, outputTokens: 7 })
    expect(server.requests.map(({ streaming }) => streaming)).toEqual([true, true])
  })

  it('breaks a stream with the error that the script has for it', async () => {
    const server = await started([{ text: 'A long story about much', ends: { error: 'Overloaded, sorry' } }])
    const seen: unknown[] = []
    const result = streamText({ model: await resolveModel(name, { env: server.env }), prompt: 'Hi', onError: () => {} })
    for await (const part of result.fullStream) if (part.type === 'error') seen.push(part.error)
    expect(JSON.stringify(seen)).toContain('Overloaded, sorry')
  })

  it.each(['cut', 'stalled'] as const)('leaves a stream half said that is %s', async (ends) => {
    const server = await started([{ text: 'A long story about much', ends }])
    const giveUp = new AbortController()
    const result = streamText({
      model: await resolveModel(name, { env: server.env }),
      prompt: 'Hi',
      abortSignal: giveUp.signal,
      onError: () => {},
    })
    let said = ''
    const listening = (async () => {
      for await (const part of result.fullStream) {
        if (part.type === 'text-delta') said += part.text
        if (ends === 'stalled' && said !== '') giveUp.abort()
      }
    })()
    if (ends === 'cut') await expect(listening).rejects.toThrow('Failed to process successful response')
    else await listening
    expect('A long story about'.startsWith(said)).toBe(true)
    expect(await server.requests[0]?.ended).toBe('broken-off')
  })

  it('refuses what the script refuses, and a request beyond its end', async () => {
    const server = await started([{ status: 401, message: 'invalid key' }])
    const model = await resolveModel(name, { env: server.env })
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 401,
      message: 'invalid key',
    })
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toThrow('The script has 1 answers')
  })

  it('waits for what the test decides', async () => {
    let release = () => {}
    const server = await started([
      {
        text: 'late',
        until: new Promise<void>((resolve) => {
          release = resolve
        }),
      },
    ])
    const asked = generateText({ model: await resolveModel(name, { env: server.env }), prompt: 'Hi' })
    await server.waitForRequest(0)
    release()
    expect((await asked).text).toBe('late')
  })

  it('keeps no key', async () => {
    const server = await started([{ text: 'ok' }])
    await generateText({ model: await resolveModel(name, { env: server.env }), prompt: 'Hi' })
    expect(JSON.stringify(server.requests)).not.toContain(server.env.OPENAI_API_KEY)
  })
})

describe('the scripted server', () => {
  it('refuses a call of a tool that nobody answered, as the providers do', async () => {
    const server = await started(() => ({ text: 'never said' }))
    const messages = [{ role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_9', name: 'look', input: {} }] }]
    const tool_calls = [{ id: 'call_9', type: 'function', function: { name: 'look', arguments: '{}' } }]
    const post = (path: string, body: object) =>
      fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) }).then((one) => one.text())
    expect(await post('/v1/messages', { model: 'm', max_tokens: 1, messages })).toContain('toolu_9')
    expect(await post('/v1/chat/completions', { model: 'm', messages: [{ role: 'assistant', tool_calls }] })).toContain(
      'call_9',
    )
    expect(await post('/v1/messages', { model: 'm', messages: [{ role: 'user', content: 'x' }] })).toContain(
      'max_tokens',
    )
    expect(await post('/v1/messages', { max_tokens: 1 })).toContain('model')
    expect(await post('/v1/messages', [])).toContain('not a JSON object')
    expect(await post('/v1/other', {})).toContain('There is no POST /v1/other here.')
  })

  it('tells a client when the script itself fails', async () => {
    const server = await started(() => {
      throw new Error('not that one')
    })
    const model = await resolveModel('openai/local', { env: server.env })
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toThrow(
      'The script failed: not that one',
    )
  })

  it('ends connections that are still open when it is closed', async () => {
    const server = await started([{ silent: true }])
    const asked = fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
    }).catch((error: unknown) => error)
    const request = await server.waitForRequest(0)
    await server.close()
    expect(await asked).toBeInstanceOf(Error)
    expect(await request.ended).toBe('broken-off')
  })
})
