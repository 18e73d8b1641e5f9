import { findModelAddress, type ModelAddress } from './address.ts'
import { loadAnthropic, loadOpenAI } from './load.ts'
import type { ModelOptions } from './options.ts'
import { PROVIDERS } from './providers.ts'

/**
 * A model of the AI SDK that is reached already, for whichever version of it is installed: every function of it takes one for a
 * model. What it holds is the SDK's own, so nothing but the SDK can read it.
 */
export interface ReachedModel {
  readonly specificationVersion: never
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: never
  readonly doGenerate: (options: unknown) => PromiseLike<never>
  readonly doStream: (options: unknown) => PromiseLike<never>
}

/**
 * The AI SDK's model of a name (`anthropic/claude-haiku-5-5`, `ollama/qwen3`, `haiku`; null: the default). Loads the
 * packages of its provider. Rejects with an Error that says what to set or to install.
 */
export async function resolveModel(name: string | null, options: ModelOptions = {}): Promise<ReachedModel> {
  return reachModel(findModelAddress(name, options))
}

/** The same for a model whose address is known. */
export function reachModel(address: ModelAddress): Promise<ReachedModel> {
  return PROVIDERS[address.provider].protocol === 'anthropic' ? reachAnthropic(address) : reachOpenAI(address)
}

async function reachAnthropic({ provider, baseURL, apiKey, model }: ModelAddress): Promise<ReachedModel> {
  const { createAnthropic } = await loadAnthropic(provider)
  const versioned = baseURL.endsWith('/v1') ? baseURL : `${baseURL}/v1`
  // Without a key of ours the SDK would take one from the environment of this process.
  return toReachedModel(createAnthropic({ baseURL: versioned, apiKey: apiKey ?? 'none' })(model))
}

async function reachOpenAI({ provider, baseURL, apiKey, model }: ModelAddress): Promise<ReachedModel> {
  const { createOpenAICompatible } = await loadOpenAI(provider)
  const isOpenAI = baseURL === PROVIDERS.openai.baseURL
  const models = createOpenAICompatible({
    name: provider,
    baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(apiKey === null ? {} : { apiKey }),
    ...(isOpenAI ? { transformRequestBody: renameTokenLimit } : {}),
  })
  return toReachedModel(models(model))
}

/** Takes its types from a model, since they are those of one version of the SDK. */
export function toReachedModel(model: object): ReachedModel {
  return model as ReachedModel // the SDK's packages give nothing else
}

/** OpenAI's newer models refuse the name that every other server knows. */
function renameTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens }
}
