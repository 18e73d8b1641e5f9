import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ConfiguredHook } from '../config/hook.ts'
import type { SourceNode } from '../config/source.ts'
import { isBelow } from '../files/paths.ts'
import { type Enclosure, inPlugin, inProject, readText } from '../files/read.ts'
import { directInvocation, type Invocation, invocations, isShell } from './invocation.ts'
import { withoutShellComments } from './shell-words.ts'
import type { Entry, Subject } from './subject.ts'

/** A command hook's text, and what can be told about it without running it. */
export interface CommandText {
  readonly hook: ConfiguredHook
  /** What a shell reads; empty where none does. */
  readonly text: string
  /** Where the command stands. */
  readonly node: SourceNode
  readonly invocations: readonly Invocation[]
  /** The command and the scripts it names, without the lines that are comments. */
  readonly says: string
}

/** Reads the command of a hook; null when it has none that could run. */
export async function readCommand(
  { hook, node, profile }: Entry,
  { project, home }: Subject,
): Promise<CommandText | null> {
  const { shell, program } = hook.shown
  if (shell === undefined && program === undefined) return null
  const [field = ''] = profile.hookTypes[hook.written.type ?? '']?.required ?? []
  const found = invocationsOf(hook, { project, env: process.env, home })
  const scripts = found.flatMap(({ program: started, script }) => [
    { path: started?.value ?? '', isForShell: (text: string) => /^(?!#!)|^#!.*sh\b/.test(text) },
    { path: script?.value ?? '', isForShell: () => started === null || isShell(started) },
  ])
  const opened = new Map(
    scripts.filter(({ path }) => path.includes('/') || /\.\w+$/.test(path)).map((one) => [one.path, one]),
  )
  const texts = [...opened.values()].map(async ({ path, isForShell }) => {
    const text = await scriptText(resolve(project, path), scriptEnclosure(hook, path, project))
    return isForShell(text) ? withoutShellComments(text) : withoutComments(text)
  })
  const own = shell === undefined ? (program ?? []).join(' ') : withoutShellComments(shell)
  const says = [own, ...(await Promise.all(texts))].join('\n')
  return { hook, text: shell ?? '', node: node.fields?.get(field)?.node ?? node, invocations: found, says }
}

/** Where a command is started. */
export interface Surroundings {
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  /** What `~` and `$HOME` stand for; as the environment says where it is left out. */
  readonly home?: string
}

/** The programs that a hook is certain to start, and the scripts that it hands them. */
export function invocationsOf(
  { shown, pluginRoot }: ConfiguredHook,
  { project, env, home }: Surroundings,
): Invocation[] {
  const places = {
    CLAUDE_PROJECT_DIR: project,
    ...(pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
  }
  if (shown.shell !== undefined) {
    const known = { HOME: home ?? env.HOME ?? homedir(), PWD: project, ...places } // the host sets some of them, a shell the others
    return invocations(shown.shell, known)
  }
  const filled = (part: string): string =>
    Object.entries(places).reduce((text, [name, place]) => text.replaceAll(`\${${name}}`, () => place), part)
  return directInvocation((shown.program ?? []).map(filled))
}

async function scriptText(path: string, inside: Enclosure | null): Promise<string> {
  const content = await readText(path, { inside })
  return content.read === 'text' && !content.text.includes('\0') ? content.text : '' // a binary says nothing
}

/**
 * Where a script may lie that is opened because a hook names it. A hook that came with a project may name any file of
 * the user; only those of the project and of its plugin are looked into.
 */
export function scriptEnclosure(hook: ConfiguredHook, path: string, project: string): Enclosure | null {
  if (hook.trust === 'none') return null
  const root = hook.pluginRoot
  return root !== null && isBelow(resolve(project, path), root) ? inPlugin(root) : inProject(project)
}

/** Of a script in another language, or in none that is known. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:#|\/\/|\/?\*).*$/gm, '')
}
