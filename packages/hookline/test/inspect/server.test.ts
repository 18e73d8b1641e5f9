import { get } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGE_HEADER, TOKEN_HEADER } from '../../src/inspect/access.ts'
import { makePage } from '../../src/inspect/page.ts'
import { type RunningServer, startServer } from '../../src/inspect/server.ts'

const hasAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))

let server: RunningServer
let cookie = ''
let pageKey = ''
let answered = 0

beforeAll(async () => {
  server = await startServer({
    page: makePage('let a = 1', 'body {}'),
    routes: {
      state: { method: 'GET', answer: async () => ({ answered: ++answered }) },
      explain: { method: 'POST', answer: async ({ body }) => ({ body, answered: ++answered }) },
    },
    port: 0,
    idleMs: 60_000,
    onIdle: () => {},
    onWatched: () => {},
  })
  const { head } = await send(`GET ${new URL(server.makeLink()).pathname}`, browser('document'))
  cookie = /^set-cookie: ([^;]+)/im.exec(head)?.[1] ?? ''
  pageKey = /^location: .*#page=([\w-]+)/im.exec(head)?.[1] ?? ''
})

afterAll(() => server.close())

const host = (): string => `127.0.0.1:${server.port}`

/** Headers of a request of the page itself, or of a user who opens an address. */
function browser(dest: 'document' | 'empty', more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = { Host: host(), 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': dest }
  const key = dest === 'document' ? {} : { [PAGE_HEADER]: pageKey }
  return { ...own, 'Sec-Fetch-Mode': dest === 'document' ? 'navigate' : 'cors', Cookie: cookie, ...key, ...more }
}

/** Sends exactly these bytes, and gives what comes back. */
function sendRaw(text: string): Promise<{ status: number; head: string; body: string }> {
  return new Promise((done, fail) => {
    const socket = connect(server.port, '127.0.0.1')
    let got = ''
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')))
    socket.on('error', fail)
    socket.on('data', (bytes) => {
      got += bytes
      const [head = '', body] = got.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN)
      if (/event-stream/.test(head) || body?.length === length) socket.end()
    })
    socket.on('close', () => {
      const [head = '', body = ''] = got.split('\r\n\r\n')
      done({ status: Number(head.split(' ')[1]), head, body })
    })
    socket.write(text)
  })
}

function send(line: string, headers: Readonly<Record<string, string | undefined>>, body = '') {
  const fields = Object.entries(headers).filter(([, value]) => value !== undefined)
  const text = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return sendRaw(`${line} HTTP/1.1\r\n${text}${length}Connection: close\r\n\r\n${body}`)
}

const api = 'GET /api/state'
const post = 'POST /api/explain'
const json = { 'Content-Type': 'application/json' }

/** Requests that are refused: what is sent, and with which status it ends. */
const ATTACKS: readonly [string, () => Promise<{ status: number; body: string }>, number][] = [
  ['no Host', () => send(api, { ...browser('empty'), Host: undefined }), 400],
  ['an empty Host', () => send(api, browser('empty', { Host: '' })), 403],
  ['a rebound name as Host', () => send(api, browser('empty', { Host: `evil.test:${server.port}` })), 403],
  [
    'a name that begins as the address does',
    () => send(api, browser('empty', { Host: `127.0.0.1.evil.test:${server.port}` })),
    403,
  ],
  ['127.evil.test', () => send(api, browser('empty', { Host: `127.evil.test:${server.port}` })), 403],
  ['localhost as Host', () => send(api, browser('empty', { Host: `localhost:${server.port}` })), 403],
  ['the address without its port', () => send(api, browser('empty', { Host: '127.0.0.1' })), 403],
  ['another port in Host', () => send(api, browser('empty', { Host: '127.0.0.1:80' })), 403],
  ['another way to write the address', () => send(api, browser('empty', { Host: `127.1:${server.port}` })), 403],
  ['an IPv6 Host', () => send(api, browser('empty', { Host: `[::1]:${server.port}` })), 403],
  [
    'two Hosts',
    () =>
      sendRaw(
        `${api} HTTP/1.1\r\nHost: ${host()}\r\nHost: evil.test\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: empty\r\nCookie: ${cookie}\r\n${PAGE_HEADER}: ${pageKey}\r\n\r\n`,
      ),
    403,
  ],
  ['an absolute address of another host', () => send(`GET http://evil.test/api/state`, browser('empty')), 400],
  ...['//evil.test/api/state', '/\\evil.test/api/state', '///api/state'].map((path): (typeof ATTACKS)[number] => [
    `the address ${path}`,
    () => send(`GET ${path}`, browser('empty')),
    400,
  ]),
  [
    'HTTP/1.0 without Host',
    () =>
      sendRaw(
        `${api} HTTP/1.0\r\nCookie: ${cookie}\r\n${PAGE_HEADER}: ${pageKey}\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: empty\r\n\r\n`,
      ),
    403,
  ],
  ['a page of another site', () => send(api, browser('empty', { 'Sec-Fetch-Site': 'cross-site' })), 403],
  ['a page of another port', () => send(api, browser('empty', { 'Sec-Fetch-Site': 'same-site' })), 403],
  ['an address that was typed, for the API', () => send(api, browser('empty', { 'Sec-Fetch-Site': 'none' })), 403],
  ['no Sec-Fetch-Site', () => send(api, { ...browser('empty'), 'Sec-Fetch-Site': undefined }), 403],
  ['an Origin of another site', () => send(api, browser('empty', { Origin: 'http://evil.test' })), 403],
  ['the Origin of another port', () => send(api, browser('empty', { Origin: 'http://127.0.0.1:1' })), 403],
  ['the Origin null of a sandbox', () => send(api, browser('empty', { Origin: 'null' })), 403],
  ['a script element', () => send(api, browser('empty', { 'Sec-Fetch-Dest': 'script' })), 403],
  ['an image', () => send(api, browser('empty', { 'Sec-Fetch-Dest': 'image' })), 403],
  ['a frame with the API', () => send(api, browser('empty', { 'Sec-Fetch-Dest': 'iframe' })), 403],
  ['a frame with the page', () => send('GET /', browser('document', { 'Sec-Fetch-Dest': 'iframe' })), 403],
  ['an object with the page', () => send('GET /', browser('document', { 'Sec-Fetch-Dest': 'object' })), 403],
  ['a prefetch of the page', () => send('GET /', browser('document', { 'Sec-Fetch-Mode': 'no-cors' })), 403],
  [
    'a link to the page on another site',
    () => send('GET /', browser('document', { 'Sec-Fetch-Site': 'cross-site' })),
    403,
  ],
  ['no cookie', () => send(api, { ...browser('empty'), Cookie: undefined }), 403],
  ['no cookie for the page', () => send('GET /', { ...browser('document'), Cookie: undefined }), 403],
  ['a wrong cookie', () => send(api, browser('empty', { Cookie: cookie.replace(/.$/, '!') })), 403],
  [
    'the cookie of another port',
    () => send(api, browser('empty', { Cookie: cookie.replace(/^[^=]+/, 'hookline-1') })),
    403,
  ],
  [
    'the cookie alone, which a server on another port was sent',
    () => send(api, browser('empty', { [PAGE_HEADER]: '' })),
    403,
  ],
  ['the cookie as the key of the page', () => send(api, browser('empty', { [PAGE_HEADER]: cookie })), 403],
  [
    'the token as the key of the page',
    () => send(`${api}?page=${server.token}`, browser('empty', { [PAGE_HEADER]: '' })),
    403,
  ],
  ['two cookies of one name', () => send(api, browser('empty', { Cookie: `${cookie}; ${cookie}` })), 403],
  ['a wrong token', () => send(api, { Host: host(), [TOKEN_HEADER]: 'x' }), 403],
  [
    'the token from a foreign page',
    () => send(api, { Host: host(), [TOKEN_HEADER]: server.token, 'Sec-Fetch-Site': 'cross-site' }),
    403,
  ],
  ['the token in the address', () => send(`GET /api/state?token=${server.token}`, { Host: host() }), 403],
  ['a link that was never made', () => send('GET /open/x', browser('document')), 403],
  ['an empty link', () => send('GET /open/', browser('document')), 403],
  [
    'a link of another site',
    () => send(`GET ${new URL(server.makeLink()).pathname}`, browser('document', { 'Sec-Fetch-Site': 'cross-site' })),
    403,
  ],
  ['SSE from elsewhere', () => send('GET /api/live', browser('empty', { 'Sec-Fetch-Site': 'cross-site' })), 403],
  ['SSE without the cookie', () => send('GET /api/live', { ...browser('empty'), Cookie: undefined }), 403],
  [
    'a WebSocket',
    () =>
      send('GET /api/live', {
        ...browser('empty'),
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'x',
      }),
    403,
  ],
  ['text/plain as JSON', () => send(post, browser('empty', { 'Content-Type': 'text/plain' }), '{}'), 415],
  [
    'a form as JSON',
    () => send(post, browser('empty', { 'Content-Type': 'application/x-www-form-urlencoded' }), 'a=1'),
    415,
  ],
  ['no content type', () => send(post, browser('empty'), '{}'), 415],
  ['more than 1 MiB', () => send(post, browser('empty', json), `"${'x'.repeat(1024 * 1024)}"`), 413],
  ['what is not JSON', () => send(post, browser('empty', json), '{'), 400],
  ['another method', () => send('DELETE /api/state', browser('empty')), 405],
  ['a GET where a POST belongs', () => send('GET /api/explain', browser('empty')), 405],
  ['a method of the prototype', () => send('GET /api/constructor', browser('empty')), 404],
  ['a path that leads out', () => send('GET /../../etc/passwd', browser('document')), 404],
  ['an encoded path that leads out', () => send('GET /%2e%2e/%2e%2e/etc/passwd', browser('document')), 404],
  ['a very long address', () => send(`GET /${'x'.repeat(20_000)}`, browser('document')), 400],
  ['OPTIONS before a request', () => send('OPTIONS /api/state', browser('empty', { Origin: 'http://evil.test' })), 403],
]

describe('the server of the inspector', () => {
  it('answers the page itself, and scripts that have the token', async () => {
    expect(await send(api, browser('empty'))).toMatchObject({ status: 200 })
    expect(await send(api, { Host: host(), [TOKEN_HEADER]: server.token })).toMatchObject({ status: 200 })
    expect(await send(post, browser('empty', json), '{"a":1}')).toMatchObject({
      status: 200,
      body: expect.stringContaining('"body":{"a":1}'),
    })
    expect(await send('GET /session/a/event/b?q=c', browser('document', { 'Sec-Fetch-Site': 'none' }))).toMatchObject({
      status: 200,
      body: expect.stringContaining('<div id="app">'),
    })
  })

  it.each(ATTACKS)('refuses %s', async (_, attack, status) => {
    const before = answered
    const { status: got, body } = await attack()
    expect({ status: got, answered }).toEqual({ status, answered: before })
    expect(body).not.toContain('id="app"')
  })

  it('lets a link be used once', async () => {
    const path = new URL(server.makeLink('/session/s')).pathname
    const first = await send(`GET ${path}`, browser('document', { Cookie: '', 'Sec-Fetch-Site': 'none' }))
    expect(first.status).toBe(303)
    expect(first.head).toContain(`\r\nlocation: /session/s#page=${pageKey}\r\n`)
    expect(first.head).toMatch(
      new RegExp(`^set-cookie: hookline-${server.port}=.*; Path=/; HttpOnly; SameSite=Strict\r$`, 'm'),
    )
    expect(await send(`GET ${path}`, browser('document'))).toMatchObject({
      status: 403,
      body: expect.stringContaining('This link was used already'),
    })
  })

  it('sends headers with every answer that keep other pages out', async () => {
    for (const line of ['GET /', 'GET /api/state', 'GET /open/x', 'GET /nothing']) {
      const { head } = await send(line, browser(line.includes('/api/') ? 'empty' : 'document'))
      expect(head).toMatch(/^content-security-policy: default-src 'none'; .*frame-ancestors 'none'/m)
      expect(head).toMatch(/^x-content-type-options: nosniff\r$/m)
      expect(head).toMatch(/^referrer-policy: no-referrer\r$/m)
      expect(head).toMatch(/^cross-origin-resource-policy: same-origin\r$/m)
      expect(head).toMatch(/^cache-control: no-store\r$/m)
      expect(head).not.toMatch(/access-control-allow/i)
      expect(head).not.toMatch(/unsafe-inline/)
    }
  })

  it.skipIf(!hasAddress('::1'))('answers at ::1 where that is asked for, and to no other name of it', async () => {
    const { port, ...six } = await startServer({
      page: makePage('', ''),
      routes: { state: { method: 'GET', answer: async () => 1 } },
      host: '::1',
      port: 0,
      idleMs: 60_000,
      onIdle: () => {},
      onWatched: () => {},
    })
    expect(six.address).toBe(`http://[::1]:${port}/`)
    expect(six.makeLink()).toContain(`http://[::1]:${port}/open/`)
    const ask = (name: string): Promise<number> =>
      new Promise((done, fail) => {
        const headers = { host: name, [TOKEN_HEADER]: six.token }
        get({ host: '::1', port, path: '/api/state', headers }, (answer) => done(answer.resume().statusCode ?? 0)).on(
          'error',
          fail,
        )
      })
    const others = [`127.0.0.1:${port}`, `localhost:${port}`, `::1:${port}`, '[::1]', `[0:0:0:0:0:0:0:1]:${port}`]
    expect(await ask(`[::1]:${port}`)).toBe(200)
    expect(await Promise.all(others.map(ask))).toEqual(others.map(() => 403))
    await six.close()
  })

  it('says that a port is taken', async () => {
    const taken = startServer({
      page: makePage('', ''),
      routes: {},
      port: server.port,
      idleMs: 1000,
      onIdle: () => {},
      onWatched: () => {},
    })
    await expect(taken).rejects.toThrow(`Port ${server.port} is taken. Leave --port out, or name another one.`)
  })

  it('asks to be ended when no page was open for a while', async () => {
    let close = async (): Promise<void> => {}
    await new Promise<void>((onIdle, fail) => {
      const options = { page: makePage('', ''), routes: {}, port: 0, idleMs: 20, onIdle, onWatched: () => {} }
      startServer(options).then((running) => {
        close = running.close
      }, fail)
    })
    await close()
  })
})
