import type { FunctionHook, Handler } from '../config/hook.ts'
import type { RunRequest } from './request.ts'
import { millisecondsSince, NOTHING, type Run } from './run.ts'

const LONGEST_TIMER_MS = 2 ** 31 - 1
/** A deadline that comes this late means that the host was blocked; the hook then gets a moment to be done. */
const LATE_MS = 50
const GRACE_MS = 200

/** Runs an in-process hook under its deadline. What it throws stays in the run; one that never settles is left behind. */
export async function runFunction({ call }: Extract<Handler, { type: 'function' }>, request: RunRequest): Promise<Run> {
  const { signal, timeoutMs } = request
  const started = performance.now()
  const ending = new AbortController()
  const ended = new Promise<Run>((resolve) => {
    ending.signal.addEventListener('abort', () => {
      const durationMs = millisecondsSince(started)
      resolve({ ended: ending.signal.reason, durationMs, stdout: NOTHING, stderr: NOTHING, leftChild: false })
    })
  })
  const abort = (): void => ending.abort('aborted')
  const expire = (): void => {
    const late = timeoutMs !== null && performance.now() - started - timeoutMs > LATE_MS
    setTimeout(() => ending.abort('timed-out'), late ? GRACE_MS : 0)
  }
  const deadline = timeoutMs === null ? undefined : setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMER_MS))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([ended, settled(call, request, ending.signal, started)])
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', abort)
  }
}

async function settled(
  call: FunctionHook,
  { payload }: RunRequest,
  signal: AbortSignal,
  started: number,
): Promise<Run> {
  try {
    const value = await call(payload.copy, { signal })
    return { ended: 'returned', value, durationMs: millisecondsSince(started) }
  } catch (error) {
    return { ended: 'threw', message: messageOf(error), durationMs: millisecondsSince(started) }
  }
}

/** What was thrown, in words; anything can be thrown. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'something that has no words'
  }
}
