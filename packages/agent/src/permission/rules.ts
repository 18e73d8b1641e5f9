import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readSettingsFile, type SettingsFile } from 'hookline/internal'
import type { Behavior } from 'hookline/rules'
import { type Contribution, contributionOf, everything, type SettingsPlace } from './contribution.ts'
import { grantedRules } from './granted.ts'
import { noRules, type PermissionRules, type SourcedRule } from './permission-rules.ts'

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
 * whole tool, for every tool when it names none, and a policy file that cannot be read denies everything. `read` are the
 * files as the engine has read and shown them; without an engine they are read here.
 */
export async function readPermissions(
  places: PermissionPlaces,
  { trusted, read }: { readonly trusted: boolean; readonly read?: readonly SettingsFile[] },
): Promise<PermissionRules> {
  const placed = await placedFiles(places, { trusted, read: read ?? (await readFiles(places)) })
  const files = placed.map(([place, file]) => contributionFrom(file, place, places))
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

/** The files in the order in which they speak, with what each of them may do. */
async function placedFiles(
  { project, home, extra }: PermissionPlaces,
  { trusted, read }: { readonly trusted: boolean; readonly read: readonly SettingsFile[] },
): Promise<[SettingsPlace, SettingsFile][]> {
  const granted = await grantedRules({ home, project })
  const from = (source: 'managed' | 'local' | 'project' | 'user', mayLoosen: boolean) =>
    read
      .filter(({ scope }) => scope === source)
      .map((file): [SettingsPlace, SettingsFile] => [
        { source, mayLoosen, ...(source === 'local' ? { granted } : {}) },
        file,
      ])
  const named = extra ? [await readFile('user', resolve(project, extra), project)] : []
  return [
    ...from('managed', true),
    ...named.map((file): [SettingsPlace, SettingsFile] => [{ source: 'extra', mayLoosen: true }, file]),
    ...from('local', trusted),
    ...from('project', trusted),
    ...from('user', true),
  ]
}

/** The files that an engine would read. */
async function readFiles({ project, home, managed = POLICY_FILE }: PermissionPlaces): Promise<SettingsFile[]> {
  const policy = [managed, ...(await dropIns(managed))]
  return Promise.all([
    ...policy.map((path) => readFile('managed', path, project)),
    readFile('local', join(project, '.claude', 'settings.local.json'), project),
    readFile('project', join(project, '.claude', 'settings.json'), project),
    readFile('user', join(home, '.claude', 'settings.json'), project),
  ])
}

function readFile(scope: SettingsFile['scope'], path: string, project: string): Promise<SettingsFile> {
  const needsTrust = scope === 'local' || scope === 'project'
  return readSettingsFile({ scope, path, plugin: null, needsTrust }, project)
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

function contributionFrom(read: SettingsFile, place: SettingsPlace, { project, home }: PermissionPlaces): Contribution {
  const { file, content, root } = read
  if (root) return contributionOf({ root, place, file, project, home })
  const nothing = noRules({ project, home })
  if (content.read === 'missing' && place.source !== 'extra') return nothing
  const [problem = { line: 1, column: 1, message: 'The file is not there.' }] = read.problems
  const closed = place.source === 'managed'
  const so = closed ? 'Until it is mended every call is denied.' : 'Its permissions do not count.'
  const { line, column, message } = problem
  return {
    ...nothing,
    deny: closed ? [everything(file)] : [],
    problems: [{ file, line, column, message: `${message} ${so}` }],
  }
}
