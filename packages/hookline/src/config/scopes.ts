import { isAbsolute, posix, resolve, sep, win32 } from 'node:path'
import { findHome, isHomeOrAbove } from '../files/home.ts'
import { isInside, isTouching, joinPath, resolveLinks } from '../files/paths.ts'
import { statOrUndefined } from '../files/read.ts'
import type { ScopeRules } from '../protocol/rules.ts'
import type { ComponentScope, FileScope, Scope } from '../protocol/scope.ts'

/** True if a scope is that of a component. */
export function isComponentScope(scope: Scope): scope is ComponentScope {
  return scope === 'skill' || scope === 'agent' || scope === 'command'
}

/** Sorts what belongs to scopes as a protocol has them speak; inside a scope it stays as it came. */
export function sortByScope<Scoped extends { readonly scope: Scope }>(
  items: readonly Scoped[],
  { order }: ScopeRules,
): Scoped[] {
  const ranked: Scoped[][] = []
  for (const item of items) {
    const rank = order.indexOf(isComponentScope(item.scope) ? 'component' : item.scope)
    const at = rank < 0 ? order.length : rank
    const same = ranked[at] ?? []
    same.push(item)
    ranked[at] = same
  }
  return ranked.flat()
}

/** Folders whose markdown files are components, and of which kind. */
export const COMPONENT_FOLDERS: Readonly<Record<string, ComponentScope>> = {
  skills: 'skill',
  agents: 'agent',
  commands: 'command',
}

/** File in which a plugin describes itself, in its folder. */
export const PLUGIN_MANIFEST = `.claude-plugin${sep}plugin.json`

/** The folders an engine reads from. */
export interface ConfigPlaces {
  /** The project's folder. */
  readonly project: string
  /** The user's home folder. */
  readonly home: string
  /** The policy file; its drop-in folder stands beside it. */
  readonly managed: string
  /** Roots of the enabled plugins, in order. */
  readonly plugins: readonly string[]
  /** Ids of plugins by their roots, `name@marketplace`. */
  readonly pluginIds?: Readonly<Record<string, string>>
  /** A settings file for this session alone. */
  readonly settings?: string
}

/** The scopes whose settings file may be written. */
export type WritableScope = Extract<FileScope, 'local' | 'project' | 'user'>

/** The settings file of each of them. */
export const SETTINGS_FILES: Readonly<
  Record<WritableScope, (places: Pick<ConfigPlaces, 'project' | 'home'>) => string>
> = {
  local: ({ project }) => joinPath(project, '.claude', 'settings.local.json'),
  project: ({ project }) => joinPath(project, '.claude', 'settings.json'),
  user: (places) => joinPath(findUserFolder(places), 'settings.json'),
}

/** Variable that moves what Claude Code keeps of a user. */
export const USER_FOLDER_VARIABLE = 'CLAUDE_CONFIG_DIR'

/**
 * The user's folder of settings and plugins: `.claude` in the home, or where CLAUDE_CONFIG_DIR moves that of the account that runs this.
 * A folder of the project never counts, nor one that is not there: agents read variables from a project's `.env` as well.
 */
export function findUserFolder({ project, home }: Pick<ConfigPlaces, 'project' | 'home'>): string {
  const moved = process.env[USER_FOLDER_VARIABLE]
  const usual = joinPath(home, '.claude')
  if (!moved || !isAbsolute(moved) || home !== resolve(findHome())) return usual
  if (isTouching(moved, project) && !isHomeOrAbove(project, home)) return usual
  return statOrUndefined(moved)?.isDirectory() ? resolve(moved) : usual
}

/** True if the project's `.claude` is the user's own, as in the home: then it is read once, as the user's, and needs no trust. */
export function isUserFolderShared({ project, home }: Pick<ConfigPlaces, 'project' | 'home'>): boolean {
  if (project === home) return true
  const [ofProject, ofUser] = [joinPath(project, '.claude'), findUserFolder({ project, home })]
  const [one, other] = [statOrUndefined(ofProject), statOrUndefined(ofUser)]
  if (one?.ino !== other?.ino || one?.dev !== other?.dev) return false // to follow links takes several steps
  return resolveLinks(ofProject) === resolveLinks(ofUser)
}

/**
 * True if a file belongs to the project, by its name or by where its links lead. What lies in the user's `.claude` is the
 * user's, also where the project is the home or a folder above it.
 */
export function isProjectFile(path: string, { project, home }: Pick<ConfigPlaces, 'project' | 'home'>): boolean {
  if (!isTouching(path, project)) return false
  const own = findUserFolder({ project, home })
  return !(isInside(own, project) && isInside(path, own))
}

/** The name of the policy's drop-in folder. */
export const DROP_IN_FOLDER = 'managed-settings.d'

const MANAGED_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
}

/** Path of the system-wide policy file, unless the host says otherwise. */
export function findDefaultManagedFile(platform: NodeJS.Platform): string {
  const { sep } = platform === 'win32' ? win32 : posix
  return [MANAGED_FOLDERS[platform] ?? '/etc/claude-code', 'managed-settings.json'].join(sep)
}
