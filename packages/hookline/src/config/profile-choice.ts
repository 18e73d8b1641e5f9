import { AUTO } from '../protocol/auto/profile.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { DEFAULT_PROFILE, PROFILE_NAMES } from '../protocol/profiles.ts'
import type { FileScope, Scope } from '../protocol/scope.ts'
import { findOtherUse, type WrittenHooks } from './other-profile-use.ts'
import type { SettingsFile } from './settings-file.ts'

/** Party that chose a profile: policy, an option or flag, HOOKLINE_PROFILE, a settings file of the project or the user; `default`: no one. */
export type ProfileChooser = 'policy' | 'option' | 'environment' | 'project' | 'user' | 'default'

/** A profile that is in force, and why. */
export interface ProfileChoice {
  /** Name; `auto` where no one chose one. */
  readonly profile: string
  /** Party that chose it. */
  readonly by: ProfileChooser
  /** The profile that leads where no one chose one; null where one was chosen. */
  readonly readAs: LeadingProfile | null
  /** The settings file that says so; null where none does. */
  readonly file: string | null
  /** Place of a choice that cannot be used, so that this one holds in its place; null: nowhere. */
  readonly unusable: string | null
}

/** The profile whose order, texts and merges hold in a slot for which no one chose: hooks are read by both. */
export interface LeadingProfile {
  readonly profile: string
  /** The first thing in the files of the slot that this profile alone has, as in `"if" in line 4`; null: there is none. */
  readonly because: string | null
  /** The file that it stands in; null: there is none. */
  readonly file: string | null
}

/** The profiles in force, and why. */
export interface ProfileChoices {
  /** For hooks of the user and of policy, and for what the host registers. */
  readonly own: ProfileChoice
  /** For hooks of the project, once it is trusted. */
  readonly project: ProfileChoice
}

/** The same, loaded. */
export interface Profiles<P extends CompleteProfile = CompleteProfile> {
  readonly own: P
  readonly project: P
}

/** Source of profiles. */
export interface ProfileSource<P extends CompleteProfile = CompleteProfile> {
  /** Choice of the host or the environment, for all hooks; null: neither chose one. */
  readonly given: ProfileChoice | null
  /** The scopes whose settings files count; null: all. */
  readonly scopes: ReadonlySet<Scope> | null
  /** Loaded profiles, by `profileKey`. */
  readonly loaded: ReadonlyMap<string, P>
  readonly load: (name: string) => Promise<P>
  /** The reading that a profile leads where no one chose one. */
  readonly loadReading: (lead: string) => Promise<P>
}

/** The setting that holds the choice, and its member. */
export const PROFILE_SETTING = ['hookline', 'profile'] as const

/**
 * Policy decides, then the host, then the environment, each for all hooks. Without them a project decides about its own
 * hooks alone and the user about all others, so that no project changes what a guard of the user or of policy means.
 */
export function chooseProfiles(
  all: readonly SettingsFile[],
  { given, scopes }: Pick<ProfileSource, 'given' | 'scopes'>,
): ProfileChoices {
  const files = scopes === null ? all : all.filter(({ scope }) => scopes.has(scope))
  const policy = findWrittenChoice(files, ['managed'])
  if (policy && (given === null || isKnown(given.profile))) {
    const { name, file, place } = policy
    const choice = {
      profile: name ?? DEFAULT_PROFILE.name,
      by: 'policy',
      readAs: null,
      file,
      unusable: name === null ? place : null,
    } as const
    return { own: choice, project: choice }
  }
  if (given) return { own: given, project: given }
  const ofProject: SettingsFile[] = []
  const others: SettingsFile[] = []
  for (const file of files) (file.needsTrust ? ofProject : others).push(file)
  const own = toChoice(findWrittenChoice(files, ['flag', 'user']), 'user', makeUnchosen(others))
  const otherwise = own.readAs === null ? own : makeUnchosen(ofProject)
  return { own, project: toChoice(findWrittenChoice(files, ['local', 'project']), 'project', otherwise) }
}

/** The choice for files that no one chose a profile for: the first thing that only one profile has says which one leads. */
function makeUnchosen(files: readonly WrittenHooks[]): ProfileChoice {
  return { profile: AUTO, by: 'default', readAs: findLeadingProfile(files), file: null, unusable: null }
}

/** Finds the profile that leads in files which no one chose one for. */
export function findLeadingProfile(files: readonly WrittenHooks[]): LeadingProfile {
  const found = findOtherUse(files, DEFAULT_PROFILE)
  if (found === null) return { profile: DEFAULT_PROFILE.name, because: null, file: null }
  const { use, file } = found
  return { profile: use.other, because: `${use.name} in line ${use.place.line}`, file }
}

/** Loads the profiles that were chosen. */
export async function loadProfiles<P extends CompleteProfile>(
  { own, project }: ProfileChoices,
  source: Pick<ProfileSource<P>, 'load' | 'loadReading'>,
): Promise<Profiles<P>> {
  return { own: await loadChoice(own, source), project: await loadChoice(project, source) }
}

/** Loads the profile that was chosen, or the reading that leads where none was. */
function loadChoice<P extends CompleteProfile>(
  { profile, readAs }: ProfileChoice,
  { load, loadReading }: Pick<ProfileSource<P>, 'load' | 'loadReading'>,
): Promise<P> {
  return readAs === null ? load(profile) : loadReading(readAs.profile)
}

/** The profile that the hooks of a file are read under. */
export function chooseFileProfile<P extends CompleteProfile>(
  { own, project }: Profiles<P>,
  { needsTrust }: { readonly needsTrust: boolean },
): P {
  return needsTrust ? project : own
}

/** A choice as a settings file has it; the name is null for one that cannot be used. */
interface WrittenChoice {
  readonly name: string | null
  readonly file: string
  readonly place: string
}

function toChoice(written: WrittenChoice | null, by: ProfileChooser, otherwise: ProfileChoice): ProfileChoice {
  if (written === null) return otherwise
  const { name, file, place } = written
  return name === null ? { ...otherwise, unusable: place } : { profile: name, by, readAs: null, file, unusable: null }
}

/** Finds the choice in the first file of the first of these scopes that has one. */
function findWrittenChoice(files: readonly SettingsFile[], scopes: readonly FileScope[]): WrittenChoice | null {
  for (const scope of scopes) {
    for (const file of files) {
      const written = file.scope === scope ? readChoice(file) : null
      if (written !== null) return written
    }
  }
  return null
}

function readChoice({ root, file }: SettingsFile): WrittenChoice | null {
  const [key, member] = PROFILE_SETTING
  const setting = root?.fields?.get(key)?.node
  if (setting === undefined) return null
  const node = setting.fields ? setting.fields.get(member)?.node : setting
  if (node === undefined) return null
  const name = isKnown(node.value) ? node.value : null
  return { name, file, place: `${file}:${node.line}` }
}

function isKnown(name: unknown): name is string {
  return PROFILE_NAMES.some((one) => one === name)
}
