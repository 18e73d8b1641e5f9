import type { Engine } from 'hookline'
import { findServersNode, readSettingsFile, type SettingsFile } from 'hookline/settings'
import { AgentError } from '../output/agent-error.ts'
import { type ReadServers, readServers } from './read-servers.ts'
import type { ServerSpec } from './server-spec.ts'

/** Places where servers are looked for. */
export interface ServerPlaces {
  readonly project: string
  /** Files that the caller named. */
  readonly named: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/**
 * The servers of a session: those of the files the caller named, of the project's `.mcp.json` and of plugins. Of two
 * with one name the first counts. What the project brings along is what the engine read and the user was shown; it counts
 * only when they accepted the project with it.
 */
export async function findServers(
  { project, named, env }: ServerPlaces,
  { configuration, trust }: Pick<Engine, 'configuration' | 'trust'>,
): Promise<ReadServers> {
  const inProject = { ...env, CLAUDE_PROJECT_DIR: project }
  const reading = { env: inProject, accepted: trust.accepted }
  const read = [
    ...(await readNamedFiles(named, project)).map((file) => readFileServers(file, { ...reading, source: 'dynamic' })),
    ...configuration.serverFiles.map((file) => readFileServers(file, { ...reading, source: 'project' })),
  ]
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

async function readNamedFiles(paths: readonly string[], project: string): Promise<SettingsFile[]> {
  const files = paths.map((path) => readSettingsFile({ scope: 'user', path, plugin: null, needsTrust: false }, project))
  const read = await Promise.all(files)
  const missing = read.find(({ content }) => content.read === 'missing')
  if (missing) throw new AgentError(`--mcp-config ${missing.path}: there is no such file.`)
  return read
}

interface ReadingServers {
  readonly env: NodeJS.ProcessEnv
  readonly accepted: boolean
  /** Of a plugin's file it is the plugin. */
  readonly source: ServerSpec['source']
}

function readFileServers(file: SettingsFile, { env, accepted, source }: ReadingServers): ReadServers {
  const { plugin, needsTrust } = file
  const [unread] = file.root === null ? file.problems : []
  if (unread) {
    const { line, column, message } = unread
    return { servers: [], problems: [`${file.file}:${line}:${column}  ${message} Its MCP servers do not start.`] }
  }
  const node = findServersNode(file)
  if (node === undefined) return { servers: [], problems: [] }
  const ofPlugin = plugin && {
    prefix: `plugin_${plugin.name}_`,
    source: 'plugin' as const,
    env: { ...env, CLAUDE_PLUGIN_ROOT: plugin.root },
  }
  if (!needsTrust || accepted) return readServers({ node, file: file.file, prefix: '', source, env, ...ofPlugin })
  const names = [...(node.fields?.keys() ?? [])].join(', ')
  const problem =
    `${file.file}: the MCP servers of this folder (${names}) do not start, for it is not trusted with them. ` +
    'Look at it with "hookline trust show", accept it with "hookline trust accept", or use --trust for this run.'
  return { servers: [], problems: names === '' ? [] : [problem] }
}
