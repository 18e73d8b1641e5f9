import { isGuarding } from '../../bridges/answer/answer.ts'
import type { Bridge, HostScope } from '../../bridges/bridge.ts'
import { type EntryStyle, explainMissing, type IfMissing } from '../../bridges/install/entry.ts'
import { type HostEdit, writeEdit } from '../../bridges/install/install.ts'
import { type HostPlace, hasNoShell, readInstalledEntries } from '../../bridges/install/installed.ts'
import {
  findInstallation,
  findLauncherPath,
  findShortLife,
  type Installation,
  isOneWord,
  writeLauncher,
} from '../../bridges/install/launcher.ts'
import { examineHost } from '../../bridges/install/standing.ts'
import { diffFile } from '../../config/text-diff.ts'
import { HooklineError } from '../../files/error.ts'
import type { TerminalUser } from '../input/terminal-user.ts'
import { type EngineFlags, UsageError } from '../start/flags.ts'
import { openCommandTerminal } from '../start/opening.ts'
import { print } from '../start/print.ts'
import { diffView } from '../view/diff-view.ts'

/** The scope of a name: the user's unless it is given, where the agent has one. */
export function parseHostScope(name: string | null, { install: { files } }: Bridge): HostScope {
  if (name === 'user' || name === 'project') return name
  if (name === null) return files.user === undefined ? 'project' : 'user'
  throw new UsageError(`--scope must be user or project, not "${name}".`)
}

interface StyleFlags {
  readonly attended?: boolean
  readonly 'if-missing'?: string
  readonly 'no-resident'?: boolean
}

/** Chooses how entries call us: by the launcher in the files of a user, by PATH in those of a project. */
export async function chooseStyle(
  place: HostPlace,
  { attended = false, 'if-missing': wanted, 'no-resident': isCold = false }: StyleFlags,
  user: TerminalUser | null,
): Promise<EntryStyle> {
  const ifMissing = parseIfMissing(wanted)
  if (place.scope === 'user') {
    if (ifMissing === 'pass')
      throw new UsageError('--if-missing pass is for --scope project: entries of your own always refuse.')
    if (process.platform === 'win32') return { program: 'hookline', ifMissing: null, attended }
    const path = findLauncherPath(place.home, { resident: !isCold })
    return { program: isOneWord(path) || hasNoShell(place) ? path : 'hookline', ifMissing: 'refuse', attended }
  }
  const chosen = ifMissing ?? (await findInstalledChoice(place)) ?? (await askIfMissing(place, user))
  return { program: 'hookline', ifMissing: process.platform === 'win32' ? null : chosen, attended }
}

/** The choice of a name; null where none is named. */
export function parseIfMissing(name: string | undefined): IfMissing | null {
  if (name === undefined || name === 'refuse' || name === 'pass') return name ?? null
  throw new UsageError(`--if-missing must be refuse or pass, not "${name}".`)
}

/** The choice that entries of a project show already; null: there are none, or they differ. */
async function findInstalledChoice(place: HostPlace): Promise<IfMissing | null> {
  const entries = (await readInstalledEntries(place)).filter(({ event }) => isGuarding(place.bridge, event))
  const [first, ...others] = new Set(entries.map(({ ifMissing }) => ifMissing))
  return first === undefined || others.length > 0 ? null : first
}

async function askIfMissing({ bridge }: HostPlace, user: TerminalUser | null): Promise<IfMissing> {
  const question = 'The file is for everyone who uses this project. Where hookline is missing, guarded calls'
  const explainChoice = (choice: string): string => explainMissing(bridge, choice === 'pass' ? 'pass' : 'refuse')
  const chosen = await user?.choose(question, ['refuse', 'pass'], { explained: explainChoice })
  if (chosen === 'refuse' || chosen === 'pass') return chosen
  throw new UsageError(
    'A file of a project is for everyone who uses it: say what becomes of guarded calls where hookline is missing, with --if-missing refuse or --if-missing pass. Nothing was written.',
  )
}

/** The installation that the launcher is to start; null: the entries do not name the launcher. Throws a HooklineError for one that does not last. */
export function chooseInstallation({ project }: HostPlace, { program }: EntryStyle): Installation | null {
  if (program === 'hookline') return null
  const installation = findInstallation()
  const why = findShortLife(installation, project)
  if (why === null) return installation
  throw new HooklineError(
    `${installation.script} is not for every project: ${why}. Install Hookline for yourself (npm install --global hookline), then run this again, or use --scope project. Nothing was written.`,
  )
}

/** Flags of commands that write an agent's files. */
export interface WriteFlags extends EngineFlags {
  readonly yes?: boolean | undefined
  readonly json?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly 'no-color'?: boolean | undefined
}

interface InstallPlan {
  readonly place: HostPlace
  readonly launcher: Installation | null
  readonly flags: WriteFlags
  readonly ask: () => Promise<boolean>
}

/** Shows the differences, asks, and writes, the launcher first. Resolves with whether the agent's files were written. */
export async function writeEdits(
  made: readonly HostEdit[],
  { place, launcher, flags, ask }: InstallPlan,
): Promise<boolean> {
  for (const one of made)
    if (!flags.json) print(`${diffView(await formatHostDiff(one), openCommandTerminal(flags)).join('\n')}\n`)
  if (flags['dry-run'] || (made.length > 0 && !flags.yes && !(await ask()))) return false
  if (launcher !== null) await writeLauncher(place.home, launcher)
  for (const one of made) await writeEdit(one, place)
  return made.length > 0
}

/** Shows an edit as a difference. */
export async function formatHostDiff({ file, before, after }: HostEdit): Promise<string> {
  return (await diffFile(file, before, after))?.diff ?? ''
}

interface EditReport {
  readonly where: string
  readonly written: boolean
  readonly dryRun: boolean
}

/** Says what became of edits. */
export function formatOutcome(made: readonly HostEdit[], { where, written, dryRun }: EditReport): string[] {
  if (made.length === 0) return [`${where} is as it should be; nothing was written.`]
  return made.map(({ file, after }) => {
    if (!written) return dryRun ? `This would be written to ${file}.` : `Nothing was written to ${file}.`
    return after === null ? `Removed ${file}: nothing else was in it.` : `Wrote ${file}.`
  })
}

/** Sentences about what keeps the agent from calling us although its file says so now. */
export async function listObstacles({ bridge, scope, ...surroundings }: HostPlace): Promise<string[]> {
  const { scopes } = await examineHost(bridge, surroundings)
  return scopes.flatMap((one) => (one.scope === scope ? one.obstacles.map(({ text }) => text) : []))
}
