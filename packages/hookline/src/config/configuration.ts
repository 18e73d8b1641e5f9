import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Profile } from '../protocol/event-row.ts'
import { type Component, componentsOf, readComponent } from './component.ts'
import { HooklineError } from './error.ts'
import { pluginPlace } from './plugins.ts'
import { refuseUnguardedPolicy } from './policy-guard.ts'
import { errorCode } from './read-file.ts'
import { DROP_IN_FOLDER, defaultManagedFile, type FileScope, type Places, SCOPES, SETTINGS_FILES } from './scopes.ts'
import { readSettingsFile, type SettingsFile, type SettingsPlace } from './settings-file.ts'

/** Everything on disk that defines hooks, as it was when it was read. */
export interface Configuration {
  /** Every settings file that was looked for, missing ones included, in configuration order. */
  readonly files: readonly SettingsFile[]
  /** The components in the project's `.claude` folder, active or not. */
  readonly components: readonly Component[]
}

/** Reads all of it. Rejects with a HooklineError when it cannot be told what policy there is. */
export async function readConfiguration(places: Places, profile: Profile): Promise<Configuration> {
  const wanted = await settingsPlaces(places)
  const [files, components] = await Promise.all([
    Promise.all(wanted.map((place) => readSettingsFile(place, places.project))),
    readComponents(places, profile),
  ])
  return { files, components }
}

async function settingsPlaces(places: Places): Promise<SettingsPlace[]> {
  const plugins = await Promise.all(places.plugins.map((folder) => pluginPlace(folder, places.project)))
  const byScope: Record<FileScope, readonly SettingsPlace[]> = {
    local: [ownFile('local', places)],
    plugin: plugins,
    project: [ownFile('project', places)],
    user: [ownFile('user', places)],
    managed: (await policyFiles(places)).map((path) => ({ scope: 'managed', path, plugin: null, needsTrust: false })),
  }
  return SCOPES.flatMap((scope) => (scope in byScope ? byScope[scope as FileScope] : [])) // the rest have no files
}

function ownFile(scope: keyof typeof SETTINGS_FILES, places: Places): SettingsPlace {
  return { scope, path: SETTINGS_FILES[scope](places), plugin: null, needsTrust: scope !== 'user' }
}

/** The policy's files; at the system's own place they must be the system's own. */
async function policyFiles({ managed }: Places): Promise<string[]> {
  const paths = [managed, ...(await dropIns(join(dirname(managed), DROP_IN_FOLDER)))]
  if (process.platform !== 'win32' && managed === defaultManagedFile(process.platform)) {
    await Promise.all(paths.map(refuseUnguardedPolicy))
  }
  return paths
}

async function dropIns(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return []
    throw new HooklineError(`${folder} cannot be read, so it is unknown what policy allows; nothing is run.`)
  }
}

async function readComponents({ project }: Places, profile: Profile): Promise<Component[]> {
  const paths = await componentsOf(project)
  const read = paths.map((path) => readComponent(path, { project, profile }).catch(() => null)) // cannot be opened: not shown, so not trusted
  return (await Promise.all(read)).filter((component) => component !== null)
}
