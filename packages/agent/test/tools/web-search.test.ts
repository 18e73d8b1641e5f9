import { describe, expect, it } from 'vitest'
import { makeBuiltinTools } from '../../src/tools/builtin.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { makeWebSearchTool } from '../../src/tools/web-search.ts'
import { serve } from './server.ts'
import { makePlace } from './support.ts'

const results = [
  { title: 'One', url: 'https://docs.example.org/1', snippet: 'first' },
  { title: 'Two', url: 'https://example.com/2' },
  { title: 'Three', url: 'https://notexample.org/3' },
]

/** The search of a session whose environment names this endpoint. */
function searchOf(endpoint: string): Tool {
  const tool = makeBuiltinTools({ env: { HOOKLINE_SEARCH_URL: endpoint } }).find(({ name }) => name === 'WebSearch')
  if (!tool) throw new Error('no search is offered')
  return tool
}

describe('WebSearch', () => {
  it('asks the endpoint of the environment', async () => {
    const { call } = await makePlace()
    const asked: string[] = []
    const url = await serve((request, response) => {
      asked.push(request.url ?? '')
      response.end(JSON.stringify({ results }))
    })
    const { content, response } = await call(searchOf(`${url}/find?key=1`), { query: 'a & b' })
    expect(asked).toEqual(['/find?key=1&q=a+%26+b'])
    expect(content).toBe(
      'One\nhttps://docs.example.org/1\nfirst\n\nTwo\nhttps://example.com/2\n\nThree\nhttps://notexample.org/3',
    )
    expect(response).toMatchObject({ query: 'a & b', results })
  })

  it('sends the query and nothing else', async () => {
    const { call } = await makePlace()
    const sent: { method: string | undefined; url: string | undefined; headers: string[]; bytes: number }[] = []
    const url = await serve(async (request, response) => {
      let bytes = 0
      for await (const chunk of request) bytes += String(chunk).length
      sent.push({ method: request.method, url: request.url, headers: Object.keys(request.headers).sort(), bytes })
      response.end(JSON.stringify({ results }))
    })
    await call(searchOf(url), { query: 'lamps', allowed_domains: ['example.org'], blocked_domains: ['example.com'] })
    const headers = [
      'accept',
      'accept-encoding',
      'accept-language',
      'connection',
      'host',
      'sec-fetch-mode',
      'user-agent',
    ]
    expect(sent).toEqual([{ method: 'GET', url: '/?q=lamps', headers, bytes: 0 }])
  })

  it('keeps to the domains that are allowed, and out of those that are blocked', async () => {
    const { call } = await makePlace()
    const search = makeWebSearchTool(async () => results)
    const titles = async (input: object) => {
      const { content } = await call(search, { query: 'xy', ...input })
      return content.split('\n\n').map((lines) => lines.split('\n')[0])
    }
    expect(await titles({ allowed_domains: ['Example.org'] })).toEqual(['One'])
    expect(await titles({ blocked_domains: ['example.org'] })).toEqual(['Two', 'Three'])
    expect(await titles({ allowed_domains: ['nowhere.net'] })).toEqual(['No results found'])
  })

  it('says what went wrong with the endpoint', async () => {
    const { failure } = await makePlace()
    const url = await serve((request, response) => {
      response.statusCode = request.url?.startsWith('/bad') ? 200 : 500
      response.end('<html>')
    })
    expect(await failure(searchOf(url), { query: 'xy' })).toBe(
      'The search endpoint answered HTTP 500 Internal Server Error',
    )
    expect(await failure(searchOf(`${url}/bad`), { query: 'xy' })).toContain('answered no {"results"')
    expect(await failure(searchOf('http://127.0.0.1:1'), { query: 'xy' })).toContain('The search cannot be reached')
    expect(await failure(searchOf('nonsense'), { query: 'xy' })).toBe(
      'The search endpoint "nonsense" is not a valid address.',
    )
  })
})
