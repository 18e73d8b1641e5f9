/** Limits of time: of each hook, of those that share theirs, and the end of work that has used it up. */
import type { ConfiguredHook } from '../config/hook.ts'
import { isComponentScope } from '../config/scopes.ts'
import { setAlarm } from '../process/alarm.ts'
import { makeAbortedRun } from '../process/process.ts'
import { EMPTY_STREAM, measureMs } from '../process/process-run.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { TurnLimits } from '../protocol/hook-type.ts'
import type { Run, RunRequest } from './run.ts'

/** Wishes of the host about time. */
interface HostLimits {
  /** Seconds of hooks that name none; null: no limit, undefined: as the protocol has it. */
  readonly defaultTimeout: number | null | undefined
  /** Time at which every hook that is waited for has ended, by the clock of `performance`; null: each has its own timeout alone. */
  readonly until: number | null
}

/** Seconds for a type of hooks that no profile says anything about. */
const USUAL_SECONDS = 60

/** The milliseconds that a hook has by what it and its duplicates say, of which the longest counts; null: no limit. */
export function findTimeoutMs(
  hook: ConfiguredHook,
  timeouts: readonly (number | null)[],
  { row, type, options }: { row: EventRow; type: { name: string; seconds?: number | undefined }; options: HostLimits },
): number | null {
  // Nothing waits for what is in the background: some protocols let it take its time, but for what wakes the model.
  if (!hook.waits && hook.rewake === null && row.rules.background.timeout === 'ignored') return null
  const byProtocol = row.seconds[type.name] ?? row.rules.seconds[type.name] ?? type.seconds ?? USUAL_SECONDS
  const fallback = options.defaultTimeout === undefined ? byProtocol : options.defaultTimeout
  let longest = 0
  for (const timeout of timeouts) longest = Math.max(longest, timeout ?? fallback ?? NEVER)
  return longest === NEVER ? null : longest * 1000
}

const NEVER = Number.POSITIVE_INFINITY

/** Milliseconds that are left of a time which hooks share; it begins with the first of them that starts. */
export type SharedTime = () => number

/** The time that the hooks of an event share; null: each has its own. Plugins and components get no more by asking for it. */
export function shareTime(
  hooks: readonly ConfiguredHook[],
  { row: { secondsTogether }, options: { defaultTimeout } }: { row: EventRow; options: HostLimits },
): SharedTime | null {
  if (secondsTogether === null || defaultTimeout === null) return null
  const ofUser = hooks.filter(({ scope }) => scope !== 'plugin' && !isComponentScope(scope))
  const asked = ofUser.map(({ timeout }) => timeout ?? 0)
  return countDown(Math.max(defaultTimeout ?? secondsTogether, ...asked) * 1000)
}

/** Counts down from its first call, so that hooks which wait for room lose no time. */
function countDown(milliseconds: number): SharedTime {
  let until: number | undefined
  return () => {
    until ??= performance.now() + milliseconds
    return until - performance.now()
  }
}

/**
 * The milliseconds that a hook has when it starts now: its own, and no more than is left of what it shares with others, if the
 * event waits for it. Zero: earlier ones have used it up.
 */
export function limitTime(
  own: number | null,
  { waits }: ConfiguredHook,
  { shared, options: { until } }: { shared: SharedTime | null; options: HostLimits },
): number | null {
  if (!waits || (shared === null && until === null)) return own
  const left = Math.min(shared?.() ?? NEVER, until === null ? NEVER : until - performance.now())
  return Math.max(0, Math.min(own ?? NEVER, left))
}

/** The run of a hook that is not started: there is no time left for it. */
export const OUT_OF_TIME: Run = {
  ended: 'timed-out',
  durationMs: 0,
  stdout: EMPTY_STREAM,
  stderr: EMPTY_STREAM,
  leftChild: false,
}

/** Milliseconds that a hook which sent itself to the background may take, unless it says so. */
const DEFAULT_ASYNC_TIMEOUT_MS = 15_000

/** The milliseconds that an object `{"async": true, …}` asks for; null for any other text. */
export function readAsyncTimeoutMs(text: string): number | null {
  if (!text.includes('"async"')) return null
  try {
    const { async, asyncTimeout } = JSON.parse(text)
    if (async !== true) return null
    return typeof asyncTimeout === 'number' && asyncTimeout > 0 ? asyncTimeout : DEFAULT_ASYNC_TIMEOUT_MS
  } catch {
    return null // no JSON
  }
}

type ForcedEnd = 'timed-out' | 'aborted'

/** A deadline that comes this late means that the host was blocked; the work then gets a moment to be done. */
const LATE_MS = 50
const GRACE_MS = 200

/** Limits of work under a deadline. */
export class Limits implements TurnLimits {
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
export function runUnderDeadline(
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
      finish({ ended, durationMs, stdout: EMPTY_STREAM, stderr: EMPTY_STREAM, leftChild: false })
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
