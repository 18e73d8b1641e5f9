import { isDeepStrictEqual } from 'node:util'
import { listAskedEffects } from '../protocol/effect.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import type { PastOutcome } from './past-event.ts'
import type { StagedOutcome } from './stage.ts'

/** Outcome of an event with today's hooks. */
export interface ReplayOutcome {
  readonly is: 'passed' | 'asked' | 'deferred' | 'refused'
  readonly reason: string | null
  /** Ids of the hooks that said so. */
  readonly by: readonly string[]
  /** Ids of the hooks that ran. */
  readonly ran: readonly string[]
  readonly updatedInput: unknown
  readonly context: readonly string[]
  /** Effects that they ask the host for, by name. */
  readonly effects: Readonly<Record<string, unknown>>
}

/**
 * Difference of two outcomes: today is stricter, or milder, or decides the same and says something else. null: they do not, or the
 * hooks have no part in it.
 */
export type Difference = 'stricter' | 'milder' | 'other' | null

/** A record in the words of a replay; null when the event is none here. */
export function toReplayOutcome(staged: StagedOutcome): ReplayOutcome | null {
  if (staged.staged === 'unfit') return null
  const { decision, hooks } = staged.record
  const is = toOutcomeKind(decision)
  return {
    is,
    reason: decision.reason ?? (decision.halt ? decision.stopReason : null),
    by: is === 'passed' ? [] : listSpeakers(staged.record, is),
    ran: hooks.filter(({ outcome }) => outcome !== undefined).map(({ id }) => id),
    updatedInput: decision.updatedInput,
    context: decision.context,
    effects: listOutcomeEffects(decision),
  }
}

function listOutcomeEffects(decision: DispatchRecord['decision']): ReplayOutcome['effects'] {
  const { updatedToolOutput, instructions } = decision
  return {
    ...(updatedToolOutput === null ? {} : { updatedToolOutput }),
    ...(instructions === null ? {} : { instructions }),
    ...listAskedEffects(decision),
  }
}

function toOutcomeKind({ blocked, halt, permission }: DispatchRecord['decision']): ReplayOutcome['is'] {
  if (blocked || halt) return 'refused'
  if (permission === 'defer') return 'deferred'
  return permission === 'ask' ? 'asked' : 'passed'
}

/** The hooks that refused; or that asked, or put the call off. */
function listSpeakers({ hooks }: DispatchRecord, is: Exclude<ReplayOutcome['is'], 'passed'>): string[] {
  const spoke = hooks.filter(({ outcome, answer }) => {
    if (is === 'refused') return outcome === 'blocking' || answer?.continue === false
    const specific = answer?.hookSpecificOutput
    const asks = typeof specific === 'object' && specific !== null && 'permissionDecision' in specific
    const word = is === 'asked' ? 'ask' : 'defer'
    return answer?.decision === word || (asks && specific.permissionDecision === word)
  })
  return spoke.map(({ id }) => id)
}

/** Compares today with what the file says. A refusal by the user or a rule says nothing of the hooks. */
export function compareSinceThen(before: PastOutcome, now: ReplayOutcome | null): Difference {
  if (now === null) return null
  if (before.was === 'refused') return before.by === 'hook' && now.is !== 'refused' ? 'milder' : null
  if (before.was === 'asked' || before.was === 'deferred') return compareRank(before.was, now.is)
  return now.is === 'passed' ? null : 'stricter'
}

const RANK = { passed: 0, asked: 1, deferred: 2, refused: 3 } as const

function compareRank(before: ReplayOutcome['is'], now: ReplayOutcome['is']): Difference {
  if (RANK[now] === RANK[before]) return null
  return RANK[now] > RANK[before] ? 'stricter' : 'milder'
}

/** Compares one version of the hooks with another. */
export function compareVersionOutcomes(other: ReplayOutcome | null, now: ReplayOutcome | null): Difference {
  if (other === null || now === null) return null
  const pickWords = ({ reason, updatedInput, context, effects }: ReplayOutcome): object => ({
    reason,
    updatedInput,
    context,
    effects,
  })
  return compareRank(other.is, now.is) ?? (isDeepStrictEqual(pickWords(now), pickWords(other)) ? null : 'other')
}
