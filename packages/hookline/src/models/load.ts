import { PROVIDERS, type ProviderName } from './providers.ts'

/** Lists the packages that reach a provider and are not installed. Loads nothing. */
export function listMissingPackages(provider: ProviderName): string[] {
  return listNeededPackages(provider).filter((name) => !isInstalled(name))
}

/** Loads the AI SDK. Bundlers expect a package to be there unless its import stands in a `try`. */
export async function loadSdk(provider: ProviderName): Promise<typeof import('ai')> {
  try {
    return await import('ai')
  } catch (error) {
    throw loadFailure(error, provider)
  }
}

/** Loads what speaks the protocol of Anthropic. */
export async function loadAnthropic(provider: ProviderName): Promise<typeof import('@ai-sdk/anthropic')> {
  try {
    return await import('@ai-sdk/anthropic')
  } catch (error) {
    throw loadFailure(error, provider)
  }
}

/** Loads what speaks the protocol of OpenAI. */
export async function loadOpenAI(provider: ProviderName): Promise<typeof import('@ai-sdk/openai-compatible')> {
  try {
    return await import('@ai-sdk/openai-compatible')
  } catch (error) {
    throw loadFailure(error, provider)
  }
}

function loadFailure(error: unknown, provider: ProviderName): unknown {
  if (!isMissing(error)) return error
  const needed = listNeededPackages(provider).join(' ')
  return new Error(`Hooks that a model decides need packages that are not installed: npm i ${needed}`)
}

/** Explains what to do about a provider's package that is newer than the SDK can speak to. */
export function describeUnfitPackage(provider: ProviderName): string {
  return `The packages of the AI SDK do not fit each other (${listNeededPackages(provider).join(', ')}): npm i ${nameLatest(provider)}`
}

/** Explains what to do about an SDK from before what is asked of it here. npm lets any version stand beside this package. */
export function describeOldSdk(provider: ProviderName): string {
  return `Hooks that a model decides need the AI SDK from version 6 on, and an older one is installed: npm i ${nameLatest(provider)}`
}

function nameLatest(provider: ProviderName): string {
  return listNeededPackages(provider)
    .map((name) => `${name}@latest`)
    .join(' ')
}

/** The packages that reach a provider. They are there only if the host installed them. */
function listNeededPackages(provider: ProviderName): string[] {
  return ['ai', PROVIDERS[provider].protocol === 'anthropic' ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible']
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false // ERR_MODULE_NOT_FOUND
  }
}

function isMissing(error: unknown): boolean {
  const code = Object(error).code
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' // the second in a bundle
}
