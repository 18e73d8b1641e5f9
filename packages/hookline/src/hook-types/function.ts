import { measureMs } from '../process/process-run.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { HookTypeCode, ReturnedFacts } from '../protocol/hook-type.ts'

/** An in-process hook: answers with the same object a command would print, with text, or with nothing. */
export type FunctionHook = (input: EventInput, context: { signal: AbortSignal }) => unknown

/** A function of the host. */
interface FunctionHandler {
  readonly type: 'function'
  readonly call: FunctionHook
}

/** Hooks that the host registers and that it calls itself. What one throws stays in the run. */
export const inProcess: HookTypeCode<FunctionHandler> = {
  runsIn: 'host',
  needs: null,
  readEntry: ({ call }) => {
    if (typeof call !== 'function') return { field: 'call', because: 'a function hook needs a function' }
    return { type: 'function', call: call as FunctionHook } // the host's own, which its types hold to this
  },
  shown: ({ call }) => ({ name: call.name, text: call.name || 'function' }),
  identity: () => null,
  run: async ({ call }, { payload }, limits): Promise<ReturnedFacts> => {
    const context = {
      get signal(): AbortSignal {
        return limits.signal // made for those who look at it
      },
    }
    const value = await call(payload.copy, context)
    return { ended: 'returned', value, durationMs: measureMs(limits.started) }
  },
  meaning: ({ value }) => ({ is: 'answered', value }),
}
