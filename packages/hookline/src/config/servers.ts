import { join, resolve } from 'node:path'
import { shownPath, touches } from '../files/paths.ts'
import { readText } from '../files/read.ts'
import { parseJsonSource } from './json-source.ts'
import { PLUGIN_MANIFEST, type Places } from './scopes.ts'

/** The MCP servers that a project brings along, by file. Hosts start them: whoever accepts the project accepts them too. */
export async function serversOf({ project, plugins }: Places): Promise<Record<string, unknown>> {
  const servers: Record<string, unknown> = {}
  const files = [join(project, '.mcp.json'), ...(await pluginFiles(plugins, project))]
  for (const path of files) {
    const definition = await serversIn(path)
    if (definition !== undefined) servers[shownPath(path, project)] = definition
  }
  return servers
}

/** The files of the plugins in the project; a manifest may name a further one. */
async function pluginFiles(plugins: readonly string[], project: string): Promise<string[]> {
  const files: string[] = []
  for (const root of plugins.map((folder) => resolve(folder))) {
    if (!touches(root, project)) continue
    const manifest = join(root, PLUGIN_MANIFEST)
    const named = await serversIn(manifest)
    files.push(join(root, '.mcp.json'), typeof named === 'string' ? resolve(root, named) : manifest)
  }
  return files
}

async function serversIn(path: string): Promise<unknown> {
  const content = await readText(path)
  if (content.read !== 'text') return undefined
  const source = parseJsonSource(content.text)
  return 'root' in source ? source.root.fields?.get('mcpServers')?.node.value : undefined
}
