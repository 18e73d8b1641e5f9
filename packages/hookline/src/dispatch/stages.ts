import type { EventRow } from '../protocol/event-row.ts'
import { endOfSession } from './end-of-session.ts'
import { erasing } from './erasing.ts'
import { leftOutHooks } from './left-out-hooks.ts'
import { loggedPlan } from './logged-plan.ts'
import type { Following, Session, Stage } from './pipe.ts'
import { rewriting } from './rewriting.ts'
import { tracing } from './trace.ts'
import { untrustedNotice } from './untrusted-notice.ts'

/** The stages that an event of a row takes, with those that its host asks for; for most there are none. */
export function findStages(session: Session, row: EventRow, { except, only, trace }: Following): readonly Stage[] {
  const standing = session.stages.get(row) ?? chooseStages(session, row)
  const leavesOut = except !== undefined || only !== undefined
  if (!leavesOut && trace === undefined) return standing
  return [...(leavesOut ? [leftOutHooks] : []), ...new Set(trace === undefined ? standing : [...standing, tracing])]
}

/** The stages that hang on a session or a row, in the order in which events take them. */
function chooseStages(session: Session, row: EventRow): readonly Stage[] {
  const { options, log, ownStages, stages } = session
  const chosen = [...ownStages]
  if (log !== null) chosen.push(loggedPlan)
  if (options.trust === 'stored') chosen.push(untrustedNotice)
  if (options.trace !== null) chosen.push(tracing)
  if (row.rewrites !== null || row.replaces !== null) chosen.push(rewriting)
  if (row.erases !== null) chosen.push(erasing)
  if (row.endsSession) chosen.push(endOfSession)
  stages.set(row, chosen)
  return chosen
}
