import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkModelStanding, openModels, resolveModel } from '../../src/models/index.ts'
import { question, serving } from './question.ts'

const KEYS = { ANTHROPIC_API_KEY: 'sk-a', OPENAI_API_KEY: 'sk-o' }

async function named(name: string | null, env: Record<string, string> = KEYS, model?: string) {
  const { provider, modelId } = await resolveModel(name, { env, ...(model === undefined ? {} : { model }) })
  return `${provider.split('.')[0]} ${modelId}`
}

describe('the name of a model', () => {
  it.each([
    ['haiku', 'anthropic claude-haiku-5-5'],
    ['sonnet', 'anthropic claude-sonnet-5-5'],
    ['opus', 'anthropic claude-opus-5-5'],
    ['anthropic/haiku', 'anthropic claude-haiku-5-5'],
    ['claude-opus-4-1', 'anthropic claude-opus-4-1'],
    ['anthropic/claude-opus-4-1', 'anthropic claude-opus-4-1'],
    ['openai/gpt-4.1', 'openai gpt-4.1'],
    ['openai/meta-llama/Llama-3', 'openai meta-llama/Llama-3'],
    ['ollama/qwen3:4b', 'ollama qwen3:4b'],
    ['vllm/Qwen/Qwen3-8B', 'vllm Qwen/Qwen3-8B'],
    ['lmstudio/gemma', 'lmstudio gemma'],
    ['gpt-4.1', 'openai gpt-4.1'],
  ])('%s leads to %s', async (name, found) => {
    expect(await named(name)).toBe(found)
  })

  it('leads to the provider of the default where it is bare', async () => {
    expect(await named('gemma', KEYS, 'ollama/qwen3')).toBe('ollama gemma')
    expect(await named('claude-opus-4-1', KEYS, 'ollama/qwen3')).toBe('anthropic claude-opus-4-1')
  })

  it('comes from the option, else from HOOKLINE_MODEL, else from what has a key', async () => {
    const env = { ...KEYS, HOOKLINE_MODEL: 'ollama/qwen3' }
    expect(await named(null, env, 'openai/gpt-4.1')).toBe('openai gpt-4.1')
    expect(await named(null, env)).toBe('ollama qwen3')
    expect(await named(null, KEYS)).toBe('anthropic claude-haiku-5-5')
    expect(await named(null, { OPENAI_API_KEY: 'sk-o', HOOKLINE_MODEL: ' ' })).toBe('openai gpt-4.1-mini')
  })

  it.each([
    ['mistral/small', KEYS, 'The model mistral/small has no known provider. Write one of anthropic, openai, ollama'],
    [
      'haiku',
      {},
      'There is no key for the model anthropic/claude-haiku-5-5. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL',
    ],
    [
      'openai/x',
      { OPENAI_API_KEY: '' },
      'There is no key for the model openai/x. Set OPENAI_API_KEY, or OPENAI_BASE_URL',
    ],
    ['ollama/', KEYS, 'The model ollama/ has no name after its provider.'],
    [null, {}, 'No model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or HOOKLINE_MODEL'],
    [null, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, 'No model is configured.'],
  ])('%s is refused where it cannot be reached, with what to do', async (name, env, words) => {
    await expect(resolveModel(name, { env })).rejects.toThrow(words)
    await expect(openModels({ env }).askModel(question({ model: name }))).rejects.toThrow(words)
  })

  it('is never answered with anything but a model or an Error that says something', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (name) => {
        const found = await resolveModel(name, { env: KEYS }).then(
          ({ modelId }) => modelId,
          (error: Error) => error.message,
        )
        expect(found.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('the address of a model', () => {
  it.each(['', '/', '/v1', '/v1/'])('of Anthropic is the same with %o at its end', async (end) => {
    const server = await serving([{ text: '{"ok":true}' }])
    const env = { ...server.env, ANTHROPIC_BASE_URL: `${server.url}${end}` }
    await openModels({ env }).askModel(question())
    expect(server.requests[0]?.path).toBe('/v1/messages')
  })

  it('and its key can be given as options, which count before the environment', async () => {
    const server = await serving([{ text: '{"ok":true}' }])
    const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = server.env
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: 'sk-other' }
    const { askModel } = openModels({ env, providers: { openai: { baseURL, apiKey }, ollama: { baseURL } } })
    await askModel(question({ model: 'openai/x' }))
    expect(server.requests).toMatchObject([{ hasKey: true }])
  })

  it('of a local server needs no key, and gets none', async () => {
    const server = await serving([{ text: '{"ok":true}' }])
    const providers = { ollama: { baseURL: `${server.url}/v1` } }
    await openModels({ env: {}, providers, model: 'ollama/qwen3' }).askModel(question())
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })
})

describe('the standing of models', () => {
  it('tells which model decides, and never a key', () => {
    expect(checkModelStanding({ env: KEYS })).toEqual({
      ready: true,
      model: 'anthropic/claude-haiku-5-5',
      provider: 'anthropic',
      baseURL: 'https://api.anthropic.com',
      hasKey: true,
    })
    expect(checkModelStanding({ env: { HOOKLINE_MODEL: 'ollama/qwen3' } })).toMatchObject({
      ready: true,
      hasKey: false,
    })
  })

  it('tells that hooks have to name one where only a server is known', () => {
    const standing = checkModelStanding({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } })
    expect(standing).toMatchObject({ ready: 'named', providers: ['openai'] })
  })

  it('tells what is missing for a default that cannot be reached', () => {
    const words = 'There is no key for the model anthropic/claude-haiku-5-5.'
    expect(checkModelStanding({ env: { HOOKLINE_MODEL: 'haiku' } })).toEqual({
      ready: false,
      missing: expect.stringContaining(words),
    })
  })

  it('shows no password of an address', () => {
    const standing = checkModelStanding({ env: { ANTHROPIC_BASE_URL: 'http://me:hunter2@127.0.0.1:1' } })
    expect(standing).toMatchObject({ ready: true, baseURL: 'http://***@127.0.0.1:1' })
  })

  it('tells what to set where nothing is', () => {
    expect(checkModelStanding({ env: {} })).toEqual({
      ready: false,
      missing: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
  })
})
