import { resolve } from 'node:path'
import { isInside, joinPath } from '../files/paths.ts'
import type { Plugin } from './plugins.ts'
import { makeProblem } from './problem.ts'
import type { ConfigPlaces } from './scopes.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import type { SourceNode } from './source.ts'

/**
 * The files besides settings in which a project and its plugins define MCP servers: `.mcp.json`, manifests, and the file
 * that a manifest names, which must be inside its plugin. Missing ones are among them, so that it is seen when they come.
 */
export async function readServerFiles({ project }: ConfigPlaces, plugins: readonly Plugin[]): Promise<SettingsFile[]> {
  const path = joinPath(project, '.mcp.json')
  const own = await readSettingsFile({ scope: 'project', path, plugin: null, needsTrust: true }, project)
  const ofPlugins: SettingsFile[] = []
  for (const plugin of plugins) ofPlugins.push(...(await readPluginServerFiles(plugin, project)))
  return [own, ...ofPlugins]
}

/** The servers that a file defines, as they are written. */
export function findServersNode({ root }: SettingsFile): SourceNode | undefined {
  const node = root?.fields?.get('mcpServers')?.node
  return typeof node?.value === 'string' ? undefined : node // a text names another file
}

async function readPluginServerFiles(
  { name, root, needsTrust, manifest }: Plugin,
  project: string,
): Promise<SettingsFile[]> {
  const read = (path: string): Promise<SettingsFile> =>
    readSettingsFile({ scope: 'plugin', path, plugin: { name, root }, needsTrust }, project)
  const own = joinPath(root, '.mcp.json')
  const said = manifest.root?.fields?.get('mcpServers')?.node
  if (typeof said?.value !== 'string') return [manifest, await read(own)]
  const named = resolve(root, said.value)
  if (!isInside(named, root)) return [makeRefusedFile(manifest, said), await read(own)]
  return [manifest, await read(own), ...(named === own ? [] : [await read(named)])]
}

/** A plugin that takes servers from elsewhere could have another file shown than the one that counts. */
function makeRefusedFile(manifest: SettingsFile, { line, column }: SourceNode): SettingsFile {
  const message = '"mcpServers" names a file outside of the plugin; it is not read.'
  const problem = makeProblem(manifest.file, { rule: 'V-HK-28', line, column, message })
  return { ...manifest, problems: [...manifest.problems, problem] }
}
