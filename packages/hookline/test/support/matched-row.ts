import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'

/** What a matcher must know of an event whose matchers are tested against a field. */
export function matchedOn(field: string) {
  return { matchOn: field, matcherNames: null, rules: DEFAULT_PROFILE.rules }
}
