import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openModels } from '../../src/models/index.ts'
import { BOTH, question, SCHEMA, serving } from './question.ts'

const NO = '{"ok": false, "reason": "tests fail"}'

describe('asking a model', () => {
  it('sends exactly one request of the Messages API to Anthropic', async () => {
    const server = await serving([{ text: NO, usage: { inputTokens: 21, outputTokens: 8 } }])
    const { askModel } = openModels({ env: server.env })
    const messages = [
      { role: 'user', text: 'Build it' },
      { role: 'assistant', text: 'Built' },
      { role: 'user', text: 'Is it done?' },
    ] as const
    const reply = await askModel(question({ messages }))
    expect(reply).toEqual({ text: NO, model: 'claude-haiku-5-5', usage: { inputTokens: 21, outputTokens: 8 } })
    expect(server.requests).toMatchObject([{ path: '/v1/messages', hasKey: true }])
    expect(server.requests[0]?.body).toEqual({
      model: 'claude-haiku-5-5',
      max_tokens: 4096,
      thinking: { type: 'disabled' },
      system: [{ type: 'text', text: 'Judge.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Build it' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Built' }] },
        { role: 'user', content: [{ type: 'text', text: 'Is it done?' }] },
      ],
      output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    })
  })

  it('sends exactly one chat completion to a server of the OpenAI protocol', async () => {
    const server = await serving([{ text: NO, model: 'local-q4', usage: null }])
    const { askModel } = openModels({ env: server.env })
    const reply = await askModel(question({ model: 'openai/meta-llama/Llama-3' }))
    expect(reply).toEqual({ text: NO, model: 'local-q4', usage: { inputTokens: null, outputTokens: null } })
    expect(server.requests).toMatchObject([{ path: '/v1/chat/completions', hasKey: true }])
    expect(server.requests[0]?.body).toEqual({
      model: 'meta-llama/Llama-3',
      max_tokens: 4096,
      temperature: 0,
      messages: [
        { role: 'system', content: 'Judge.' },
        { role: 'user', content: 'Is it done?' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema: SCHEMA, strict: false } },
    })
  })

  it('asks OpenAI itself in the words that all of its models take', async () => {
    const bodies: unknown[] = []
    vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
      bodies.push([url, JSON.parse(body)])
      return new Response('{"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]}')
    })
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    await openModels({ env: { OPENAI_API_KEY: 'sk-none' } }).askModel(question())
    const sent = { model: 'gpt-4.1-mini', max_completion_tokens: 4096 }
    expect(bodies).toEqual([['https://api.openai.com/v1/chat/completions', expect.objectContaining(sent)]])
    expect(JSON.stringify(bodies)).not.toMatch(/"max_tokens"|"temperature"/)
  })

  it('holds older models of Anthropic to the schema with a tool', async () => {
    const server = await serving([{ text: '{"ok":true}' }])
    const { askModel } = openModels({ env: server.env })
    expect(JSON.parse((await askModel(question({ model: 'claude-3-haiku-20240307' }))).text)).toEqual({ ok: true })
    expect(server.requests[0]?.body).toMatchObject({ tools: [{ name: 'json' }], tool_choice: { type: 'any' } })
  })

  describe.each(BOTH)('%s', (model) => {
    it('gives text that is no JSON to whoever asked', async () => {
      const text = 'Sure! ```json\n{"ok": true}\n``` Anything else?'
      const server = await serving([{ text }])
      expect(await openModels({ env: server.env }).askModel(question({ model }))).toMatchObject({
        text,
        usage: { inputTokens: 10, outputTokens: 5 },
      })
    })

    it('is asked without a schema when its server refuses one, and so from then on', async () => {
      const server = await serving([{ text: 'yes: {"ok":true}' }, { text: '{"ok":true}' }], { structuredOutput: false })
      const { askModel } = openModels({ env: server.env })
      expect((await askModel(question({ model }))).text).toBe('yes: {"ok":true}')
      expect((await askModel(question({ model }))).text).toBe('{"ok":true}')
      const formats = server.requests.map(({ body }) => body.response_format ?? body.output_config)
      expect(formats.map((format) => format !== undefined)).toEqual([true, false, false])
    })

    it('is not remembered as refusing schemas when it refuses everything', async () => {
      const server = await serving(() => ({ status: 400, message: 'prompt is too long' }))
      const { askModel } = openModels({ env: server.env })
      for (const _ of [1, 2])
        await expect(askModel(question({ model }))).rejects.toThrow(`${model} answered 400: prompt is too long`)
      expect(server.requests).toHaveLength(4)
    })

    it('answers late, and is waited for', async () => {
      let release = () => {}
      const until = new Promise<void>((resolve) => {
        release = resolve
      })
      const server = await serving([{ text: NO, until }])
      const reply = openModels({ env: server.env }).askModel(question({ model }))
      await server.waitForRequest(0)
      release()
      expect((await reply).text).toBe(NO)
    })

    it.each([{ silent: true } as const, { text: NO, ends: 'stalled' } as const])(
      'is left when the host gives up, and its connection closes: %o',
      async (answer) => {
        const server = await serving([answer])
        const giveUp = new AbortController()
        const reply = openModels({ env: server.env }).askModel(question({ model, signal: giveUp.signal }))
        const request = await server.waitForRequest(0)
        giveUp.abort()
        await expect(reply).rejects.toBeInstanceOf(Error)
        expect(await request.ended).toBe('broken-off')
        expect(server.requests).toHaveLength(1)
      },
    )
  })

  it('writes nothing to the console of the host', async () => {
    const server = await serving([{ text: NO }])
    const written: unknown[] = []
    const { warn, info } = console
    console.warn = console.info = (...words) => written.push(words)
    try {
      await openModels({ env: server.env }).askModel(question({ model: 'claude-sonnet-5-5' }))
    } finally {
      Object.assign(console, { warn, info })
    }
    expect(written).toEqual([])
  })
})
