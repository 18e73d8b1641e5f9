import { join } from 'node:path'
import type { ProtocolRules } from '../protocol/rules.ts'
import type { Configuration } from './configuration.ts'
import type { Places } from './scopes.ts'

/** What the hooks of a plugin get besides its root. */
export interface PluginShare {
  /** Its folder for data that outlives an update. */
  readonly data: string
  /** What the user set, by the names that the plugin gives. */
  readonly options: Readonly<Record<string, string>>
}

/** The source of a plugin that is given as a folder. */
const SOURCE = 'inline'

/** What the plugins get, by their roots. */
export const PLUGIN_SHARES: Readonly<
  Record<
    ProtocolRules['pluginOptions'],
    (configuration: Configuration, places: Places) => ReadonlyMap<string, PluginShare>
  >
> = {
  unknown: () => new Map(),
  'passed-on': (configuration, { home }) => {
    const configured = userConfigs(configuration)
    return new Map(
      configuration.plugins.map(({ name, root }) => [
        root,
        {
          data: join(home, '.claude', 'plugins', 'data', `${name}-${SOURCE}`),
          options: optionsIn(configured[`${name}@${SOURCE}`]),
        },
      ]),
    )
  },
}

/** The user's alone: a project must not say where a plugin sends what it is trusted with. */
function userConfigs({ files }: Configuration): Readonly<Record<string, unknown>> {
  const file = files.find(({ scope }) => scope === 'user')
  return fieldsOf(file?.root?.fields?.get('pluginConfigs')?.node.value)
}

function optionsIn(config: unknown): Record<string, string> {
  const options = Object.entries(fieldsOf(fieldsOf(config).options))
  return Object.fromEntries(
    options.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // an object
}
