import { join, resolve } from 'node:path'
import { readSettings } from '../config/configuration.ts'
import { belongsToProject, type Places, userFolder } from '../config/scopes.ts'
import type { SettingsFile } from '../config/settings-file.ts'
import { HooklineError } from '../files/error.ts'
import { pathIn, realPath } from '../files/paths.ts'
import { readText, statsOf } from '../files/read.ts'
import { namesIn } from '../files/walk.ts'
import type { FileScope } from '../protocol/scope.ts'
import { isObject } from '../text/json.ts'
import { type EngineOptions, placesOf } from './options.ts'
import { reviewTrust } from './trust-review.ts'

/** Plugins for an engine, as its options name them. */
export type EnabledPlugins = Pick<EngineOptions, 'plugins' | 'pluginIds'>

/**
 * The plugins that Claude Code would load here: those that the options and the environment name, and the installed ones that
 * settings enable. An installed plugin inside of the project is not among them: naming it is up to the host. Rejects with a
 * HooklineError where plugins are enabled and the list of those that are installed cannot be read.
 */
export async function findEnabledPlugins(options: EngineOptions): Promise<EnabledPlugins> {
  const places = placesOf(options)
  const installed = await findInstalled(options, places)
  const outside = [...installed.keys()].filter((root) => !belongsToProject(root, places))
  return {
    plugins: [...new Set([...places.plugins, ...outside])],
    pluginIds: { ...Object.fromEntries(installed), ...options.pluginIds },
  }
}

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() === true

/** Files in which Claude Code keeps what is installed; the second one was in use for a while. */
const REGISTRIES = ['installed_plugins.json', 'installed_plugins_v2.json']

/** The roots of the plugins that are installed and enabled, with their ids. */
async function findInstalled(options: EngineOptions, places: Places): Promise<ReadonlyMap<string, string>> {
  const folder = pathIn(userFolder(places), 'plugins')
  const registries = await Promise.all(REGISTRIES.map((name) => readText(join(folder, name))))
  if (registries.every(({ read }) => read === 'missing')) return new Map()
  const ids = await findEnabledIds(options, places)
  if (ids.length === 0) return new Map()
  const installed = registries.flatMap((content, at) => {
    if (content.read === 'missing') return []
    const plugins = content.read === 'text' ? pluginsIn(content.text) : null
    if (plugins !== null) return [plugins]
    const why = content.read === 'unreadable' ? content.reason : 'is not JSON'
    throw new HooklineError(
      `${join(folder, REGISTRIES[at] ?? '')} ${why}, so it is unknown which hooks the plugins ${ids.join(', ')} have: fix it, or disable them`,
    )
  })
  return new Map(
    ids.flatMap((id): [string, string][] => {
      const root = findRoot(id, { installed, folder, project: places.project })
      return root === null ? [] : [[root, id]]
    }),
  )
}

/** What a registry says of each plugin: an installation, or a list of them. */
function pluginsIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const registry: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (!isObject(registry)) return null
    return isObject(registry.plugins) ? registry.plugins : registry
  } catch {
    return null
  }
}

/** The order in which settings decide about a plugin: a later one counts. */
const DECIDING: readonly FileScope[] = ['user', 'project', 'local', 'flag', 'managed']

/** The ids of the plugins that settings enable; those of a project count once it is trusted. */
async function findEnabledIds(options: EngineOptions, places: Places): Promise<string[]> {
  const files = (await readSettings({ ...places, plugins: [] })).filter((file) => enabledIn(file) !== null)
  const isAsked = files.some(({ needsTrust }) => needsTrust)
  const { trust = 'stored' } = options
  const isTrusted =
    trust === 'accepted' || (isAsked && trust === 'stored' && (await reviewTrust({ ...options, plugins: [] })).accepted)
  const counting = files.filter(({ needsTrust }) => isTrusted || !needsTrust)
  const decided = DECIDING.flatMap((scope) => counting.filter((file) => file.scope === scope).map(enabledIn))
  const merged: Readonly<Record<string, unknown>> = Object.assign({}, ...decided)
  return Object.keys(merged).filter((id) => merged[id] !== false && merged[id] !== null)
}

function enabledIn({ root }: SettingsFile): Readonly<Record<string, unknown>> | null {
  const value = root?.fields?.get('enabledPlugins')?.node.value
  return isObject(value) ? value : null
}

/** Where a plugin is installed, and what is there to choose from. */
interface Installations {
  readonly installed: readonly Readonly<Record<string, unknown>>[]
  readonly folder: string
  readonly project: string
}

/** The folder of a plugin: as it was installed for this project, else for the user, else at all; null where it is not there. */
function findRoot(id: string, { installed, folder, project }: Installations): string | null {
  const entries = installed
    .flatMap((plugins) => (Object.hasOwn(plugins, id) ? [plugins[id]].flat() : []))
    .filter(isObject)
  const isHere = ({ projectPath }: Readonly<Record<string, unknown>>): boolean =>
    typeof projectPath === 'string' && realPath(projectPath) === realPath(project)
  const rank = (entry: Readonly<Record<string, unknown>>): number => {
    if (isHere(entry)) return 0
    return entry.projectPath === undefined ? 1 : 2
  }
  const paths = [...entries]
    .sort((one, other) => rank(one) - rank(other))
    .flatMap(({ installPath }) => (typeof installPath === 'string' ? [resolve(folder, installPath)] : []))
  return paths.find(isFolder) ?? (entries.length === 0 ? null : findCached(id, folder))
}

/** The newest copy of a plugin in the cache, where none is where it should be. */
function findCached(id: string, folder: string): string | null {
  const at = id.lastIndexOf('@')
  const [name, marketplace] = [id.slice(0, at), id.slice(at + 1)]
  if (at < 1 || /[\\/]|^\.\.?$/.test(name) || /[\\/]|^\.\.?$/.test(marketplace)) return null
  const copies = join(folder, 'cache', marketplace, name)
  const found = namesIn(copies)
    .map((version) => join(copies, version))
    .filter(isFolder)
  const age = (path: string): number => statsOf(path)?.mtimeMs ?? 0
  return found.sort((one, other) => age(other) - age(one))[0] ?? null
}
