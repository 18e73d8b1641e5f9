import { relative, resolve } from 'node:path'
import type { Engine, EngineOptions } from 'hookline'
import { getNodeValue } from 'jsonc-parser'
import { AgentError } from '../options.ts'
import { isBelow } from '../permission/real-path.ts'
import { memberOf, readSettingsText, type SettingsText } from '../permission/settings-text.ts'
import type { Plugin } from '../plugins.ts'
import { readServers, type ServersRead, type ServersText } from './read-servers.ts'
import type { ServerSpec } from './server-spec.ts'

/** Where servers are looked for. */
export interface ServerPlaces {
  readonly project: string
  readonly plugins: readonly Plugin[]
  /** Files that the caller named. */
  readonly named: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Whether what a project brings along may run. */
export interface ProjectTrust {
  readonly answer: EngineOptions['trust']
  readonly engine: Pick<Engine, 'trust'>
}

/** A file that may have servers. */
interface Source {
  readonly path: string
  readonly content: SettingsText
  readonly prefix: string
  readonly env: NodeJS.ProcessEnv
  readonly ofProject: boolean
}

/**
 * The servers of a session: those of the files the caller named, of the project's `.mcp.json` and of plugins. Of two
 * with one name the first counts. What the project brings along counts only when the person accepted the project with it.
 */
export async function findServers(places: ServerPlaces, trust: ProjectTrust): Promise<ServersRead> {
  const sources = await sourcesOf(places)
  const read = sources.map((source) => serversOf(source, { project: places.project, trust }))
  const servers = new Map<string, ServerSpec>()
  const problems = read.flatMap((each) => each.problems)
  for (const server of read.flatMap((each) => each.servers)) {
    const first = servers.get(server.name)
    if (first === undefined) servers.set(server.name, server)
    else
      problems.push(
        `${server.place}  The MCP server "${server.name}" does not start: ${first.place} has one of that name.`,
      )
  }
  return { servers: [...servers.values()], problems }
}

async function sourcesOf({ project, plugins, named, env }: ServerPlaces): Promise<Source[]> {
  const inProject = { ...env, CLAUDE_PROJECT_DIR: project }
  const own = { prefix: '', env: inProject }
  const ofCaller: Source[] = []
  for (const path of named) {
    const content = await readSettingsText(path)
    if (content.read === 'missing') throw new AgentError(`--mcp-config ${path}: there is no such file.`)
    ofCaller.push({ path, content, ...own, ofProject: false })
  }
  const path = resolve(project, '.mcp.json')
  const ofProject: Source = { path, content: await readSettingsText(path), ...own, ofProject: true }
  const ofPlugins = await Promise.all(plugins.map((plugin) => pluginSources(plugin, inProject)))
  return [...ofCaller, ofProject, ...ofPlugins.flat()]
}

/** A plugin's `.mcp.json`, and what its manifest says: servers, or the name of a file with them. */
async function pluginSources({ name, root, ofProject, manifest, manifestPath }: Plugin, env: NodeJS.ProcessEnv) {
  const common = { prefix: `plugin_${name}_`, env: { ...env, CLAUDE_PLUGIN_ROOT: root }, ofProject }
  const said: unknown = manifest.read === 'settings' ? memberOf(manifest.root, 'mcpServers')?.value : undefined
  const paths = [...new Set([resolve(root, '.mcp.json'), ...(typeof said === 'string' ? [resolve(root, said)] : [])])]
  const files = paths.map(async (path): Promise<Source> => ({ path, content: await readSettingsText(path), ...common }))
  const inManifest: Source[] = typeof said === 'string' ? [] : [{ path: manifestPath, content: manifest, ...common }]
  return [...inManifest, ...(await Promise.all(files))]
}

function serversOf(
  { path, content, prefix, env, ofProject }: Source,
  { project, trust }: { project: string; trust: ProjectTrust },
): ServersRead {
  const file = isBelow(path, project) ? relative(project, path) : path
  if (content.read === 'missing') return { servers: [], problems: [] }
  if (content.read === 'unusable') {
    const { line, column, reason } = content
    return { servers: [], problems: [`${file}:${line}:${column}  The file ${reason}; its MCP servers do not start.`] }
  }
  const node = memberOf(content.root, 'mcpServers')
  if (node === undefined) return { servers: [], problems: [] }
  const text: ServersText = { text: content.text, node, file, prefix, env }
  if (!ofProject || isAccepted(file, getNodeValue(node), trust)) return readServers(text)
  const names = (node.children ?? []).map(({ children: [key] = [] }) => String(key?.value)).join(', ')
  const problem =
    `${file}: the MCP servers of this folder (${names}) do not start, for it has not been accepted with them. ` +
    'Look at it with "hookline trust show", accept it with "hookline trust accept", or use --trust for this run.'
  return { servers: [], problems: names === '' ? [] : [problem] }
}

/** Whether the person accepted the project with exactly these servers before them. */
function isAccepted(file: string, definition: unknown, { answer, engine }: ProjectTrust): boolean {
  if (answer === 'accepted') return true
  const { accepted, request } = engine.trust
  const shown = request.files[file]
  if (!accepted || typeof shown !== 'object' || shown === null || !('mcpServers' in shown)) return false
  return JSON.stringify(shown.mcpServers) === JSON.stringify(definition)
}
