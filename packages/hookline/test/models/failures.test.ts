import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openModels } from '../../src/models/index.ts'
import type { ModelAnswer, ModelScript } from '../../src/testing/index.ts'
import { BOTH, question, serving } from './question.ts'

const OK = { text: '{"ok":true}' }

async function asked(script: ModelScript, changes: Parameters<typeof question>[0]) {
  const server = await serving(script)
  const reply = openModels({ env: server.env }).askModel(question(changes))
  const message = await reply.then(
    ({ text }) => text,
    (error: Error) => error.message,
  )
  return { message, requests: server.requests.length }
}

describe.each(BOTH)('%s', (model) => {
  it.each([400, 401, 403, 404])('is not asked again the same way after a %i', async (status) => {
    const { message, requests } = await asked(() => ({ status, message: 'no,\n not at all' }), { model })
    expect(message).toBe(`${model} answered ${status}: no, not at all`)
    expect(requests).toBe(status === 400 ? 2 : 1) // once more without a schema
  })

  it.each([408, 429, 500, 503, 529])('is asked again after a %i', async (status) => {
    expect(await asked([{ status }, OK], { model })).toEqual({ message: OK.text, requests: 2 })
  })

  it('is given up after four tries, with the message of the last', async () => {
    const script = [1, 2, 3, 4, 5].map((n) => ({
      status: 529,
      message: `Overloaded ${n}`,
      headers: { 'retry-after': '0' },
    }))
    expect(await asked(script, { model })).toEqual({ message: `${model} answered 529: Overloaded 4`, requests: 4 })
  })

  it.each([{ 'retry-after': '0.01' }, { 'retry-after-ms': '5' }, { 'retry-after': new Date(0).toUTCString() }])(
    'is asked again when it says, if that is before the deadline: %o',
    async (headers) => {
      expect(await asked([{ status: 429, headers }, OK], { model })).toEqual({ message: OK.text, requests: 2 })
    },
  )

  it.each([
    { 'retry-after': '30' },
    { 'retry-after-ms': '30000' },
    { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
  ])('fails at once when it wants to be asked after the deadline: %o', async (headers) => {
    const started = performance.now()
    const { message, requests } = await asked([{ status: 429, message: 'slow down', headers }, OK], { model })
    expect({ message, requests }).toEqual({ message: `${model} answered 429: slow down`, requests: 1 })
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('is not waited for any longer when the host gives up', async () => {
    const server = await serving([{ status: 429, headers: { 'retry-after': '8' } }, OK])
    const giveUp = new AbortController()
    const started = performance.now()
    const reply = openModels({ env: server.env }).askModel(question({ model, signal: giveUp.signal }))
    await (await server.waitForRequest(0)).ended
    giveUp.abort()
    await expect(reply).rejects.toBeInstanceOf(Error)
    expect(performance.now() - started).toBeLessThan(5000)
    expect(server.requests).toHaveLength(1)
  })

  it('is not asked again when no time is left for it', async () => {
    const { requests } = await asked([{ status: 500 }, OK], { model, deadline: performance.now() + 100 })
    expect(requests).toBe(1)
  })

  it('is asked again after it broke off its answer, and said to have done so', async () => {
    const cut: ModelAnswer = { ...OK, ends: 'cut' }
    expect(await asked([cut, OK], { model })).toEqual({ message: OK.text, requests: 2 })
    expect((await asked(() => cut, { model })).message).toContain(`${model} broke off in the middle of its answer`)
  })

  it.each([
    { raw: '<html>Sign in</html>', contentType: 'text/html' },
    { raw: '{"choices": 7', contentType: 'application/json' },
    { raw: '{}', contentType: 'text/plain' },
    { raw: '', contentType: 'application/json' },
  ])('is said to have sent no answer of its protocol: %o', async (answer) => {
    const { message, requests } = await asked([answer, OK], { model })
    expect(message).toBe(`${model} sent something that is not a valid answer of its protocol (${answer.contentType}).`)
    expect(requests).toBe(1)
  })

  it.each([
    [{ error: 'model "x" not found' }, 'model "x" not found'],
    [{ detail: 'Not today' }, 'Not today'],
    ['<html>Bad gateway</html>', 'Not Found'],
  ])('is quoted also where its errors have another shape: %o', async (body, words) => {
    const { message } = await asked([{ status: 404, body }], { model })
    expect(message).toBe(`${model} answered 404: ${words}`)
  })

  it('has no key in its errors', async () => {
    const said = [
      'Incorrect API key provided: sk-scripted-model-server.',
      'sk-ant-api03-AbCd_1234 is wrong',
      'Authorization: Bearer abc.def rejected',
      '{"x-api-key": "zzz999zzz"} rejected',
    ]
    for (const message of said) {
      const failure = await asked([{ status: 401, message }], { model })
      expect(failure.message).toContain('***')
      expect(failure.message).not.toMatch(/scripted-model|AbCd|abc\.def|zzz999/)
    }
  })

  it('is cut short when it says a lot', async () => {
    const { message } = await asked([{ status: 401, message: 'no '.repeat(1000) }], { model })
    expect(message.length).toBeLessThanOrEqual(400)
  })

  it('is said not to be reachable where nothing listens', async () => {
    const baseURL = `http://user:secret@127.0.0.1:${await freePort()}`
    const { askModel } = openModels({ env: { ANTHROPIC_BASE_URL: baseURL, OPENAI_BASE_URL: baseURL } })
    const failure = await askModel(question({ model })).catch((error: Error) => error.message)
    expect(failure).toContain(`${model}`)
    expect(failure).not.toContain('secret')
  })

  it('is said not to be reachable where nothing listens, with the address', async () => {
    const baseURL = `http://127.0.0.1:${await freePort()}`
    const { askModel } = openModels({ env: { ANTHROPIC_BASE_URL: baseURL, OPENAI_BASE_URL: baseURL } })
    await expect(askModel(question({ model }))).rejects.toThrow(`${model} cannot be reached at ${baseURL}`)
  })
})

/** A port of loopback on which nothing listens any more. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
