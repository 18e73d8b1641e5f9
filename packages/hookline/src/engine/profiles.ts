import type { ProfileChoice, ProfileSource } from '../config/profile-choice.ts'
import type { HostChoice } from '../config/standing.ts'
import { HooklineError } from '../files/error.ts'
import { HOOK_TYPES } from '../hook-types/table.ts'
import { joinReadings } from '../protocol/auto/profile.ts'
import { type CompleteProfile, makeProfileKey, type Profile } from '../protocol/profile.ts'
import {
  CLAUDE_CODE_PROFILE,
  DEFAULT_PROFILE,
  loadProfile,
  PROFILE_NAMES,
  type ProfileName,
} from '../protocol/profiles.ts'
import type { RunnableType } from '../run/execute.ts'
import { removeControls } from '../text/clean.ts'
import { formatSuggestion } from '../text/nearest.ts'

/** A profile whose hooks can be run. */
export type RunnableProfile = CompleteProfile<RunnableType>

/** The profile of hosts that name none. */
export const DEFAULT_RUNNABLE: RunnableProfile = withCode(DEFAULT_PROFILE)

/** The variable that chooses a profile. */
const PROFILE_VARIABLE = 'HOOKLINE_PROFILE'

/**
 * Makes the source of an engine's profiles: one of the host's own, or those that come with the package. Throws a
 * HooklineError for a name that is not a profile.
 */
export function makeProfileSource(
  option: Profile | ProfileName | undefined,
  { env = {}, hostChoice = null }: { readonly env?: NodeJS.ProcessEnv; readonly hostChoice?: HostChoice | null } = {},
): ProfileSource<RunnableProfile> {
  const loaded = new Map<string, RunnableProfile>([[DEFAULT_RUNNABLE.name, DEFAULT_RUNNABLE]])
  if (typeof option === 'object') loaded.set(option.name, withCode(option))
  return {
    given: readGivenChoice(option, env[PROFILE_VARIABLE]),
    scopes: hostChoice?.scopes ?? null,
    loaded,
    load: async (name) => {
      const profile = loaded.get(name) ?? withCode(await loadProfile(parseProfileName(name)))
      loaded.set(name, profile)
      return profile
    },
    loadReading: async (lead) => {
      unchosen ??= loadReadings()
      const readings = await unchosen
      for (const profile of readings.values()) loaded.set(makeProfileKey(profile), profile)
      return readings.get(lead) ?? DEFAULT_RUNNABLE
    },
  }
}

/** The readings of hooks that no one chose a profile for, made once. */
let unchosen: ReturnType<typeof loadReadings> | undefined

async function loadReadings(): Promise<ReadonlyMap<string, RunnableProfile>> {
  return joinReadings(DEFAULT_RUNNABLE, withCode(await loadProfile(CLAUDE_CODE_PROFILE)))
}

function readGivenChoice(option: Profile | ProfileName | undefined, variable = ''): ProfileChoice | null {
  const nowhere = { readAs: null, file: null, unusable: null }
  if (typeof option === 'object') return { profile: option.name, by: 'option', ...nowhere }
  if (option !== undefined) return { profile: parseProfileName(option), by: 'option', ...nowhere }
  if (variable === '') return null
  return { profile: parseProfileName(variable, `${PROFILE_VARIABLE}: `), by: 'environment', ...nowhere }
}

/** A name that a profile comes with the package under. Throws a HooklineError for another one. */
export function parseProfileName(name: string, before = ''): ProfileName {
  for (const known of PROFILE_NAMES) if (known === name) return known
  const near = formatSuggestion(name, PROFILE_NAMES)
  throw new HooklineError(
    `${before}There is no profile "${removeControls(name)}".${near} Profiles: ${PROFILE_NAMES.join(', ')}.`,
  )
}

/** A profile with the code of its hook types: its own, or what comes with the package. Throws a HooklineError for a type without any. */
function withCode(profile: Profile): RunnableProfile {
  const hookTypes: Record<string, RunnableType> = {}
  for (const [type, facts] of Object.entries(profile.hookTypes)) {
    const whole = { ...HOOK_TYPES[type], ...facts }
    if (whole.run === undefined)
      throw new HooklineError(`The profile "${profile.name}" does not say how a "${type}" hook runs.`)
    hookTypes[type] = whole as RunnableType // facts that no room knows have the meaning that its own code gives them
  }
  const { name, rules, events } = profile
  return { name, rules, events, hookTypes }
}

/** True if a model decides what hooks of a type say. */
export function isModelHookType(type: string | null): boolean {
  return HOOK_TYPES[type ?? '']?.runsIn === 'model'
}
