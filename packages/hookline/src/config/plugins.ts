import { basename, join, resolve } from 'node:path'
import { toOneLine } from '../text/clean.ts'
import { type ConfigPlaces, isProjectFile, PLUGIN_MANIFEST } from './scopes.ts'
import { readSettingsFile, type SettingsFile, type SettingsPlace } from './settings-file.ts'

/** A folder that brings hooks, MCP servers, skills, agents and slash commands along. */
export interface Plugin {
  /** Manifest's name, else that of its id, else its folder's. */
  readonly name: string
  readonly root: string
  /** Lies in the project, by its name or by where its links lead: then it is as trusted as the project. */
  readonly needsTrust: boolean
  /** `.claude-plugin/plugin.json`, there or not. */
  readonly manifest: SettingsFile
}

/** Reads what a plugin says about itself. */
export async function readPlugin(
  folder: string,
  places: Pick<ConfigPlaces, 'project' | 'home' | 'pluginIds'>,
): Promise<Plugin> {
  const root = resolve(folder)
  const needsTrust = isProjectFile(root, places)
  const path = join(root, PLUGIN_MANIFEST)
  const [named = ''] = places.pluginIds?.[root]?.split('@') ?? []
  const plugin = { name: toOneLine(named || basename(root)), root }
  const manifest = await readSettingsFile({ scope: 'plugin', path, plugin, needsTrust }, places.project)
  const written = manifest.root?.fields?.get('name')?.node.value
  const name = (typeof written === 'string' && toOneLine(written)) || plugin.name
  return { name, root, needsTrust, manifest: { ...manifest, plugin: { name, root } } }
}

/**
 * Lists where the hooks of a plugin are: its `hooks/hooks.json`, its manifest where that holds hooks, and the files that the
 * manifest names. A manifest that cannot be read, or whose `hooks` are none of these, is among them, so that it is reported.
 */
export function listPluginPlaces({ name, root, needsTrust, manifest }: Plugin): SettingsPlace[] {
  const makePluginPlace = (path: string) => ({ scope: 'plugin', path, plugin: { name, root }, needsTrust }) as const
  const own = join(root, 'hooks', 'hooks.json')
  const written = manifest.root?.fields?.get('hooks')?.node
  const isBroken = manifest.root === null && manifest.content.read !== 'missing'
  if (written === undefined) return [makePluginPlace(own), ...(isBroken ? [makePluginPlace(manifest.path)] : [])]
  const named = (written.items ?? [written]).map(({ value }) => value)
  if (!named.every((one) => typeof one === 'string')) return [makePluginPlace(own), makePluginPlace(manifest.path)]
  const paths = new Set(named.map((one) => resolve(root, one)).filter((path) => path !== own))
  return [makePluginPlace(own), ...[...paths].map((path) => ({ ...makePluginPlace(path), named: true }))]
}
