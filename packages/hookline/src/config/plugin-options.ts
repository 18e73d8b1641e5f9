import { join } from 'node:path'
import type { ProtocolRules } from '../protocol/rules.ts'
import type { Configuration } from './configuration.ts'
import type { Plugin } from './plugins.ts'
import { chooseFileProfile, type Profiles } from './profile-choice.ts'
import { type ConfigPlaces, findUserFolder } from './scopes.ts'

/** Values that the hooks of a plugin get besides its root. */
export interface PluginShare {
  /** Folder of the plugin's data, which outlives an update. */
  readonly data: string
  /** Options that the user set, by the names that the plugin gives. */
  readonly options: Readonly<Record<string, string>>
}

/** The source of a plugin that is given as a folder. */
const SOURCE = 'inline'

/** Makes what the plugins get, by their roots, each by the rules that its hooks are read under. */
export function makePluginShares(
  configuration: Configuration,
  places: ConfigPlaces,
  profiles: Profiles,
): ReadonlyMap<string, PluginShare> {
  return new Map(
    configuration.plugins.flatMap((plugin) => {
      const { rules } = chooseFileProfile(profiles, plugin)
      const share = SHARES[rules.pluginOptions](plugin, configuration, places)
      return share === null ? [] : [[plugin.root, share]]
    }),
  )
}

const SHARES: Readonly<
  Record<
    ProtocolRules['pluginOptions'],
    (plugin: Plugin, configuration: Configuration, places: ConfigPlaces) => PluginShare | null
  >
> = {
  unknown: () => null,
  'passed-on': ({ name, root }, configuration, { pluginIds = {}, ...places }) => {
    const id = (Object.hasOwn(pluginIds, root) && pluginIds[root]) || `${name}@${SOURCE}`
    return {
      data: join(findUserFolder(places), 'plugins', 'data', id.replace(/[^\w.-]/g, '-')),
      options: readPluginOptions(readUserConfigs(configuration)[id]),
    }
  },
}

/** The user's alone: a project must not say where a plugin sends what it is trusted with. */
function readUserConfigs({ files }: Configuration): Readonly<Record<string, unknown>> {
  const file = files.find(({ scope }) => scope === 'user')
  return toFields(file?.root?.fields?.get('pluginConfigs')?.node.value)
}

function readPluginOptions(config: unknown): Record<string, string> {
  const options = Object.entries(toFields(toFields(config).options))
  return Object.fromEntries(
    options.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // an object
}
