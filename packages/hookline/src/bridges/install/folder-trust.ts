import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBelow, resolveLinks } from '../../files/paths.ts'
import { isObject } from '../../text/json.ts'
import type { FolderTrust, JsonObject, TrustListName } from '../bridge.ts'
import { type HostSettings, locateSettings, lookUp, readSettings } from './host-settings.ts'
import type { HostPlace } from './installed.ts'

/** Finding about an agent's trust in a project's folder; `by` is where that is written. */
export type TrustFinding =
  | { readonly trusted: true }
  | { readonly trusted: false; readonly by: string }
  | { readonly trusted: 'unknown'; readonly by: string; readonly why: string }

/** Asks the agent's own files whether it trusts the project. Never rejects. */
export async function askFolderTrust(trust: FolderTrust, place: HostPlace): Promise<TrustFinding> {
  const { grantedBy, onlyIf } = trust
  if (Object.entries(grantedBy ?? {}).some(([name, value]) => place.env[name] === value)) return { trusted: true }
  if (onlyIf !== undefined && !(await isAskedFor(onlyIf, place))) return { trusted: true }
  const moved = trust.movedBy === undefined ? undefined : place.env[trust.movedBy]
  const settings = await readSettings(moved || locateSettings(place, trust.file), trust.format)
  if (settings.state === 'unreadable') return { trusted: 'unknown', by: settings.file, why: settings.why }
  return isListed(trust, settings, place.project) ? { trusted: true } : { trusted: false, by: settings.file }
}

async function isAskedFor(
  { files, format, key, usual }: NonNullable<FolderTrust['onlyIf']>,
  place: HostPlace,
): Promise<boolean> {
  for (const path of files) {
    const settings = await readSettings(locateSettings(place, path), format)
    const value = settings.state === 'read' ? lookUp(settings.value, key) : undefined
    if (typeof value === 'boolean') return value
  }
  return usual
}

function isListed({ listed, keys }: FolderTrust, settings: HostSettings, project: string): boolean {
  if (settings.state !== 'read') return false
  const { value } = settings
  const lists = keys === undefined ? [value] : keys.map((key) => lookUp(value, key))
  return lists.some((list) => LISTS[listed](list, resolveLinks(project)))
}

/** Ways in which agents write down which folders they trust. */
const LISTS: Readonly<Record<TrustListName, (list: unknown, project: string) => boolean>> = {
  levels: isTrustedByLevel,
  projects: (list, project) => {
    const levels = isObject(list) ? list : {}
    const folders = [project, findRepository(project)]
    return folders.some((folder) => isObject(levels[folder]) && lookUp(levels[folder], 'trust_level') === 'trusted')
  },
  paths: (list, project) =>
    Array.isArray(list) && list.some((folder) => typeof folder === 'string' && isBelowFolder(project, folder)),
  keys: (list, project) => isObject(list) && Object.keys(list).some((folder) => isBelowFolder(project, folder)),
}

/** Names of those ways. */
export const TRUST_LIST_NAMES = Object.keys(LISTS)

/** Of the folders above a project the longest counts, with what it says of itself or of the folder that it is in. */
function isTrustedByLevel(list: unknown, project: string): boolean {
  const levels: JsonObject = isObject(list) ? list : {}
  const fitting = Object.keys(levels).filter((folder) =>
    isBelowFolder(project, levels[folder] === 'TRUST_PARENT' ? dirname(folder) : folder),
  )
  const longest = fitting.reduce((one, other) => (other.length > one.length ? other : one), '')
  return ['TRUST_FOLDER', 'TRUST_PARENT'].includes(String(levels[longest]))
}

function isBelowFolder(project: string, folder: string): boolean {
  const real = resolveLinks(folder)
  return project === real || isBelow(project, real)
}

/** The folder of the repository that a project is in, itself where it is in none. */
function findRepository(project: string): string {
  for (let folder = project; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder
  return project
}
