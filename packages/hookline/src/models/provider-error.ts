/** Facts that an error of the AI SDK, of the connection, or of a stream tells, as far as it does. */
export interface ProviderError {
  /** Null: it has none. */
  readonly message: string | null
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** True if the AI SDK would ask again. */
  readonly isRetryable: boolean
  /** The system's codes of what caused it: `ECONNRESET`, `UND_ERR_SOCKET`. */
  readonly codes: readonly string[]
  /** Milliseconds that the provider asks to wait; null: it does not say. */
  readonly waitMs: number | null
  /** The code of a connection that was there and is not any more; null: there was none, or it held. */
  readonly broken: string | null
}

/** Reads an error without loading the package that made it. */
export function readProviderError(error: unknown): ProviderError {
  const fields: Readonly<Record<string, unknown>> = Object(error)
  const { message, statusCode, responseHeaders, responseBody, isRetryable } = fields
  const own = typeof message === 'string' ? message : null
  const headers = Object.fromEntries(
    Object.entries(Object(responseHeaders)).map(([name, value]) => [name, String(value)]),
  )
  const codes = listCauses(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? [cause.code] : [],
  )
  return {
    message: typeof error === 'string' ? error : own,
    status: typeof statusCode === 'number' ? statusCode : null,
    headers,
    body: typeof responseBody === 'string' ? responseBody : null,
    isRetryable: isRetryable === true,
    codes,
    waitMs: readRequestedWait(headers),
    broken: codes.find((code) => BROKEN.includes(code)) ?? null,
  }
}

const BROKEN: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** An error, what caused it, what caused that; errors that stand for several lead to the first. */
function listCauses(error: unknown): Error[] {
  const found: Error[] = []
  let next = error
  while (next instanceof Error && !found.includes(next)) {
    found.push(next)
    next = next instanceof AggregateError ? next.errors[0] : next.cause
  }
  return found
}

/** Reads how long the provider asks to wait, as milliseconds, seconds or a date. */
function readRequestedWait(headers: ProviderError['headers']): number | null {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (milliseconds >= 0) return milliseconds
  const after = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000
  const date = Date.parse(after)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

/** Length below which a key is a word like any other, as local servers take it: `x`, `none`. */
const MIN_KEY_CHARS = 6

/** A message in one line without keys: providers repeat them, and base URLs may hold a password. */
export function removeKeys(message: string, keys: readonly string[]): string {
  return keys
    .filter((key) => key.length >= MIN_KEY_CHARS)
    .reduce((rest, key) => rest.replaceAll(key, '***'), message.replace(/\s+/g, ' ').trim())
    .replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***')
    .replace(/(x-api-key|api[-_ ]?key)(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, '$1$2***')
    .replace(/\b(sk|pk|key)-[\w*.-]{4,}/gi, '***')
    .replace(/:\/\/[^\s/@]+@/g, '://***@')
}
