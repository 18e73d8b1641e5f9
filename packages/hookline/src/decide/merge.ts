import { isDeepStrictEqual } from 'node:util'
import type { EffectMerge } from '../protocol/effect.ts'
import type { EventRow, MergeName } from '../protocol/event-row.ts'
import type { Decision } from '../protocol/record/record.ts'
import type { Effects } from '../read/effects.ts'
import type { Opinion } from '../read/opinion.ts'

/** The part of a decision whose merging depends on the event. */
export type MergedOpinion = Pick<
  Decision,
  'blocked' | 'permission' | 'reason' | 'interrupt' | 'updatedInput' | 'updatedPermissions'
>

const NO_OPINION: MergedOpinion = {
  blocked: false,
  permission: null,
  reason: null,
  interrupt: false,
  updatedInput: null,
  updatedPermissions: null,
}

/** Merges of opinions in configuration order. Which hook finished first does not matter, and no opinion undoes a block. */
export const MERGES: Readonly<Record<MergeName, (opinions: readonly Opinion[]) => MergedOpinion>> = {
  permission: mergePermission,
  dialog: mergePermission,
  block: mergeBlocks,
  'exit-code': mergeBlocks,
  nothing: () => NO_OPINION,
}

function mergeBlocks(opinions: readonly Opinion[]): MergedOpinion {
  const blocking: Opinion[] = []
  for (const opinion of opinions) if (opinion.blocks) blocking.push(opinion)
  return blocking.length === 0 ? NO_OPINION : { ...NO_OPINION, blocked: true, reason: joinReasons(blocking) }
}

const LEVELS: readonly Opinion['permission'][] = ['defer', 'ask', 'allow']

/** deny > defer > ask > allow > no opinion. */
function mergePermission(opinions: readonly Opinion[]): MergedOpinion {
  const denied = mergeBlocks(opinions)
  if (denied.blocked) return { ...denied, permission: 'deny', interrupt: opinions.some(({ interrupt }) => interrupt) }
  let level: number = LEVELS.length
  let updatedInput: Opinion['updatedInput'] = null
  const rules: NonNullable<Opinion['updatedPermissions']>[number][] = []
  for (const opinion of opinions) {
    const at = opinion.permission === null ? -1 : LEVELS.indexOf(opinion.permission)
    if (at >= 0) level = Math.min(level, at)
    updatedInput = opinion.updatedInput ?? updatedInput
    rules.push(...(opinion.updatedPermissions ?? []))
  }
  const permission = LEVELS[level] ?? null
  return {
    ...NO_OPINION,
    permission,
    reason: permission === null ? null : joinReasons(opinions.filter((opinion) => opinion.permission === permission)),
    updatedInput,
    updatedPermissions: rules.length > 0 ? rules : null,
  }
}

function joinReasons(opinions: readonly Opinion[]): string | null {
  const reasons = opinions.flatMap(({ reason }) => reason ?? [])
  return reasons.length === 0 ? null : reasons.join('\n')
}

/** Merges of what several hooks ask for, in configuration order. There is at least one value. */
const EFFECT_MERGES: Readonly<Record<EffectMerge, (values: readonly unknown[]) => unknown>> = {
  first: (values) => values[0],
  last: (values) => values.at(-1),
  all: (values) => {
    const all = values.flat()
    return all.filter((value, at) => all.findIndex((other) => isDeepStrictEqual(other, value)) === at)
  },
  any: (values) => values.includes(true),
  joined: (values) => values.join('\n\n'),
  list: (values) => [...values],
  refusal: (values) => values.findLast((value) => !isAccepted(value)) ?? values.at(-1),
}

function isAccepted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'action' in value && value.action === 'accept'
}

/** Merges the effects of a decision. */
export function mergeEffects(
  { effects, noEffects }: EventRow,
  asked: readonly Effects[],
  { blocked }: { readonly blocked: boolean },
): Effects {
  const merged: Record<string, unknown> = { ...noEffects }
  for (const [name, { merge, whenBlocked }] of Object.entries(effects)) {
    const values = asked.map((one) => one[name]).filter((value) => value !== undefined)
    if (blocked && whenBlocked !== undefined) merged[name] = whenBlocked
    else if (values.length > 0) merged[name] = EFFECT_MERGES[merge](values)
  }
  return merged
}

/** True if a hook asked for an effect that is enough for the event, whatever became of the other hooks. */
export function hasSufficientEffect({ effects }: EventRow, asked: readonly Effects[]): boolean {
  for (const name in effects) if (effects[name]?.suffices && asked.some((one) => one[name] !== undefined)) return true
  return false
}

/** Reason why an event is blocked that hooks ran for: an effect that it cannot do without, and that none of them asked for. */
export function findMissingEffect({ effects }: EventRow, asked: readonly Effects[]): string | null {
  if (asked.length === 0) return null
  for (const name in effects) {
    const missingBlocks = effects[name]?.missingBlocks
    if (missingBlocks !== undefined && asked.every((one) => one[name] === undefined)) return missingBlocks
  }
  return null
}
