import type { EventRow } from '../protocol/event-row.ts'
import { endOfSession } from './end-of-session.ts'
import { erasing } from './erasing.ts'
import { leftOutHooks } from './left-out-hooks.ts'
import { loggedPlan } from './logged-plan.ts'
import type { Following, Session, Stage, StandingStage } from './pipe.ts'
import { rewriting } from './rewriting.ts'
import { tracing } from './trace.ts'
import { untrustedNotice } from './untrusted-notice.ts'

/** Stages that hang on a session or a row, in the order in which events take them. */
const STANDING: readonly StandingStage[] = [loggedPlan, untrustedNotice, tracing, rewriting, erasing, endOfSession]

/** The stages that an event of a row takes, with those that its host asks for; for most there are none. */
export function findStages(session: Session, row: EventRow, { except, only, trace }: Following): readonly Stage[] {
  const standing = session.stages.get(row) ?? chooseStages(session, row)
  const leavesOut = except !== undefined || only !== undefined
  if (!leavesOut && trace === undefined) return standing
  return [...(leavesOut ? [leftOutHooks] : []), ...new Set(trace === undefined ? standing : [...standing, tracing])]
}

function chooseStages(session: Session, row: EventRow): readonly Stage[] {
  const chosen = [...session.ownStages, ...STANDING.filter(({ isFor }) => isFor(session, row))]
  session.stages.set(row, chosen)
  return chosen
}
