import type { Handler } from '../config/hook.ts'
import type { RunRequest } from './request.ts'
import { millisecondsSince, NOTHING, type Run } from './run.ts'

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Runs an in-process hook under its deadline. What it throws stays in the run; one that never settles is left behind. */
export async function runFunction({ call }: Extract<Handler, { type: 'function' }>, request: RunRequest): Promise<Run> {
  const { input, signal, timeoutMs } = request
  const started = performance.now()
  const ending = new AbortController()
  const ended = new Promise<Run>((resolve) => {
    ending.signal.addEventListener('abort', () => {
      const durationMs = millisecondsSince(started)
      resolve({ ended: ending.signal.reason, durationMs, stdout: NOTHING, stderr: NOTHING, leftChild: false })
    })
  })
  const abort = (): void => ending.abort('aborted')
  const deadline =
    timeoutMs === null ? undefined : setTimeout(() => ending.abort('timed-out'), Math.min(timeoutMs, LONGEST_TIMER_MS))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([ended, settled(call, input, ending.signal, started)])
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', abort)
  }
}

async function settled(
  call: Extract<Handler, { type: 'function' }>['call'],
  input: RunRequest['input'],
  signal: AbortSignal,
  started: number,
): Promise<Run> {
  try {
    const value = await call(input, { signal })
    return { ended: 'returned', value, durationMs: millisecondsSince(started) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ended: 'threw', message, durationMs: millisecondsSince(started) }
  }
}
