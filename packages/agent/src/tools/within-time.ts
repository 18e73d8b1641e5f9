import { ToolError } from './tool.ts'

/** Makes a request that is given up after a time or when the signal aborts; whatever goes wrong is a ToolError. */
export async function runWithinTime<Result>(
  what: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  request: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    return await request(AbortSignal.any([signal, limit]))
  } catch (error) {
    if (error instanceof ToolError) throw error
    if (signal.aborted) throw new ToolError('The request was interrupted.')
    if (limit.aborted) throw new ToolError(`${what} did not answer within ${timeoutMs / 1000} s.`)
    throw new ToolError(`${what} cannot be reached: ${describeFetchFailure(error)}`)
  }
}

/** `fetch` itself says only that it failed. */
function describeFetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
