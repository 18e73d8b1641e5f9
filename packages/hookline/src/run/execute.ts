import { setAlarm } from '../process/alarm.ts'
import { makeAbortedRun } from '../process/process.ts'
import { measureMs, NOTHING } from '../process/process-run.ts'
import type { Handler, HookType, Meaning, TurnLimits } from '../protocol/hook-type.ts'
import type { BackgroundRun, JudgeRequest, Run, RunRequest } from './run.ts'

/** A hook type as hooks of it are run. */
export type RunnableType = HookType<JudgeRequest, Run | BackgroundRun>

/** Runs a hook of any type. Never rejects. */
export function execute(type: RunnableType, handler: Handler, request: JudgeRequest): Promise<Run | BackgroundRun> {
  if (type.endsItself) return type.run(handler, request, new Limits(request.timeoutMs))
  return runUnderDeadline(request, async (limits) => {
    try {
      return (await type.run(handler, request, limits)) as Run // only what ends itself goes to the background
    } catch (error) {
      return { ended: 'threw', message: toThrownMessage(error), durationMs: measureMs(limits.started) }
    }
  })
}

/** Reads the meaning of the facts of a run: the endings that any hook may come to, and those of its type. */
export function readMeaning(type: RunnableType, run: Run): Meaning {
  switch (run.ended) {
    case 'timed-out':
      return {
        is: 'cancelled',
        how: `timed out after ${(run.durationMs / 1000).toFixed(1)} s and was ended`,
        timedOut: true,
      }
    case 'aborted':
      return { is: 'aborted' }
    case 'threw':
      return { is: 'failed', how: `threw: ${run.message}`, words: run.message }
    default:
      return type.meaning(run)
  }
}

/** Puts what was thrown into words; anything can be thrown. */
export function toThrownMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'something that has no words'
  }
}

type ForcedEnd = 'timed-out' | 'aborted'

/** A deadline that comes this late means that the host was blocked; the work then gets a moment to be done. */
const LATE_MS = 50
const GRACE_MS = 200

/** Limits of work under a deadline. */
class Limits implements TurnLimits {
  /** `performance.now()` of the start. */
  readonly started = performance.now()
  /** `performance.now()` of the deadline; null: none. */
  readonly deadline: number | null
  #ending: ForcedEnd | undefined
  #controller: AbortController | undefined

  constructor(timeoutMs: number | null) {
    this.deadline = timeoutMs === null ? null : this.started + timeoutMs
  }

  /** Aborts at the deadline, or when the host gives up. Made for those who look at it: it costs more than most hooks. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#ending !== undefined) this.#controller.abort(this.#ending)
    return this.#controller.signal
  }

  /** Tells the work that time is up. */
  end(ending: ForcedEnd): void {
    this.#ending = ending
    this.#controller?.abort(ending)
  }
}

/**
 * Waits for work inside this process until it is done, its time is up, or the host gives up. Work that does not care
 * about its signal is left behind. It must not reject.
 */
function runUnderDeadline(
  { stop, timeoutMs }: Pick<RunRequest, 'stop' | 'timeoutMs'>,
  work: (limits: Limits) => Promise<Run>,
): Promise<Run> {
  if (stop.isStopped) return Promise.resolve(makeAbortedRun())
  const limits = new Limits(timeoutMs)
  return new Promise((resolve) => {
    const finish = (run: Run): void => {
      callOff()
      stopListening()
      resolve(run)
    }
    const end = (ended: ForcedEnd): void => {
      limits.end(ended)
      const durationMs = measureMs(limits.started)
      finish({ ended, durationMs, stdout: NOTHING, stderr: NOTHING, leftChild: false })
    }
    const expire = (): void => {
      const late = limits.deadline !== null && performance.now() - limits.deadline > LATE_MS
      callOff = setAlarm(late ? GRACE_MS : 0, () => end('timed-out'))
    }
    let callOff = timeoutMs === null ? () => {} : setAlarm(timeoutMs, expire)
    const stopListening = stop.listen(() => end('aborted'))
    void work(limits).then(finish)
  })
}
