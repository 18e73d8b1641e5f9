import { providerErrorOf, withoutKeys } from 'hookline/internal'

/** What a provider, or the way to it, said when it failed. */
export interface ProviderFault {
  /** One line that goes behind the model's name, without a key in it. */
  readonly message: string
  /** Whether the same request may succeed a little later. */
  readonly passing: boolean
  /** How long the provider asks to wait, in milliseconds; null: it does not say. */
  readonly waitMs: number | null
}

/** Reads what a request failed with; `keys` and whatever looks like one do not come through. */
export function providerFault(error: unknown, keys: readonly string[]): ProviderFault {
  const { message, status, broken, codes, isRetryable, waitMs } = providerErrorOf(error)
  if (message === null) return { message: ': it failed without a message.', passing: false, waitMs: null }
  const said = withoutKeys(message, keys)
  const passing = broken !== null || (isRetryable && !codes.includes('ECONNREFUSED'))
  if (status !== null && status >= 400) return { message: ` answered ${status}: ${said}`, passing, waitMs }
  if (broken !== null) return { message: ` broke off in the middle of its answer (${broken}).`, passing, waitMs }
  return { message: `: ${said}`, passing, waitMs }
}
