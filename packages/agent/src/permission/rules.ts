import { resolve } from 'node:path'
import type { AbsentGuard } from 'hookline'
import type { Behavior } from 'hookline/rules'
import { readSettingsFile, type SettingsFile } from 'hookline/settings'
import { type Contribution, makeDenyAll, readContribution, type SettingsPlace } from './contribution.ts'
import { readGrantedRules } from './granted.ts'
import { makeNoRules, type PermissionRules, type SourcedRule } from './permission-rules.ts'

/** Places that permissions are read from. */
export interface PermissionPlaces {
  readonly project: string
  readonly home: string
  /** A settings file named on the command line. */
  readonly extra?: string | null
}

/** Settings files, and what they may do. */
export interface ReadSettings {
  /** True if the project was accepted. */
  readonly trusted: boolean
  /** As the engine has read and shown them. */
  readonly read: readonly SettingsFile[]
  /** Entries that were to guard calls and cannot run: the files that they stand in loosen nothing. */
  readonly absentGuards?: readonly AbsentGuard[]
}

/**
 * Reads the permissions of all settings files. A project that is not trusted, and a file whose guard was set aside, can
 * restrict, and loosens nothing. What is
 * malformed is reported and set aside, but policy fails closed: a deny or ask rule that cannot be read counts for its
 * whole tool, for every tool when it names none, and a policy file that cannot be read denies everything.
 */
export async function readPermissions(places: PermissionPlaces, settings: ReadSettings): Promise<PermissionRules> {
  const placed = await placeFiles(places, settings)
  const files = placed.map(([place, file]) => readPlacedContribution(file, place, places))
  const collectRules = (behavior: Behavior): SourcedRule[] => files.flatMap((file) => file[behavior])
  return {
    ...makeNoRules(places),
    ...{ allow: collectRules('allow'), ask: collectRules('ask'), deny: collectRules('deny') },
    directories: files.flatMap(({ directories }) => directories),
    defaultMode: files.find(({ defaultMode }) => defaultMode !== null)?.defaultMode ?? null,
    bypassForbiddenBy: files.find(({ bypassForbiddenBy }) => bypassForbiddenBy !== null)?.bypassForbiddenBy ?? null,
    problems: files.flatMap(({ problems }) => problems),
  }
}

/** The files in the order in which they speak, with what each of them may do. */
async function placeFiles(
  { project, home, extra }: PermissionPlaces,
  { trusted, read, absentGuards = [] }: ReadSettings,
): Promise<[SettingsPlace, SettingsFile][]> {
  const granted = await readGrantedRules({ home, project })
  const describeRestraint = (path: string | null, isTrusted: boolean): string | null => {
    if (!isTrusted) return 'a project that is not trusted'
    const guard = absentGuards.find((one) => one.path === path)
    return guard === undefined ? null : `this file (${guard.because}, and it may have been their guard)`
  }
  const placeScope = (source: 'managed' | 'local' | 'project' | 'user', isTrusted: boolean) =>
    read
      .filter(({ scope }) => scope === source)
      .map((file): [SettingsPlace, SettingsFile] => [
        { source, restrained: describeRestraint(file.path, isTrusted), ...(source === 'local' ? { granted } : {}) },
        file,
      ])
  const path = resolve(project, extra ?? '')
  const named = extra ? [await readSettingsFile({ scope: 'user', path, plugin: null, needsTrust: false }, project)] : []
  return [
    ...placeScope('managed', true),
    ...named.map((file): [SettingsPlace, SettingsFile] => [
      { source: 'extra', restrained: describeRestraint(null, true) },
      file,
    ]),
    ...placeScope('local', trusted),
    ...placeScope('project', trusted),
    ...placeScope('user', true),
  ]
}

function readPlacedContribution(
  read: SettingsFile,
  place: SettingsPlace,
  { project, home }: PermissionPlaces,
): Contribution {
  const { file, content, root } = read
  if (root) return readContribution({ root, place, file, project, home })
  const nothing = makeNoRules({ project, home })
  if (content.read === 'missing' && place.source !== 'extra') return nothing
  const [problem = { line: 1, column: 1, message: 'The file is not there.' }] = read.problems
  const closed = place.source === 'managed'
  const so = closed ? 'Until it is fixed every call is denied.' : 'Its permissions do not count.'
  const { line, column, message } = problem
  return {
    ...nothing,
    deny: closed ? [makeDenyAll(file)] : [],
    problems: [{ file, line, column, message: `${message} ${so}` }],
  }
}
