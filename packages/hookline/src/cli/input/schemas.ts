import { readShippedSchema } from '../../files/shipped.ts'
import { DEFAULT_PROFILE } from '../../protocol/profiles.ts'

/** The schema of records: that of every profile, and one of each. */
export const RECORD_SCHEMA = 'record'

/** The JSON Schema of this name that a profile has; null when there is none, as in a profile that the host made. */
export function readProfileSchema(name: string, profile: string): string | null {
  const isShared = profile === DEFAULT_PROFILE.name ? name !== RECORD_SCHEMA : name === 'hook-test'
  return readShippedSchema(isShared ? name : `${profile}/${name}`)
}

/** The JSON Schema that records of all profiles fit. */
export function readSharedRecordSchema(): string | null {
  return readShippedSchema(RECORD_SCHEMA)
}
