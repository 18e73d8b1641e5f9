import { HooklineError } from '../files/error.ts'
import { HOOK_TYPES } from '../hook-types/table.ts'
import type { HookTypes } from '../protocol/hook-type.ts'
import type { CompleteProfile, Profile } from '../protocol/profile.ts'
import { DEFAULT_PROFILE, PROFILES } from '../protocol/profiles.ts'
import type { RunnableType } from '../run/execute.ts'

/** A profile whose hooks can be run. */
export type RunnableProfile = CompleteProfile<RunnableType>

/** The profiles that come with the package, by name, with the code of their hook types. */
export const RUNNABLE_PROFILES = Object.fromEntries(
  Object.entries(PROFILES).map(([name, profile]) => [name, withCode(profile)]),
) as Readonly<Record<keyof typeof PROFILES, RunnableProfile>> // the same names

/** The profile of hosts that name none. */
export const DEFAULT_RUNNABLE: RunnableProfile = withCode(DEFAULT_PROFILE)

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
