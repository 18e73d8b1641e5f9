import { type Component, readComponent } from '../config/component.ts'
import { listHookNodes } from '../config/folder-request.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import { findMisplacedHooks } from '../config/misplaced-hooks.ts'
import { makeProblem, type Problem } from '../config/problem.ts'
import { chooseFileProfile, type Profiles } from '../config/profile-choice.ts'
import { findCountedCopies, type GroupCounter, listGroups, readHooks } from '../config/read-hooks.ts'
import { parseSettings, readSettingsFile, type SettingsFile, type SettingsPlace } from '../config/settings-file.ts'
import type { Place, SourceNode } from '../config/source.ts'
import type { StrayFile } from '../config/stray-files.ts'
import { listSwitchProblems } from '../config/switches.ts'
import { HooklineError } from '../files/error.ts'
import { formatPath, isBelow } from '../files/paths.ts'
import { makeProjectEnclosure, NO_FILE, readText } from '../files/read.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import type { Scope } from '../protocol/scope.ts'
import type { Severity } from './finding.ts'

/** A file to be checked, as it was read. */
export interface Subject {
  readonly path: string
  /** For showing. */
  readonly file: string
  readonly scope: Scope
  /** JSON, or the YAML block of a markdown file. */
  readonly format: 'json' | 'frontmatter'
  readonly text: string
  readonly root: SourceNode | null
  readonly pluginRoot: string | null
  /** The project that its commands run in. */
  readonly project: string
  /** The home of the user whose hooks are checked. */
  readonly home: string
  /** The profile that it was read in. */
  readonly profile: CompleteProfile
  /** Claude Code, where it is asked what that makes of the file; null: it is not. */
  readonly lens: Lens | null
  /** The agent that it is for, where that is another one; null: it is one of Claude Code's. */
  readonly foreign: ForeignFile | null
  /** Reason why nothing reads it; null: it is one of those that are read, or was named to be checked. */
  readonly stray: StrayFile | null
  /** Problems that reading it found. */
  readonly problems: readonly Problem[]
  readonly entries: readonly HookEntry[]
}

/** A file of another agent, and what that does not read as it was meant. */
export interface ForeignFile {
  /** The agent, with the version that its tables are of. */
  readonly title: string
  readonly remarks: readonly {
    readonly place: Place
    readonly severity: Severity
    readonly message: string
  }[]
}

/** A hook together with where it is written. */
export interface HookEntry {
  readonly hook: ConfiguredHook
  readonly profile: CompleteProfile
  /** The event that it is for. */
  readonly row: EventRow
  /** The group it stands in; the hook itself in the flat form. */
  readonly group: SourceNode
  readonly node: SourceNode
}

/** Surroundings of reading a subject. */
export interface SubjectReading {
  /** The project that its commands run in. */
  readonly project: string
  /** The home of the user whose hooks are checked. */
  readonly home: string
  /** Roots of the enabled plugins. */
  readonly plugins: readonly string[]
  /** The folder that paths are shown relative to. */
  readonly shownFrom: string
  readonly profiles: Profiles
  /** Lenses of Claude Code for files of the project, and all others. */
  readonly lenses: Lenses
}

/** Claude Code, through whose eyes files are seen beside their profile. */
export interface Lens {
  /** The profile of the client. */
  readonly profile: CompleteProfile
  /** Severity of what the client drops. */
  readonly severity: Severity
}

/** The lens for files of the project, and for all others. */
export interface Lenses {
  readonly own: Lens
  readonly project: Lens
}

/** Reads a settings file to be checked; null when it is not there. */
export async function readSettingsSubject(place: SettingsPlace, reading: SubjectReading): Promise<Subject | null> {
  const file = await readSettingsFile(place, reading.project)
  return file.content.read === 'missing' ? null : makeSubject(file, reading)
}

/** A settings file to be checked as it would be with another text. */
export async function makeTextSubject(place: SettingsPlace, text: string, reading: SubjectReading): Promise<Subject> {
  const content = { read: 'text', text, stamp: NO_FILE } as const
  return makeSubject(await parseSettings(place, content, reading.project), reading)
}

async function makeSubject(
  file: SettingsFile,
  { project, home, shownFrom, profiles, lenses }: SubjectReading,
): Promise<Subject> {
  const profile = chooseFileProfile(profiles, file)
  const pluginRoot = file.plugin?.root ?? null
  const origin = { ...file, name: file.plugin?.name ?? null, pluginRoot }
  const counted = file.root === null ? [] : findCountedCopies(file.root, 'hooks', { profile, origin })
  const counter: GroupCounter = new Map()
  const read = await Promise.all(counted.map((node) => readHooks(node, origin, { profile, counter })))
  return {
    ...makeCommonSubject(file, { project, home, shownFrom, profile }),
    lens: chooseLens(lenses, file),
    scope: file.scope,
    format: 'json',
    text: file.content.read === 'text' ? file.content.text : '',
    pluginRoot,
    problems: [
      ...file.problems,
      ...findMisplacedHooks(file, profile),
      ...listSwitchProblems(file),
      ...read.flatMap(({ problems }) => problems),
    ],
    entries: counted.flatMap((node, at) =>
      pairEntries(node, read[at]?.hooks ?? [], { profile, needsTrust: file.needsTrust }),
    ),
  }
}

/** Reads a skill, agent or slash command to be checked. One that cannot be read is a subject with that problem. */
export async function readComponentSubject(
  path: string,
  { project, home, plugins, shownFrom, profiles, lenses }: SubjectReading,
): Promise<Subject> {
  try {
    const component = await readComponent(path, { project, home, plugins, profiles })
    const profile = chooseFileProfile(profiles, component)
    const node = component.root?.fields?.get('hooks')?.node
    return {
      ...makeCommonSubject(component, { project, home, shownFrom, profile }),
      lens: chooseLens(lenses, component),
      scope: component.kind,
      format: 'frontmatter',
      text: component.text,
      pluginRoot: component.pluginRoot,
      problems: component.problems,
      entries: pairEntries(node, component.hooks, { profile, needsTrust: component.needsTrust }),
    }
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    const { message } = error
    return makeUnreadableSubject(path, {
      project,
      home,
      shownFrom,
      profile: profiles.project,
      lens: lenses.project,
      message,
    })
  }
}

/** A file that nothing reads: it is not judged, since its hooks never run. */
export async function readStraySubject(
  stray: StrayFile,
  { project, home, profiles, lenses }: SubjectReading,
): Promise<Subject> {
  const { path, file } = stray
  const content = await readText(path, { inside: isBelow(path, project) ? makeProjectEnclosure(project) : null })
  const text = content.read === 'text' ? content.text : ''
  const nothing = { root: null, pluginRoot: null, problems: [], entries: [], foreign: null, lens: lenses.own }
  return { path, file, scope: 'project', format: 'json', text, project, home, profile: profiles.own, ...nothing, stray }
}

/** A file of another agent: only its own tables say something about it. */
export function makeForeignSubject(
  { path, text, foreign }: Pick<Subject, 'path' | 'text'> & { readonly foreign: ForeignFile },
  { project, home, shownFrom, profiles }: SubjectReading,
): Subject {
  const nothing = { root: null, pluginRoot: null, problems: [], entries: [], stray: null, lens: null }
  const file = formatPath(path, shownFrom)
  return {
    path,
    file,
    scope: 'project',
    format: 'json',
    text,
    project,
    home,
    profile: profiles.own,
    ...nothing,
    foreign,
  }
}

function chooseLens({ own, project }: Lenses, { needsTrust }: { readonly needsTrust: boolean }): Lens {
  return needsTrust ? project : own
}

/** Path by which a subject is shown, and the profile that it was read in. */
type ShownSubject = Pick<SubjectReading, 'project' | 'home' | 'shownFrom'> & Pick<Subject, 'profile'>

function makeCommonSubject(
  { path, root }: SettingsFile | Component,
  { project, home, shownFrom, profile }: ShownSubject,
): Pick<Subject, 'path' | 'file' | 'root' | 'project' | 'home' | 'profile' | 'stray' | 'foreign'> {
  return { path, file: formatPath(path, shownFrom), root, project, home, profile, stray: null, foreign: null }
}

function makeUnreadableSubject(
  path: string,
  {
    project,
    home,
    shownFrom,
    profile,
    lens,
    message,
  }: ShownSubject & Pick<Subject, 'lens'> & { readonly message: string },
): Subject {
  const file = formatPath(path, shownFrom)
  const problem = makeProblem(file, { rule: 'V-HK-53', line: 1, column: 1, message })
  const nothing = { text: '', root: null, pluginRoot: null, entries: [], stray: null, foreign: null, lens }
  return { path, file, scope: 'skill', format: 'frontmatter', profile, project, home, ...nothing, problems: [problem] }
}

/** Every hook that was read, with its nodes: both come in file order. */
function pairEntries(
  node: SourceNode | undefined,
  hooks: readonly ConfiguredHook[],
  { profile, needsTrust }: { readonly profile: CompleteProfile; readonly needsTrust: boolean },
): HookEntry[] {
  const places = [...(node?.fields ?? [])]
    .filter(([event]) => profile.events.has(event))
    .flatMap(([event]) =>
      node === undefined ? [] : findCountedCopies(node, event, { profile, origin: { needsTrust } }),
    )
    .flatMap((groups) => listGroups(groups, profile))
    .flatMap((group) => listHookNodes(group).map((hook) => ({ group, node: hook })))
  if (places.length !== hooks.length) throw new TypeError('a hook was read that is nowhere written, or the reverse')
  return places.flatMap(({ group, node: written }, at) => {
    const hook = hooks[at]
    const row = hook && profile.events.get(hook.event)
    return hook && row ? [{ hook, profile, row, group, node: written }] : []
  })
}
