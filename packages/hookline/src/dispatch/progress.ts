import type { DispatchRecord, HookLine } from '../protocol/record/record.ts'
import { linkStopSignals, StopSignal } from '../run/stop-signal.ts'

/** Step of an event on its way; the last one is the record. */
export type Progress =
  | { readonly type: 'hook_started'; readonly hook: string }
  | { readonly type: 'hook_progress'; readonly hook: string; readonly statusMessage: string }
  | { readonly type: 'hook_result'; readonly hook: string; readonly line: HookLine }
  | { readonly type: 'decision'; readonly record: DispatchRecord }

/** Tells the host of progress. */
export type Emit = (progress: Progress) => void

/** Turns work that tells its progress into something to iterate over. Leaving the iteration early aborts the work. */
export async function* streamProgress(
  work: (emit: Emit, stop: StopSignal) => Promise<DispatchRecord>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Progress, void, undefined> {
  const told: Progress[] = []
  let wake: () => void = () => {}
  const left = new StopSignal()
  const { stop, unlink } = linkStopSignals(signal, left)
  const emit = (progress: Progress): void => {
    told.push(progress)
    wake()
  }
  let failure: { error: unknown } | undefined
  const done = work(emit, stop).then(
    (record) => emit({ type: 'decision', record }),
    (error: unknown) => {
      failure = { error }
      wake()
    },
  )
  try {
    for (;;) {
      const next = told.shift()
      if (next) yield next
      if (next?.type === 'decision') return
      if (failure && told.length === 0) throw failure.error
      if (told.length === 0 && !failure) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    left.stop()
    await done
    unlink?.()
  }
}
