import type { LanguageModel } from 'ai'
import { addressOf, type ModelAddress } from './address.ts'
import { loadPackage } from './load.ts'
import type { ModelOptions } from './options.ts'
import { PROVIDERS } from './providers.ts'

/** A model of the AI SDK that is reached already. */
export type ReachedModel = Exclude<LanguageModel, string>

/**
 * The AI SDK's model of a name (`anthropic/claude-haiku-5-5`, `ollama/qwen3`, `haiku`; null: the default). Loads the
 * packages of its provider. Rejects with an Error that says what to set or to install.
 */
export async function resolveModel(name: string | null, options: ModelOptions = {}): Promise<ReachedModel> {
  return reach(addressOf(name, options))
}

/** The same for a model whose address is known. */
export function reach(address: ModelAddress): Promise<ReachedModel> {
  return PROVIDERS[address.provider].protocol === 'anthropic' ? reachAnthropic(address) : reachOpenAI(address)
}

async function reachAnthropic({ provider, baseURL, apiKey, model }: ModelAddress): Promise<ReachedModel> {
  const { createAnthropic } = await loadPackage(() => import('@ai-sdk/anthropic'), provider)
  const versioned = baseURL.endsWith('/v1') ? baseURL : `${baseURL}/v1`
  // Without a key of ours the SDK would take one from the environment of this process.
  return createAnthropic({ baseURL: versioned, apiKey: apiKey ?? 'none' })(model)
}

async function reachOpenAI({ provider, baseURL, apiKey, model }: ModelAddress): Promise<ReachedModel> {
  const load = () => import('@ai-sdk/openai-compatible')
  const { createOpenAICompatible } = await loadPackage(load, provider)
  const isOpenAI = baseURL === PROVIDERS.openai.baseURL
  return createOpenAICompatible({
    name: provider,
    baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(apiKey === null ? {} : { apiKey }),
    ...(isOpenAI ? { transformRequestBody: renameTokenLimit } : {}),
  })(model)
}

/** OpenAI's newer models refuse the name that every other server knows. */
function renameTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens }
}
