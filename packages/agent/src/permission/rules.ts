import { readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { type Contribution, contributionOf, everything, type SettingsPlace } from './contribution.ts'
import { grantedRules } from './granted.ts'
import { type Behavior, noRules, type PermissionRules, type SourcedRule } from './permission-rules.ts'
import { isBelow } from './real-path.ts'
import { readSettingsText } from './settings-text.ts'

/** The files that permissions are read from. */
export interface PermissionPlaces {
  readonly project: string
  readonly home: string
  /** The policy file; `managed-settings.d` beside it is read too. The system's own unless it is said. */
  readonly managed?: string
  /** A settings file named on the command line. */
  readonly extra?: string | null
}

/**
 * Reads the permissions of all settings files. A project that is not trusted can restrict, and loosens nothing. What is
 * malformed is reported and set aside, but policy fails closed: a deny or ask rule that cannot be read counts for its
 * whole tool, for every tool when it names none, and a policy file that cannot be read denies everything.
 */
export async function readPermissions(
  places: PermissionPlaces,
  { trusted }: { readonly trusted: boolean },
): Promise<PermissionRules> {
  const files = await Promise.all((await settingsPlaces(places, trusted)).map((place) => readPlace(place, places)))
  const rulesOf = (behavior: Behavior): SourcedRule[] => files.flatMap((file) => file[behavior])
  return {
    ...noRules(places),
    ...{ allow: rulesOf('allow'), ask: rulesOf('ask'), deny: rulesOf('deny') },
    directories: files.flatMap(({ directories }) => directories),
    defaultMode: files.find(({ defaultMode }) => defaultMode !== null)?.defaultMode ?? null,
    bypassForbiddenBy: files.find(({ bypassForbiddenBy }) => bypassForbiddenBy !== null)?.bypassForbiddenBy ?? null,
    problems: files.flatMap(({ problems }) => problems),
  }
}

/** Where the engine looks for the policy too. */
const POLICY_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
}
const POLICY_FILE = join(POLICY_FOLDERS[process.platform] ?? '/etc/claude-code', 'managed-settings.json')

async function settingsPlaces(
  { project, home, managed = POLICY_FILE, extra }: PermissionPlaces,
  trusted: boolean,
): Promise<SettingsPlace[]> {
  const policy = [managed, ...(await dropIns(managed))]
  const granted = await grantedRules({ home, project })
  return [
    ...policy.map((path): SettingsPlace => ({ source: 'managed', path, mayLoosen: true })),
    ...(extra ? [{ source: 'extra', path: resolve(project, extra), mayLoosen: true } as const] : []),
    { source: 'local', path: join(project, '.claude', 'settings.local.json'), mayLoosen: trusted, granted },
    { source: 'project', path: join(project, '.claude', 'settings.json'), mayLoosen: trusted },
    { source: 'user', path: join(home, '.claude', 'settings.json'), mayLoosen: true },
  ]
}

async function dropIns(managed: string): Promise<string[]> {
  const folder = join(dirname(managed), 'managed-settings.d')
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return isAbsent ? [] : [folder] // read like a file that cannot be read: policy fails closed
  }
}

async function readPlace(place: SettingsPlace, { project, home }: PermissionPlaces): Promise<Contribution> {
  const { source, path } = place
  const file = isBelow(path, project) ? relative(project, path) : path
  const content = await readSettingsText(path)
  if (content.read === 'settings') return contributionOf({ ...content, place, file, project, home })
  const nothing = noRules({ project, home })
  if (content.read === 'missing' && source !== 'extra') return nothing
  const { reason, line, column } = content.read === 'missing' ? { reason: 'is not there', line: 1, column: 1 } : content
  const closed = source === 'managed'
  const so = closed ? 'until it is mended every call is denied' : 'its permissions do not count'
  return {
    ...nothing,
    deny: closed ? [everything(file)] : [],
    problems: [{ file, line, column, message: `The file ${reason}; ${so}.` }],
  }
}
