import { millisecondsSince } from '../process/process-run.ts'
import type { Handler, HookType, Meaning } from '../protocol/hook-type.ts'
import { Limits, underDeadline } from './deadline.ts'
import type { BackgroundRun, JudgeRequest, Run } from './run.ts'

/** A hook type as hooks of it are run. */
export type RunnableType = HookType<JudgeRequest, Run | BackgroundRun>

/** Runs a hook of any type. Never rejects. */
export function execute(type: RunnableType, handler: Handler, request: JudgeRequest): Promise<Run | BackgroundRun> {
  if (type.endsItself) return type.run(handler, request, new Limits(request.timeoutMs))
  return underDeadline(request, async (limits) => {
    try {
      return (await type.run(handler, request, limits)) as Run // only what ends itself goes to the background
    } catch (error) {
      return { ended: 'threw', message: thrownMessage(error), durationMs: millisecondsSince(limits.started) }
    }
  })
}

/** What the facts of a run amount to: the endings that any hook may come to, and those of its type. */
export function meaningOf(type: RunnableType, run: Run): Meaning {
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

/** What was thrown, in words; anything can be thrown. */
export function thrownMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'something that has no words'
  }
}
