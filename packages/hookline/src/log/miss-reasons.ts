import { explainMiss, findMatchedValue } from '../engine/explain-miss.ts'
import type { Profile } from '../protocol/profile.ts'
import { loadProfile, PROFILE_NAMES } from '../protocol/profiles.ts'
import type { HookLine } from '../protocol/record/record.ts'
import type { LogEntry } from './record-store.ts'

/** Says of each hook whose matcher did not match why, in the words of `hookline explain`: records leave that out, for it takes time. */
export async function withMissReasons(entry: LogEntry): Promise<LogEntry> {
  const { record, input } = entry
  const isMiss = ({ verdict, because }: HookLine): boolean => verdict === 'matcher-miss' && because === undefined
  if (input === null || !record.hooks.some(isMiss)) return entry
  const names = new Set(record.hooks.filter(isMiss).map(({ profile = record.profile }) => profile))
  const known = PROFILE_NAMES.filter((name) => names.has(name))
  const profiles = new Map<string, Profile>()
  for (const name of known) profiles.set(name, await loadProfile(name))
  const hooks = record.hooks.map((line) => {
    const row = profiles.get(line.profile ?? record.profile)?.events.get(record.event)
    if (!isMiss(line) || row === undefined) return line
    return { ...line, because: explainMiss(findMatchedValue(row, input), line.matcher, row) }
  })
  return { ...entry, record: { ...record, hooks } }
}
