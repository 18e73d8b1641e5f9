import { type ModelScript, type ModelServer, startModelServer } from 'hookline/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAiSdkModel } from '../../src/models/ai-sdk.ts'
import { type Model, ModelError } from '../../src/models/model.ts'
import type { Message } from '../../src/output/messages.ts'
import { ask, request, textIn } from './ask.ts'

const PROVIDERS = ['anthropic/claude-test', 'openai/gpt-test']

async function serve(script: ModelScript, name: string): Promise<{ server: ModelServer; model: Model }> {
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  return { server, model: await openAiSdkModel(name, { env: { ...server.env } }) }
}

const tools = [
  {
    name: 'Bash',
    description: 'Runs a command',
    inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
]

const USER: Message = { role: 'user', content: [{ type: 'text', text: 'list' }] }

describe.each(PROVIDERS)('%s', (name) => {
  const shown = name.slice(name.indexOf('/') + 1)

  it('streams what it thinks and says, and parallel calls', async () => {
    const calls = [
      { id: 'c1', name: 'Bash', input: { command: 'ls' } },
      { id: 'c2', name: 'Bash', input: { command: 'pwd' } },
    ]
    const usage = { inputTokens: 12, outputTokens: 34 }
    const { server, model } = await serve([{ thinking: 'hm', text: 'I look around.', tools: calls, usage }], name)
    expect(model.authenticated).toBeFalsy()
    const { pieces, error } = await ask(model, { system: 'Be brief.', messages: [USER], tools })
    expect(error).toBeNull()
    const thinking = pieces.flatMap((piece) => (piece.type === 'thinking' ? [piece.thinking] : []))
    expect(thinking.join('')).toBe('hm')
    if (name.startsWith('anthropic')) expect(pieces).toContainEqual({ type: 'signature', signature: 'c2lnbmVk' })
    expect(textIn(pieces)).toBe('I look around.')
    expect(pieces.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
    expect(pieces.filter(({ type }) => type === 'tool_use')).toEqual(
      calls.map((call) => ({ type: 'tool_use', ...call })),
    )
    expect(pieces.at(-1)).toEqual({ type: 'end', usage, cutShort: false })
    expect(model.authenticated).toBe(true)
    expect(server.requests).toHaveLength(1)
    expect(await server.requests[0]?.ended).toBe('answered')
    expect(server.requests[0]).toMatchObject({ streaming: true, hasKey: true, body: { model: shown } })
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"Runs a command"')
  })

  it('is asked again with everything that was said', async () => {
    const { server, model } = await serve([{ text: 'two files' }], name)
    const messages: Message[] = [
      USER,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2lnbmVk' },
          { type: 'text', text: '' },
          { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } },
          { type: 'tool_use', id: 'c2', name: 'Bash', input: 'not an object' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'a b' },
          { type: 'text', text: 'a hint' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'bad input', is_error: true },
        ],
      },
    ]
    const { pieces, error } = await ask(model, { system: 'Be brief.', messages, tools })
    expect(error).toBeNull()
    expect(textIn(pieces)).toBe('two files')
    expect(server.requests[0]?.body.max_tokens).toBe(name.startsWith('anthropic') ? 30_000 : undefined)
    expect(server.requests[0]?.body).toMatchObject(name.startsWith('anthropic') ? ANTHROPIC_BODY : OPENAI_BODY)
  })

  it('says when its answer was cut at the limit', async () => {
    const { model } = await serve([{ text: 'half', stopReason: 'length' }], name)
    const { pieces } = await ask(model)
    expect(pieces.at(-1)).toMatchObject({ type: 'end', cutShort: true })
  })

  it('refuses in words when it says nothing else', async () => {
    const { model } = await serve([{ stopReason: 'refusal' }], name)
    expect((await ask(model)).error).toMatchObject({
      name: 'ModelError',
      message: expect.stringMatching(`^${shown} refused to answer`),
    })
  })

  it.each([429, 500, 529])('is asked again after a %i before it said anything', async (status) => {
    const busy = (headers: Record<string, string>) => ({ status, message: 'busy', headers })
    const past = busy({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })
    const { server, model } = await serve([busy({ 'retry-after-ms': '1' }), past, { text: 'now' }], name)
    expect(textIn((await ask(model)).pieces)).toBe('now')
    expect(server.requests).toHaveLength(3)
  })

  it('is not asked for ever', async () => {
    const { server, model } = await serve(
      () => ({ status: 503, message: 'busy', headers: { 'retry-after-ms': '1' } }),
      name,
    )
    expect((await ask(model)).error).toEqual(
      new ModelError(`${shown} answered 503: busy`, { kind: 'server_error', waitMs: 1 }),
    )
    expect(server.requests).toHaveLength(3)
  })

  it('is not waited for when it asks for more than a minute', async () => {
    const { server, model } = await serve(
      [{ status: 429, message: 'tomorrow', headers: { 'retry-after': '86400' } }],
      name,
    )
    expect((await ask(model)).error).toEqual(
      new ModelError(`${shown} answered 429: tomorrow`, { kind: 'rate_limit', waitMs: 86_400_000 }),
    )
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    [400, 'unknown'],
    [401, 'authentication_failed'],
    [403, 'authentication_failed'],
    [404, 'model_not_found'],
  ] as const)('is asked once when it answers %i, and its words hold no key', async (status, kind) => {
    const server: ModelServer = await startModelServer(() => ({
      status,
      message: `bad key ${server.env.OPENAI_API_KEY} or s3cret-key, Bearer abcdef`,
    }))
    onTestFinished(() => server.close())
    const env = { ...server.env, ANTHROPIC_API_KEY: 's3cret-key', OPENAI_API_KEY: 's3cret-key' }
    const model = await openAiSdkModel(name, { env })
    expect((await ask(model)).error).toEqual(
      new ModelError(`${shown} answered ${status}: bad key *** or ***, Bearer ***`, { kind }),
    )
    expect(server.requests).toHaveLength(1)
    expect(model.authenticated).toBeFalsy()
  })

  it('throws after the pieces that were seen when it fails in the middle', async () => {
    const text = 'a rather long answer that is said in many pieces, one after the other'
    const { server, model } = await serve([{ text, ends: { error: 'Overloaded' } }], name)
    const { pieces, error } = await ask(model)
    expect(text.startsWith(textIn(pieces))).toBe(true)
    expect(textIn(pieces)).not.toBe('')
    expect(pieces.at(-1)?.type).toBe('text')
    expect(error).toEqual(new ModelError(`${shown}: Overloaded`, { kind: 'overloaded' }))
    expect(server.requests).toHaveLength(1)
  })

  it('throws when the connection ends in the middle of an answer', async () => {
    const text = 'a rather long answer that is said in many pieces, one after the other'
    const { server, model } = await serve([{ text, ends: 'cut' }], name)
    const { pieces, error } = await ask(model)
    expect(textIn(pieces)).not.toBe('')
    expect(error).toBeInstanceOf(ModelError)
    expect(String(error)).toContain('in the middle')
    expect(server.requests).toHaveLength(1)
  })

  it.each(['{"hello": 1}', '<html>busy</html>', ''])('throws when the answer is %j', async (raw) => {
    const { model } = await serve(() => ({ raw }), name)
    const { pieces, error } = await ask(model)
    expect(pieces).toEqual([])
    expect(error).toBeInstanceOf(ModelError)
  })

  it('closes the connection when it is aborted, before and while it speaks', async () => {
    const { server, model } = await serve(
      [{ silent: true }, { text: 'a long answer, half of it said', ends: 'stalled' }],
      name,
    )
    const first = new AbortController()
    const silent = ask(model, { signal: first.signal })
    const held = await server.waitForRequest(0)
    first.abort(new Error('enough'))
    expect((await silent).error).toEqual(new Error('enough'))
    expect(await held.ended).toBe('broken-off')

    const second = new AbortController()
    const seen: string[] = []
    await expect(async () => {
      for await (const piece of model.stream(request({ signal: second.signal }))) {
        seen.push(piece.type)
        second.abort(new Error('enough again'))
      }
    }).rejects.toThrow('enough again')
    expect(seen).not.toEqual([])
    expect(await server.requests[1]?.ended).toBe('broken-off')
  })

  it('lets go of the connection when nobody listens any more', async () => {
    const { server, model } = await serve([{ text: 'a long answer, half of it said', ends: 'stalled' }], name)
    for await (const _ of model.stream(request())) break
    expect(await server.requests[0]?.ended).toBe('broken-off')
  })

  it('that cannot be reached says so at once', async () => {
    const server = await startModelServer([])
    const env = { ...server.env }
    await server.close()
    const { error } = await ask(await openAiSdkModel(name, { env }))
    expect(error).toBeInstanceOf(ModelError)
    expect(String(error)).toMatch(/Cannot connect to API.*ECONNREFUSED/)
  })
})

it('a server without a key has none to accept', async () => {
  const server = await startModelServer([{ text: 'hi' }])
  onTestFinished(() => server.close())
  const model = await openAiSdkModel('openai/local', { env: { OPENAI_BASE_URL: server.env.OPENAI_BASE_URL } })
  expect((await ask(model)).error).toBeNull()
  expect(model.authenticated).toBeUndefined()
})

const ANTHROPIC_BODY = {
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'list' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'c2lnbmVk' },
        { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } },
        { type: 'tool_use', id: 'c2', name: 'Bash', input: { input: 'not an object' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'a b' },
        { type: 'tool_result', tool_use_id: 'c2', content: 'bad input', is_error: true },
        { type: 'text', text: 'a hint', cache_control: { type: 'ephemeral' } },
      ],
    },
  ],
}

const OPENAI_BODY = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'list' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } },
        { id: 'c2', type: 'function', function: { name: 'Bash', arguments: '{"input":"not an object"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a b' },
    { role: 'tool', tool_call_id: 'c2', content: 'bad input' },
    { role: 'user', content: 'a hint' },
  ],
}
