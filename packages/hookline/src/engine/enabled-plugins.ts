import { isAbsolute, join, resolve } from 'node:path'
import { readSettings } from '../config/configuration.ts'
import { type ConfigPlaces, findUserFolder, isProjectFile } from '../config/scopes.ts'
import type { SettingsFile } from '../config/settings-file.ts'
import { HooklineError } from '../files/error.ts'
import { isInside, joinPath, resolveLinks } from '../files/paths.ts'
import { readText, statOrUndefined } from '../files/read.ts'
import { listNames } from '../files/walk.ts'
import type { FileScope } from '../protocol/scope.ts'
import { isObject } from '../text/json.ts'
import { type EngineOptions, readPlaces } from './options.ts'
import { reviewTrust } from './trust-review.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Plugins for an engine, as its options name them. */
export type EnabledPlugins = Pick<EngineOptions, 'plugins' | 'pluginIds'>

/**
 * The plugins that Claude Code would load here: those that the options and the environment name, and the installed ones that
 * settings enable. An installed plugin inside of the project is not among them: naming it is up to the host. Rejects with a
 * HooklineError where plugins are enabled and the list of those that are installed cannot be read.
 */
export async function findEnabledPlugins(options: EngineOptions): Promise<EnabledPlugins> {
  return (await readEnabledPlugins(options)).enabled
}

/** The same, with the settings files that say so: an engine that is opened at once need not read them again. */
export async function readEnabledPlugins(
  options: EngineOptions,
): Promise<{ readonly enabled: EnabledPlugins; readonly settingsRead: readonly SettingsFile[] }> {
  const places = readPlaces(options)
  const settingsRead = await readSettings({ ...places, plugins: [] })
  const installed = await findInstalled(options, places, settingsRead)
  const outside = [...installed.keys()].filter((root) => !isProjectFile(root, places))
  const enabled = {
    plugins: [...new Set([...places.plugins, ...outside])],
    pluginIds: { ...Object.fromEntries(installed), ...options.pluginIds },
  }
  return { enabled, settingsRead }
}

/** The plugins that Claude Code would load once the project is trusted, and that wait for that; rejects as `findEnabledPlugins` does. */
export async function findWaitingPlugins(options: EngineOptions): Promise<EnabledPlugins> {
  const [now, then] = await Promise.all([
    findEnabledPlugins(options),
    findEnabledPlugins({ ...options, trust: 'accepted' }),
  ])
  return { plugins: then.plugins?.filter((root) => !now.plugins?.includes(root)), pluginIds: then.pluginIds }
}

/** A plugin that is installed, and enabled neither here nor by a project that waits for trust. */
export interface IdlePlugin {
  /** Name and marketplace: `guard@market`. */
  readonly id: string
  readonly root: string
}

/** The plugins that are installed and that no settings file enables. */
export async function findIdlePlugins(options: EngineOptions): Promise<IdlePlugin[]> {
  const places = readPlaces(options)
  const folder = joinPath(findUserFolder(places), 'plugins')
  const registries = await Promise.all(REGISTRIES.map((name) => readText(join(folder, name))))
  const installed = registries.flatMap((content) => {
    const plugins = content.read === 'text' ? parsePlugins(content.text) : null
    return plugins === null ? [] : [plugins]
  })
  const [now, then] = [options, { ...options, trust: 'accepted' } as const]
  const read = await readSettings({ ...places, plugins: [] })
  const files = await Promise.all([now, then].map((one) => listSettingsInForce(one, read)))
  const enabled = new Set(files.flatMap(findEnabledIds))
  const idle = [...new Set(installed.flatMap((plugins) => Object.keys(plugins)))].filter((id) => !enabled.has(id))
  return idle.flatMap((id): IdlePlugin[] => {
    const root = findRoot(id, { installed, folder, project: places.project })
    return root === null ? [] : [{ id, root }]
  })
}

const isFolder = (path: string): boolean => statOrUndefined(path)?.isDirectory() === true

/** Files in which Claude Code keeps what is installed; the second one was in use for a while. */
const REGISTRIES = ['installed_plugins.json', 'installed_plugins_v2.json']

/** The roots of the plugins that are installed and enabled, with their ids. */
async function findInstalled(
  options: EngineOptions,
  places: ConfigPlaces,
  read: readonly SettingsFile[],
): Promise<ReadonlyMap<string, string>> {
  const folder = joinPath(findUserFolder(places), 'plugins')
  const files = await listSettingsInForce(options, read)
  const ids = files.length === 0 ? [] : findEnabledIds(files)
  if (ids.length === 0) return new Map()
  const registries = await Promise.all(REGISTRIES.map((name) => readText(join(folder, name))))
  const folders = await findMarketplaceFolders(folder, files)
  const installed = registries.flatMap((content, at) => {
    if (content.read === 'missing') return []
    const plugins = content.read === 'text' ? parsePlugins(content.text) : null
    if (plugins !== null) return [plugins]
    const why = content.read === 'unreadable' ? content.reason : 'is not JSON'
    throw new HooklineError(
      `${join(folder, REGISTRIES[at] ?? '')} ${why}, so it is unknown which hooks the plugins ${ids.join(', ')} have: fix it, or disable them`,
    )
  })
  const roots = await Promise.all(
    ids.map(async (id): Promise<[string, string][]> => {
      const root =
        (await findInMarketplace(id, folders)) ?? findRoot(id, { installed, folder, project: places.project })
      return root === null ? [] : [[root, id]]
    }),
  )
  return new Map(roots.flat())
}

/** Reads what a registry says of each plugin: an installation, or a list of them. */
function parsePlugins(text: string): JsonObject | null {
  const registry = parseObject(text)
  return isObject(registry?.plugins) ? registry.plugins : registry
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The order in which settings decide about a plugin: a later one counts. */
const DECIDING: readonly FileScope[] = ['user', 'project', 'local', 'flag', 'managed']

/** The settings that say something of plugins, in the order in which they decide; those of a project count once it is trusted. */
async function listSettingsInForce(options: EngineOptions, read: readonly SettingsFile[]): Promise<SettingsFile[]> {
  const files: SettingsFile[] = []
  for (const file of read) {
    const settings = file.root?.fields
    if (settings?.has('enabledPlugins') || settings?.has('extraKnownMarketplaces')) files.push(file)
  }
  if (files.length === 0) return files
  const isAsked = files.some(({ needsTrust }) => needsTrust)
  const { trust = 'stored' } = options
  const isTrusted =
    trust === 'accepted' || (isAsked && trust === 'stored' && (await reviewTrust({ ...options, plugins: [] })).accepted)
  const counting = files.filter(({ needsTrust }) => isTrusted || !needsTrust)
  return DECIDING.flatMap((scope) => counting.filter((file) => file.scope === scope))
}

/** An object of settings, where a later file counts. */
function mergeObjects(files: readonly SettingsFile[], name: 'enabledPlugins' | 'extraKnownMarketplaces'): JsonObject {
  return Object.assign({}, ...files.map((file) => findObject(file, name)))
}

function findObject({ root }: SettingsFile, name: string): JsonObject | null {
  const value = root?.fields?.get(name)?.node.value
  return isObject(value) ? value : null
}

function findEnabledIds(files: readonly SettingsFile[]): string[] {
  const enabled = mergeObjects(files, 'enabledPlugins')
  return Object.keys(enabled).filter((id) => enabled[id] !== false && enabled[id] !== null)
}

/** Marketplaces that are a folder of this machine: Claude Code loads their plugins from it, installed or not, and not the copy that it made. */
async function findMarketplaceFolders(folder: string, files: readonly SettingsFile[]): Promise<Map<string, string>> {
  const content = await readText(join(folder, 'known_marketplaces.json'))
  const known = content.read === 'text' ? (parseObject(content.text) ?? {}) : {}
  const all = { ...mergeObjects(files, 'extraKnownMarketplaces'), ...known }
  return new Map(
    Object.entries(all).flatMap(([name, entry]): [string, string][] => {
      const source = isObject(entry) && isObject(entry.source) ? entry.source : {}
      const isLocal = source.source === 'directory' && typeof source.path === 'string' && isAbsolute(source.path)
      return isLocal ? [[name, String(source.path)]] : []
    }),
  )
}

/** The folder of a plugin in a marketplace that is a folder; null where it is not in one. */
async function findInMarketplace(id: string, folders: ReadonlyMap<string, string>): Promise<string | null> {
  const at = id.lastIndexOf('@')
  const market = folders.get(id.slice(at + 1))
  if (market === undefined) return null
  const content = await readText(join(market, '.claude-plugin', 'marketplace.json'))
  const catalog = content.read === 'text' ? parseObject(content.text) : null
  const plugins = Array.isArray(catalog?.plugins) ? catalog.plugins.filter(isObject) : []
  const source = plugins.find(({ name }) => name === id.slice(0, at))?.source
  if (typeof source !== 'string') return null
  const above = isObject(catalog?.metadata) ? catalog.metadata.pluginRoot : undefined
  const roots = [join(market, source), ...(typeof above === 'string' ? [join(market, above, source)] : [])]
  return roots.find((root) => isFolder(root) && isInside(root, market)) ?? null
}

/** Installations of a plugin, and what is there to choose from. */
interface Installations {
  readonly installed: readonly JsonObject[]
  readonly folder: string
  readonly project: string
}

/** The folder of a plugin: as it was installed for this project, else for the user, else at all; null where it is not there. */
function findRoot(id: string, { installed, folder, project }: Installations): string | null {
  const entries = installed
    .flatMap((plugins) => (Object.hasOwn(plugins, id) ? [plugins[id]].flat() : []))
    .filter(isObject)
  const isHere = ({ projectPath }: JsonObject): boolean =>
    typeof projectPath === 'string' && resolveLinks(projectPath) === resolveLinks(project)
  const rankInstallation = (entry: JsonObject): number => {
    if (isHere(entry)) return 0
    return entry.projectPath === undefined ? 1 : 2
  }
  const paths = [...entries]
    .sort((one, other) => rankInstallation(one) - rankInstallation(other))
    .flatMap(({ installPath }) => (typeof installPath === 'string' ? [resolve(folder, installPath)] : []))
  return paths.find(isFolder) ?? (entries.length === 0 ? null : findCached(id, folder))
}

/** The newest copy of a plugin in the cache, where none is where it should be. */
function findCached(id: string, folder: string): string | null {
  const at = id.lastIndexOf('@')
  const [name, marketplace] = [id.slice(0, at), id.slice(at + 1)]
  if (at < 1 || /[\\/]|^\.\.?$/.test(name) || /[\\/]|^\.\.?$/.test(marketplace)) return null
  const copies = join(folder, 'cache', marketplace, name)
  const found = listNames(copies)
    .map((version) => join(copies, version))
    .filter(isFolder)
  const readAge = (path: string): number => statOrUndefined(path)?.mtimeMs ?? 0
  return found.sort((one, other) => readAge(other) - readAge(one))[0] ?? null
}
