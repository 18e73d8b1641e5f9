import { measureMs } from '../process/process-run.ts'
import type { Handler, HookType, TurnLimits } from '../protocol/hook-type.ts'
import { runUnderDeadline } from './deadline.ts'
import type { BackgroundRun, JudgeRequest, Run } from './run.ts'

/** A hook type as hooks of it are run. */
export type RunnableType = HookType<JudgeRequest, Run | BackgroundRun>

/** Limits of a type that ends itself, which looks at those of the request. */
const OWN_LIMITS: TurnLimits = {
  started: 0,
  deadline: null,
  get signal() {
    return new AbortController().signal
  },
}

/** Runs a hook of any type. Never rejects. */
export function execute(type: RunnableType, handler: Handler, request: JudgeRequest): Promise<Run | BackgroundRun> {
  if (type.endsItself) return type.run(handler, request, OWN_LIMITS)
  return runUnderDeadline(request, async (limits) => {
    try {
      return (await type.run(handler, request, limits)) as Run // only what ends itself goes to the background
    } catch (error) {
      return { ended: 'threw', message: toThrownMessage(error), durationMs: measureMs(limits.started) }
    }
  })
}

/** Puts what was thrown into words; anything can be thrown. */
export function toThrownMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'something that has no words'
  }
}
