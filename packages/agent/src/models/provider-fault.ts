import * as z from 'zod'

/** What a provider, or the way to it, said when it failed. */
export interface ProviderFault {
  /** One line that goes behind the model's name, without a key in it. */
  readonly message: string
  /** Whether the same request may succeed a little later. */
  readonly passing: boolean
  /** How long the provider asks to wait, in milliseconds; null: it does not say. */
  readonly waitMs: number | null
}

/** Errors of the AI SDK, of the connection, and what providers send in the middle of a stream. */
const Fault = z.object({
  message: z.string(),
  statusCode: z.number().optional(),
  isRetryable: z.boolean().default(false),
  responseHeaders: z.record(z.string(), z.string()).default({}),
})

/** Codes of a connection that was there and is not any more. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Reads what a request failed with; `keys` and whatever looks like one do not come through. */
export function providerFault(error: unknown, keys: readonly string[]): ProviderFault {
  const fault = Fault.safeParse(typeof error === 'string' ? { message: error } : error)
  if (!fault.success) return { message: ': it failed without a message.', passing: false, waitMs: null }
  const { isRetryable, responseHeaders } = fault.data
  const codes = codesOf(error)
  const broken = BROKEN.find((code) => codes.includes(code))
  return {
    message: withoutKeys(sentence(fault.data, broken), keys),
    passing: broken !== undefined || (isRetryable && !codes.includes('ECONNREFUSED')),
    waitMs: waitIn(responseHeaders),
  }
}

/** The system's codes of an error, of what caused it, and of what caused that. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const codes = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  return [...codes, ...codesOf(error.cause)]
}

function sentence({ message, statusCode = 0 }: z.infer<typeof Fault>, broken: string | undefined): string {
  if (statusCode >= 400) return ` answered ${statusCode}: ${message}`
  if (broken !== undefined) return ` broke off in the middle of its answer (${broken}).`
  return `: ${message}`
}

function withoutKeys(text: string, keys: readonly string[]): string {
  return keys
    .reduce((rest, key) => rest.replaceAll(key, '***'), text)
    .replaceAll(/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***')
    .replaceAll(/\b(?:sk|pk|key)-[\w*.-]{4,}/gi, '***')
    .replaceAll(/:\/\/[^\s/@]+@/g, '://***@')
    .replaceAll(/\s+/g, ' ')
    .trimEnd()
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitIn(headers: Readonly<Record<string, string>>): number | null {
  const exact = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (exact >= 0) return exact
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}
