import { makeReply } from '../../src/hook/reply-for.ts'
import { type ProfileRows, ROWS } from '../../src/protocol/profile-rows.ts'
import type { ProfileName } from '../../src/protocol/profiles.ts'
import { usual } from '../../src/protocol/usual.ts'

const LOADED = new Map<string, ProfileRows>()
for (const [profile, load] of Object.entries(ROWS)) LOADED.set(profile, await load())

/** The names of the replies that a hook of a profile has for an event. */
export function repliesOf(event: string, profile: ProfileName): string[] {
  const row = LOADED.get(profile)?.[event]
  if (row === undefined) return []
  return Object.keys(
    makeReply(event, { ...usual, ...row }, { exitCodeDecides: false, isMcpTool: false, made: () => {} }),
  ).sort()
}
