import { decide, type HookResult } from '../decide/decision.ts'
import type { Decision } from '../protocol/record/record.ts'
import { type EndedHook, type FiredEvent, passStages, type Session } from './pipe.ts'

/** Merges what hooks said, in configuration order, into what the host acts on. */
export function decideEvent(session: Session, event: FiredEvent, runs: readonly EndedHook[]): Decision {
  return passStages('decision', session, event, decide(event.row, listResults(runs)))
}

/** The results of hooks that said something, or could have. */
export function listResults(runs: readonly EndedHook[]): HookResult[] {
  const results: HookResult[] = []
  for (const { hook, row, result } of runs) if (result) results.push({ hook: hook.id, row, result })
  return results
}
