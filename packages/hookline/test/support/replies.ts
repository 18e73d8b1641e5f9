import { makeReply } from '../../src/hook/reply-for.ts'
import { rows as classic } from '../../src/protocol/classic/generated/rows.ts'
import { rows as current } from '../../src/protocol/current/generated/rows.ts'
import type { ProfileName } from '../../src/protocol/profiles.ts'
import { type GeneratedRow, usual } from '../../src/protocol/usual.ts'

const ROWS: Readonly<Record<ProfileName, Readonly<Record<string, GeneratedRow>>>> = { classic, current }

/** The names of the replies that a hook of a profile has for an event. */
export function repliesOf(event: string, profile: ProfileName): string[] {
  const row = ROWS[profile][event]
  if (row === undefined) return []
  return Object.keys(
    makeReply(event, { ...usual, ...row }, { exitCodeDecides: false, isMcpTool: false, made: () => {} }),
  ).sort()
}
