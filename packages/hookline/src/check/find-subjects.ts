import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import { findComponentKind, listComponents, listPluginComponents } from '../config/component.ts'
import { listSettingsPlaces, readPlugins, readProfileChoices } from '../config/configuration.ts'
import { listPluginPlaces, readPlugin } from '../config/plugins.ts'
import { loadProfiles, type ProfileChoice, type ProfileSource, type Profiles } from '../config/profile-choice.ts'
import { type ConfigPlaces, DROP_IN_FOLDER, findUserFolder, PLUGIN_MANIFEST, sortByScope } from '../config/scopes.ts'
import { findStrayFile, findStrayFiles } from '../config/stray-files.ts'
import { HooklineError } from '../files/error.ts'
import { isBelow } from '../files/paths.ts'
import { makeProjectEnclosure, readText } from '../files/read.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { CLAUDE_CODE_PROFILE } from '../protocol/profiles.ts'
import type { FileScope } from '../protocol/scope.ts'
import { findPathKind } from './path-kind.ts'
import {
  type ForeignFile,
  type Lens,
  type Lenses,
  makeForeignSubject,
  readComponentSubject,
  readSettingsSubject,
  readStraySubject,
  type Subject,
} from './subject.ts'

/** Every file in play: all scopes, the plugins, the components of both and of the project; missing ones are left out. */
export async function findSubjectsInPlay(
  places: ConfigPlaces,
  source: ProfileSource,
  looking: SearchPlaces = {},
): Promise<Subject[]> {
  const { project, home, plugins } = places
  const reading = { project, home, plugins, shownFrom: project, ...(await readUnder(places, source, looking)) }
  const { profiles } = reading
  const subjects: Subject[] = []
  const enabled = await readPlugins(places)
  for (const place of sortByScope(listSettingsPlaces(places, enabled), profiles.own.rules.scopes)) {
    const subject = await readSettingsSubject(place, reading)
    if (subject) subjects.push(subject)
  }
  const components = [...listComponents(project), ...enabled.flatMap(({ root }) => listPluginComponents(root))]
  for (const path of new Set(components)) subjects.push(await readComponentSubject(path, reading))
  const read = listSettingsPlaces(places, enabled).map(({ path }) => path)
  for (const stray of await findStrayFiles({ ...places, profile: profiles.own, read })) {
    if (stray.path !== join(project, 'hooks', 'hooks.json')) subjects.push(await readStraySubject(stray, reading)) // the author of a plugin need not have enabled it
  }
  return subjects
}

/** The files that are named, and those below the folders that are. Rejects with a HooklineError for what is neither. */
export async function findNamedSubjects(
  named: readonly string[],
  places: ConfigPlaces,
  source: ProfileSource,
  looking: SearchPlaces = {},
): Promise<Subject[]> {
  const subjects = new Map<string, Subject>()
  for (const path of named.map((name) => resolve(name))) {
    for (const file of await findNamedFiles(path)) {
      for (const subject of await readSubjects(file, places, { source, looking })) subjects.set(subject.path, subject)
    }
  }
  return [...subjects.values()]
}

async function findNamedFiles(path: string): Promise<string[]> {
  const kind = await findPathKind(path)
  if (kind === 'missing') throw new HooklineError(`${path} does not exist.`)
  if (kind !== 'folder') return [path]
  const files = await findFilesBelow(path)
  if (files.length > 0) return files
  throw new HooklineError(
    `There is nothing to check below ${path}: no settings*.json, no hooks/hooks.json, no .claude-plugin/plugin.json, and no markdown below skills/, agents/ or commands/.`,
  )
}

const OWN_FOLDERS = ['.claude', dirname(PLUGIN_MANIFEST)]

/** Files with hooks below a folder, by their names. Other hidden folders belong to other tools. */
async function findFilesBelow(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const found = await Promise.all(entries.map((entry) => listEntryFiles(entry, join(folder, entry.name))))
  return found.flat()
}

function listEntryFiles(entry: Dirent, path: string): Promise<string[]> | string[] {
  if (entry.isDirectory()) {
    const foreign = entry.name === 'node_modules' || (entry.name.startsWith('.') && !OWN_FOLDERS.includes(entry.name))
    return foreign ? [] : findFilesBelow(path)
  }
  if (/^(?:managed-)?settings.*\.json$/.test(entry.name) || isPluginFile(path) || isManifest(path)) return [path]
  if (path.endsWith(join(sep, '.claude', 'hooks.json'))) return [path]
  return extname(path) === '.md' && findComponentKind(path) !== null ? [path] : []
}

/** A file, and those that it names when it is a manifest. */
async function readSubjects(path: string, places: ConfigPlaces, { source, looking }: Sight): Promise<Subject[]> {
  const foreign = await findForeignSubject(path, places, { source, looking })
  if (foreign !== null) return [foreign]
  if (!isManifest(path)) return [await readNamedSubject(path, places, { source, looking })]
  const reading = { ...places, shownFrom: places.project, ...(await readUnder(places, source, looking)) }
  const plugin = await readPlugin(dirname(dirname(path)), places)
  const subjects = await Promise.all(listPluginPlaces(plugin).map((place) => readSettingsSubject(place, reading)))
  return subjects.filter((subject) => subject !== null)
}

/** A file that is for another agent; null: it is not. */
async function findForeignSubject(
  path: string,
  places: ConfigPlaces,
  { source, looking }: Sight,
): Promise<Subject | null> {
  if (looking.recognize === undefined) return null
  const project = findProjectOfFile(path, places)
  const content = await readText(path, { inside: isBelow(path, project) ? makeProjectEnclosure(project) : null })
  const foreign = content.read === 'text' ? await looking.recognize(path, content.text) : null
  if (content.read !== 'text' || foreign === null) return null
  const reading = { ...places, shownFrom: places.project, ...(await readUnder(places, source, looking)) }
  return makeForeignSubject({ path, text: content.text, foreign }, reading)
}

async function readNamedSubject(path: string, places: ConfigPlaces, { source, looking }: Sight): Promise<Subject> {
  const project = findProjectOfFile(path, places)
  const reading = {
    ...places,
    project,
    shownFrom: places.project,
    ...(await readUnder({ ...places, project }, source, looking)),
  }
  if (extname(path) === '.md') {
    if (findComponentKind(path) !== null) return readComponentSubject(path, reading)
    throw new HooklineError(`${path} is not a component: it is not below skills/, agents/ or commands/.`)
  }
  if (extname(path) !== '.json') {
    throw new HooklineError(`${path} is neither a settings file (.json) nor a component (.md).`)
  }
  const stray = await findStrayFile(path, {
    ...places,
    profile: reading.profiles.own,
    read: await listRead(path, places),
    shownFrom: places.project,
  })
  if (stray !== null) return readStraySubject(stray, reading)
  const plugin = isPluginFile(path) ? await readPlugin(dirname(dirname(path)), places) : null
  const ofPlugin = plugin === null ? undefined : listPluginPlaces(plugin).find((place) => place.path === path)
  const place = ofPlugin ?? {
    scope: findFileScope(path, places),
    path,
    plugin: null,
    needsTrust: isOfProject(project, path),
  }
  const subject = await readSettingsSubject(place, reading)
  if (!subject) throw new HooklineError(`${path} does not exist.`)
  return subject
}

/** Files that are read for the plugins that are enabled, and for the one whose manifest lies above a file. */
async function listRead(path: string, places: ConfigPlaces): Promise<string[]> {
  const above = await Promise.all([dirname(dirname(path)), dirname(dirname(dirname(path)))].map(findManifestRoot))
  const roots = [...places.plugins, ...above.filter((root) => root !== null)]
  const plugins = await Promise.all(roots.map((root) => readPlugin(root, places)))
  return plugins.flatMap(listPluginPlaces).map((place) => place.path)
}

/** The root of a plugin, where a folder has its manifest; null: it has none. */
async function findManifestRoot(folder: string): Promise<string | null> {
  return (await findPathKind(join(folder, PLUGIN_MANIFEST))) === 'file' ? folder : null
}

/** Lenses that files are looked at with, beside their profile. */
export interface SearchPlaces {
  /** The user asked for the client lens: what Claude Code drops is an error, whichever profile is in force. */
  readonly forClient?: boolean
  /** Tells files of other agents, with what those make of them. */
  readonly recognize?: (path: string, text: string) => Promise<ForeignFile | null>
}

interface Sight {
  readonly source: ProfileSource
  readonly looking: SearchPlaces
}

/**
 * The profiles in force in a project, trusted or not, since its files are checked as they are meant, and what Claude Code makes of
 * them. Files that no one chose a profile for are held against Claude Code; where a profile was named that is not the client's, that is
 * no more than a note.
 */
export async function readUnder(
  places: ConfigPlaces,
  source: ProfileSource,
  { forClient = false }: SearchPlaces = {},
): Promise<{ readonly profiles: Profiles; readonly lenses: Lenses }> {
  const choices = await readProfileChoices(places, source)
  const loadClient = () => source.load(CLAUDE_CODE_PROFILE)
  const profiles = await loadProfiles(choices, { load: source.load, loadReading: loadClient })
  const client = await loadClient()
  const makeLens = (profile: CompleteProfile, { by }: ProfileChoice): Lens => {
    if (profile.rules.misfits === 'as-the-client') return { profile, severity: 'error' }
    if (forClient) return { profile: client, severity: 'error' }
    return { profile: client, severity: by === 'default' ? 'warning' : 'note' }
  }
  return {
    profiles,
    lenses: { own: makeLens(profiles.own, choices.own), project: makeLens(profiles.project, choices.project) },
  }
}

/** True if a file is one of a project's own, which must not lead out of it. */
function isOfProject(project: string, path: string): boolean {
  return path.startsWith(join(project, '.claude', sep))
}

function isPluginFile(path: string): boolean {
  return path.endsWith(join(sep, 'hooks', 'hooks.json'))
}

function isManifest(path: string): boolean {
  return path.endsWith(join(sep, PLUGIN_MANIFEST))
}

/** The folder whose `.claude` a file lies in, unless that is the user's home. */
function findProjectOfFile(path: string, { project, home }: ConfigPlaces): string {
  const at = path.lastIndexOf(join(sep, '.claude', sep))
  const owner = path.slice(0, Math.max(0, at))
  return at <= 0 || owner === home || isPluginFile(path) ? project : owner
}

function findFileScope(path: string, { project, home, managed }: ConfigPlaces): FileScope {
  if (path === managed || basename(path).startsWith('managed-') || basename(dirname(path)) === DROP_IN_FOLDER) {
    return 'managed'
  }
  if (basename(path) === 'settings.local.json') return 'local'
  return dirname(path) === findUserFolder({ project, home }) ? 'user' : 'project'
}
