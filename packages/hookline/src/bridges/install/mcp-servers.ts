import { isObject } from '../../text/json.ts'
import type { Bridge } from '../bridge.ts'
import { locateSettings, lookUp, readSettings } from './host-settings.ts'
import type { HostPlace } from './installed.ts'

/** Place where the files of an agent are looked for. */
export interface ServerPlace extends Pick<HostPlace, 'home' | 'env'> {
  /** The project, and the folder of the call where that is another one. */
  readonly folders: readonly string[]
}

/**
 * Names of the MCP servers that an agent has by itself, or that its own files configure, each once. A file that cannot be
 * read names none: then every reading of a name is shown.
 */
export async function readServers(bridge: Bridge, { home, env, folders }: ServerPlace): Promise<string[]> {
  const places = folders.map((project): HostPlace => ({ bridge, scope: 'project', project, home, env }))
  const paths = (bridge.mcp.files ?? []).flatMap(({ file, format, key }) =>
    places.map((place) => ({ file: locateSettings(place, file), format, key })),
  )
  const found = await Promise.all(
    [...new Map(paths.map((one) => [`${one.file} ${one.key}`, one])).values()].map(async ({ file, format, key }) => {
      const settings = await readSettings(file, format)
      const servers = settings.state === 'read' ? lookUp(settings.value, key) : null
      return isObject(servers) ? Object.keys(servers) : []
    }),
  )
  return [...new Set([...(bridge.mcp.own ?? []), ...found.flat()])]
}
