import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join, resolve, sep } from 'node:path'
import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { type Enclosure, readText } from '../files/read.ts'
import { explainProgramFailure } from '../process/launch-hint.ts'
import { type CommandContext, chooseScriptEnclosure, listHookInvocations } from './command.ts'
import { isDrivePath } from './invocation.ts'
import { findPathKind } from './path-kind.ts'
import { findShellFault, type ShellWord } from './shell-words.ts'

/** A program, and whether it is there. */
export interface FoundProgram {
  readonly name: string
  /** Path of the program; null when it is not there. */
  readonly path: string | null
  /** Reason why it cannot be started. */
  readonly fault: string | null
}

/** A program that configured hooks are certain to start, or that their scripts name in the first line. */
export interface NeededProgram extends FoundProgram {
  /** Ids of the hooks that need it. */
  readonly neededBy: readonly string[]
}

/** Reason why a hook cannot start as it is. */
export interface StartFault {
  /** A program that cannot be run, a script that is not there, or a path that the shell splits for want of quotes. */
  readonly about: 'program' | 'script' | 'quotes'
  readonly because: string
}

const IS_WINDOWS = process.platform === 'win32'

/** Finds what keeps a hook from starting; nothing where it starts, or where that cannot be told without starting it. */
export async function startFaults(hook: ConfiguredHook, here: CommandContext): Promise<StartFault[]> {
  return isFault(hook.handler) ? [] : listCommandFaults(hook, here)
}

async function listCommandFaults(hook: ConfiguredHook, here: CommandContext): Promise<StartFault[]> {
  if (IS_WINDOWS && hook.shown.shell !== undefined) {
    const { chooseShell } = await import('../process/windows/command-line.ts')
    const { shell, fault } = chooseShell(hook.shown.shell, { cwd: here.project, env: here.env })
    if (fault !== null) return [{ about: 'program', because: fault }]
    if (shell === 'cmd') return [] // another language
  }
  const unread = hook.shown.shell === undefined ? null : findShellFault(hook.shown.shell)
  if (unread !== null) return [{ about: 'program', because: `the shell cannot read the command: ${unread}` }]
  const faults: StartFault[] = []
  for (const { program, script } of listHookInvocations(hook, here)) {
    if (IS_WINDOWS && [program, script].some((word) => word?.value?.startsWith('/'))) continue // in the file system of Git Bash
    if (!IS_WINDOWS && [program, script].some((word) => isDrivePath(word?.value ?? ''))) continue // of another machine
    const isPath = program?.value?.includes('/') === true
    const programFault = isPath ? await findScriptFault(program, here) : null
    const scriptFault = script && (await findScriptFault(script, here))
    faults.push(...[programFault, scriptFault].filter((fault) => fault !== null))
    if (!program?.value || programFault !== null) continue
    const inside = chooseScriptEnclosure(hook, program.value, here.project)
    const hint = await explainProgramFailure(program.value, { cwd: here.project, env: here.env, inside })
    if (hint !== null) faults.push({ about: 'program', because: hint.replaceAll(`${here.project}${sep}`, '') })
  }
  return faults
}

/**
 * Reason why hooks that nothing else keeps from running cannot start, by their ids; with `ofInvalid` of hooks too that another
 * mistake in the file keeps from running.
 */
export async function startFaultsById(
  hooks: readonly { readonly hook: ConfiguredHook }[],
  { project, ofInvalid = false }: Pick<CommandContext, 'project'> & { readonly ofInvalid?: boolean },
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const { hook } of hooks) {
    const here = { project, env: process.env }
    const [fault] = ofInvalid ? await listCommandFaults(readAsWritten(hook), here) : await startFaults(hook, here)
    if (fault) found.set(hook.id, fault.because)
  }
  return found
}

/** A hook that is not valid, with the command that its file has for it; any other as it is. */
function readAsWritten(hook: ConfiguredHook): ConfiguredHook {
  const { type, command, args } = hook.written
  if (!isFault(hook.handler) || type !== 'command' || command === undefined || args !== undefined) return hook
  return { ...hook, shown: { ...hook.shown, shell: command } }
}

/** Finds what is wrong with the path of a script; null when something can be there. */
async function findScriptFault(
  { value, raw, isSplit }: ShellWord,
  { project }: CommandContext,
): Promise<StartFault | null> {
  if (value === null) return null
  const path = resolve(project, value)
  const kind = await findPathKind(path)
  if (kind !== 'folder' && kind !== 'missing') return null
  if (isSplit) return { about: 'quotes', because: `${raw} ${SPLIT_HERE}: ${path} ${FOUND[kind]}` }
  const because = kind === 'folder' ? `${raw} is a folder, not a script` : `${raw} does not exist: there is no ${path}`
  return { about: 'script', because }
}

const SPLIT_HERE = 'is not in quotes, so the shell splits it at the blank in the name of its folder'
const FOUND = { folder: 'is a folder', missing: 'does not exist' } as const

/** The programs that hooks need, each once, in the order in which they are met. Starts none of them. */
export async function listNeededPrograms(
  hooks: readonly ConfiguredHook[],
  surroundings: CommandContext,
): Promise<NeededProgram[]> {
  const users = new Map<string, ConfiguredHook[]>()
  for (const hook of hooks) {
    for (const name of await listHookPrograms(hook, surroundings)) users.set(name, [...(users.get(name) ?? []), hook])
  }
  const lookUp = async ([name, needing]: [string, ConfiguredHook[]]): Promise<NeededProgram> => {
    const enclosures = needing.map((hook) => chooseScriptEnclosure(hook, name, surroundings.project))
    const inside = enclosures.includes(null) ? null : (enclosures[0] ?? null)
    return { ...(await findProgram(name, { ...surroundings, inside })), neededBy: needing.map(({ id }) => id) }
  }
  return Promise.all([...users].map(lookUp))
}

async function listHookPrograms(hook: ConfiguredHook, here: CommandContext): Promise<Set<string>> {
  const names = listHookInvocations(hook, here).flatMap(({ program }) => (program?.value ? [program.value] : []))
  const interpreters = await Promise.all(names.map((name) => readInterpreter(name, { hook, project: here.project })))
  return new Set([...names, ...interpreters.filter((name) => name !== null)])
}

/** The program that a script's first line names; what `env` looks up, where it is `env`. */
async function readInterpreter(
  name: string,
  { hook, project }: { hook: ConfiguredHook; project: string },
): Promise<string | null> {
  if (!name.includes('/')) return null
  const content = await readText(resolve(project, name), { inside: chooseScriptEnclosure(hook, name, project) })
  const line = content.read === 'text' ? (content.text.split(/\r?\n/, 1)[0] ?? '') : ''
  if (!line.startsWith('#!')) return null
  const [program = '', ...words] = line.slice(2).trim().split(/\s+/)
  return (program.endsWith('/env') ? words.find((word) => !/^-|=/.test(word)) : program) || null
}

/** Looks for a program as a shell would, by name on PATH or by path. */
export async function findProgram(
  name: string,
  { project, env, inside = null }: CommandContext & { readonly inside?: Enclosure | null },
): Promise<FoundProgram> {
  const fault = await explainProgramFailure(name, { cwd: project, env, inside })
  const path = await (IS_WINDOWS
    ? findFileOnWindows(name, env)
    : findFirstExecutable(listProgramPlaces(name, { project, env })))
  return { name, path, fault: path === null && fault === null ? `${name} cannot be run` : fault }
}

function listProgramPlaces(name: string, { project, env }: CommandContext): string[] {
  if (name.includes('/')) return [resolve(project, name)]
  return (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
}

async function findFileOnWindows(name: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const { findInShell } = await import('../process/windows/programs.ts')
  return findInShell(name, env)
}

async function findFirstExecutable(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const there = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (there) return path
  }
  return null
}
