import type { DispatchRecord } from '../protocol/record/record.ts'
import { acceptEvent } from './accept-event.ts'
import { decideEvent } from './decide-event.ts'
import type { Following, Session } from './pipe.ts'
import { planHooks } from './plan-hooks.ts'
import { recordEvent } from './record.ts'
import { runHooks } from './run-hooks.ts'

/** A way to take an event to its record. */
export type Dispatch = typeof dispatch

/**
 * Takes an event through the pipe. Rejects only when the input is not an event. What few events need is a stage that hangs on one
 * of these steps (`stages.ts`).
 */
export async function dispatch(session: Session, given: unknown, following: Following): Promise<DispatchRecord> {
  const event = acceptEvent(session, given, following)
  const plan = planHooks(session, event)
  const runs = await runHooks(session, event, plan)
  const decision = decideEvent(session, event, runs)
  return recordEvent(session, event, { plan, runs, decision })
}
