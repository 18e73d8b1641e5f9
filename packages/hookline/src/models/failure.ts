import { fullName, type ModelAddress } from './address.ts'
import { type ProviderError, providerErrorOf } from './provider-error.ts'

const LONGEST_MESSAGE = 400
/** What local servers take for a key is a word like any other: `x`, `none`. */
const SHORTEST_SECRET = 6

/** What went wrong with a model in one line: the provider's own message, the model's name, and no key. */
export function failureOf(error: unknown, address: ModelAddress): Error {
  const line = sentence(providerErrorOf(error), address).replace(/\s+/g, ' ').trim()
  const safe = withoutSecrets(line, address)
  return new Error(safe.length > LONGEST_MESSAGE ? `${safe.slice(0, LONGEST_MESSAGE - 1)}…` : safe)
}

function sentence(error: ProviderError, address: ModelAddress): string {
  const { status, codes, headers } = error
  const name = fullName(address)
  if (status !== null && status >= 400) return `${name} answered ${status}: ${ownMessage(error)}`
  if (status === null && codes.length > 0) return `${name} cannot be reached at ${address.baseURL}: ${error.message}`
  if (codes.length > 0) return `${name} broke off in the middle of its answer (${codes[0]}).`
  if (status !== null)
    return `${name} sent something that is no answer of its protocol (${headers['content-type'] ?? 'no content type'}).`
  return `${name}: ${error.message}`
}

/** Where a body is not of the provider's usual shape, the SDK knows its status alone. */
function ownMessage({ message, body }: ProviderError): string {
  const { error, message: plain, detail }: Readonly<Record<string, unknown>> = Object(parsed(body ?? ''))
  const text = [error, plain, detail].find((one) => typeof one === 'string')
  return typeof text === 'string' ? text : message || 'no message'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a page for people
  }
}

/** Providers repeat keys in their messages, and base URLs may hold a password. */
function withoutSecrets(text: string, { apiKey }: ModelAddress): string {
  const known = apiKey === null || apiKey.length < SHORTEST_SECRET ? text : text.split(apiKey).join('***')
  return known
    .replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***')
    .replace(/(x-api-key|api[-_ ]?key)(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, '$1$2***')
    .replace(/\b(sk|pk|key)-[\w*.-]{4,}/gi, '***')
    .replace(/:\/\/[^\s/@]+@/g, '://***@')
}
