import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ConfiguredHook } from '../config/hook.ts'
import type { SourceNode } from '../config/source.ts'
import { isBelow } from '../files/paths.ts'
import { type Enclosure, inPlugin, inProject, readText } from '../files/read.ts'
import { type Invocation, invocations } from './invocation.ts'
import type { KnownVariables } from './shell-text.ts'
import type { Entry, Subject } from './subject.ts'

/** A command hook's text, and what can be told about it without running it. */
export interface CommandText {
  readonly hook: ConfiguredHook
  readonly text: string
  /** Where the text stands. */
  readonly node: SourceNode
  readonly invocations: readonly Invocation[]
  /** The command and the scripts it names, without the lines that are comments. */
  readonly says: string
}

/** Reads the command of a hook; null when it has none that could run. */
export async function readCommand({ hook, node }: Entry, subject: Subject): Promise<CommandText | null> {
  const text = hook.shown.shell
  const field = Object.keys(hook.written).find((name) => hook.written[name] === text) ?? ''
  const written = node.fields?.get(field)?.node
  if (text === undefined || !written) return null
  const found = invocations(text, knownVariables(subject))
  const paths = found.flatMap(({ program, script }) => [program, script].map((word) => word?.value ?? ''))
  const scripts = [...new Set(paths.filter((path) => path.includes('/') || /\.\w+$/.test(path)))]
  const { project } = subject
  const texts = await Promise.all(
    scripts.map((path) => scriptText(resolve(project, path), scriptEnclosure(hook, path, project))),
  )
  const says = [text, ...texts].map(withoutComments).join('\n')
  return { hook, text, node: written, invocations: found, says }
}

/** What the host sets for every hook, and what a shell sets anyway. */
function knownVariables({ project, pluginRoot }: Subject): KnownVariables {
  return {
    HOME: homedir(),
    PWD: project,
    CLAUDE_PROJECT_DIR: project,
    ...(pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
  }
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

function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:#|\/\/|\/?\*).*$/gm, '')
}
