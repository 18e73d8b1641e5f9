import { type Dirent, readdirSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { isHome, listHomes } from '../files/home.ts'
import { formatPath, isBelow, isInside, resolveLinks } from '../files/paths.ts'
import { makeProjectEnclosure, NO_FILE, readStamp, readText } from '../files/read.ts'
import type { Profile } from '../protocol/profile.ts'
import { toShellWord } from '../text/quote.ts'
import { parseJsonSource } from './json-source.ts'
import { isHoldingHooks } from './misplaced-hooks.ts'
import { type ConfigPlaces, findUserFolder, PLUGIN_MANIFEST, SETTINGS_FILES, USER_FOLDER_VARIABLE } from './scopes.ts'

/** A file with hooks that nothing reads. */
export interface StrayFile {
  readonly path: string
  /** For showing: relative to the project inside it. */
  readonly file: string
  /** Reason why it is not read. */
  readonly because: string
  /** Remedy, as a command or a sentence. */
  readonly fix: string
}

/** Places to look at: where settings are read, and which of the files that are found are. */
interface StraySearch extends Pick<ConfigPlaces, 'project' | 'home' | 'plugins'> {
  readonly profile: Pick<Profile, 'name' | 'events'>
  /** The settings files that are read. */
  readonly read: readonly string[]
  /** Folder that shown paths start from; default: the project. */
  readonly shownFrom?: string
}

/** Files that say of themselves that they are not meant to be read. */
const ASIDE = /example|sample|template|backup|bak|old|orig|disabled|baseline|schema|hooktest|package/i
const SETTINGS_LIKE = /\.(?:json|jsonc|json5|ya?ml)$|^(?:settings|hooks)$/i
/** More files than this in one folder are not looked at. */
const MAX_STRAY_FILES = 200
const MANIFEST_FOLDER = dirname(PLUGIN_MANIFEST)
/** The dot of a hidden folder as dotfiles managers write it: `dot_claude`, `private_dot_claude` (chezmoi), `dot-claude` (stow). */
const DOTFILES_DOT = '(?:dot-|(?:[a-z]+_)*dot_)'
const DOTFILES_FOLDER = new RegExp(`^${DOTFILES_DOT}claude(?:-plugin)?$`)

/** The files near the right names that hold hooks and are not read: in the project, in its `.claude`, and in that of the user. */
export async function findStrayFiles(search: StraySearch): Promise<StrayFile[]> {
  const { project, home, read } = search
  const places = [
    ...listJsonNames(join(project, '.claude'), project),
    ...listJsonNames(join(project, '.claude', 'hooks'), project),
    ...listJsonNames(join(project, 'hooks'), project).filter((path) => basename(path) === 'hooks.json'),
    ...[project, ...search.plugins].map((root) => join(root, MANIFEST_FOLDER, 'hooks', 'hooks.json')),
    ...search.plugins.map((root) => join(root, 'settings.json')),
    ...listJsonNames(project, project).filter((path) => /^\.?(?:claude|settings|hooks)/i.test(basename(path))),
    ...findMisnamedFolders(project).flatMap((folder) => listJsonNames(folder, project)),
    ...listJsonNames(findUserFolder(search), findUserFolder(search)),
    join(home, '.claude', 'settings.json'),
    ...listJsonNames(join(home, '.config', 'claude'), home),
    join(home, '.claude.json'),
  ]
  const files = new Set(
    [...read, ...Object.values(SETTINGS_FILES).map((pathOf) => pathOf({ project, home }))].map(resolveLinks),
  )
  const found: StrayFile[] = []
  for (const path of new Set(places)) {
    if (!files.has(resolveLinks(path)) && (await isHookFile(path, search))) found.push(describeStrayFile(path, search))
  }
  return found
}

/** Describes a file that was named and that nothing reads, by the folder that it lies in; null: it may well be read. */
export async function findStrayFile(path: string, search: Omit<StraySearch, 'project'>): Promise<StrayFile | null> {
  const owner = STRAY_PLACES.exec(path.replaceAll(sep, '/'))?.groups?.owner ?? findPluginWithSettings(path)
  if (owner === undefined || search.read.some((one) => resolveLinks(one) === resolveLinks(path))) return null
  const found = { ...search, project: path.slice(0, owner.length) }
  return (await isHookFile(path, found)) ? describeStrayFile(path, found) : null
}

/** The root of a plugin whose `settings.json` a path is, for no hooks are read from there; undefined: it is another file. */
function findPluginWithSettings(path: string): string | undefined {
  const root = dirname(path)
  if (basename(path) !== 'settings.json' || basename(root) === '.claude') return undefined
  return readStamp(join(root, PLUGIN_MANIFEST)) === NO_FILE ? undefined : root
}

/** Finds the right file for hooks that lie in the folder of a dotfiles repository which becomes `.claude` or `.claude-plugin`; null: they lie elsewhere. */
function findDotfilesTarget(file: string): string | null {
  const folder = basename(dirname(file)) === 'hooks' ? dirname(dirname(file)) : dirname(file)
  if (!DOTFILES_FOLDER.test(basename(folder))) return null
  return folder.endsWith('-plugin') ? join(dirname(folder), 'hooks', 'hooks.json') : join(folder, 'settings.json')
}

/** Places near the right ones where hooks are never read. */
const STRAY_PLACES = new RegExp(
  String.raw`^(?<owner>.+)/(?:\.|${DOTFILES_DOT})claude(?:|/hooks|-plugin/hooks)/hooks\.json$`,
)

/** True if a file holds hooks, in whichever shape. */
async function isHookFile(path: string, { project, profile }: StraySearch): Promise<boolean> {
  const content = await readText(path, { inside: isBelow(path, project) ? makeProjectEnclosure(project) : null })
  if (content.read !== 'text') return false
  if (/\.ya?ml$/i.test(path)) return /^hooks:/m.test(content.text)
  const source = await parseJsonSource(content.text)
  return 'root' in source && isHoldingHooks(source.root, profile)
}

function listJsonNames(folder: string, owner: string): string[] {
  return readFolderEntries(folder, owner)
    .filter((entry) => !entry.isDirectory() && SETTINGS_LIKE.test(entry.name) && !ASIDE.test(entry.name))
    .map(({ name }) => join(folder, name))
}

/** Folders that were meant to be `.claude`. */
function findMisnamedFolders(project: string): string[] {
  const near = readFolderEntries(project, project).filter((one) => one.isDirectory() && one.name !== '.claude')
  return near.filter(({ name }) => /^\.?claude$/i.test(name)).map(({ name }) => join(project, name))
}

/** Reads what is in a folder; nothing where a link leads out of the folder that it belongs to. */
function readFolderEntries(folder: string, owner: string): Dirent[] {
  try {
    if (!isInside(folder, owner)) return []
    return readdirSync(folder, { withFileTypes: true }).slice(0, MAX_STRAY_FILES)
  } catch {
    return [] // there is none, or it cannot be read
  }
}

/** The plugin that a file lies in where hooks are not read; null: it is another kind of file. */
function findOwningPlugin(path: string, roots: readonly string[]): string | null {
  const hasFile = (root: string): boolean =>
    path === join(root, MANIFEST_FOLDER, 'hooks', 'hooks.json') || path === join(root, 'settings.json')
  return roots.find(hasFile) ?? null
}

function describeStrayFile(path: string, { project, home, plugins, shownFrom = project }: StraySearch): StrayFile {
  const file = formatPath(path, shownFrom)
  const common = { path, file }
  const isUsers = !isBelow(path, project) || dirname(path) === findUserFolder({ project, home })
  if (isUsers && basename(path) === 'settings.local.json')
    return {
      ...common,
      because: 'local settings belong to a project; those of a user are in ~/.claude/settings.json',
      fix: `Move its hooks into ${SETTINGS_FILES.user({ project, home })}.`,
    }
  if (path === join(home, '.claude', 'settings.json'))
    return {
      ...common,
      because: `${USER_FOLDER_VARIABLE} is set, so your settings are in ${SETTINGS_FILES.user({ project, home })}`,
      fix: `Move its hooks there, or unset ${USER_FOLDER_VARIABLE}.`,
    }
  const target = findDotfilesTarget(file)
  if (target !== null)
    return { ...common, because: `hooks are read from ${target}`, fix: `Move its hooks into ${target}.` }
  const root = findOwningPlugin(path, [project, ...plugins])
  if (root !== null) {
    const right = formatPath(join(root, 'hooks', 'hooks.json'), shownFrom)
    const isFree = isMissing(join(root, 'hooks', 'hooks.json')) && basename(path) === 'hooks.json' && !isLinked(path)
    const fix = isFree
      ? `mkdir -p ${toShellWord(dirname(right))} && mv ${toShellWord(file)} ${toShellWord(right)}`
      : `Move its hooks into ${right}.`
    return { ...common, because: `hooks of a plugin are read from its hooks/hooks.json`, fix }
  }
  if (path === join(project, 'hooks', 'hooks.json')) {
    const isPlugin = readStamp(join(project, PLUGIN_MANIFEST)) !== NO_FILE
    const because = `it is ${isPlugin ? 'that of a plugin, and the plugin is' : 'where a plugin has its hooks, and none is'} not enabled here`
    return { ...common, because, fix: 'Run this with --plugin . to have them read.' }
  }
  const scope = isUsers ? 'user' : 'project'
  const isLocal = !isUsers && /local/i.test(basename(path))
  const instead = SETTINGS_FILES[isLocal ? 'local' : scope]({ project, home })
  const right = formatPath(instead, shownFrom)
  const isFree = isMissing(instead) && path !== join(home, '.claude.json') && /json$/i.test(path)
  const isMovable = isFree && !isLinked(path)
  const fix = isMovable ? moveCommand(file, right) : `Move its hooks into ${right}.`
  return { ...common, because: `hooks are read from ${right}`, fix }
}

/**
 * The command that puts a file where it is read. Only what lies in `.claude` moves: another folder is often that of a dotfiles repository,
 * which links its files into a home, and keeps them.
 */
function moveCommand(file: string, target: string): string {
  if (basename(dirname(file)) === '.claude') return `mv ${toShellWord(file)} ${toShellWord(target)}`
  return `mkdir -p ${toShellWord(dirname(target))} && cp ${toShellWord(file)} ${toShellWord(target)}`
}

/** True if there is nothing at a path, no link to nothing either. */
const isMissing = (path: string): boolean => readStamp(path) === NO_FILE && !isLinked(path)

/** True if a path leads through a link: what is moved there would take the place of the link, or leave it behind. */
function isLinked(path: string): boolean {
  return resolveLinks(path) !== join(resolveLinks(dirname(dirname(path))), basename(dirname(path)), basename(path))
}

/** A folder with settings of its own, seen from another. */
export interface OtherProject {
  readonly folder: string
  /** Settings files, for showing. */
  readonly files: readonly string[]
  /** The events that it has hooks for. */
  readonly events: readonly string[]
}

/** The nearest folder above a project that has settings; null when there is none below a home of the user. */
export async function findProjectAbove({
  project,
  home,
}: Pick<ConfigPlaces, 'project' | 'home'>): Promise<OtherProject | null> {
  const homes = listHomes(home, process.env)
  for (let folder = dirname(project), last = project; folder !== last; last = folder, folder = dirname(folder)) {
    if (homes.some((one) => isHome(folder, one))) return null
    const found = await findFolderSettings(folder, home)
    if (found) return found
  }
  return null
}

/** Says that a folder above has hooks which do not count here, and what to do about it. */
export interface AboveNotice {
  readonly because: string
  readonly fix: string
}

/** Describes the project above to a user who works below it; null where the project has settings of its own, or none above has hooks. */
export async function describeProjectAbove(
  places: Pick<ConfigPlaces, 'project' | 'home'>,
): Promise<AboveNotice | null> {
  if ((await findFolderSettings(places.project, places.home)) !== null) return null
  const above = await findProjectAbove(places)
  return above === null || above.events.length === 0 ? null : makeAboveNotice(above, places.project)
}

/** The same of a folder that was found above. */
export function makeAboveNotice({ folder, events }: OtherProject, project: string): AboveNotice {
  return {
    because: `${folder} has hooks (${listSome(events)}), but the project here is ${project}: settings of folders above are not read.`,
    fix: `cd ${toShellWord(folder)}, or add --project ${toShellWord(folder)}`,
  }
}

const MAX_NAMES = 3

function listSome(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES
  return rest <= 0 ? names.join(', ') : `${names.slice(0, MAX_NAMES).join(', ')} and ${rest} more`
}

/** Folders with hooks directly below a project, or one folder deeper, as the packages of a workspace are. */
export async function findProjectsBelow({
  project,
  home,
}: Pick<ConfigPlaces, 'project' | 'home'>): Promise<OtherProject[]> {
  const found: OtherProject[] = []
  const below = listFolders(project)
  for (const folder of [...below, ...below.flatMap(listFolders)].slice(0, MAX_STRAY_FILES)) {
    const other = await findFolderSettings(folder, home)
    if (other && other.events.length > 0) found.push(other)
  }
  return found
}

function listFolders(folder: string): string[] {
  return readFolderEntries(folder, folder)
    .filter((one) => one.isDirectory() && one.name !== 'node_modules' && !one.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
}

/** The events that a file has hooks for; none where it cannot be read. */
export async function listEventsInFile(path: string): Promise<string[]> {
  const content = await readText(path)
  const source = content.read === 'text' ? await parseJsonSource(content.text) : { fault: null }
  const hooks = 'root' in source ? source.root.fields?.get('hooks')?.node.fields : undefined
  return [...(hooks ?? [])].flatMap(([event, { node }]) => ((node.items ?? []).length > 0 ? [event] : []))
}

/** The settings of a folder; null when it has none. */
async function findFolderSettings(folder: string, home: string): Promise<OtherProject | null> {
  const places = { project: folder, home }
  const files: string[] = []
  const events = new Set<string>()
  for (const path of [SETTINGS_FILES.project(places), SETTINGS_FILES.local(places)]) {
    const content = await readText(path, { inside: makeProjectEnclosure(folder) })
    if (content.read === 'missing') continue
    files.push(path)
    const source = content.read === 'text' ? await parseJsonSource(content.text) : { fault: null }
    const hooks = 'root' in source ? source.root.fields?.get('hooks')?.node.fields : undefined
    for (const [event, { node }] of hooks ?? []) if ((node.items ?? []).length > 0) events.add(event)
  }
  return files.length === 0 ? null : { folder, files, events: [...events] }
}
