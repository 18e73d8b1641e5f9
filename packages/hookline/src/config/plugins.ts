import { basename, join, resolve } from 'node:path'
import { touches } from '../files/paths.ts'
import { readText } from '../files/read.ts'
import { oneLine } from '../text/clean.ts'
import { parseJsonSource } from './json-source.ts'
import { PLUGIN_MANIFEST } from './scopes.ts'
import type { SettingsPlace } from './settings-file.ts'

/** Where the hooks of a plugin are. Its name is its manifest's, else its folder's. */
export async function pluginPlace(folder: string, project: string): Promise<SettingsPlace> {
  const root = resolve(folder)
  return {
    scope: 'plugin',
    path: join(root, 'hooks', 'hooks.json'),
    plugin: { name: (await manifestName(root)) ?? oneLine(basename(root)), root },
    needsTrust: touches(root, project),
  }
}

async function manifestName(root: string): Promise<string | null> {
  const manifest = await readText(join(root, PLUGIN_MANIFEST))
  if (manifest.read !== 'text') return null
  const source = parseJsonSource(manifest.text)
  const name = 'root' in source ? source.root.fields?.get('name')?.node.value : undefined
  return typeof name === 'string' ? oneLine(name) || null : null
}
