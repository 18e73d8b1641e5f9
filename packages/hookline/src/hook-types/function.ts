import type { Handler } from '../config/hook.ts'
import { millisecondsSince } from '../process/process-run.ts'
import { underDeadline } from '../run/deadline.ts'
import type { RunRequest } from '../run/request.ts'
import type { Run } from '../run/run.ts'
import { thrownMessage } from '../run/thrown.ts'

/** Runs an in-process hook under its deadline. What it throws stays in the run; one that never settles is left behind. */
export function runFunction({ call }: Extract<Handler, { type: 'function' }>, request: RunRequest): Promise<Run> {
  return underDeadline(request, async (limits) => {
    const { started } = limits
    const context = {
      get signal(): AbortSignal {
        return limits.signal
      },
    }
    try {
      const value = await call(request.payload.copy, context)
      return { ended: 'returned', value, durationMs: millisecondsSince(started) }
    } catch (error) {
      return { ended: 'threw', message: thrownMessage(error), durationMs: millisecondsSince(started) }
    }
  })
}
