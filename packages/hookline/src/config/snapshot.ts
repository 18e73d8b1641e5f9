import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Profile } from '../protocol/event-row.ts'
import { type Component, componentsOf, readComponent } from './component.ts'
import { HooklineError } from './error.ts'
import type { ConfiguredHook } from './hook.ts'
import { shownPath } from './paths.ts'
import { pluginPlace } from './plugins.ts'
import { refuseUnguardedPolicy } from './policy-guard.ts'
import { type Problem, problemLine } from './problem.ts'
import { type GroupCounter, readHooks } from './read-hooks.ts'
import { DROP_IN_FOLDER, defaultManagedFile, type FileScope, type Places, SCOPES, SETTINGS_FILES } from './scopes.ts'
import { readSettingsFile, type SettingsFile, type SettingsPlace } from './settings-file.ts'
import { readSwitches, type Switches, switchProblems } from './switches.ts'
import { definitionDigest, isAccepted, type TrustAnswer, type TrustRequest, trustRequest } from './trust.ts'

/** The configuration as it was when somebody looked: nothing on disk changes it. */
export interface Snapshot {
  readonly places: Places
  /** Every file that was looked for, missing ones included. */
  readonly files: readonly SettingsFile[]
  /** The hooks of all files, in configuration order. */
  readonly hooks: readonly ConfiguredHook[]
  readonly problems: readonly Problem[]
  readonly switches: Switches
  readonly trust: { readonly request: TrustRequest; readonly accepted: boolean }
  /** Digests of the project's components as they were shown for acceptance, by path. */
  readonly shownComponents: ReadonlyMap<string, string>
}

interface SnapshotOptions {
  readonly profile: Profile
  readonly trust: TrustAnswer
}

/** Reads everything that is configured. Rejects with a HooklineError when policy cannot be read. */
export async function takeSnapshot(places: Places, options: SnapshotOptions): Promise<Snapshot> {
  const wanted = await settingsPlaces(places)
  const files = await Promise.all(wanted.map((place) => readSettingsFile(place, places.project)))
  return snapshotOf(files, places, options)
}

/** The snapshot that these files make. */
export async function snapshotOf(
  files: readonly SettingsFile[],
  places: Places,
  { profile, trust }: SnapshotOptions,
): Promise<Snapshot> {
  refuseBrokenPolicy(files)
  const components = await readComponents(places, profile)
  const request = await trustRequest(places.project, shownFor(files, components, places))
  const accepted = await isAccepted(request, { answer: trust, home: places.home })

  const counter: GroupCounter = new Map()
  const hooks: ConfiguredHook[] = []
  const problems: Problem[] = []
  for (const file of files) {
    const node = file.root?.fields?.get('hooks')?.node
    const origin = { ...file, name: file.plugin?.name ?? null, pluginRoot: file.plugin?.root ?? null }
    const read = node ? await readHooks(node, origin, { profile, counter }) : { hooks: [], problems: [] }
    hooks.push(...read.hooks)
    problems.push(...file.problems, ...missingHooks(file), ...switchProblems(file), ...read.problems)
  }
  return {
    places,
    files,
    hooks,
    problems,
    switches: readSwitches(files.filter(({ needsTrust }) => accepted || !needsTrust)),
    trust: { request, accepted },
    shownComponents: new Map(components.map(({ path, definition }) => [path, definitionDigest(definition)])),
  }
}

/** Every settings file that counts, in configuration order. */
async function settingsPlaces(places: Places): Promise<SettingsPlace[]> {
  const plugins = await Promise.all(places.plugins.map((folder) => pluginPlace(folder, places.project)))
  const byScope: Record<FileScope, readonly SettingsPlace[]> = {
    local: [ownFile('local', places)],
    plugin: plugins,
    project: [ownFile('project', places)],
    user: [ownFile('user', places)],
    managed: (await policyFiles(places)).map((path) => ({ scope: 'managed', path, plugin: null, needsTrust: false })),
  }
  return SCOPES.flatMap((scope) => (scope in byScope ? byScope[scope as FileScope] : [])) // the rest have no files
}

function ownFile(scope: keyof typeof SETTINGS_FILES, places: Places): SettingsPlace {
  return { scope, path: SETTINGS_FILES[scope](places), plugin: null, needsTrust: scope !== 'user' }
}

/** The policy's files; at the system's own place they must be the system's own. */
async function policyFiles(places: Places): Promise<string[]> {
  const paths = await managedFiles(places)
  if (process.platform !== 'win32' && places.managed === defaultManagedFile(process.platform)) {
    await Promise.all(paths.map(refuseUnguardedPolicy))
  }
  return paths
}

async function managedFiles({ managed }: Places): Promise<string[]> {
  const folder = join(dirname(managed), DROP_IN_FOLDER)
  try {
    const names = await readdir(folder)
    return [
      managed,
      ...names
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(folder, name)),
    ]
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [managed]
    throw new HooklineError(`${folder} cannot be read, so it is unknown what policy allows; nothing is run.`)
  }
}

/** Without its policy an engine does not open: closed, not silently without. */
function refuseBrokenPolicy(files: readonly SettingsFile[]): void {
  for (const { scope, content, root, problems } of files) {
    const [problem] = problems
    if (scope !== 'managed' || content.read === 'missing' || root || !problem) continue
    throw new HooklineError(`${problemLine(problem)} Policy is unknown, so nothing is run: mend or remove the file.`)
  }
}

function missingHooks({ scope, file, root }: SettingsFile): Problem[] {
  if (scope !== 'plugin' || !root || root.fields?.has('hooks')) return []
  const message = 'A plugin\'s hooks.json needs "hooks" at its root.'
  return [{ rule: 'V-HK-02', severity: 'error', file, line: root.line, column: root.column, message }]
}

async function readComponents({ project }: Places, profile: Profile): Promise<Component[]> {
  const paths = await componentsOf(project)
  const read = paths.map((path) => readComponent(path, { project, profile }).catch(() => null)) // cannot be opened: not shown, so not trusted
  return (await Promise.all(read)).filter((component) => component !== null)
}

/** What the person would accept, by file: definitions, switches, status line, file suggestion. */
function shownFor(
  files: readonly SettingsFile[],
  components: readonly Component[],
  places: Places,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const { needsTrust, file, root } of files) {
    const { hooks, disableAllHooks, statusLine, fileSuggestion } = (root?.value ?? {}) as Record<string, unknown> // an object, or null
    const definitions = { hooks, disableAllHooks, statusLine, fileSuggestion }
    if (needsTrust && Object.values(definitions).some((value) => value !== undefined)) shown[file] = definitions
  }
  for (const { path, definition } of components) {
    if (definition !== null) shown[shownPath(path, places.project)] = { hooks: definition }
  }
  return shown
}
