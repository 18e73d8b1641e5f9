import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import type { ConfiguredHook } from '../config/hook.ts'
import { type Enclosure, readText } from '../files/read.ts'
import { programHint } from '../process/launch-hint.ts'
import { scriptEnclosure } from './command.ts'
import { invocations } from './invocation.ts'

/** A program, and whether it is there. */
export interface FoundProgram {
  readonly name: string
  /** Where it is; null when it is not there. */
  readonly path: string | null
  /** Why it cannot be started. */
  readonly fault: string | null
}

/** A program that configured hooks are certain to start, or that their scripts name in the first line. */
export interface NeededProgram extends FoundProgram {
  /** Ids of the hooks that need it. */
  readonly neededBy: readonly string[]
}

/** Where programs are looked for. */
export interface Surroundings {
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  /** What a program must lie in to be looked into; nothing when it is left out. */
  readonly inside?: Enclosure | null
}

/** The programs that hooks need, each once, in the order in which they are met. Starts none of them. */
export async function neededPrograms(
  hooks: readonly ConfiguredHook[],
  surroundings: Surroundings,
): Promise<NeededProgram[]> {
  const users = new Map<string, ConfiguredHook[]>()
  for (const hook of hooks) {
    for (const name of await programsOf(hook, surroundings)) users.set(name, [...(users.get(name) ?? []), hook])
  }
  const lookUp = async ([name, needing]: [string, ConfiguredHook[]]): Promise<NeededProgram> => {
    const enclosures = needing.map((hook) => scriptEnclosure(hook, name, surroundings.project))
    const inside = enclosures.includes(null) ? null : (enclosures[0] ?? null)
    return { ...(await findProgram(name, { ...surroundings, inside })), neededBy: needing.map(({ id }) => id) }
  }
  return Promise.all([...users].map(lookUp))
}

async function programsOf(hook: ConfiguredHook, { project, env }: Surroundings): Promise<Set<string>> {
  const command = hook.written.command ?? ''
  const root = hook.pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: hook.pluginRoot }
  const known = { HOME: env.HOME ?? '', PWD: project, CLAUDE_PROJECT_DIR: project, ...root }
  const names = invocations(command, known).flatMap(({ program }) => (program?.value ? [program.value] : []))
  const interpreters = await Promise.all(names.map((name) => interpreterOf(name, { hook, project })))
  return new Set([...names, ...interpreters.filter((name) => name !== null)])
}

/** The program that a script's first line names; what `env` looks up, where it is `env`. */
async function interpreterOf(
  name: string,
  { hook, project }: { hook: ConfiguredHook; project: string },
): Promise<string | null> {
  if (!name.includes('/')) return null
  const content = await readText(resolve(project, name), { inside: scriptEnclosure(hook, name, project) })
  const line = content.read === 'text' ? (content.text.split(/\r?\n/, 1)[0] ?? '') : ''
  if (!line.startsWith('#!')) return null
  const [program = '', ...words] = line.slice(2).trim().split(/\s+/)
  return (program.endsWith('/env') ? words.find((word) => !/^-|=/.test(word)) : program) || null
}

/** Looks for a program as a shell would, by name on PATH or by path. */
export async function findProgram(name: string, { project, env, inside = null }: Surroundings): Promise<FoundProgram> {
  const fault = await programHint(name, { cwd: project, env, inside })
  const places = name.includes('/')
    ? [resolve(project, name)]
    : (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const path = await firstExecutable(places)
  return { name, path, fault: path === null && fault === null ? `${name} cannot be run` : fault }
}

async function firstExecutable(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const there = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (there) return path
  }
  return null
}
