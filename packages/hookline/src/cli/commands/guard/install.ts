import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Bridge, type HostScope, makeUnverifiedNote } from '../../../bridges/bridge.ts'
import { toGuardBridge } from '../../../bridges/install/guard-entries.ts'
import { type HostEdit, planRemoval, withBridge } from '../../../bridges/install/install.ts'
import { findHostFile, type HostPlace, readInstalledEntries } from '../../../bridges/install/installed.ts'
import { findLauncherPath, isOneWord } from '../../../bridges/install/launcher.ts'
import { AGENTS, findBridge, findWrittenBridge, listAgents } from '../../../bridges/list.ts'
import { listHookEntries } from '../../../config/hook-entries.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { removeHookText } from '../../../config/settings-text.ts'
import { readScopeSettings } from '../../../engine/edit-hooks.ts'
import { HooklineError } from '../../../files/error.ts'
import {
  applyEdit,
  EDIT_FLAGS,
  type EditReport,
  makeAddition,
  parseWritableScope,
  tellEdit,
} from '../../edit/apply-edit.ts'
import {
  chooseInstallation,
  chooseStyle,
  formatHostDiff,
  formatOutcome,
  listObstacles,
  parseIfMissing,
  writeEdits,
} from '../../edit/edit-host.ts'
import { chooseWay, prepareLauncher, RESIDENT_FLAGS } from '../../edit/edit-wrappers.ts'
import { isAgentHere } from '../../input/agent-here.ts'
import { CLAUDE_CODE, findGuardPlaces, isGuardCommand } from '../../input/guard-places.ts'
import { loadBridge } from '../../input/load-bridge.ts'
import { type TerminalUser, withUser } from '../../input/terminal-user.ts'
import { refuseInAgent } from '../../start/calling-agent.ts'
import { ENGINE_FLAGS, readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { indentText } from '../../view/layout.ts'

const FLAGS = {
  ...ENGINE_FLAGS,
  ...EDIT_FLAGS,
  ...RESIDENT_FLAGS,
  scope: { type: 'string' },
  agent: { type: 'string', multiple: true },
  'if-missing': { type: 'string' },
} as const

/** A call of `guard add` or `guard remove`. */
interface Edit {
  readonly values: ReturnType<typeof readFlags>
  readonly options: ReturnType<typeof toEngineOptions>
  readonly user: TerminalUser | null
}

/** Outcome for one agent. */
interface Outcome {
  readonly agent: string
  readonly scope: string
  readonly files: readonly string[]
  readonly written: boolean
  readonly diff: string
  readonly advice: readonly string[]
}

function readFlags(args: string[]) {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  return values
}

/** Runs `hookline guard add`: one entry in the settings of each agent that is meant, in the form that the agent wants. */
export async function add(args: string[]): Promise<number> {
  const values = readFlags(args)
  const options = toEngineOptions(values)
  const targets = await chooseTargets(values, options)
  return withUser(values, async (user) => {
    const outcomes: Outcome[] = []
    for (const target of targets)
      outcomes.push(
        target === CLAUDE_CODE
          ? await addToClaudeCode({ values, options, user })
          : await addToAgent(target, { values, options, user }),
      )
    return tellOutcomes(outcomes, values, [
      ...(values.agent === undefined ? await adviseOnOthers(targets, options) : []),
      "Try it: hookline guard try 'rm -rf ~'",
    ])
  })
}

/** Runs `hookline guard remove`: a user at a terminal takes the entries out again. */
export async function remove(args: string[]): Promise<number> {
  const values = readFlags(args)
  const options = toEngineOptions(values)
  if (!values['dry-run']) refuseInAgent('Whether calls are guarded', process.env, process.ppid)
  return withUser(values, async (user) => {
    if (user === null && !values['dry-run'])
      throw new UsageError('A guard is removed by a user: run it in a terminal, where you can be asked.')
    const edit = { values: { ...values, yes: false }, options, user }
    const outcomes: Outcome[] = []
    if (values.agent === undefined || values.agent.includes(CLAUDE_CODE))
      outcomes.push(...(await leaveClaudeCode(edit)))
    for (const place of await findGuardedPlaces(values, options)) outcomes.push(await leaveAgent(place, edit))
    if (outcomes.length === 0)
      throw new HooklineError(
        `No guard is in the ${values.scope ?? 'project'} settings. --scope and --agent name others; hookline guard list shows where it is.`,
      )
    return tellOutcomes(outcomes, values, [])
  })
}

/** The agents that are meant: those that are named, else Claude Code and those that have a folder here. */
async function chooseTargets(
  { agent, scope }: Edit['values'],
  { project, home }: Edit['options'],
): Promise<readonly (Bridge | typeof CLAUDE_CODE)[]> {
  if (agent !== undefined)
    return Promise.all(
      agent.map(async (name) => (name === CLAUDE_CODE ? name : findWrittenBridge(await loadBridge(name, home)))),
    )
  parseWritableScope(scope ?? 'project')
  if (scope === 'local') return [CLAUDE_CODE]
  return [CLAUDE_CODE, ...listAgentsHere(scope === 'user' ? 'user' : 'project', { project, home })]
}

/** Folders in which more than one program keeps files. */
const SHARED_FOLDERS: ReadonlySet<string> = new Set(['.github', '.agents', '.config'])

/** Agents that are used here: in a project by their folder, for a user by their folder or program. */
function listAgentsHere(scope: HostScope, here: { readonly project: string; readonly home: string }): Bridge[] {
  return AGENTS.flatMap((name) => {
    const bridge = findBridge(name)
    const file = bridge?.install.files[scope]
    if (!bridge || file === undefined || bridge.install.through !== undefined) return []
    if (scope === 'user') return isAgentHere(bridge, { ...here, env: process.env }) ? [bridge] : []
    const [folder = ''] = file.split('/')
    const own = SHARED_FOLDERS.has(folder) ? dirname(file) : folder
    return existsSync(join(here.project, own)) ? [bridge] : []
  })
}

/** Names agents that this user has and that were not meant. */
async function adviseOnOthers(
  targets: Awaited<ReturnType<typeof chooseTargets>>,
  { project, home }: Edit['options'],
): Promise<string[]> {
  const meant = targets.flatMap((target) => (target === CLAUDE_CODE ? [] : [target.name]))
  const others = listAgentsHere('user', { project, home }).filter(({ name }) => !meant.includes(name))
  const isGuarded = await Promise.all(
    others.map(async (bridge) => (await findEntries(bridge, { project, home })).length > 0),
  )
  const left = others.filter((_, at) => !isGuarded[at]).map(({ name }) => name)
  return left.length === 0
    ? []
    : [`Also on this machine: ${left.join(', ')}. For your own settings of them: hookline guard add --scope user`]
}

async function findEntries(
  bridge: Bridge,
  here: { readonly project: string; readonly home: string },
): Promise<HostScope[]> {
  const scopes = (['user', 'project'] as const).filter((scope) => bridge.install.files[scope] !== undefined)
  const found = await Promise.all(
    scopes.map((scope) => readInstalledEntries({ ...here, bridge, scope, env: process.env })),
  )
  return scopes.filter((_, at) => (found[at] ?? []).length > 0)
}

async function addToClaudeCode({ values, options, user }: Edit): Promise<Outcome> {
  const scope = parseWritableScope(values.scope ?? 'project')
  const terminal = openCommandTerminal(values)
  const written = await findClaudeEntry(scope, options)
  const ifMissing = parseIfMissing(values['if-missing'])
  if (written !== undefined && values.agent === undefined)
    return makeUnwritten(CLAUDE_CODE, scope, [`${written} has the guard already.`])
  const { command, isLaunched } = chooseCommand(scope, options, { ...values, ifMissing })
  const change = makeAddition(
    { event: 'PreToolUse', matcher: '*', hook: { type: 'command', command } },
    { force: false },
  )
  if (written !== undefined) throw new HooklineError(`${written} has the guard already.`)
  const advice = isLaunched && !values['dry-run'] ? await prepareLauncher(options) : []
  const report = await applyEdit({ scope, options, change, terminal, user, flags: values })
  if (!values.json) tellEdit(report, terminal)
  return toOutcome(report, [...advice, ...(report.written ? await listClaudeObstacles(scope, options) : [])])
}

/** Lists what keeps Claude Code from running the entry that was written. */
async function listClaudeObstacles(scope: WritableScope, { project, home }: Edit['options']): Promise<string[]> {
  const places = await findGuardPlaces({ project, home, env: process.env })
  const written = places.filter((place) => place.agent === CLAUDE_CODE && place.scope === scope)
  return written.flatMap(({ notes }) => notes.map((note) => `Claude Code does not run it here: ${note}.`))
}

/** Chooses how the entry of Claude Code calls us: by the launcher in the settings of a user, by PATH in those of a project. */
function chooseCommand(
  scope: WritableScope,
  { home, project }: Edit['options'],
  flags: Pick<Edit['values'], 'no-resident'> & { readonly ifMissing: 'refuse' | 'pass' | null },
): { readonly command: string; readonly isLaunched: boolean } {
  const launcher = findLauncherPath(home)
  const isLaunched = scope === 'user' && chooseWay(flags, project).way === 'launcher' && isOneWord(launcher)
  const refuses = isLaunched ? flags.ifMissing !== 'pass' : flags.ifMissing === 'refuse'
  return { command: `${isLaunched ? launcher : 'hookline'} guard${refuses ? ' || exit 2' : ''}`, isLaunched }
}

/** The file with an entry of the guard; undefined where there is none. */
async function findClaudeEntry(scope: WritableScope, options: Edit['options']): Promise<string | undefined> {
  const file = await readScopeSettings(scope, options)
  return listHookEntries(file).some(({ runs }) => isGuardCommand(runs)) ? file.path : undefined
}

async function addToAgent(bridge: Bridge, { values, options, user }: Edit): Promise<Outcome> {
  const scope = chooseHostScope(values.scope, bridge)
  const bridged = await findEntries(bridge, options)
  if (bridged.length > 0)
    return makeUnwritten(bridge.name, scope, [
      `${bridge.title} runs the hooks of Claude Code's settings by its bridge (${bridged.join(', ')}): the guard there counts in it too. Nothing was written for it.`,
    ])
  const place: HostPlace = { ...options, bridge: toGuardBridge(bridge), scope, env: process.env }
  const style = await chooseStyle(place, toStyleFlags(values), user)
  const made = (await withBridge(place, style)).filter(({ before, after }) => before !== after)
  const doubt = makeUnverifiedNote(bridge)
  if (doubt !== null && !values.json) print(`${indentText(doubt, '', openCommandTerminal(values).width)}\n`)
  const written = await writeEdits(made, {
    ...{ place, launcher: chooseInstallation(place, style), flags: values },
    ask: () => askToWrite(made, user),
  })
  const advice = [
    ...(doubt === null ? [] : [doubt]),
    ...bridge.install.person,
    ...(written ? await listObstacles(place) : []),
  ]
  tellFiles(made, written, { ...values, place })
  return { agent: bridge.name, scope, ...(await toFiles(made)), written, advice }
}

function toStyleFlags({ 'if-missing': ifMissing, 'no-resident': noResident }: Edit['values']) {
  return {
    ...(ifMissing === undefined ? {} : { 'if-missing': ifMissing }),
    ...(noResident === undefined ? {} : { 'no-resident': noResident }),
  }
}

/** The scope of an agent's files: the project's unless another is named, where the agent has one. */
function chooseHostScope(name: string | undefined, { title, install: { files } }: Bridge): HostScope {
  if (name === 'local') throw new UsageError(`${title} has no local settings: --scope must be user or project.`)
  if (name !== undefined) return parseWritableScope(name) === 'user' ? 'user' : 'project'
  return files.project === undefined ? 'user' : 'project'
}

const askToWrite = async (made: readonly HostEdit[], user: TerminalUser | null): Promise<boolean> =>
  user?.confirm(`\nWrite this to ${made.map(({ file }) => file).join(', ')}?`) ?? true

async function leaveClaudeCode({ values, options, user }: Edit): Promise<Outcome[]> {
  const scope = parseWritableScope(values.scope ?? 'project')
  if ((await findClaudeEntry(scope, options)) === undefined) return []
  const terminal = openCommandTerminal(values)
  const report = await applyEdit({
    scope,
    options,
    change: (text, file) => {
      const entry = listHookEntries(file).find(({ runs }) => isGuardCommand(runs))
      return entry === undefined ? text : removeHookText(text, entry)
    },
    terminal,
    user,
    flags: values,
  })
  if (!values.json) tellEdit(report, terminal)
  return [toOutcome(report, [])]
}

/** Places with entries of the guard, of the agents and the scope that are named. */
async function findGuardedPlaces({ agent, scope }: Edit['values'], options: Edit['options']): Promise<HostPlace[]> {
  const names = agent ?? listAgents(options.home)
  const found = await Promise.all(
    names.map(async (name): Promise<HostPlace[]> => {
      if (name === CLAUDE_CODE) return []
      const written = await loadBridge(name, options.home)
      if (agent === undefined && written.install.through !== undefined) return []
      const bridge = toGuardBridge(findWrittenBridge(written))
      const scopes = (await findEntries(bridge, options)).filter((one) => scope === undefined || one === scope)
      return scopes.map((one) => ({ ...options, bridge, scope: one, env: process.env }))
    }),
  )
  return found.flat()
}

async function leaveAgent(place: HostPlace, { values, user }: Edit): Promise<Outcome> {
  const made = (await planRemoval(place)).filter(({ before, after }) => before !== after)
  const written = await writeEdits(made, { place, launcher: null, flags: values, ask: () => askToWrite(made, user) })
  tellFiles(made, written, { ...values, place })
  return { agent: place.bridge.name, scope: place.scope, ...(await toFiles(made)), written, advice: [] }
}

function tellFiles(
  made: readonly HostEdit[],
  written: boolean,
  { json, place, 'dry-run': dryRun }: Edit['values'] & { readonly place: HostPlace },
): void {
  if (json) return
  const where = made[0]?.file ?? findHostFile(place) ?? ''
  for (const line of formatOutcome(made, { where, written, dryRun: dryRun === true })) print(`${line}\n`)
}

async function toFiles(made: readonly HostEdit[]): Promise<Pick<Outcome, 'files' | 'diff'>> {
  return { files: made.map(({ file }) => file), diff: (await Promise.all(made.map(formatHostDiff))).join('\n') }
}

function toOutcome({ scope, file, written, diff }: EditReport, advice: readonly string[]): Outcome {
  return { agent: CLAUDE_CODE, scope, files: [file], written, diff, advice }
}

function makeUnwritten(agent: string, scope: string, advice: readonly string[]): Outcome {
  return { agent, scope, files: [], written: false, diff: '', advice }
}

/** Tells what was done. Exit code 1 where something was to be written, and was not. */
function tellOutcomes(outcomes: readonly Outcome[], values: Edit['values'], more: readonly string[]): number {
  const isRefused = outcomes.some(({ files, written }) => files.length > 0 && !written) && !values['dry-run']
  if (values.json) printJson({ agents: outcomes, advice: more })
  else {
    const { width } = openCommandTerminal(values)
    const isWritten = outcomes.some(({ written }) => written)
    for (const sentence of [...outcomes.flatMap(({ advice }) => advice), ...(isWritten ? more : [])])
      print(`${indentText(sentence, '', width)}\n`)
  }
  return isRefused ? 1 : 0
}
