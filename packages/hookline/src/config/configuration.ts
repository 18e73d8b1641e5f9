import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { findHome } from '../files/home.ts'
import { joinPath } from '../files/paths.ts'
import { readErrorCode, statOrUndefined } from '../files/read.ts'
import type { Profile } from '../protocol/profile.ts'
import { DEFAULT_PROFILE } from '../protocol/profiles.ts'
import type { FileScope } from '../protocol/scope.ts'
import { type Component, listComponents, listPluginComponents, readComponent } from './component.ts'
import { type FunctionModule, readModules } from './modules.ts'
import { listPluginPlaces, type Plugin, readPlugin } from './plugins.ts'
import {
  chooseProfiles,
  findLeadingProfile,
  loadProfiles,
  type ProfileChoices,
  type ProfileSource,
  type Profiles,
} from './profile-choice.ts'
import { type ConfigPlaces, DROP_IN_FOLDER, findDefaultManagedFile, isUserFolderShared, sortByScope } from './scopes.ts'
import { readServerFiles } from './servers.ts'
import { findSettingsPlace, readSettingsFile, type SettingsFile, type SettingsPlace } from './settings-file.ts'

/** Configuration on disk that defines hooks, as it was when it was read. */
export interface Configuration {
  /** Every settings file that was looked for, missing ones included, in configuration order. */
  readonly files: readonly SettingsFile[]
  /** The enabled plugins, in order. */
  readonly plugins: readonly Plugin[]
  /** The other files that may define MCP servers, missing ones included. */
  readonly serverFiles: readonly SettingsFile[]
  /** Function hooks of the enabled plugins, which only Claude Code runs. */
  readonly modules: readonly FunctionModule[]
  /** The components of the project and of the plugins inside it, active or not. */
  readonly components: readonly Component[]
  /** The profiles in force, and why. */
  readonly profiles: ProfileChoices
}

/** Reads all of it, but for settings files that were read just now. Rejects with a HooklineError when the policy cannot be determined. */
export async function readConfiguration(
  places: ConfigPlaces,
  source: ProfileSource,
  settingsRead: readonly SettingsFile[] = [],
): Promise<Configuration> {
  const plugins = await readPlugins(places)
  const files = await readSettingsFiles(places, plugins, settingsRead)
  const byFiles = chooseProfiles(files, source)
  const profiles = await loadProfiles(byFiles, source)
  const components = await readComponents(places, plugins, profiles)
  const choices = components.length === 0 ? byFiles : chooseWithComponents(byFiles, components)
  const isAsBefore = choices === byFiles
  return {
    files: sortByScope(files, profiles.own.rules.scopes),
    plugins,
    serverFiles: await readServerFiles(places, plugins),
    modules: plugins.length === 0 ? [] : await readModules(files),
    components: isAsBefore ? components : await readComponents(places, plugins, await loadProfiles(choices, source)),
    profiles: choices,
  }
}

/** Lets the components of a project say which profile leads where neither a choice nor its settings files do. */
function chooseWithComponents(choices: ProfileChoices, components: readonly Component[]): ProfileChoices {
  const { readAs } = choices.project
  if (readAs === null || readAs.because !== null) return choices
  const leading = findLeadingProfile(components.map(({ path, root }) => ({ file: path, root })))
  return leading.because === null ? choices : { ...choices, project: { ...choices.project, readAs: leading } }
}

/** The same with other settings files in the place of some, which may choose another profile. */
export async function withFiles(
  configuration: Configuration,
  files: readonly SettingsFile[],
  { places, source }: { readonly places: ConfigPlaces; readonly source: ProfileSource },
): Promise<Configuration> {
  const choices = chooseWithComponents(chooseProfiles(files, source), configuration.components)
  const profiles = await loadProfiles(choices, source)
  const { project: before } = await loadProfiles(configuration.profiles, source)
  const isAsBefore = profiles.project === before
  return {
    ...configuration,
    files: sortByScope(files, profiles.own.rules.scopes),
    modules: await readModules(files),
    components: isAsBefore ? configuration.components : await readComponents(places, configuration.plugins, profiles),
    profiles: choices,
  }
}

/** The profiles in force, and why: what the settings files say, which are all that is read. */
export async function readProfileChoices(
  places: ConfigPlaces,
  source: Pick<ProfileSource, 'given' | 'scopes'>,
): Promise<ProfileChoices> {
  return chooseProfiles(await readSettingsFiles(places, await readPlugins(places)), source)
}

/** Folders that settings are read from; what is not said is the user's and the system's own. */
export interface SettingsFolders extends Pick<ConfigPlaces, 'project'>, Partial<Omit<ConfigPlaces, 'project'>> {
  /** The version of the protocol, which orders the files; the default one by default. */
  readonly profile?: Profile
}

/**
 * Reads every settings file that an engine would read, missing ones included, in the order in which their hooks run.
 * Rejects with a HooklineError when the policy cannot be determined.
 */
export async function readSettings({
  project,
  home,
  managed,
  plugins = [],
  profile = DEFAULT_PROFILE,
}: SettingsFolders): Promise<SettingsFile[]> {
  const places = {
    project,
    home: home || findHome(),
    managed: managed ?? findDefaultManagedFile(process.platform),
    plugins,
  }
  return sortByScope(await readSettingsFiles(places, await readPlugins(places)), profile.rules.scopes)
}

/** Reads every settings file that counts, missing ones included. */
async function readSettingsFiles(
  places: ConfigPlaces,
  plugins: readonly Plugin[],
  settingsRead: readonly SettingsFile[] = [],
): Promise<SettingsFile[]> {
  const files: SettingsFile[] = []
  const nameFile = ({ scope, path }: SettingsPlace): string => `${scope} ${path}`
  const known = [...settingsRead, ...plugins.map(({ manifest }) => manifest)]
  const read = new Map(known.map((file) => [nameFile(file), file]))
  for (const place of listSettingsPlaces(places, plugins)) {
    files.push(read.get(nameFile(place)) ?? (await readSettingsFile(place, places.project)))
  }
  return files
}

/** The enabled plugins, in order. */
export function readPlugins(places: ConfigPlaces): Promise<Plugin[]> {
  return Promise.all(places.plugins.map((folder) => readPlugin(folder, places)))
}

/** Every settings file to look for, scope by scope. Throws when the policy cannot be determined. */
export function listSettingsPlaces(places: ConfigPlaces, plugins: readonly Plugin[]): SettingsPlace[] {
  const { settings } = places
  const isShared = isUserFolderShared(places) // a question that follows links, so it is asked once
  const ofProject = findSettingsPlace('project', places, isShared)
  const managed: SettingsPlace[] = []
  for (const path of listPolicyFiles(places)) managed.push({ scope: 'managed', path, plugin: null, needsTrust: false })
  const byScope: Record<FileScope, readonly SettingsPlace[]> = {
    flag: settings === undefined ? [] : [{ scope: 'flag', path: settings, plugin: null, needsTrust: false }],
    local: [findSettingsPlace('local', places, isShared)],
    plugin: plugins.flatMap(listPluginPlaces),
    project: ofProject.scope === 'project' ? [ofProject] : [],
    user: [findSettingsPlace('user', places)],
    managed,
  }
  return Object.values(byScope).flat()
}

/** The policy's files, which other users must not be able to write. */
function listPolicyFiles({ managed }: ConfigPlaces): string[] {
  const paths = [managed, ...listDropIns(findDropInFolder(managed))]
  const ofSystem = managed === findDefaultManagedFile(process.platform)
  if (process.platform !== 'win32') for (const path of paths) refuseUnguardedPolicy(path, { ofSystem })
  return paths
}

const WRITABLE_BY_ALL = 0o002
const WRITABLE_BY_OTHERS = 0o022

/**
 * Throws a HooklineError for a policy file that every user may write; at the system's own place also for one that does not
 * belong to root, or that root's group may write. A file that is missing is fine.
 */
function refuseUnguardedPolicy(path: string, { ofSystem }: { ofSystem: boolean }): void {
  const stats = statOrUndefined(path)
  if (!stats) return
  const foreign = ofSystem && stats.uid !== 0
  const open = (stats.mode & (ofSystem ? WRITABLE_BY_OTHERS : WRITABLE_BY_ALL)) !== 0
  if (!foreign && !open) return
  const why = foreign ? 'it does not belong to root' : 'others than its owner may write it'
  throw new HooklineError(`${path} cannot be taken as policy: ${why}. Nothing is run until that is fixed.`)
}

/** Folder of parts of a policy, beside its file. */
export function findDropInFolder(managed: string): string {
  return joinPath(dirname(managed), DROP_IN_FOLDER)
}

function listDropIns(folder: string): string[] {
  try {
    if (!statSync(folder, { throwIfNoEntry: false })) return []
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(readErrorCode(error))) return []
    throw new HooklineError(`${folder} cannot be read, so it is unknown what policy allows; nothing is run.`)
  }
}

/** One after the other: a project may have more components than the host has descriptors. */
async function readComponents(
  { project, home, plugins: folders }: ConfigPlaces,
  plugins: readonly Plugin[],
  profiles: Profiles,
): Promise<Component[]> {
  const inside = plugins.filter(({ needsTrust }) => needsTrust)
  const paths = new Set([...listComponents(project), ...inside.flatMap(({ root }) => listPluginComponents(root))])
  const components: Component[] = []
  for (const path of paths) {
    const component = await readComponent(path, { project, home, plugins: folders, profiles }).catch(() => null) // cannot be opened: not shown, so not trusted
    if (component) components.push(component)
  }
  return components
}
