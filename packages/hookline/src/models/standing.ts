import { addressOf, configuredDefault, configuredProviders, fullName, NO_MODEL } from './address.ts'
import type { ModelOptions } from './options.ts'
import type { ProviderName } from './providers.ts'

/** Whether hooks that a model decides could be decided here, and by which model. Holds no key. */
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
export function modelStanding(options: ModelOptions = {}): ModelStanding {
  const providers = configuredProviders(options)
  if (providers.length === 0 && configuredDefault(options) === null) return { ready: false, missing: NO_MODEL }
  try {
    const address = addressOf(null, options)
    const { provider, baseURL, apiKey } = address
    const shown = baseURL.replace(/:\/\/[^\s/@]+@/, '://***@') // an address may hold a password
    return { ready: true, model: fullName(address), provider, baseURL: shown, hasKey: apiKey !== null }
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error)
    return providers.length > 0 ? { ready: 'named', providers, missing } : { ready: false, missing }
  }
}
