import type { CompleteProfile } from '../protocol/profile.ts'
import { DEFAULT_PROFILE, PROFILE_NAMES } from '../protocol/profiles.ts'
import type { FileScope, Scope } from '../protocol/scope.ts'
import type { SettingsFile } from './settings-file.ts'

/** Who chose a profile: policy, an option or flag, HOOKLINE_PROFILE, a settings file of the project or the user; `default`: no one. */
export type ProfileChooser = 'policy' | 'option' | 'environment' | 'project' | 'user' | 'default'

/** A profile that is in force, and why. */
export interface ProfileChoice {
  /** Its name. */
  readonly profile: string
  /** Who chose it. */
  readonly by: ProfileChooser
  /** The settings file that says so; null where none does. */
  readonly file: string | null
  /** Where a choice stands that cannot be used, so that this one holds in its place; null: nowhere. */
  readonly unusable: string | null
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

/** Where profiles come from. */
export interface ProfileSource<P extends CompleteProfile = CompleteProfile> {
  /** What the host or the environment chose, for all hooks; null: neither chose one. */
  readonly given: ProfileChoice | null
  /** The scopes whose settings files count; null: all. */
  readonly scopes: ReadonlySet<Scope> | null
  /** Those that were loaded, by name. */
  readonly loaded: ReadonlyMap<string, P>
  readonly load: (name: string) => Promise<P>
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
  const policy = writtenIn(files, ['managed'])
  if (policy && (given === null || isKnown(given.profile))) {
    const { name, file, place } = policy
    const choice = {
      profile: name ?? DEFAULT_PROFILE.name,
      by: 'policy',
      file,
      unusable: name === null ? place : null,
    } as const
    return { own: choice, project: choice }
  }
  if (given) return { own: given, project: given }
  const own = choiceOf(writtenIn(files, ['flag', 'user']), 'user', DEFAULT)
  return { own, project: choiceOf(writtenIn(files, ['local', 'project']), 'project', own) }
}

const DEFAULT: ProfileChoice = { profile: DEFAULT_PROFILE.name, by: 'default', file: null, unusable: null }

/** Loads the profiles that were chosen. */
export async function loadProfiles<P extends CompleteProfile>(
  { own, project }: ProfileChoices,
  { load }: ProfileSource<P>,
): Promise<Profiles<P>> {
  return { own: await load(own.profile), project: await load(project.profile) }
}

/** The profile that the hooks of a file are read under. */
export function profileOfFile<P extends CompleteProfile>(
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

function choiceOf(written: WrittenChoice | null, by: ProfileChooser, otherwise: ProfileChoice): ProfileChoice {
  if (written === null) return otherwise
  const { name, file, place } = written
  return name === null ? { ...otherwise, unusable: place } : { profile: name, by, file, unusable: null }
}

/** What the first file of the first of these scopes says that says anything. */
function writtenIn(files: readonly SettingsFile[], scopes: readonly FileScope[]): WrittenChoice | null {
  for (const scope of scopes) {
    for (const file of files) {
      const written = file.scope === scope ? choiceIn(file) : null
      if (written !== null) return written
    }
  }
  return null
}

function choiceIn({ root, file }: SettingsFile): WrittenChoice | null {
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
