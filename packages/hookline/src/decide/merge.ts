import type { MergeName } from '../protocol/event-row.ts'
import type { Decision } from '../protocol/record.ts'
import type { Opinion } from '../read/opinion.ts'

/** The part of a decision whose merging depends on the event. */
export type Merged = Pick<
  Decision,
  'blocked' | 'permission' | 'reason' | 'interrupt' | 'updatedInput' | 'updatedPermissions'
>

const NOTHING: Merged = {
  blocked: false,
  permission: null,
  reason: null,
  interrupt: false,
  updatedInput: null,
  updatedPermissions: null,
}

/** How opinions in configuration order become one. Whoever finished first does not matter, and no opinion undoes a block. */
export const MERGES: Readonly<Record<MergeName, (opinions: readonly Opinion[]) => Merged>> = {
  permission: mergePermission,
  dialog: mergePermission,
  block: mergeBlocks,
  'exit-code': mergeBlocks,
  nothing: () => NOTHING,
}

function mergeBlocks(opinions: readonly Opinion[]): Merged {
  const blocking = opinions.filter(({ blocks }) => blocks)
  return blocking.length === 0 ? NOTHING : { ...NOTHING, blocked: true, reason: joined(blocking) }
}

/** deny > ask > allow > no opinion. */
function mergePermission(opinions: readonly Opinion[]): Merged {
  const denied = mergeBlocks(opinions)
  if (denied.blocked) return { ...denied, permission: 'deny', interrupt: opinions.some(({ interrupt }) => interrupt) }
  const permission =
    (['ask', 'allow'] as const).find((level) => opinions.some((opinion) => opinion.permission === level)) ?? null
  const rules = opinions.flatMap(({ updatedPermissions }) => updatedPermissions ?? [])
  return {
    ...NOTHING,
    permission,
    reason: permission === null ? null : joined(opinions.filter((opinion) => opinion.permission === permission)),
    updatedInput: opinions.findLast(({ updatedInput }) => updatedInput !== null)?.updatedInput ?? null,
    updatedPermissions: rules.length > 0 ? rules : null,
  }
}

function joined(opinions: readonly Opinion[]): string | null {
  const reasons = opinions.flatMap(({ reason }) => reason ?? [])
  return reasons.length === 0 ? null : reasons.join('\n')
}
