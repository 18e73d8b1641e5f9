import { readShippedSchema } from '../../files/shipped.ts'
import { DEFAULT_PROFILE } from '../../protocol/profiles.ts'

/** Schemas that are the same in every profile. */
const OF_ALL_PROFILES = ['record', 'hook-test']

/** The JSON Schema of this name that a profile has; null when there is none, as in a profile that the host made. */
export function readProfileSchema(name: string, profile: string): string | null {
  const isShared = profile === DEFAULT_PROFILE.name || OF_ALL_PROFILES.includes(name)
  return readShippedSchema(isShared ? name : `${profile}/${name}`)
}
