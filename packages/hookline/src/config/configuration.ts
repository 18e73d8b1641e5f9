import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { errorCode } from '../files/read.ts'
import type { Profile } from '../protocol/event-row.ts'
import { type Component, componentsOf, readComponent } from './component.ts'
import { pluginPlace } from './plugins.ts'
import { refuseUnguardedPolicy } from './policy-guard.ts'
import { DROP_IN_FOLDER, defaultManagedFile, type FileScope, type Places, SCOPES, SETTINGS_FILES } from './scopes.ts'
import { serversOf } from './servers.ts'
import { readSettingsFile, type SettingsFile, type SettingsPlace } from './settings-file.ts'

/** Everything on disk that defines hooks, as it was when it was read. */
export interface Configuration {
  /** Every settings file that was looked for, missing ones included, in configuration order. */
  readonly files: readonly SettingsFile[]
  /** The components in the project's `.claude` folder, active or not. */
  readonly components: readonly Component[]
  /** The MCP servers that the project brings along, by file. */
  readonly servers: Readonly<Record<string, unknown>>
}

/** Reads all of it. Rejects with a HooklineError when it cannot be told what policy there is. */
export async function readConfiguration(places: Places, profile: Profile): Promise<Configuration> {
  const wanted = await settingsPlaces(places)
  const files: SettingsFile[] = []
  for (const place of wanted) files.push(await readSettingsFile(place, places.project))
  return { files, components: await readComponents(places, profile), servers: await serversOf(places) }
}

/** Every settings file to look for, in configuration order. Rejects when it cannot be told what policy there is. */
export async function settingsPlaces(places: Places): Promise<SettingsPlace[]> {
  const plugins = await Promise.all(places.plugins.map((folder) => pluginPlace(folder, places.project)))
  const byScope: Record<FileScope, readonly SettingsPlace[]> = {
    local: [ownFile('local', places)],
    plugin: plugins,
    project: [ownFile('project', places)],
    user: [ownFile('user', places)],
    managed: policyFiles(places).map((path) => ({ scope: 'managed', path, plugin: null, needsTrust: false })),
  }
  return SCOPES.flatMap((scope) => (scope in byScope ? byScope[scope as FileScope] : [])) // the rest have no files
}

function ownFile(scope: keyof typeof SETTINGS_FILES, places: Places): SettingsPlace {
  return { scope, path: SETTINGS_FILES[scope](places), plugin: null, needsTrust: scope !== 'user' }
}

/** The policy's files, which must not be everybody's. */
function policyFiles({ managed }: Places): string[] {
  const paths = [managed, ...dropIns(dropInFolder(managed))]
  const ofSystem = managed === defaultManagedFile(process.platform)
  if (process.platform !== 'win32') for (const path of paths) refuseUnguardedPolicy(path, { ofSystem })
  return paths
}

/** Where parts of a policy stand, beside its file. */
export function dropInFolder(managed: string): string {
  return join(dirname(managed), DROP_IN_FOLDER)
}

function dropIns(folder: string): string[] {
  try {
    if (!statSync(folder, { throwIfNoEntry: false })) return []
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return []
    throw new HooklineError(`${folder} cannot be read, so it is unknown what policy allows; nothing is run.`)
  }
}

/** One after the other: a project may have more components than the host has descriptors. */
async function readComponents({ project, plugins }: Places, profile: Profile): Promise<Component[]> {
  const components: Component[] = []
  for (const path of componentsOf(project)) {
    const component = await readComponent(path, { project, plugins, profile }).catch(() => null) // cannot be opened: not shown, so not trusted
    if (component) components.push(component)
  }
  return components
}
