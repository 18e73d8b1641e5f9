import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  makeScriptBySteps,
  startModelServer,
  type WireFormat,
} from '../../src/testing/index.ts'

interface Conversation {
  /** Pairs of a call of the tool `look` and its result. */
  readonly calls?: number
  /** Calls that have no result. */
  readonly unanswered?: boolean
  readonly tools?: boolean
  readonly stream?: boolean
}

interface Format {
  readonly keyHeader: string
  readonly path: (stream: boolean) => string
  readonly body: (conversation: Required<Conversation>) => object
  readonly schema: object
}

const schema = { type: 'object' }
const calledTimes = (calls: number) => [...Array(calls).keys()]

const FORMATS: Readonly<Record<WireFormat, Format>> = {
  anthropic: {
    keyHeader: 'x-api-key',
    path: () => '/v1/messages',
    body: ({ calls, unanswered, tools, stream }) => ({
      model: 'm',
      max_tokens: 9,
      stream,
      ...(tools ? { tools: [{ name: 'look', input_schema: schema }] } : {}),
      messages: [
        { role: 'user', content: 'Hi' },
        ...calledTimes(calls).flatMap((at) => [
          { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'look', input: {} }] },
          { role: 'user', content: unanswered ? [] : [{ type: 'tool_result', tool_use_id: `c${at}`, content: 'x' }] },
        ]),
      ],
    }),
    schema: { output_config: { format: { type: 'json_schema', schema } } },
  },
  openai: {
    keyHeader: 'authorization',
    path: () => '/v1/chat/completions',
    body: ({ calls, unanswered, tools, stream }) => ({
      model: 'm',
      stream,
      ...(tools ? { tools: [{ type: 'function', function: { name: 'look', parameters: schema } }] } : {}),
      messages: [
        { role: 'user', content: 'Hi' },
        ...calledTimes(calls).flatMap((at) => [
          { role: 'assistant', tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'look' } }] },
          ...(unanswered ? [] : [{ role: 'tool', tool_call_id: `c${at}`, content: 'x' }]),
        ]),
      ],
    }),
    schema: { response_format: { type: 'json_schema', json_schema: { schema } } },
  },
  'openai-responses': {
    keyHeader: 'authorization',
    path: () => '/v1/responses',
    body: ({ calls, unanswered, tools, stream }) => ({
      model: 'm',
      stream,
      ...(tools ? { tools: [{ type: 'function', name: 'look', parameters: schema }] } : {}),
      input: [
        { role: 'user', content: 'Hi' },
        ...calledTimes(calls).flatMap((at) => [
          { type: 'function_call', call_id: `c${at}`, name: 'look', arguments: '{}' },
          ...(unanswered ? [] : [{ type: 'function_call_output', call_id: `c${at}`, output: 'x' }]),
        ]),
      ],
    }),
    schema: { text: { format: { type: 'json_schema', schema } } },
  },
  gemini: {
    keyHeader: 'x-goog-api-key',
    path: (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: ({ calls, unanswered, tools }) => ({
      ...(tools ? { tools: [{ functionDeclarations: [{ name: 'look', parameters: schema }] }] } : {}),
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        ...calledTimes(calls).flatMap(() => [
          { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
          { role: 'user', parts: unanswered ? [] : [{ functionResponse: { name: 'look', response: {} } }] },
        ]),
      ],
    }),
    schema: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
  },
}

async function started(script: ModelScript, options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(script, options)
  onTestFinished(() => server.close())
  return server
}

async function post(server: ModelServer, format: WireFormat, conversation: Conversation, more: object = {}) {
  const { path, body, keyHeader } = FORMATS[format]
  const whole = { calls: 0, unanswered: false, tools: true, stream: false, ...conversation }
  const response = await fetch(`${server.url}${path(whole.stream)}`, {
    method: 'POST',
    headers: { [keyHeader]: server.env.OPENAI_API_KEY },
    body: JSON.stringify({ ...body(whole), ...more }),
  })
  return { status: response.status, text: await response.text() }
}

/** The data of the events of a stream. */
function events(text: string): unknown[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
}

describe.each(Object.keys(FORMATS) as WireFormat[])('in the format %s', (format) => {
  it('tells what a request asks for, and keeps no key', async () => {
    const server = await started(() => ({ text: 'ok' }))
    await post(server, format, { calls: 2, stream: true })
    await post(server, format, { tools: false })
    expect(server.requests).toMatchObject([
      { format, model: 'm', tools: ['look'], toolResults: 2, streaming: true, hasKey: true },
      { format, model: 'm', tools: [], toolResults: 0, streaming: false, hasKey: true },
    ])
    expect(JSON.stringify(server.requests)).not.toContain(server.env.OPENAI_API_KEY)
  })

  it.each([false, true])('gives the step that the results of tools lead to, streamed: %s', async (stream) => {
    const call = (id: string) => ({ name: 'look', input: { at: 'ä"🙂' }, id })
    const server = await started(
      makeScriptBySteps([{ tools: [call('id-1')] }, { tools: [call('id-2'), call('id-3')] }, { text: 'The-end' }]),
    )
    const called = async (conversation: Conversation) =>
      new Set((await post(server, format, { stream, ...conversation })).text.match(/id-\d/g))
    expect(await called({})).toEqual(new Set(['id-1']))
    expect(await called({ calls: 1 })).toEqual(new Set(['id-2', 'id-3']))
    expect(await called({ tools: false })).toEqual(new Set())
    expect(await called({})).toEqual(new Set(['id-1']))
    expect(await called({ calls: 3 })).toEqual(new Set())
    const end = { calls: 3, stream: false }
    expect((await post(server, format, end)).text).toContain('The-end')
    expect((await post(server, format, end)).text).toContain('The-end')
  })

  it('refuses what the provider would refuse', async () => {
    const server = await started(() => ({ text: 'never said' }), { structuredOutput: false })
    expect((await post(server, format, { calls: 1, unanswered: true })).status).toBe(400)
    const empty = { messages: [], input: undefined, contents: [] }
    expect((await post(server, format, {}, empty)).status).toBe(400)
    expect((await post(server, format, {}, FORMATS[format].schema)).text).toContain('Structured output')
    expect(server.requests).toHaveLength(3)
  })

  it('breaks a stream with an error', async () => {
    const server = await started([{ text: 'A long story about much', ends: { error: 'Overloaded, sorry' } }])
    const { text } = await post(server, format, { stream: true })
    expect(JSON.stringify(events(text).at(-1))).toContain('Overloaded, sorry')
    expect(text).not.toContain('much')
  })

  it.each([false, true])('calls a custom tool, or says that there is none, streamed: %s', async (stream) => {
    const server = await started([{ tools: [{ name: 'apply_patch', input: '*** Begin Patch\n' }] }])
    const { status, text } = await post(server, format, { stream })
    const has = format.startsWith('openai')
    expect(status).toBe(has ? 200 : 400)
    expect(text).toContain(has ? '"name":"apply_patch"' : `There are no custom tools in the protocol ${format}.`)
  })
})

describe('an answer of the Responses API', () => {
  const answer = {
    thinking: 'Hm',
    text: 'Hi',
    tools: [
      { name: 'look', input: { at: 1 } },
      { name: 'apply_patch', input: '***', id: 'call_own' },
    ],
  }
  const output = [
    { type: 'reasoning', id: 'rs_0', summary: [{ type: 'summary_text', text: 'Hm' }] },
    {
      type: 'message',
      id: 'msg_0',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_0_0',
      status: 'completed',
      call_id: 'call_0_0',
      name: 'look',
      arguments: '{"at":1}',
    },
    {
      type: 'custom_tool_call',
      id: 'ctc_0_1',
      status: 'completed',
      call_id: 'call_own',
      name: 'apply_patch',
      input: '***',
    },
  ]

  it('is a response with its items', async () => {
    const server = await started([answer])
    expect(JSON.parse((await post(server, 'openai-responses', {})).text)).toMatchObject({
      id: 'resp_0',
      object: 'response',
      status: 'completed',
      model: 'm',
      output,
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    })
  })

  it('names the group of a tool, and counts tools that a message offers', async () => {
    const server = await started([{ tools: [{ name: 'sleep', namespace: 'clock', input: {} }] }])
    const offered = { type: 'additional_tools', role: 'developer', tools: [{ type: 'namespace', name: 'clock' }] }
    const { text } = await post(server, 'openai-responses', {}, { input: [offered] })
    expect(JSON.parse(text).output).toMatchObject([{ type: 'function_call', name: 'sleep', namespace: 'clock' }])
    expect(server.requests[0]?.tools).toContain('clock')
  })

  it('is streamed as items that begin, grow and end', async () => {
    const server = await started([answer])
    const { text } = await post(server, 'openai-responses', { stream: true })
    const seen = events(text).map((event) => Object(event))
    expect(seen.map(({ sequence_number }) => sequence_number)).toEqual([...seen.keys()])
    expect(text.split('\n').filter((line) => line.startsWith('event: '))).toEqual(
      seen.map(({ type }) => `event: ${type}`),
    )
    expect([...new Set(seen.map(({ type }) => type))]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.completed',
    ])
    const said = (type: string) => seen.filter((event) => event.type === type)
    expect(said('response.output_item.done').map(({ item }) => item)).toEqual(output)
    const grown = said('response.function_call_arguments.delta').map(({ delta }) => delta)
    expect(grown.join('')).toBe('{"at":1}')
    expect(seen.at(-1).response).toMatchObject({ status: 'completed', output, usage: { output_tokens: 5 } })
  })

  it.each([
    ['length', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'response.incomplete'],
    ['refusal', { output: [{ content: [{ type: 'refusal', refusal: 'No' }] }] }, 'response.completed'],
  ] as const)('says that it stopped: %s', async (stopReason, whole, last) => {
    const server = await started(() => ({ text: 'No', stopReason, usage: null }))
    expect(JSON.parse((await post(server, 'openai-responses', {})).text)).toMatchObject({ ...whole, usage: null })
    const { text } = await post(server, 'openai-responses', { stream: true })
    expect(events(text).at(-1)).toMatchObject({ type: last })
  })
})

describe('an answer of Gemini', () => {
  const answer = { thinking: 'Hm', text: 'Hi', tools: [{ name: 'look', input: { at: 1 } }] }
  const call = { functionCall: { id: 'call_0_0', name: 'look', args: { at: 1 } } }
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }

  it('is one candidate', async () => {
    const server = await started([answer])
    expect(JSON.parse((await post(server, 'gemini', {})).text)).toEqual({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'Hm', thought: true }, { text: 'Hi' }, call] },
          index: 0,
          finishReason: 'STOP',
        },
      ],
      usageMetadata,
      modelVersion: 'm',
      responseId: 'resp_0',
    })
  })

  it('is streamed as candidates, of which the last says why it stopped', async () => {
    const server = await started([answer, { text: '', usage: null, stopReason: 'length' }])
    const { text } = await post(server, 'gemini', { stream: true })
    const chunk = (part: object) => ({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })
    expect(events(text)).toMatchObject([
      chunk({ text: 'H', thought: true }),
      chunk({ text: 'm', thought: true }),
      chunk({ text: 'H' }),
      chunk({ text: 'i' }),
      { candidates: [{ content: { parts: [call] }, finishReason: 'STOP' }], usageMetadata },
    ])
    const empty = events((await post(server, 'gemini', { stream: true })).text)
    expect(empty).toMatchObject([{ candidates: [{ finishReason: 'MAX_TOKENS' }] }])
    expect(empty).not.toMatchObject([{ usageMetadata }])
  })
})

describe('what is no question for a model', () => {
  it('is refused, but for the list of models', async () => {
    const server = await started([])
    for (const path of ['/v1/models', '/v1beta/models'])
      expect(await fetch(`${server.url}${path}`).then((response) => response.json())).toMatchObject({
        data: [{ id: 'scripted' }],
        models: [{ name: 'models/scripted' }],
      })
    expect((await fetch(`${server.url}/telemetry`, { method: 'POST' })).status).toBe(404)
  })

  it('gets an empty object where agents need one to start', async () => {
    const server = await started([], { otherPaths: 'empty' })
    for (const method of ['GET', 'POST', 'PUT']) {
      const response = await fetch(`${server.url}/telemetry?at=1`, { method })
      expect([response.status, await response.json()]).toEqual([200, {}])
    }
    expect(server.requests).toEqual([])
  })
})
