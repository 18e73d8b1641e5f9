import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { type Plan, plan } from '../match/plan.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { makeClosed } from '../read/result.ts'
import { type EndedHook, type EventPlan, type FiredEvent, passStages, type Session } from './pipe.ts'
import { listConfigured, makeUnreadLine } from './record.ts'
import { findHookRow, findListeners } from './session.ts'

/** Settles which hooks run for an event, and of each of the others why not. */
export function planHooks(session: Session, event: FiredEvent): EventPlan {
  const listeners = findListeners(session, event.row, event.input)
  const configured = listConfigured(session, event.row, listeners)
  const { lines, runs, absent } = passStages('plan', session, event, plan(listeners, event.input))
  const closed = absent.length === 0 ? NONE : closeGuards(session, event.row, { lines, runs, absent })
  return { lines, runs, absent, configured, closed }
}

const NONE: readonly EndedHook[] = []

/**
 * Says once per hook why it can never run here. Guards among them that fail closed, as their scope says or since a choice of
 * profile cannot be used, block as if they had failed.
 */
function closeGuards(session: Session, event: EventRow, { absent, lines }: Plan): EndedHook[] {
  const { options, snapshot, told, notices } = session
  for (const { hook, because } of absent) {
    if (told.has(hook.id)) continue
    told.add(hook.id)
    notices.push(`${hook.id} does not run: ${because}.`)
  }
  const closing = absent.filter(
    ({ hook, isGuard }) => isGuard && (isFailClosed(hook, options) || isMisread(hook, snapshot)),
  )
  return closing.map(({ at, hook, because }) => {
    const failed = `it does not run here: ${because}`
    const line = lines[at] ?? makeUnreadLine(hook, 'unsupported', because)
    const closed = { ...line, failed, warnings: [...line.warnings] }
    const row = findHookRow(session, hook, event)
    return { at, hook, row, line: closed, result: makeClosed(failed, hook.id), envFile: null }
  })
}

/** True if a guard that cannot run blocks: its scope fails closed, or it is one of a policy that cannot be read. */
function isFailClosed({ scope, handler }: ConfiguredHook, { failClosed }: Session['options']): boolean {
  return failClosed.has(scope) || (isFault(handler) && handler.refuses === true)
}

/** True if another profile may have been chosen for a hook, in a setting that cannot be used. */
function isMisread({ trust }: ConfiguredHook, { configuration: { profiles } }: Session['snapshot']): boolean {
  return (trust === 'none' ? profiles.own : profiles.project).unusable !== null
}
