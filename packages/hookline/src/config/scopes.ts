import { join } from 'node:path'

/**
 * Where hooks come from, in the fixed order in which they speak: the most specific first, and where the last one
 * wins, policy wins.
 */
export const SCOPES = ['skill', 'agent', 'command', 'session', 'local', 'plugin', 'project', 'user', 'managed'] as const

export type Scope = (typeof SCOPES)[number]

/** The scopes that a settings file can belong to. */
export type FileScope = Extract<Scope, 'local' | 'plugin' | 'project' | 'user' | 'managed'>

/** The scopes of markdown components. */
export type ComponentScope = Extract<Scope, 'skill' | 'agent' | 'command'>

/** Scalar settings take the first of these scopes that sets them. */
export const SETTING_ORDER = ['managed', 'local', 'project', 'user'] as const satisfies readonly FileScope[]

/** Folders whose markdown files are components, and of which kind. */
export const COMPONENT_FOLDERS: Readonly<Record<string, ComponentScope>> = {
  skills: 'skill',
  agents: 'agent',
  commands: 'command',
}

/** What a plugin says about itself, in its folder. */
export const PLUGIN_MANIFEST = join('.claude-plugin', 'plugin.json')

/** The folders an engine reads from. */
export interface Places {
  /** The project's folder. */
  readonly project: string
  /** The person's home folder. */
  readonly home: string
  /** The policy file; its drop-in folder stands beside it. */
  readonly managed: string
  /** Roots of the enabled plugins, in order. */
  readonly plugins: readonly string[]
}

/** The settings file of each scope that has exactly one. */
export const SETTINGS_FILES: Readonly<Record<'local' | 'project' | 'user', (places: Places) => string>> = {
  local: ({ project }) => join(project, '.claude', 'settings.local.json'),
  project: ({ project }) => join(project, '.claude', 'settings.json'),
  user: ({ home }) => join(home, '.claude', 'settings.json'),
}

/** The name of the policy's drop-in folder. */
export const DROP_IN_FOLDER = 'managed-settings.d'

const MANAGED_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
}

/** Where the system-wide policy file is, unless the host says otherwise. */
export function defaultManagedFile(platform: NodeJS.Platform): string {
  return join(MANAGED_FOLDERS[platform] ?? '/etc/claude-code', 'managed-settings.json')
}
