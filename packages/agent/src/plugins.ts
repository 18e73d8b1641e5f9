import { basename, join, resolve } from 'node:path'
import { isBelow, realPathOf } from './permission/real-path.ts'
import { memberOf, readSettingsText, type SettingsText } from './permission/settings-text.ts'

/** A folder that brings hooks, agents, commands, skills and MCP servers along. */
export interface Plugin {
  /** Its manifest's name, else its folder's. */
  readonly name: string
  readonly root: string
  /** Lies in the project, by its name or by where its links lead: then it is as trusted as the project. */
  readonly ofProject: boolean
  readonly manifestPath: string
  readonly manifest: SettingsText
}

/** The plugins in these folders, in order. */
export function readPlugins(folders: readonly string[], project: string): Promise<Plugin[]> {
  return Promise.all(folders.map((folder) => readPlugin(resolve(folder), project)))
}

async function readPlugin(root: string, project: string): Promise<Plugin> {
  const manifestPath = join(root, '.claude-plugin', 'plugin.json')
  const manifest = await readSettingsText(manifestPath)
  const written: unknown = manifest.read === 'settings' ? memberOf(manifest.root, 'name')?.value : undefined
  const name = typeof written === 'string' && written.trim() !== '' ? written.trim() : basename(root)
  const ofProject = isBelow(root, project) || isBelow(realPathOf(root), realPathOf(project))
  return { name, root, ofProject, manifestPath, manifest }
}
