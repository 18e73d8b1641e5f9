import { HooklineError } from '../files/error.ts'
import { HOOK_TYPES } from '../hook-types/table.ts'
import type { HookTypes } from '../protocol/hook-type.ts'
import type { CompleteProfile, Profile } from '../protocol/profile.ts'
import { DEFAULT_PROFILE, loadProfile, PROFILE_NAMES, type ProfileName } from '../protocol/profiles.ts'
import type { RunnableType } from '../run/execute.ts'

/** A profile whose hooks can be run. */
export type RunnableProfile = CompleteProfile<RunnableType>

/** The profile of hosts that name none. */
export const DEFAULT_RUNNABLE: RunnableProfile = withCode(DEFAULT_PROFILE)

/** A profile of the host's own, or the one that comes with the package under a name. Rejects with a HooklineError for an unknown name. */
export async function runnableProfile(profile: Profile | ProfileName): Promise<RunnableProfile> {
  if (typeof profile !== 'string') return withCode(profile)
  if (profile === DEFAULT_RUNNABLE.name) return DEFAULT_RUNNABLE
  if (PROFILE_NAMES.includes(profile)) return withCode(await loadProfile(profile))
  throw new HooklineError(`There is no profile "${profile}". Profiles: ${PROFILE_NAMES.join(', ')}.`)
}

/** A profile with the code of its hook types: its own, or what comes with the package. Throws a HooklineError for a type without any. */
export function withCode(profile: Profile): RunnableProfile {
  const types = Object.entries(profile.hookTypes).map(([name, type]): [string, RunnableType] => {
    const whole = { ...HOOK_TYPES[name], ...type }
    if (!isWhole(whole))
      throw new HooklineError(`The profile "${profile.name}" does not say how a "${name}" hook runs.`)
    return [name, whole]
  })
  return { ...profile, hookTypes: Object.fromEntries(types) }
}

/** Whether it says how its hooks run; facts that no room knows have the meaning that its own code gives them. */
function isWhole(type: HookTypes[string]): type is RunnableType {
  return type.run !== undefined
}

/** Whether a model decides what hooks of a type say. */
export function isJudged(type: string | null): boolean {
  return HOOK_TYPES[type ?? '']?.runsIn === 'model'
}
