import { clipName, formatSuggestion } from '../text/nearest.ts'
import { names } from './generated/names.ts'
import type { Profile } from './profile.ts'
import type { ProfileName } from './profiles.ts'

/** The clients that each profile is the protocol of, as people call them. */
const CLIENTS: Readonly<Record<ProfileName, string>> = {
  classic: 'early Claude Code 2.1',
  current: 'Claude Code since 2.1.x',
}

/** Things that profiles have names for. */
type NamedThing = 'events' | 'answerFields' | 'settings'

/** The profile that knows a name, other than the one that was asked already; null when none does. */
export function findOtherProfile(what: NamedThing, name: string, profile?: string): ProfileName | null {
  for (const other of Object.keys(names) as ProfileName[]) // the table is generated from that of the profiles
    if (other !== profile && names[other][what].includes(name)) return other
  return null
}

/** Place where something of another profile was met: which profile counts there, and who chose it. */
export interface ProfileInForce {
  readonly profile: string
  /** The user alone chose it; no project can. */
  readonly isUsers?: boolean
}

/** Says that something belongs to another profile, and how that is chosen: `what` is the start of the sentence. */
export function describeOwner(other: ProfileName, what: string, { profile, isUsers = false }: ProfileInForce): string {
  const uses = isUsers ? 'your settings use' : 'this project uses'
  const scope = isUsers ? ' --scope user' : ''
  return `${what} of "${other}" (${CLIENTS[other]}); ${uses} "${profile}": hookline profile ${other}${scope}`
}

/** Describes a name that is not an event here: another profile may have it, or one that is close may be meant. */
export function describeUnknownEvent(
  name: string,
  { name: profile, events }: Pick<Profile, 'name' | 'events'>,
  { isUsers = false, isOfProfile = false }: { readonly isUsers?: boolean; readonly isOfProfile?: boolean } = {},
): string {
  const other = findOtherProfile('events', name, profile)
  if (other !== null) return `${describeOwner(other, `${name} is an event`, { profile, isUsers })}.`
  const which = isOfProfile ? ` of the ${profile} profile` : ''
  return `"${clipName(name)}" is not an event${which}.${formatSuggestion(name, events.keys())}`
}
