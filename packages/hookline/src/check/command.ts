import { resolve } from 'node:path'
import type { ConfiguredHook } from '../config/hook.ts'
import type { Place, SourceNode } from '../config/source.ts'
import { findHome } from '../files/home.ts'
import { isBelow } from '../files/paths.ts'
import { type Enclosure, makePluginEnclosure, makeProjectEnclosure, readText } from '../files/read.ts'
import { type Code, listCodeHanded, listCodeInside, readCommandCode, readScriptCode } from './code.ts'
import { type Invocation, listInvocations, readDirectInvocation } from './invocation.ts'
import type { HookEntry, Subject } from './subject.ts'

/** A command hook's text, and what can be told about it without running it. */
export interface CommandText {
  readonly hook: ConfiguredHook
  /** Text that a shell reads; empty where none does. */
  readonly text: string
  /** Place of the command. */
  readonly node: SourceNode
  readonly invocations: readonly Invocation[]
  /** The command, the scripts that it names, and what they hand to interpreters. */
  readonly code: readonly Code[]
  /** Words about this event in the command and its scripts, without comments. */
  readonly says: string
}

/** Reads the command of a hook; null when it has none that could run. */
export async function readCommand(entry: HookEntry, { project, home }: Subject): Promise<CommandText | null> {
  const { hook, node, profile } = entry
  const { shell, program } = hook.shown
  if (shell === undefined && program === undefined) return null
  const [field = ''] = profile.hookTypes[hook.written.type ?? '']?.required ?? []
  const found = listHookInvocations(hook, { project, env: process.env, home })
  const own = shell === undefined ? { ...NO_SHELL, text: (program ?? []).join(' ') } : readCommandCode(shell)
  const written = [own, ...(await readScripts(found, entry, project))]
  const inside = [...listCodeHanded(program ?? [], NO_SHELL), ...written.flatMap(listCodeInside)]
  return {
    hook,
    text: shell ?? '',
    node: node.fields?.get(field)?.node ?? node,
    invocations: found,
    code: [...written, ...inside],
    says: written.flatMap(({ text, servesOthers }) => (servesOthers ? [] : [text])).join('\n'),
  }
}

const NO_SHELL: Omit<Code, 'text'> = { shell: null, syntax: null, script: null, servesOthers: false }

/** The scripts that a command is certain to run, each once. */
async function readScripts(
  found: readonly Invocation[],
  { hook, row, profile }: HookEntry,
  project: string,
): Promise<Code[]> {
  const named = found.flatMap(({ program, script, isGivenArguments }) => [
    { file: program?.value ?? '', program: null, isGivenArguments },
    { file: script?.value ?? '', program: program === null ? 'sh' : (program.value ?? ''), isGivenArguments },
  ])
  const opened = new Map(named.filter(({ file }) => /\/|\.\w+$/.test(file)).map((one) => [one.file, one]))
  return Promise.all(
    [...opened.values()].map(async (named) => {
      const path = resolve(project, named.file)
      const text = await readScriptText(path, chooseScriptEnclosure(hook, named.file, project))
      return readScriptCode(text, { ...named, path, row, profile })
    }),
  )
}

/** A place in a script that a hook runs. */
export interface ScriptPlace extends Place {
  readonly path: string
}

/** Texts of a command that are about its event alone. */
export function listEventCode(command: CommandText | null): readonly Code[] {
  return command?.code.filter(({ servesOthers }) => !servesOthers) ?? []
}

/** Place of words that a hook's texts say: a line of the script that says them, else the command. */
export function locateWords(
  command: CommandText,
  words: string,
  code = command.code.find(({ text, servesOthers }) => !servesOthers && text.includes(words)),
): { readonly place: Place; readonly script?: ScriptPlace } {
  const script = code?.script ?? null
  if (script === null) return { place: command.node }
  const before = script.text.slice(0, Math.max(0, script.text.indexOf(words))).split('\n')
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  return { place: command.node, script: { path: script.path, ...place } }
}

/** Place where a command is started. */
export interface CommandContext {
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  /** Value of `~` and `$HOME`; as the environment says where it is left out. */
  readonly home?: string
}

/** The programs that a hook is certain to start, and the scripts that it hands them. */
export function listHookInvocations(
  { shown, pluginRoot }: ConfiguredHook,
  { project, env, home }: CommandContext,
): Invocation[] {
  const places = {
    CLAUDE_PROJECT_DIR: project,
    ...(pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
  }
  if (shown.shell !== undefined) {
    const known = { HOME: home || env.HOME || findHome(), PWD: project, ...places } // the host sets some of them, a shell the others
    return listInvocations(shown.shell, known)
  }
  const fillHookPlaces = (part: string): string =>
    Object.entries(places).reduce((text, [name, place]) => text.replaceAll(`\${${name}}`, () => place), part)
  return readDirectInvocation((shown.program ?? []).map(fillHookPlaces))
}

async function readScriptText(path: string, inside: Enclosure | null): Promise<string> {
  const content = await readText(path, { inside })
  return content.read === 'text' && !content.text.includes('\0') ? content.text : '' // a binary says nothing
}

/**
 * Chooses where a script may lie that is opened because a hook names it. A hook that came with a project may name any file of
 * the user; only those of the project and of its plugin are looked into.
 */
export function chooseScriptEnclosure(hook: ConfiguredHook, path: string, project: string): Enclosure | null {
  if (hook.trust === 'none') return null
  const root = hook.pluginRoot
  return root !== null && isBelow(resolve(project, path), root)
    ? makePluginEnclosure(root)
    : makeProjectEnclosure(project)
}
