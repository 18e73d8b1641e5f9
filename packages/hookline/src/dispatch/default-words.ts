import type { EventRow } from '../protocol/event-row.ts'
import { DEFAULT_PROFILE } from '../protocol/profiles.ts'
import type { Decision } from '../protocol/record/record.ts'

/**
 * Says a decision in the words of the default profile, which a host that names no profile was compiled for: what these cannot
 * say arrives as a refusal.
 */
export function inDefaultWords(decision: Decision, { name }: EventRow): Decision {
  const { permission, reason } = decision
  const words = DEFAULT_PROFILE.events.get(name)?.permissionWords
  if (permission === null || words === undefined || words.includes(permission)) return decision
  const why = `a hook answered "${permission}", which this host has no word for`
  return {
    ...decision,
    blocked: true,
    permission: 'deny',
    reason: reason === null ? why : `${reason}\n${why}`,
    updatedInput: null,
    updatedPermissions: null,
  }
}
