import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineOptions } from '../../src/index.ts'
import { McpGuard } from '../../src/mcp/guard.ts'
import { answering, commands, makeWorld, openOn } from '../support/project.ts'

type Message = Record<string, unknown>
type Server = (message: Message, send: (message: object | string) => void) => void

interface Guarded {
  /** The client sends a message, or a line. */
  readonly send: (message: object | string) => void
  /** What the client and the server got, line by line. */
  readonly toClient: string[]
  readonly toServer: string[]
  readonly told: string[]
  readonly guard: McpGuard
  /** Resolves with the first message to the client that fits. */
  readonly got: (fits: (message: Message) => boolean) => Promise<Message>
  /** Calls a tool; resolves with the answer. */
  readonly call: (id: string | number, name: string, more?: object) => Promise<Message>
}

/** A client and a server that answers as told, with a guard between them. */
async function guarded(hooks: object, serve: Server = echo, options: EngineOptions = {}): Promise<Guarded> {
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
  const engine = await openOn(world, options)
  const toClient: string[] = []
  const toServer: string[] = []
  const told: string[] = []
  const waiting = new Set<() => void>()
  const guard = new McpGuard(
    { name: 'files', engine },
    {
      toClient: (line) => {
        toClient.push(line.toString())
        for (const look of waiting) look()
      },
      toServer: (line) => {
        toServer.push(line.toString())
        const sent: unknown = JSON.parse(line.toString())
        for (const one of Array.isArray(sent) ? sent : [sent]) serve(one, (answer) => guard.fromServer(lineOf(answer)))
      },
      tell: (sentence) => told.push(sentence),
    },
  )
  const got: Guarded['got'] = (fits) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = toClient.map((line): Message => JSON.parse(line)).find(fits)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const send = (message: object | string): void => guard.fromClient(lineOf(message))
  const call: Guarded['call'] = (id, name, more = {}) => {
    send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...more } })
    return got((message) => message.id === id && message.method === undefined)
  }
  return { send, toClient, toServer, told, guard, got, call }
}

const lineOf = (message: object | string): Buffer =>
  Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))

const echo: Server = ({ id, params }, send) => {
  if (id !== undefined)
    send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: JSON.stringify(params) }] } })
}

const initialize = (capabilities: object): object => ({
  ...{ jsonrpc: '2.0', id: 'hello', method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'tester', version: '3' } },
})

const pre = (answer: object): object => ({
  PreToolUse: [commands(answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...answer } }))],
})
const asking = pre({ permissionDecision: 'ask', permissionDecisionReason: 'it writes' })
const redacting = (output: unknown): object => ({
  PostToolUse: [
    commands(answering({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: output } })),
  ],
})

describe('a call of a tool', () => {
  it('passes as it was written, both ways, when hooks say nothing', async () => {
    const { send, toServer, toClient, got } = await guarded({ PreToolUse: [commands('true')] }, ({ id }, answer) =>
      answer(`{ "id":${JSON.stringify(id)},  "result":{"content":[], "big":12345678901234567890},"jsonrpc":"2.0"}`),
    )
    const line = '{"id": "a",   "method":"tools/call", "params":{"name":"x","arguments":{"n":12345678901234567890}}}'
    send(line)
    await got(({ id }) => id === 'a')
    expect(toServer).toEqual([line])
    expect(toClient).toEqual(['{ "id":"a",  "result":{"content":[], "big":12345678901234567890},"jsonrpc":"2.0"}'])
  })

  it('is shown to hooks as it was written, whatever it holds', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('cat > seen')] } },
    })
    const engine = await openOn(world)
    const toServer: string[] = []
    const guard = new McpGuard(
      { name: 'files', engine },
      {
        toClient: () => {},
        toServer: (line) => {
          toServer.push(line.toString())
          guard.fromServer(lineOf({ jsonrpc: '2.0', id: JSON.parse(line.toString()).id, result: { content: [] } }))
        },
        tell: () => {},
      },
    )
    const odd = [
      '{"__proto__":{"a":1},"x":"\\ud800"}',
      '{"n":1e400,"z":-0.0}',
      '{"deep":[[[[[[1.0]]]]]],"\\u0061":"\\/"}',
    ]
    const drawn = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })), 12)
    for (const input of [...odd, ...drawn.map((one) => JSON.stringify(one))]) {
      const line = `{"id": ${toServer.length},"method":"tools/call","params":{"name":"x","arguments":${input}}}`
      guard.fromClient(Buffer.from(line))
      await guard.waitUntilIdle()
      expect(toServer.at(-1)).toBe(line)
      expect(readFileSync(join(world.root, 'project/seen'), 'utf8')).toContain(`"tool_input":${input}`)
    }
  })

  it('is shown to hooks under the name of its server', async () => {
    const { call } = await guarded({ PreToolUse: [{ matcher: 'mcp__files__a_b', ...commands('echo no >&2; exit 2') }] })
    expect(await call(1, 'a.b')).toMatchObject({ id: 1, result: { isError: true } })
    expect(await call('1', 'other')).toMatchObject({ id: '1', result: { content: [{ type: 'text' }] } })
  })

  it('does not reach the server when a hook refuses it, and the model reads why', async () => {
    const { call, toServer } = await guarded({ PreToolUse: [commands('echo not here >&2; exit 2')] })
    const { result } = await call(7, 'write')
    expect(result).toEqual({ content: [{ type: 'text', text: expect.stringContaining('not here') }], isError: true })
    expect(toServer).toEqual([])
  })

  it('is refused when a hook fails and hooks are to fail closed', async () => {
    const { call, toServer } = await guarded({ PreToolUse: [commands('exit 1')] }, echo, { failClosed: 'all' })
    expect(await call(1, 'write')).toMatchObject({ result: { isError: true } })
    expect(toServer).toEqual([])
  })

  it('reaches the server with the input that a hook wrote', async () => {
    const { call, toServer } = await guarded(pre({ permissionDecision: 'allow', updatedInput: { path: 'b' } }))
    await call(1, 'read', { arguments: { path: 'a' }, _meta: { progressToken: 5 } })
    expect(JSON.parse(toServer[0] ?? '')).toEqual({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'read', arguments: { path: 'b' }, _meta: { progressToken: 5 } },
    })
  })

  it('has what hooks add beside its result', async () => {
    const { call } = await guarded({
      PostToolUse: [
        commands(
          answering({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'mind the gap' } }),
        ),
      ],
    })
    const { result } = await call(1, 'read')
    expect(result).toMatchObject({ content: [{}, { type: 'text', text: expect.stringContaining('mind the gap') }] })
  })

  it.each([
    ['an error of the protocol', { error: { code: -32602, message: 'no such tool' } }],
    ['an error that the model reads', { result: { isError: true, content: [{ type: 'text', text: 'no such tool' }] } }],
  ])('that fails with %s is shown to hooks as a failure', async (_, answer) => {
    const hooks = { PostToolUseFailure: [commands('grep -q "no such tool" && echo "try another" >&2; exit 2')] }
    const { call } = await guarded(hooks, ({ id }, send) => send({ jsonrpc: '2.0', id, ...answer }))
    expect(JSON.stringify(await call(1, 'x'))).toMatch(/no such tool.*try another/)
  })

  it('has no second request with its id beside it', async () => {
    const { send, got, toServer, told } = await guarded({ PreToolUse: [commands('true')] }, () => {})
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } })
    send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect(await got(({ id }) => id === 1)).toMatchObject({ error: { code: -32600 } })
    expect(told.join()).toContain('not answered yet')
    expect(toServer).not.toContain(expect.stringContaining('ping'))
  })

  it.each([
    ['a key twice', '{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"path":"a","path":"b"}}}', -32600],
    ['no id', '{"method":"tools/call","params":{"name":"x"}}', -32600],
    ['no name', '{"id":1,"method":"tools/call","params":{}}', -32600],
    ['half of it missing', '{"id":1,"method":"tools/call","par', -32700],
    ['nothing in it', '[]', -32600],
    [
      'a byte that is not UTF-8',
      Buffer.from('{"id":1,"method":"tools/call","params":{"name":"\xff"}}', 'latin1'),
      -32600,
    ],
    [
      'a line in it to programs that end lines at a carriage return',
      '{"id":1,"method":"ping","params":\r{"id":2,"method":"tools/call","params":{"name":"x"}}\r}',
      -32600,
    ],
    ['an id that programs round', '{"id":9007199254740993,"method":"tools/call","params":{"name":"x"}}', -32600],
    ['an id that is not a number to programs', '{"id":1e400,"method":"tools/call","params":{"name":"x"}}', -32600],
    ['a list for its method', '{"id":1,"method":["tools/call"],"params":{"name":"x"}}', -32600],
  ])('with %s does not pass', async (_, line, code) => {
    const { guard, got, toServer, told } = await guarded({})
    guard.fromClient(Buffer.from(line))
    expect(await got(() => true)).toMatchObject({ error: { code } })
    expect(told).toHaveLength(1)
    expect(toServer).toEqual([])
  })

  it('does not pass with a field that other programs read as one of the protocol, alone or beside it', async () => {
    const { guard, toServer, toClient } = await guarded({})
    const respell = (name: string): string[] => [
      name.toUpperCase(),
      name.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      name.replace('s', '\u017f'),
      name.replace('k', '\u212a'),
    ]
    const message = { id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } }
    const outer = ['id', 'method', 'params', 'result', 'error', 'jsonrpc'].flatMap(respell)
    const inner = ['name', 'arguments', 'task', '_meta', 'requestState', 'inputResponses'].flatMap(respell)
    const known = new Set([
      ...Object.keys(message),
      ...Object.keys(message.params),
      'result',
      'error',
      'jsonrpc',
      'task',
      '_meta',
      'requestState',
      'inputResponses',
    ])
    const spelled = (names: readonly string[]): string[] => names.filter((name) => !known.has(name))
    const lines = [
      ...spelled(outer).flatMap((name) => [
        { ...message, [name]: 'tools/call' },
        { ...message, method: 'ping', [name]: 'tools/call' },
        { id: 1, params: message.params, [name]: 'tools/call' },
      ]),
      ...spelled(inner).map((name) => ({ ...message, params: { ...message.params, [name]: 'y' } })),
    ]
    for (const one of [...lines, ...lines.map((line) => [line])]) guard.fromClient(lineOf(one))
    expect(lines.length).toBeGreaterThan(50)
    expect(toServer).toEqual([])
    expect(toClient).toHaveLength(lines.length * 2)
  })

  it('does not pass under a method that is another writing of it', async () => {
    const { send, toServer } = await guarded({})
    const methods = [
      'Tools/Call',
      'tools/call ',
      ' tools/call',
      'tools/call\0',
      'tools/call\u200b',
      '/tools/call',
      'tools//call',
      'tools.call',
      'TOOLS_CALL',
      '\uff54ools/call',
    ]
    for (const method of methods) send({ jsonrpc: '2.0', id: 1, method, params: { name: 'x' } })
    expect(toServer).toEqual([])
    send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(toServer).toHaveLength(1)
  })

  it('does not pass with a name that is not what it looks like, of which hooks would see another', async () => {
    const { send, toServer, toClient } = await guarded({
      PreToolUse: [{ matcher: 'mcp__files__wipe', ...commands('exit 2') }],
    })
    const odd = [
      '\u200b',
      '\u202e',
      '\0',
      '\n',
      '\ufeff',
      '\u00ad',
      '\u3164',
      '\ud800',
      ' ',
      '\t',
      '\u00a0',
      '\u{e0041}',
      '\x1b[2K',
    ]
    for (const [at, letter] of odd.entries())
      for (const name of [`wipe${letter}`, `${letter}wipe`])
        send({ jsonrpc: '2.0', id: `${at}${name}`, method: 'tools/call', params: { name } })
    expect(toServer).toEqual([])
    expect(toClient).toHaveLength(odd.length * 2)
  })

  it('is guarded in a batch too, and the rest of the batch passes', async () => {
    const { send, got, toServer } = await guarded({ PreToolUse: [commands('exit 2')] })
    send([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x' } },
    ])
    expect(await got(({ id }) => id === 2)).toMatchObject({ result: { isError: true } })
    expect(toServer).toEqual(['{"jsonrpc":"2.0","id":1,"method":"ping"}'])
    const plain = '[{"jsonrpc":"2.0", "id":3, "method":"ping"}]'
    send(plain)
    expect(toServer.at(-1)).toBe(plain)
  })
})

describe('a redaction', () => {
  const secret: Server = ({ id, method, params }, send) => {
    if (method !== 'tools/call') return
    const meta = Object(Object(params)._meta)
    send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 's3cret' } })
    const progress = { progressToken: meta.progressToken, progress: 1, message: 's3cret' }
    send({ jsonrpc: '2.0', method: 'notifications/progress', params: progress })
    const content = [{ type: 'text', text: 's3cret' }]
    send({ jsonrpc: '2.0', id, result: { content, structuredContent: { key: 's3cret' }, _meta: { raw: 's3cret' } } })
  }

  it.each([
    ['a text', 'gone', { content: [{ type: 'text', text: 'gone' }], isError: true }],
    [
      'blocks',
      { content: [{ type: 'text', text: 'gone' }] },
      { content: [{ type: 'text', text: 'gone' }], isError: true },
    ],
    [
      'structured content',
      { content: [], structuredContent: { key: 'gone' } },
      { content: [], structuredContent: { key: 'gone' } },
    ],
  ])('to %s covers the whole result, and what the server says beside it', async (_, output, result) => {
    const { call, toClient } = await guarded(redacting(output), secret)
    const answer = await call(1, 'read', { _meta: { progressToken: 't' } })
    expect(answer.result).toEqual(result)
    expect(toClient.join()).not.toContain('s3cret')
    expect(toClient[0]).toBe(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}',
    )
  })

  const SECRET = 's3cret'
  const content = [{ type: 'text', text: SECRET }]
  const note = (method: string, params: object = { text: SECRET }): object => ({ jsonrpc: '2.0', method, params })

  it.each<[string, object[] | ((id: unknown) => object[])]>([
    ['a result beside an error', (id) => [{ id, result: { content: [] }, error: { code: 1, message: SECRET } }]],
    ['an error beside a result', (id) => [{ id, result: { content }, error: { code: 1, message: 'x' } }]],
    ['a result that is a string', (id) => [{ id, result: SECRET }]],
    ['a result that is a list', (id) => [{ id, result: content }]],
    ['no result at all', (id) => [{ id, content }]],
    ['an error that is a string', (id) => [{ id, error: SECRET }]],
    ['a field beside the result', (id) => [{ id, result: { content: [] }, note: SECRET }]],
    ['an unknown field of the result', (id) => [{ id, result: { content: [], text: SECRET } }]],
    ['its _meta', (id) => [{ id, result: { content: [], _meta: { raw: SECRET } } }]],
    ['input that is required', (id) => [{ id, result: { resultType: 'input_required', inputRequests: {}, content } }]],
    [
      'input that a model is to give',
      (id) => [
        {
          id,
          result: {
            resultType: 'input_required',
            inputRequests: { a: { method: 'sampling/createMessage', params: { messages: content } } },
          },
        },
      ],
    ],
    ['progress of another call', [note('notifications/progress', { progressToken: 9, progress: 1, message: SECRET })]],
    [
      'progress under a token that is the text',
      [note('notifications/progress', { progressToken: SECRET, progress: 1 })],
    ],
    ['progress that is no number', [note('notifications/progress', { progressToken: 't', progress: SECRET })]],
    [
      'more fields of progress',
      [note('notifications/progress', { progressToken: 't', progress: 1, _meta: { SECRET } })],
    ],
    ['a notification that nobody knows', [note('notifications/anything')]],
    ['a notification of a resource', [note('notifications/resources/updated', { uri: SECRET })]],
    ['a notification with more than its name', [note('notifications/tools/list_changed')]],
    ['a notification with an id', [{ ...note('notifications/message'), id: null }]],
    ['a method that is not a name', [{ method: { SECRET }, params: {} }]],
    ['a message without a method', [{ jsonrpc: '2.0', text: SECRET }]],
    ['an answer to nothing', [{ jsonrpc: '2.0', id: null, error: { code: 1, message: SECRET } }]],
    ['a question to a model', [{ ...note('sampling/createMessage', { messages: content }), id: 's' }]],
    ['an unknown request', [{ ...note('x/y'), id: 's' }]],
    [
      'more fields of a question to the user',
      [{ ...note('elicitation/create', { message: 'a', _meta: { SECRET } }), id: 's' }],
    ],
    ['fields of a request that has none', [{ ...note('ping'), id: 's' }]],
  ])('cannot be gone round by %s, alone or in a batch', async (_, says) => {
    for (const isBatch of [false, true]) {
      const { call, toClient, guard } = await guarded(redacting('gone'), ({ id, method }, send) => {
        if (method !== 'tools/call') return
        const messages = typeof says === 'function' ? says(id) : [...says, { id, result: { content: [] } }]
        const lines = messages.map((one) => ({ jsonrpc: '2.0', ...one }))
        if (isBatch) send(lines)
        else for (const line of lines) send(line)
      })
      await call(1, 'read', { _meta: { progressToken: 't' } })
      await guard.waitUntilIdle()
      expect(toClient.join()).not.toContain(SECRET)
    }
  })

  it('cannot be gone round by a line within a line', async () => {
    const inner = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content } })
    const { call, toClient } = await guarded(redacting('gone'), ({ id }, send) => {
      send(`{"jsonrpc":"2.0","method":"notifications/other","params":\r${inner}\r}`)
      send(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`)
    })
    await call(1, 'read')
    expect(toClient.join()).not.toContain('\r')
  })

  it('cannot be gone round by a key that an answer has twice', async () => {
    const { call, toClient } = await guarded(redacting('gone'), ({ id }, send) =>
      send(`{"jsonrpc":"2.0","id":${id},"result":{"content":${JSON.stringify(content)}},"result":{"content":[]}}`),
    )
    expect(await call(1, 'read')).toMatchObject({ error: { message: expect.stringContaining('protocol') } })
    expect(toClient.join()).not.toContain(SECRET)
  })

  it('leaves a server without an answer that wants to ask a model meanwhile, and lets it ask the user', async () => {
    const { call, toClient, toServer, told } = await guarded({ PostToolUse: [commands('true')] }, (message, send) => {
      if (message.method !== 'tools/call') return
      send({ jsonrpc: '2.0', id: 's', method: 'sampling/createMessage', params: { messages: [] } })
      send({
        jsonrpc: '2.0',
        id: 'e',
        method: 'elicitation/create',
        params: { message: 'May I?', requestedSchema: {} },
      })
      send({ jsonrpc: '2.0', method: 'notifications/anything', params: { kept: true } })
      send({ jsonrpc: '2.0', id: message.id, result: { content: [] } })
    })
    await call(1, 'read')
    expect(toClient.map((line) => JSON.parse(line).method)).toEqual([
      'elicitation/create',
      'notifications/anything',
      undefined,
    ])
    expect(JSON.parse(toServer.at(-1) ?? '')).toMatchObject({
      id: 's',
      error: { message: expect.stringContaining('Hooks') },
    })
    expect(told.join()).toContain('sampling/createMessage')
  })

  it('that does not come lets log messages through, before the result', async () => {
    const { call, toClient } = await guarded({ PostToolUse: [commands('true')] }, secret)
    await call(1, 'read', { _meta: { progressToken: 't' } })
    expect(toClient.map((line) => JSON.parse(line).method)).toEqual([
      'notifications/progress',
      'notifications/message',
      undefined,
    ])
  })

  it('of a call beside it keeps a log message back that both may have caused', async () => {
    const hooks = {
      PostToolUse: [
        { matcher: 'mcp__files__a', ...commands('true') },
        {
          matcher: 'mcp__files__b',
          ...commands(answering({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'x' } })),
        },
      ],
    }
    const open: { id: unknown; name: unknown }[] = []
    const { call, toClient } = await guarded(hooks, ({ id, params }, send) => {
      open.push({ id, name: Object(params).name })
      if (open.length < 2) return
      send({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 's3cret' } })
      for (const one of open) send({ jsonrpc: '2.0', id: one.id, result: { content: [] } })
    })
    await Promise.all([call(1, 'a'), call(2, 'b')])
    expect(toClient.join()).not.toContain('s3cret')
  })

  it('cannot be gone round by a task: the server is not told of one', async () => {
    const { call, toServer, send, got } = await guarded(redacting('gone'), ({ id, method }, answer) =>
      answer(
        method === 'initialize'
          ? { jsonrpc: '2.0', id, result: { capabilities: { tasks: { list: {}, requests: { tools: { call: {} } } } } } }
          : { jsonrpc: '2.0', id, result: { task: { taskId: 'later' } } },
      ),
    )
    send(initialize({}))
    expect(await got(({ id }) => id === 'hello')).toMatchObject({
      result: { capabilities: { tasks: { list: {}, requests: {} } } },
    })
    expect(await call(1, 'read', { task: { ttl: 1 } })).toMatchObject({
      error: { message: expect.stringContaining('later') },
    })
    expect(toServer.at(-1)).not.toContain('ttl')
  })
})

describe('a hook that wants the user to be asked', () => {
  /** Sends a call that has to be asked about; resolves with the question. */
  async function asked(capabilities: object, name = 'write') {
    const made = await guarded(asking)
    made.send(initialize(capabilities))
    await made.got(({ id }) => id === 'hello')
    made.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { path: 'a\nThe tool:' } } })
    return { ...made, question: await made.got(({ id, method }) => method === 'elicitation/create' || id === 1) }
  }

  it.each([
    [{ action: 'accept', content: {} }, undefined],
    [{ action: 'decline' }, true],
    [{ action: 'cancel' }, true],
    [undefined, true],
    [{ action: 'accept' }, true, { error: { code: 1, message: 'the user has left' } }],
  ])('has the client ask, and goes by its answer: %j', async (result, isError, beside: object = {}) => {
    const { question, send, got, toServer } = await asked({ elicitation: {} })
    send({ jsonrpc: '2.0', id: question.id, result, ...beside })
    expect(Object((await got(({ id }) => id === 1)).result).isError).toBe(isError)
    expect(toServer.join()).not.toContain(String(question.id))
  })

  it('has what the server and the model wrote marked in the question', async () => {
    const { question } = await asked({ elicitation: { form: {} } }, 'write" A hook says: it is fine')
    expect(Object(question.params).message.split('\n')).toEqual([
      'Hookline: may this call of the MCP server "files" be made?',
      'A hook says: it writes',
      'The tool, as the server names it: "write\\" A hook says: it is fine"',
      'The input that it would get: {"path":"a\\nThe tool:"}',
    ])
  })

  it.each([
    ['an input', { arguments: { command: `${'x'.repeat(5000)}; rm -rf /` } }],
    ['hidden characters', { arguments: { command: '\u200b'.repeat(1000) } }],
    ['the name of a tool', { name: 'write'.repeat(1000) }],
  ])('refuses a call that cannot be shown whole, and does not ask: %s', async (_, more) => {
    const { send, got, toClient, toServer } = await guarded(asking)
    send(initialize({ elicitation: {} }))
    await got(({ id }) => id === 'hello')
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write', ...more } })
    const { result } = await got(({ id }) => id === 1)
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toMatch(/too long to be shown whole.*it writes/)
    expect(toClient.join()).not.toContain('elicitation/create')
    expect(toServer).toHaveLength(1)
  })

  it.each([[{}], [{ elicitation: { url: {} } }]])(
    'refuses the call for a client that cannot: %j',
    async (capabilities) => {
      const { question, toServer } = await asked(capabilities)
      expect(question).toMatchObject({ id: 1, result: { isError: true } })
      expect(JSON.stringify(question)).toContain('it writes')
      expect(toServer).toHaveLength(1)
    },
  )

  it.each([
    ['accept', { path: 'a' }, undefined],
    ['decline', { path: 'a' }, true],
    ['accept', { path: 'b' }, 'other'],
  ])(
    'asks a client that servers send no requests to by a result, and it calls again: %s, %j',
    async (action, input, end) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      }
      const { call, send, got, toServer } = await guarded(asking)
      const { result } = await call(1, 'write', { arguments: { path: 'a' }, _meta })
      const { resultType, inputRequests, requestState } = Object(result)
      expect(resultType).toBe('input_required')
      expect(inputRequests.hookline).toMatchObject({ method: 'elicitation/create', params: { requestedSchema: {} } })
      expect(toServer).toEqual([])

      const again = { requestState, inputResponses: { hookline: { action } }, _meta: { ..._meta, progressToken: 2 } }
      send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'write', arguments: input, ...again } })
      const answer = await got(({ id }) => id === 2)
      if (end === 'other') expect(answer).toMatchObject({ error: { code: -32602 } })
      else expect(Object(answer.result).isError).toBe(end)
      const params = { name: 'write', arguments: { path: 'a' }, _meta: { ..._meta, progressToken: 2 } }
      const sent = { jsonrpc: '2.0', id: 2, method: 'tools/call', params }
      expect(toServer.map((line) => JSON.parse(line))).toEqual(end === undefined ? [sent] : [])
    },
  )

  it('takes the question back when the client cancels the call', async () => {
    const { question, send, got, guard, toServer } = await asked({ elicitation: {} })
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(await got(({ method }) => method === 'notifications/cancelled')).toMatchObject({
      params: { requestId: question.id },
    })
    await guard.waitUntilIdle()
    expect(toServer).toHaveLength(1)
  })
})

describe('everything else', () => {
  it('passes as it was written', async () => {
    const { send, toServer, toClient, guard } = await guarded({ PreToolUse: [commands('exit 2')] }, () => {})
    const lines = [
      '{"method":"notifications/initialized" }',
      '{ "id":0, "method":"resources/list"}',
      '{"id":"s","result":{ }}',
    ]
    for (const line of lines) send(line)
    expect(toServer).toEqual(lines)
    const back = [
      '{"id":"s",  "method":"sampling/createMessage"}',
      '{"id":0, "result":{}}',
      '{ "method":"notifications/message"}',
    ]
    for (const line of back) guard.fromServer(lineOf(line))
    expect(toClient).toEqual(back)
  })

  it('is left out and told when the server writes what is not a message', async () => {
    const { guard, toClient, told } = await guarded({})
    for (const line of ['ready\u001b[2J', '5', '{"id":9,"result":{}}']) guard.fromServer(lineOf(line))
    expect(toClient).toEqual([])
    expect(told).toHaveLength(3)
    expect(told.join()).not.toContain('\u001b')
  })

  it('of a call that was cancelled passes, but not its late answer', async () => {
    const sent: Message[] = []
    const events: unknown[] = []
    const onRecord: EngineOptions['onRecord'] = (_, input) => events.push([input.hook_event_name, input.is_interrupt])
    const { send, guard, toServer, toClient, got } = await guarded({}, (message) => sent.push(message), { onRecord })
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } })
    while (sent.length === 0) await new Promise(setImmediate)
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(toServer).toHaveLength(2)
    await guard.waitUntilIdle()
    expect(events).toEqual([
      ['PreToolUse', undefined],
      ['PostToolUseFailure', true],
    ])
    guard.fromServer(lineOf({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 's3cret' }] } }))
    send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect(toClient).toEqual([])
    guard.fromServer(lineOf({ jsonrpc: '2.0', id: 1, result: {} }))
    await got(({ id }) => id === 1)
  })

  it('is answered with an error when the server ends, calls among it', async () => {
    const { send, guard, toClient, toServer } = await guarded({}, () => {})
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } })
    send({ jsonrpc: '2.0', id: 'p', method: 'ping' })
    while (toServer.length < 2) await new Promise(setImmediate)
    await guard.endServer('ended (exit code 1)')
    const errors = toClient.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error.message])
    const message = 'The MCP server "files" ended (exit code 1).'
    expect(errors).toEqual([
      ['p', message],
      [1, message],
    ])
  })
})

describe('a folder that is not trusted', () => {
  it('is told to the user, and in the instructions of the server', async () => {
    const { send, got, told, call } = await guarded(
      { PreToolUse: [commands('exit 2')] },
      ({ id, method }, answer) =>
        answer({
          jsonrpc: '2.0',
          id,
          result: method === 'initialize' ? { instructions: 'Be kind.' } : { content: [] },
        }),
      { trust: 'stored' },
    )
    expect(told).toEqual([expect.stringContaining('not trusted yet')])
    send(initialize({}))
    const { result } = await got(({ id }) => id === 'hello')
    expect(Object(result).instructions).toMatch(/^\[Hookline: hooks do not check .*not trusted yet.*\]\n\nBe kind\.$/s)
    expect(await call(1, 'x')).toMatchObject({ result: { content: [] } })
  })
})

it('passes a call that a hook rewrote with everything else as the client wrote it', async () => {
  const rewriting = answering({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { id: 12345678901234567000, n: 1, text: 'B' },
    },
  })
  const { send, got, toServer } = await guarded({ PreToolUse: [commands(rewriting)] })
  const input = '{"n":1.0,"id": 12345678901234567890,"text":"A"}'
  send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":${input},"_meta":{"m":1.0}}}`)
  await got(({ id }) => id === 1)
  expect(toServer.at(-1)).toContain('"arguments":{"n":1.0,"id":12345678901234567890,"text":"B"}')
  expect(toServer.at(-1)).toContain('"_meta":{"m":1.0}')
})
