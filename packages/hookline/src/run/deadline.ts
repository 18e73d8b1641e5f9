import { abortedRun } from './process.ts'
import type { RunRequest } from './request.ts'
import { millisecondsSince, NOTHING, type Run } from './run.ts'

/** What work under a deadline goes by. */
export interface Limits {
  /** Aborts at the deadline, or when the host gives up. */
  readonly signal: AbortSignal
  /** `performance.now()` of the start. */
  readonly started: number
  /** `performance.now()` of the deadline; null: none. */
  readonly deadline: number | null
}

const LONGEST_TIMER_MS = 2 ** 31 - 1
/** A deadline that comes this late means that the host was blocked; the work then gets a moment to be done. */
const LATE_MS = 50
const GRACE_MS = 200

/**
 * Waits for work inside this process until it is done, its time is up, or the host gives up. Work that does not care
 * about its signal is left behind. It must not reject.
 */
export async function underDeadline(
  { signal, timeoutMs }: Pick<RunRequest, 'signal' | 'timeoutMs'>,
  work: (limits: Limits) => Promise<Run>,
): Promise<Run> {
  if (signal.aborted) return abortedRun()
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
    timer = setTimeout(() => ending.abort('timed-out'), late ? GRACE_MS : 0)
  }
  let timer = timeoutMs === null ? undefined : setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMER_MS))
  signal.addEventListener('abort', abort, { once: true })
  const deadline = timeoutMs === null ? null : started + timeoutMs
  try {
    return await Promise.race([ended, work({ signal: ending.signal, started, deadline })])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
