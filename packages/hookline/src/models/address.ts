import type { ModelOptions } from './options.ts'
import { PROVIDER_NAMES, PROVIDERS, type Provider, type ProviderName, SHORT_NAMES } from './providers.ts'

/** Address of one model. */
export interface ModelAddress {
  readonly provider: ProviderName
  /** As the provider calls it. */
  readonly model: string
  readonly baseURL: string
  /** Null: it is reached without one. */
  readonly apiKey: string | null
}

/** A model's full name, `provider/model`. */
export function formatModelName({ provider, model }: Pick<ModelAddress, 'provider' | 'model'>): string {
  return `${provider}/${model}`
}

/**
 * Finds a model by the name a hook gives it; null is the default model. Throws an Error that says what to set when
 * the name is not one, or its provider has neither a key nor an address of its own.
 */
export function findModelAddress(name: string | null, options: ModelOptions = {}): ModelAddress {
  const { provider, model } = name === null ? findDefaultName(options) : readName(name, options)
  const { baseURL, apiKey, isOurs } = readProviderPlace(provider, options)
  const { variables } = PROVIDERS[provider]
  if (apiKey === null && !isOurs && variables !== null) {
    const ways = `Set ${variables.apiKey}, or ${variables.baseURL} for a server that needs none`
    throw new Error(`There is no key for the model ${formatModelName({ provider, model })}. ${ways}.`)
  }
  return { provider, model, baseURL, apiKey }
}

/** Providers that are set up here by a key or an address of their own. */
function listConfiguredProviders(options: ModelOptions = {}): ProviderName[] {
  return PROVIDER_NAMES.filter((provider) => {
    const { apiKey, isOurs } = readProviderPlace(provider, options)
    return apiKey !== null || isOurs
  })
}

/** Finds the model that judges hooks which name none, as it was configured; null: it was not. */
function findConfiguredDefault({ model, env = process.env }: ModelOptions): string | null {
  return toPresent(model) ?? toPresent(env.HOOKLINE_MODEL)
}

type Name = Pick<ModelAddress, 'provider' | 'model'>

/** `provider/model`, a short name, or a bare one; only the first slash divides. */
function readName(name: string, options: ModelOptions): Name {
  const short = SHORT_NAMES.get(name)
  if (short !== undefined) return { provider: 'anthropic', model: short }
  const slash = name.indexOf('/')
  if (slash === -1) return { provider: findBareProvider(name, options), model: name }
  const provider = PROVIDER_NAMES.find((one) => one === name.slice(0, slash))
  if (provider === undefined)
    throw new Error(
      `The model ${name} has no known provider. Write one of ${PROVIDER_NAMES.join(', ')} before it: openai/${name}.`,
    )
  const model = name.slice(slash + 1)
  if (model === '') throw new Error(`The model ${name} has no name after its provider.`)
  return { provider, model: (provider === 'anthropic' ? SHORT_NAMES.get(model) : undefined) ?? model }
}

function findBareProvider(name: string, options: ModelOptions): ProviderName {
  if (name.startsWith('claude-')) return 'anthropic'
  const configured = findConfiguredDefault(options)
  return configured === null || configured === name ? 'openai' : readName(configured, options).provider
}

/** The message when no model is configured. */
const NO_MODEL =
  'No model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or HOOKLINE_MODEL to a name like ollama/qwen3.'

function findDefaultName(options: ModelOptions): Name {
  const configured = findConfiguredDefault(options)
  if (configured !== null) return readName(configured, options)
  for (const provider of listConfiguredProviders(options)) {
    // The address of a server says nothing of the models it has, unless it speaks for Anthropic.
    const { smallModel, protocol }: Provider = PROVIDERS[provider]
    if (smallModel !== null && (protocol === 'anthropic' || !readProviderPlace(provider, options).isOurs))
      return { provider, model: smallModel }
  }
  throw new Error(NO_MODEL)
}

function readProviderPlace(provider: ProviderName, { providers = {}, env = process.env }: ModelOptions) {
  const { variables, baseURL: usual }: Provider = PROVIDERS[provider]
  const { baseURL = variables === null ? undefined : env[variables.baseURL] } = providers[provider] ?? {}
  const { apiKey = variables === null ? undefined : env[variables.apiKey] } = providers[provider] ?? {}
  const own = toPresent(baseURL)?.replace(/\/+$/, '')
  return { baseURL: own ?? usual, apiKey: toPresent(apiKey), isOurs: own !== undefined && own !== usual }
}

/** Variables that are set to nothing count as not set. */
function toPresent(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim()
}

/** True if hooks that a model decides could be decided here, and by which model. Holds no key. */
export type ModelStanding =
  | {
      readonly ready: true
      readonly model: string
      readonly provider: ProviderName
      readonly baseURL: string
      readonly hasKey: boolean
    }
  /** No default, but hooks that name a model of these providers are decided. */
  | { readonly ready: 'named'; readonly providers: readonly ProviderName[]; readonly missing: string }
  | { readonly ready: false; readonly missing: string }

/** Looks at options and environment alone: loads nothing, and makes no request. */
export function checkModelStanding(options: ModelOptions = {}): ModelStanding {
  const providers = listConfiguredProviders(options)
  if (providers.length === 0 && findConfiguredDefault(options) === null) return { ready: false, missing: NO_MODEL }
  try {
    const address = findModelAddress(null, options)
    const { provider, baseURL, apiKey } = address
    const shown = baseURL.replace(/:\/\/[^\s/@]+@/, '://***@') // an address may hold a password
    return { ready: true, model: formatModelName(address), provider, baseURL: shown, hasKey: apiKey !== null }
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error)
    return providers.length > 0 ? { ready: 'named', providers, missing } : { ready: false, missing }
  }
}
