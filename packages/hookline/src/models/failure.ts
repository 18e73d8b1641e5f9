import { parseJsonOrNull } from '../text/json.ts'
import { formatModelName, type ModelAddress } from './address.ts'
import { type ProviderError, readProviderError, removeKeys } from './provider-error.ts'

const MAX_MESSAGE_CHARS = 400

/** Describes what went wrong with a model in one line: the provider's own message, the model's name, and no key. */
export function toModelFailure(error: unknown, address: ModelAddress): Error {
  const { apiKey } = address
  const safe = removeKeys(describeProviderError(readProviderError(error), address), apiKey === null ? [] : [apiKey])
  return new Error(safe.length > MAX_MESSAGE_CHARS ? `${safe.slice(0, MAX_MESSAGE_CHARS - 1)}…` : safe)
}

function describeProviderError(error: ProviderError, address: ModelAddress): string {
  const { status, codes, headers } = error
  const name = formatModelName(address)
  const message = error.message ?? 'no message'
  if (status !== null && status >= 400) return `${name} answered ${status}: ${readOwnMessage(error)}`
  if (status === null && codes.length > 0) return `${name} cannot be reached at ${address.baseURL}: ${message}`
  if (codes.length > 0) return `${name} broke off in the middle of its answer (${codes[0]}).`
  if (status !== null)
    return `${name} sent something that is not a valid answer of its protocol (${headers['content-type'] ?? 'no content type'}).`
  return `${name}: ${message}`
}

/** Reads the provider's own message: where a body is not of its usual shape, the SDK knows its status alone. */
function readOwnMessage({ message, body }: ProviderError): string {
  const { error, message: plain, detail }: Readonly<Record<string, unknown>> = Object(parseJsonOrNull(body ?? ''))
  const text = [error, plain, detail].find((one) => typeof one === 'string')
  return typeof text === 'string' ? text : message || 'no message'
}
