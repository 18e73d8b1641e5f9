/** What an error of the AI SDK tells, as far as it does. */
export interface ProviderError {
  readonly message: string
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The system's codes of what caused it: `ECONNRESET`, `UND_ERR_SOCKET`. */
  readonly codes: readonly string[]
}

/** Reads an error without loading the package that made it. */
export function providerErrorOf(error: unknown): ProviderError {
  const { statusCode, responseHeaders, responseBody }: Readonly<Record<string, unknown>> = Object(error)
  return {
    message: error instanceof Error ? error.message : String(error),
    status: typeof statusCode === 'number' ? statusCode : null,
    headers: Object.fromEntries(Object.entries(Object(responseHeaders)).map(([name, value]) => [name, String(value)])),
    body: typeof responseBody === 'string' ? responseBody : null,
    codes: causesOf(error).flatMap((cause) => ('code' in cause && typeof cause.code === 'string' ? [cause.code] : [])),
  }
}

/** An error, what caused it, what caused that; errors that stand for several lead to the first. */
function causesOf(error: unknown): Error[] {
  const found: Error[] = []
  let next = error
  while (next instanceof Error && !found.includes(next)) {
    found.push(next)
    next = next instanceof AggregateError ? next.errors[0] : next.cause
  }
  return found
}
