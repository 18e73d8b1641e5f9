import { describe, expect, it } from 'vitest'
import { makeWebFetchTool } from '../../src/tools/web-fetch.ts'
import { serve } from './server.ts'
import { makePlace } from './support.ts'

const webFetch = makeWebFetchTool()
const prompt = 'What is it about?'

describe('WebFetch', () => {
  it('returns the text of a page below the prompt', async () => {
    const { call } = await makePlace()
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        '<title>Caf&eacute;</title><script>x()</script><h1>Hi &amp; hello</h1><p>See <a href="/more">more</a>.',
      )
    })
    const { content, response } = await call(webFetch, { url: `${url}/page`, prompt })
    expect(content).toBe(`${prompt}\n\nCaf&eacute;\n\n# Hi & hello\n\nSee more (${url}/more).`)
    expect(response).toMatchObject({ code: 200, codeText: 'OK', url: `${url}/page`, result: content })
  })

  it('returns other text as it is, in the charset it names', async () => {
    const { call } = await makePlace()
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'text/plain; charset=iso-8859-1')
      response.end(Buffer.from('caf\xe9 <b>', 'latin1'))
    })
    expect((await call(webFetch, { url, prompt })).content).toBe(`${prompt}\n\ncafé <b>`)
  })

  it('fails with the status of an answer that is none', async () => {
    const { failure } = await makePlace()
    const url = await serve((_, response) => {
      response.statusCode = 404
      response.end('gone')
    })
    expect(await failure(webFetch, { url, prompt })).toBe(`HTTP 404 Not Found: ${url}/`)
  })

  it('follows redirects within a host and only reports those that leave it', async () => {
    const { call, failure } = await makePlace()
    const url = await serve((request, response) => {
      const locations: Record<string, string> = {
        '/a': '/b',
        '/out': 'http://127.0.0.1:1/elsewhere',
        '/round': '/round',
      }
      const location = locations[request.url ?? '']
      if (location !== undefined) response.writeHead(302, { location })
      else response.setHeader('content-type', 'text/plain')
      response.end(location === undefined ? 'arrived' : '')
    })
    expect((await call(webFetch, { url: `${url}/a`, prompt })).content).toBe(`${prompt}\n\narrived`)
    expect((await call(webFetch, { url: `${url}/out`, prompt })).content).toContain(
      'redirects to another host: http://127.0.0.1:1/elsewhere\nIt was not followed.',
    )
    expect(await failure(webFetch, { url: `${url}/round`, prompt })).toContain('more than 5 redirects')
  })

  it('reads no more than a mebibyte of a page without end', async () => {
    const { call } = await makePlace()
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'text/plain')
      const more = (): void => {
        while (!response.destroyed && response.write('0123456789abcdef'.repeat(1000)));
      }
      response.on('drain', more)
      more()
    })
    const { content, response } = await call(webFetch, { url, prompt })
    expect(content).toContain(`[… only the first ${1024 * 1024} bytes of the page were read]`)
    expect(content.length).toBeLessThan(101_000)
    expect(response).toMatchObject({ bytes: 1024 * 1024 })
  })

  it('refuses what is not text', async () => {
    const { failure } = await makePlace()
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'image/png')
      response.end('x')
    })
    expect(await failure(webFetch, { url, prompt })).toContain('is image/png, not text')
  })

  it('gives up after its time, and when it is interrupted', async () => {
    const { failure, interrupt } = await makePlace()
    let asked = (): void => {}
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const url = await serve((request, response) => {
      if (request.url === '/slow') response.write('begins, ')
      else asked()
    })
    const short = makeWebFetchTool({ timeoutMs: 100 })
    expect(await failure(short, { url: `${url}/slow`, prompt })).toBe(`${url}/slow did not answer within 0.1 s.`)
    const failed = failure(webFetch, { url, prompt })
    await wasAsked
    interrupt()
    expect(await failed).toBe('The request was interrupted.')
  })

  it('says why an address cannot be reached', async () => {
    const { failure } = await makePlace()
    expect(await failure(webFetch, { url: 'http://127.0.0.1:1/', prompt })).toMatch(
      /^http:\/\/127\.0\.0\.1:1\/ cannot be reached: /,
    )
  })

  it('takes addresses of the web only', () => {
    const fits = (url: string): boolean => webFetch.input.safeParse({ url, prompt }).success
    expect(['http://127.0.0.1/', 'https://example.org/a?b#c'].map(fits)).toEqual([true, true])
    expect(['file:///etc/passwd', 'javascript:1', 'example.org', ''].map(fits)).toEqual([false, false, false, false])
  })
})
