import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EngineOptions } from '../../src/index.ts'
import type { DispatchRecord } from '../../src/protocol/record/record.ts'
import { bashCall, makeWorld, openOn } from '../support/project.ts'

const profile = 'current'
const DENY = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
}
const SECRET = 'sesame-4711'

interface Reachable {
  readonly url: string
  readonly port: number
  /** Sockets that were opened. */
  readonly connections: Socket[]
}

/** A server on loopback until the test is over. */
async function listening(server: Server, scheme = 'http'): Promise<Reachable> {
  const connections: Socket[] = []
  server.on('connection', (socket: Socket) => connections.push(socket))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `${scheme}://127.0.0.1:${port}`, port, connections }
}

const serve = (listener: RequestListener): Promise<Reachable> => listening(createServer(listener))

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

interface Asking {
  readonly hook?: object
  readonly settings?: object
  readonly managed?: object
  readonly options?: EngineOptions
}

/** The record of one call of a tool with one http hook. */
async function ask(
  url: string,
  { hook = {}, settings = {}, managed, options = {} }: Asking = {},
): Promise<DispatchRecord> {
  const hooks = { PreToolUse: [{ hooks: [{ type: 'http', url, timeout: 5, ...hook }] }] }
  const world = await makeWorld({
    'project/.claude/settings.json': { ...settings, hooks },
    ...(managed === undefined ? {} : { 'managed.json': managed }),
  })
  const engine = await openOn(world, { profile, env: {}, ...options })
  return engine.dispatch(bashCall)
}

/** How the only hook of a record failed, in the words for the user. */
function failureOf(record: DispatchRecord): string {
  const {
    hooks: [line],
    decision,
  } = record
  expect(line).toMatchObject({ verdict: 'ran', outcome: 'non_blocking_error', timedOut: false })
  expect(decision).toMatchObject({ blocked: false, permission: null })
  return wordsOf(record)
}

function wordsOf({ decision }: DispatchRecord): string {
  return decision.messages.map(({ text }) => text).join('\n')
}

describe('an http hook', () => {
  it('sends the event by POST as JSON, with its headers', async () => {
    const seen: { method?: string | undefined; headers: IncomingMessage['headers']; body: unknown }[] = []
    const { url } = await serve(async (message, response) => {
      seen.push({ method: message.method, headers: message.headers, body: JSON.parse(await bodyOf(message)) })
      response.end()
    })
    const record = await ask(`${url}/guard?who=me`, { hook: { headers: { 'X-Team': 'blue' } } })
    expect(seen).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/json', 'x-team': 'blue' }, body: bashCall },
    ])
    expect(record.hooks).toMatchObject([{ type: 'http', verdict: 'ran', outcome: 'success', exitCode: 200 }])
  })

  it.each([
    ['a JSON object', 200, 'application/json', JSON.stringify(DENY), true],
    ['one with another status of success', 201, 'application/json', JSON.stringify(DENY), true],
    ['one that calls itself text', 200, 'text/plain', JSON.stringify(DENY), true],
    ['one with a byte order mark and lines', 200, 'text/plain', `\uFEFF\n${JSON.stringify(DENY, null, 2)}\n`, true],
    ['nothing', 200, 'application/json', '', false],
    ['white space', 200, 'application/json', ' \n', false],
  ])('takes %s for an answer', async (_, status, type, body, denies) => {
    const { url } = await serve((_message, response) => response.writeHead(status, { 'content-type': type }).end(body))
    const { decision, hooks } = await ask(url)
    expect(decision.permission).toBe(denies ? 'deny' : null)
    expect(hooks).toMatchObject([{ outcome: denies ? 'blocking' : 'success', exitCode: status }])
  })

  it('takes 204 for agreement', async () => {
    const { url } = await serve((_message, response) => response.writeHead(204).end())
    expect((await ask(url)).hooks).toMatchObject([{ outcome: 'success', exitCode: 204 }])
  })

  it('opens one connection for events that follow each other, and ends it with the engine', async () => {
    const { url, connections } = await serve((_message, response) => response.end())
    const hooks = { PreToolUse: [{ hooks: [{ type: 'http', url }] }] }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { hooks } }), { profile, env: {} })
    for (let at = 0; at < 3; at++) await engine.dispatch(bashCall)
    expect(connections).toHaveLength(1)
    const closed = new Promise((resolve) => connections[0]?.on('close', resolve))
    await engine.close()
    await closed
  })

  it('asks again when the server has closed the connection that was kept', async () => {
    const { url, connections } = await serve((_message, response) => response.end(JSON.stringify(DENY)))
    const hooks = { PreToolUse: [{ hooks: [{ type: 'http', url }] }] }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { hooks } }), { profile, env: {} })
    await engine.dispatch(bashCall)
    connections[0]?.resetAndDestroy()
    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
  })
})

describe('headers of an http hook', () => {
  const seenBy = async (asking: Asking): Promise<IncomingMessage['headers'] | undefined> => {
    let seen: IncomingMessage['headers'] | undefined
    const { url } = await serve((message, response) => {
      seen = message.headers
      response.end()
    })
    await ask(url, asking)
    return seen
  }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
  const headers = { 'X-A': 'Bearer $A_TOKEN', 'X-B': '<${B_TOKEN}>', 'X-C': '$C_TOKEN$A_TOKEN' }
  const env = { A_TOKEN: SECRET, B_TOKEN: 'bbb', C_TOKEN: 'ccc' }

  it('hold the variables that the hook allows, and no others', async () => {
    const seen = await seenBy({ hook: { headers, allowedEnvVars: ['A_TOKEN', 'B_TOKEN', 'UNSET'] }, options: { env } })
    expect(seen).toMatchObject({ 'x-a': `Bearer ${SECRET}`, 'x-b': '<bbb>', 'x-c': SECRET })
  })

  it('hold none without a list', async () => {
    expect(await seenBy({ hook: { headers }, options: { env } })).toMatchObject({
      'x-a': 'Bearer',
      'x-b': '<>',
      'x-c': '',
    })
  })

  it('hold none that settings do not allow, whatever the project says where policy speaks', async () => {
    const hook = { headers, allowedEnvVars: ['A_TOKEN', 'B_TOKEN'] }
    const settings = { httpHookAllowedEnvVars: ['A_TOKEN', 'B_TOKEN'] }
    const managed = { httpHookAllowedEnvVars: ['B_TOKEN'] }
    expect(await seenBy({ hook, settings, managed, options: { env } })).toMatchObject({
      'x-a': 'Bearer',
      'x-b': '<bbb>',
    })
  })

  it.each([
    ['a line break', { 'X-A': `${SECRET}\r\nX-Evil: 1` }, 'the value of the header "X-A" has a line break in it'],
    ['a variable with one', { 'X-A': '$A_TOKEN' }, 'the value of the header "X-A" has a line break in it'],
    ['no name', { 'X A': SECRET }, '"X A" is no name of a header'],
    [
      'what carries the request',
      { 'Transfer-Encoding': 'chunked' },
      'the header "Transfer-Encoding" cannot be set by a hook',
    ],
    ['another character', { 'X-A': `${SECRET}\u{1F600}` }, 'has a character in it that headers cannot hold'],
  ])('with %s are not sent', async (_, bad, sentence) => {
    let asked = 0
    const { url } = await serve((_message, response) => {
      asked++
      response.end()
    })
    const options = { env: { A_TOKEN: `${SECRET}\nX-Evil: 1` } }
    const record = await ask(url, { hook: { headers: bad, allowedEnvVars: ['A_TOKEN'] }, options })
    expect(failureOf(record)).toContain(sentence)
    expect(asked).toBe(0)
    expect(JSON.stringify(record)).not.toContain(SECRET)
  })

  it('that are no texts make an invalid hook', async () => {
    const record = await ask('http://127.0.0.1:9/', { hook: { headers: { 'X-A': 1 } } })
    expect(record.hooks).toMatchObject([{ verdict: 'invalid' }])
  })
})

describe('the address of an http hook', () => {
  it.each([
    ['holds credentials', `http://user:${SECRET}@127.0.0.1:9/x`, 'its url holds credentials', 'http://127.0.0.1:9/x'],
    ['is of another scheme', 'file:///etc/passwd', 'its url begins with "file:"', 'file:///etc/passwd'],
    ['is none', 'guard.internal/x', 'its url "guard.internal/x" is no address', 'guard.internal/x'],
    ['is none and holds credentials', `http://user:${SECRET}/@h:x/y`, 'is no address', 'http://h:x/y'],
  ])('that %s is told in a sentence, and nothing is sent', async (_, url, sentence, shown) => {
    const record = await ask(url)
    expect(failureOf(record)).toContain(sentence)
    expect(record.hooks[0]).toMatchObject({ url: shown })
    expect(JSON.stringify(record)).not.toContain(SECRET)
  })

  it('is recorded without its query, in messages too', async () => {
    const record = await ask(`http://127.0.0.1:9/x?token=${SECRET}`, { hook: { onFailure: 'block' } })
    expect(record.hooks[0]).toMatchObject({ url: 'http://127.0.0.1:9/x?…' })
    expect(wordsOf(record)).toContain('[http://127.0.0.1:9/x?…]: failed;')
    expect(JSON.stringify(record)).not.toContain(SECRET)
  })

  const allowed = async (lists: { settings?: string[]; managed?: string[] }, path = '/a'): Promise<boolean> => {
    let asked = false
    const { url } = await serve((_message, response) => {
      asked = true
      response.end()
    })
    const filled = (list: readonly string[]) => ({ allowedHttpHookUrls: list.map((one) => one.replace('{url}', url)) })
    const record = await ask(`${url}${path}`, {
      ...(lists.settings ? { settings: filled(lists.settings) } : {}),
      ...(lists.managed ? { managed: filled(lists.managed) } : {}),
    })
    if (!asked) expect(failureOf(record)).toContain('allowedHttpHookUrls does not allow http://127.0.0.1')
    return asked
  }

  it.each([
    ['no list', {}, true],
    ['an empty list', { settings: [] }, false],
    ['a star', { settings: ['*'] }, true],
    ['the very address', { settings: ['{url}/a'] }, true],
    ['the beginning of it', { settings: ['{url}'] }, false],
    ['the beginning of it and a star', { settings: ['{url}/*'] }, true],
    ['a star for the port', { settings: ['http://127.0.0.1:*/a'] }, true],
    ['a star in the name of another server', { settings: ['http://*.example/a'] }, false],
    ['another scheme', { settings: ['https://*'] }, false],
    ['policy and project', { settings: ['{url}/*'], managed: ['http://127.0.0.1:*/*'] }, true],
    ['the project alone, where policy has a list', { settings: ['*'], managed: ['https://hooks.example/*'] }, false],
    ['policy alone, where the project has a list', { settings: ['https://hooks.example/*'], managed: ['*'] }, false],
  ])('is allowed or not by %s', async (_, lists, isAllowed) => {
    expect(await allowed(lists)).toBe(isAllowed)
  })

  it('is not allowed by a star that would have to reach over the path', async () => {
    expect(await allowed({ settings: ['http://*.example/a'] }, '/b.example/a')).toBe(false)
  })

  it('is not allowed by a list that cannot be read', async () => {
    const record = await ask('http://127.0.0.1:9/', { managed: { allowedHttpHookUrls: 'http://127.0.0.1:9/' } })
    expect(failureOf(record)).toContain('allowedHttpHookUrls does not allow')
  })
})

/** Servers that fail, and what is said of each. */
const FAULTS: readonly [string, () => Promise<string>, RegExp][] = [
  ['a closed port', async () => 'http://127.0.0.1:9/', /127\.0\.0\.1:9 refused the connection/],
  [
    'a name that does not exist',
    async () => 'http://guard.invalid/',
    /the name of guard\.invalid is not known to DNS|DNS did not answer/,
  ],
  ['a 500 with a denial', () => replying(500, JSON.stringify(DENY)), /the server answered 500/],
  ['a 403 with a denial', () => replying(403, JSON.stringify(DENY)), /the server answered 403/],
  [
    'a redirect',
    () => replying(302, '', { location: '/b' }),
    /the server answered 302, and redirects are not followed/,
  ],
  ['a text', () => replying(200, 'fine by me'), /something else than a JSON object/],
  ['a list', () => replying(200, JSON.stringify([DENY])), /something else than a JSON object/],
  ['half an object', () => replying(200, '{"decision":'), /something else than a JSON object/],
  ['two objects', () => replying(200, `${JSON.stringify(DENY)}\n{}`), /something else than a JSON object/],
  ['an end without an answer', () => speaking((socket) => socket.destroy()), /cut the connection off/],
  [
    'an end in the middle of the body',
    () => speaking((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"decision"')),
    /ended its answer midway/,
  ],
  ['another protocol', () => speaking((socket) => socket.end('220 mail.example ESMTP\r\n')), /does not answer in HTTP/],
  [
    'TLS expected of a plain server',
    async () => (await replying(200, '{}')).replace('http:', 'https:'),
    /does not speak TLS/,
  ],
  ['more than is read', () => endless(), /the server answered more than 4096 bytes/],
]

async function replying(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  const { url } = await serve((message, response) => {
    if (message.url === '/b') throw new Error('a redirect was followed')
    response.writeHead(status, headers).end(body)
  })
  return url
}

/** A server that says something else than HTTP servers do, as soon as it is spoken to. */
async function speaking(say: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    socket.on('error', () => {}) // the other side may be gone
    socket.once('data', () => say(socket))
  })
  return (await listening(server)).url
}

/** A server that writes for ever, as fast as it can. */
async function endless(): Promise<string> {
  const { url } = await serve((_message, response) => {
    const chunk = Buffer.alloc(64 * 1024, 32)
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  return url
}

describe.each(FAULTS)('%s', (_, fault, sentence) => {
  it('is a non-blocking error in a sentence', async () => {
    expect(failureOf(await ask(await fault(), { options: { outputLimit: 4096 } }))).toMatch(sentence)
  })

  it('blocks with onFailure "block", and says why', async () => {
    const record = await ask(await fault(), { hook: { onFailure: 'block' }, options: { outputLimit: 4096 } })
    expect(record.decision).toMatchObject({ blocked: true })
    const [message] = record.decision.messages.filter(({ to }) => to === 'model')
    expect(message?.text).toContain('failed; blocking because onFailure is "block"')
    expect(message?.text).toMatch(sentence)
    expect(record.hooks[0]).toMatchObject({ failed: 'failed' })
  })
})

/** Servers that never come to an end. */
const HANGING: readonly [string, () => Promise<string>][] = [
  ['a server that does not answer', async () => (await serve(() => {})).url],
  ['a server that does not speak', () => speaking(() => {})],
  [
    'a body that never ends',
    async () => (await serve((_message, response) => void response.writeHead(200).write('{"decision":'))).url,
  ],
  [
    'a body that trickles',
    async () => {
      const { url } = await serve((_message, response) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      })
      return url
    },
  ],
]

describe.each(HANGING)('%s', (_, hanging) => {
  it('is cancelled when the time is up', async () => {
    const record = await ask(await hanging(), { hook: { timeout: 0.2 } })
    expect(record.hooks).toMatchObject([{ outcome: 'cancelled', timedOut: true, exitCode: null }])
    expect(record.decision.blocked).toBe(false)
  })

  it('blocks then with onFailure "block"', async () => {
    const record = await ask(await hanging(), { hook: { timeout: 0.2, onFailure: 'block' } })
    expect(record.decision).toMatchObject({ blocked: true })
    expect(wordsOf(record)).toContain('timed out; blocking because onFailure is "block"')
  })
})

it('ends the request when the host gives up', async () => {
  const controller = new AbortController()
  let closed: () => void = () => {}
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const { url } = await serve((message) => {
    message.socket.on('close', closed)
    controller.abort()
  })
  const hooks = { PreToolUse: [{ hooks: [{ type: 'http', url }] }] }
  const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { hooks } }), { profile, env: {} })
  const record = await engine.dispatch(bashCall, { signal: controller.signal })
  await isClosed
  expect(record.hooks).toMatchObject([{ outcome: 'cancelled', timedOut: false }])
})

interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
}

const OPENSSL = 'openssl'

/** A self-signed certificate, or null where there is no openssl. */
function selfSigned(name: string, days = 1): Certificate | null {
  const folder = mkdtempSync(join(tmpdir(), 'hookline tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-batch']
  try {
    execFileSync(
      OPENSSL,
      [
        ...args,
        '-keyout',
        key,
        '-out',
        cert,
        '-days',
        String(days),
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=${name}`,
      ],
      { stdio: 'ignore' },
    )
  } catch {
    return null
  }
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

const NO_OPENSSL = 'There is no openssl that could make a certificate.'

describe('a secure server', () => {
  it('with a self-signed certificate is not trusted', async ({ skip }) => {
    const certificate = selfSigned('IP:127.0.0.1') ?? skip(NO_OPENSSL)
    const { url } = await listening(
      createSecureServer(certificate, (_message, response) => response.end()),
      'https',
    )
    expect(failureOf(await ask(url))).toMatch(/has a self-signed certificate, which is not trusted/)
    const closed = await ask(url, { hook: { onFailure: 'block' } })
    expect(closed.decision.blocked).toBe(true)
  })
})

/** A proxy on loopback that takes every name for a server of the test, and tells what it was asked for. */
async function proxyTo(port: number): Promise<Reachable & { readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((message, response) => {
    asked.push(`${message.method} ${message.url} ${message.headers['proxy-authorization'] ?? '-'}`)
    const passedOn = request({ port, host: '127.0.0.1', method: message.method, path: '/', headers: message.headers })
    passedOn.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0)
      answer.pipe(response)
    })
    message.pipe(passedOn)
  })
  server.on('connect', (message, socket) => {
    asked.push(`CONNECT ${message.url}`)
    if (message.url?.startsWith('forbidden')) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const through = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    for (const one of [socket, through]) one.on('error', () => {}) // the other side may be gone
    socket.pipe(through).pipe(socket)
  })
  return { ...(await listening(server)), asked }
}

describe('a proxy that the environment names', () => {
  it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])('by %s passes a plain request on', async (name) => {
    const target = await serve((_message, response) => response.end(JSON.stringify(DENY)))
    const proxy = await proxyTo(target.port)
    const env = { [name]: proxy.url.replace('//', `//me:${SECRET}@`) }
    const record = await ask('http://guard.example/x?y=1', { options: { env } })
    expect(record.decision.permission).toBe('deny')
    expect(proxy.asked).toEqual([
      `POST http://guard.example/x?y=1 Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`,
    ])
  })

  it('passes a secure connection on without reading it', async ({ skip }) => {
    const certificate = selfSigned('DNS:guard.example') ?? skip(NO_OPENSSL)
    const target = await listening(createSecureServer(certificate, (_message, response) => response.end()))
    const proxy = await proxyTo(target.port)
    const record = await ask('https://guard.example/x', { options: { env: { HTTPS_PROXY: proxy.url } } })
    expect(proxy.asked).toEqual(['CONNECT guard.example:443'])
    expect(failureOf(record)).toMatch(
      /guard\.example \(through the proxy 127\.0\.0\.1:\d+\) has a self-signed certificate/,
    )
  })

  it('can refuse', async () => {
    const proxy = await proxyTo(9)
    const record = await ask('https://forbidden.example/x', { options: { env: { https_proxy: proxy.url } } })
    expect(failureOf(record)).toMatch(/the proxy answered 403 when it was asked for forbidden\.example/)
  })

  it('can be out of reach', async () => {
    for (const scheme of ['http', 'https']) {
      const env = { ALL_PROXY: `http://me:${SECRET}@127.0.0.1:9` }
      const record = await ask(`${scheme}://guard.example/x`, { options: { env } })
      expect(failureOf(record)).toContain('guard.example (through the proxy 127.0.0.1:9) refused the connection')
      expect(JSON.stringify(record)).not.toContain(SECRET)
    }
  })

  it('can hang, and is cut off when the time is up', async () => {
    const proxy = await listening(createRawServer((socket) => void socket.on('error', () => {}).resume()))
    const closed = new Promise((resolve) => {
      const look = (): unknown =>
        proxy.connections[0] ? proxy.connections[0].on('close', resolve) : setImmediate(look)
      look()
    })
    const record = await ask('https://guard.example/x', {
      hook: { timeout: 0.2 },
      options: { env: { ALL_PROXY: proxy.url } },
    })
    expect(record.hooks).toMatchObject([{ outcome: 'cancelled', timedOut: true }])
    await closed
  })

  it('of another kind is told in a sentence', async () => {
    const record = await ask('http://guard.example/x', { options: { env: { http_proxy: 'socks5://127.0.0.1:9' } } })
    expect(failureOf(record)).toContain('the environment names a proxy by "socks5:"')
  })

  it.each(['*', '127.0.0.1', 'guard.example, 127.0.0.1', '127.0.0.0/8', '127.0.0.1:{port}'])(
    'is left out where NO_PROXY says %s',
    async (list) => {
      const target = await serve((_message, response) => response.end(JSON.stringify(DENY)))
      const env = { http_proxy: 'http://127.0.0.1:9', NO_PROXY: list.replace('{port}', String(target.port)) }
      expect((await ask(target.url, { options: { env } })).decision.permission).toBe('deny')
    },
  )

  it.each(['0.0.1', '127.0.0.1:1', '10.0.0.0/8', ''])('is asked where NO_PROXY says "%s"', async (list) => {
    const record = await ask('http://127.0.0.1:9/', {
      options: { env: { http_proxy: 'http://127.0.0.1:9', no_proxy: list } },
    })
    expect(failureOf(record)).toContain('(through the proxy 127.0.0.1:9)')
  })
})
