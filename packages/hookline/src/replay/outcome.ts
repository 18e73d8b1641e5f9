import { isDeepStrictEqual } from 'node:util'
import type { DispatchRecord } from '../protocol/record.ts'
import type { Before } from './recorded-event.ts'
import type { Staged } from './stage.ts'

/** What hooks make of an event today. */
export interface Outcome {
  readonly is: 'passed' | 'asked' | 'refused'
  readonly reason: string | null
  /** Ids of the hooks that said so. */
  readonly by: readonly string[]
  /** Ids of the hooks that ran. */
  readonly ran: readonly string[]
  readonly updatedInput: unknown
  readonly context: readonly string[]
}

/**
 * How two outcomes differ: today is stricter, or milder, or decides the same and says something else. null: they do not, or the
 * hooks have no part in it.
 */
export type Difference = 'stricter' | 'milder' | 'other' | null

/** A record in the words of a replay; null when the event is none here. */
export function outcomeOf(staged: Staged): Outcome | null {
  if (staged.staged === 'unfit') return null
  const { decision, hooks } = staged.record
  const is = verdictOf(decision)
  return {
    is,
    reason: decision.reason ?? (decision.halt ? decision.stopReason : null),
    by: is === 'passed' ? [] : speakers(staged.record, is),
    ran: hooks.filter(({ outcome }) => outcome !== undefined).map(({ id }) => id),
    updatedInput: decision.updatedInput,
    context: decision.context,
  }
}

function verdictOf({ blocked, halt, permission }: DispatchRecord['decision']): Outcome['is'] {
  if (blocked || halt) return 'refused'
  return permission === 'ask' || permission === 'defer' ? 'asked' : 'passed'
}

/** The hooks that refused; or that asked, or put the call off. */
function speakers({ hooks }: DispatchRecord, is: 'asked' | 'refused'): string[] {
  const spoke = hooks.filter(({ outcome, answer }) => {
    if (is === 'refused') return outcome === 'blocking' || answer?.continue === false
    const specific = answer?.hookSpecificOutput
    const asks = typeof specific === 'object' && specific !== null && 'permissionDecision' in specific
    return answer?.decision === 'ask' || (asks && ['ask', 'defer'].includes(String(specific.permissionDecision)))
  })
  return spoke.map(({ id }) => id)
}

/** How today differs from what the file says. A refusal by the user or a rule says nothing of the hooks. */
export function sinceThen(before: Before, now: Outcome | null): Difference {
  if (now === null) return null
  if (before.was === 'refused') return before.by === 'hook' && now.is !== 'refused' ? 'milder' : null
  return now.is === 'passed' ? null : 'stricter'
}

const RANK = { passed: 0, asked: 1, refused: 2 } as const

/** How one version of the hooks differs from another. */
export function betweenVersions(other: Outcome | null, now: Outcome | null): Difference {
  if (other === null || now === null) return null
  if (RANK[now.is] !== RANK[other.is]) return RANK[now.is] > RANK[other.is] ? 'stricter' : 'milder'
  const said = ({ reason, updatedInput, context }: Outcome): unknown[] => [reason, updatedInput, context]
  return isDeepStrictEqual(said(now), said(other)) ? null : 'other'
}
