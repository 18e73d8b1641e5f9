/** Facts about a provider before it is asked. */
export interface Provider {
  readonly protocol: 'anthropic' | 'openai'
  readonly baseURL: string
  /** The variables that move it and hold its key; null: it has none. */
  readonly variables: { readonly baseURL: string; readonly apiKey: string } | null
  /** Small fast model; null: it depends on the server. */
  readonly smallModel: string | null
}

/** The names that may stand before the slash of `provider/model`. Base URLs are written as their variables are. */
export const PROVIDERS = {
  anthropic: {
    protocol: 'anthropic',
    baseURL: 'https://api.anthropic.com',
    variables: { baseURL: 'ANTHROPIC_BASE_URL', apiKey: 'ANTHROPIC_API_KEY' },
    smallModel: 'claude-haiku-5-5',
  },
  openai: {
    protocol: 'openai',
    baseURL: 'https://api.openai.com/v1',
    variables: { baseURL: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY' },
    smallModel: 'gpt-4.1-mini',
  },
  ollama: { protocol: 'openai', baseURL: 'http://127.0.0.1:11434/v1', variables: null, smallModel: null },
  vllm: { protocol: 'openai', baseURL: 'http://127.0.0.1:8000/v1', variables: null, smallModel: null },
  lmstudio: { protocol: 'openai', baseURL: 'http://127.0.0.1:1234/v1', variables: null, smallModel: null },
} as const satisfies Readonly<Record<string, Provider>>

/** A name of the table. */
export type ProviderName = keyof typeof PROVIDERS

/** Names of the providers, in the order of the table. */
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[] // keys of an object literal are its own

/** The short names of models, which hooks written for Claude Code use. */
export const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['haiku', 'claude-haiku-5-5'],
  ['sonnet', 'claude-sonnet-5-5'],
  ['opus', 'claude-opus-5-5'],
])
