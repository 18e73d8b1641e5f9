import type { ProviderName } from './providers.ts'

/** Address of a provider, and the key for it. */
export interface ProviderOptions {
  /** Written as the provider's own variable is: Anthropic's without `/v1`, the others' with it. */
  readonly baseURL?: string | undefined
  readonly apiKey?: string | undefined
}

/** Options for finding models. What is not said here comes from the environment. */
export interface ModelOptions {
  /** For hooks that name none; default: `HOOKLINE_MODEL`, else a small fast model of the provider that has a key. */
  readonly model?: string | undefined
  readonly providers?: Readonly<Partial<Record<ProviderName, ProviderOptions>>> | undefined
  /** Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
