import type { LeadingProfile, ProfileChoice, ProfileChoices } from '../../config/profile-choice.ts'
import { toOneLine } from '../../text/clean.ts'

/** Describes which profile is in force and why, in one sentence without a stop; `trusted` is whether the project is. */
export function describeProfiles({ own, project }: ProfileChoices, { trusted }: { readonly trusted: boolean }): string {
  const unusable = [...new Set([own.unusable, project.unusable])].filter((place) => place !== null)
  const ignored = unusable.map((place) => `; the choice at ${toOneLine(place)} cannot be used`).join('')
  if (own.profile === project.profile && own.readAs?.profile === project.readAs?.profile)
    return `${describeChoice(project)}${ignored}`
  const when = trusted ? '' : ', once it is trusted'
  return `${describeChoice(own)}; ${describeChoice(project)} for this project's own hooks${when}${ignored}`
}

function describeChoice({ profile, by, file, readAs }: ProfileChoice): string {
  if (readAs !== null) return `${profile} (${formatLeadingProfile(readAs)})`
  return `${profile} (${CHOOSERS[by](toOneLine(file ?? ''))})`
}

/** Describes which profile leads where none is chosen, and what decided: `read as current: "if" in line 4 of .claude/settings.json`. */
function formatLeadingProfile({ profile, because, file }: LeadingProfile): string {
  return `read as ${profile}${because === null ? '' : `: ${because} of ${toOneLine(file ?? '')}`}`
}

const CHOOSERS: Readonly<Record<ProfileChoice['by'], (file: string) => string>> = {
  policy: (file) => `policy: ${file}`,
  option: () => '--profile',
  environment: () => 'HOOKLINE_PROFILE',
  project: (file) => file,
  user: (file) => file,
  default: () => 'the default',
}
