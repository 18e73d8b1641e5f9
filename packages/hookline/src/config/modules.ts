import { createHash } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import { makePluginEnclosure, readText } from '../files/read.ts'
import type { SettingsFile } from './settings-file.ts'
import type { Place, SourceNode } from './source.ts'

/** A function hook of a plugin: code that Claude Code runs inside itself, before any hook. Hookline never runs it. */
export interface FunctionModule extends Place {
  /** Path as written. */
  readonly module: string
  readonly path: string
  /** The file that names it, for showing. */
  readonly file: string
  /** The plugin's name. */
  readonly plugin: string
  readonly needsTrust: boolean
  /** SHA-256 of its content; null where that cannot be read. */
  readonly digest: string | null
}

/** The key under which a plugin's file of hooks names its modules. */
const MODULES_KEY = 'modules'

/** Modules answer first wherever Claude Code runs: said of each of them. */
export const MODULE_NOTICE = 'it answers before your hooks, in Claude Code alone: Hookline never runs it'

/** Reads the modules that the files of plugins name. */
export async function readModules(files: readonly SettingsFile[]): Promise<FunctionModule[]> {
  const modules: FunctionModule[] = []
  for (const { file, path, plugin, root, needsTrust } of files) {
    if (plugin === null) continue
    for (const { value, line, column } of listModuleNodes({ path, root })) {
      const module = String(value)
      const place = resolveModulePath(module, { path, pluginRoot: plugin.root })
      const content = await readText(place, { inside: makePluginEnclosure(plugin.root) })
      const digest = content.read === 'text' ? createHash('sha256').update(content.text).digest('hex') : null
      modules.push({ module, path: place, file, line, column, plugin: plugin.name, needsTrust, digest })
    }
  }
  return modules
}

/** The node under which a plugin's file names its modules; undefined where it names none. A manifest has none. */
export function findModulesNode({ path, root }: Pick<SettingsFile, 'path' | 'root'>): SourceNode | undefined {
  return basename(path) === 'plugin.json' ? undefined : root?.fields?.get(MODULES_KEY)?.node
}

/** The paths of modules that a plugin's file names. */
export function listModuleNodes(file: Pick<SettingsFile, 'path' | 'root'>): SourceNode[] {
  return (findModulesNode(file)?.items ?? []).filter(({ value }) => typeof value === 'string')
}

/** A plugin's folder, as its files write it. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how files of plugins write it
const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}'

/** Finds where a module is: its path is from the file that names it. */
export function resolveModulePath(module: string, { path, pluginRoot }: { path: string; pluginRoot: string }): string {
  return resolve(
    dirname(path),
    module.replaceAll(PLUGIN_ROOT, () => pluginRoot),
  )
}
