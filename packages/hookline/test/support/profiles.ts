import type { EventRow } from '../../src/protocol/event-row.ts'
import { loadProfile, PROFILE_NAMES, type ProfileName } from '../../src/protocol/profiles.ts'

/** An event of a profile that comes with the package. */
export interface ProfileEvent {
  readonly profile: ProfileName
  readonly row: EventRow
}

/** Every event of every profile that comes with the package. */
export async function eventsOfAllProfiles(): Promise<ProfileEvent[]> {
  const all = PROFILE_NAMES.map(async (profile) => {
    const { events } = await loadProfile(profile)
    return [...events.values()].map((row) => ({ profile, row }))
  })
  return (await Promise.all(all)).flat()
}
