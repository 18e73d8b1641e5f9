import { DEFAULT_PROFILE } from '../protocol/profiles.ts'
import type { Stage } from './pipe.ts'

/**
 * Says a decision in the words of the default profile, which a host that names no profile was compiled for: what these cannot
 * say arrives as a refusal.
 */
export const defaultWords: Stage = {
  decision: (_session, { row }, decision) => {
    const { permission, reason } = decision
    const words = permission === null ? undefined : DEFAULT_PROFILE.events.get(row.name)?.permissionWords
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
  },
}
