import { formatPath, resolveLinks } from '../files/paths.ts'
import { redactDefinition } from '../protocol/hook-fields.ts'
import type { Profile } from '../protocol/profile.ts'
import { KNOWN_HOOK_TYPES } from '../protocol/profiles.ts'
import { listAskingPaths, listSettingKeys } from '../protocol/setting-keys.ts'
import { SET_ASIDE, unwrapEntry, type WrappedCommand } from '../protocol/wrapped-command.ts'
import { digestValue } from '../text/fingerprint.ts'
import type { Configuration } from './configuration.ts'
import { type ConfiguredHook, isFault } from './hook.ts'
import { type FunctionModule, MODULE_NOTICE } from './modules.ts'
import type { Plugin } from './plugins.ts'
import { findServersNode } from './servers.ts'
import type { SettingsFile } from './settings-file.ts'
import { makeListNode, type SourceNode } from './source.ts'

/**
 * Request of a folder: whatever of its files would run something, switch something or loosen something once
 * the user trusts it. The same objects are shown, digested and run, so nothing can be one thing to the user and another to
 * the engine or its host.
 */
export interface TrustRequest {
  /** The folder with all links followed. */
  readonly folder: string
  /** Stands for exactly this content; any change gives another one. */
  readonly digest: string
  /** Requests of each file as they are written, by its path relative to the folder. */
  readonly files: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The same, one by one, for showing. */
  readonly asks: readonly Ask[]
}

/** One thing that a folder asks for. */
export type Ask = { readonly file: string; readonly line: number } & (
  | {
      readonly kind: 'hook'
      readonly event: string
      readonly matcher: string | null
      readonly type: string | null
      /** Command, prompt or address; null when it has none of them. */
      readonly runs: string | null
      /** Whatever else it says. */
      readonly fields: Readonly<Record<string, unknown>>
      /** Reason why this profile does not run it; null when it does. */
      readonly notRun: string | null
    }
  /** A module that Claude Code runs before any hook; `digest` is that of its content, null where it cannot be read. */
  | { readonly kind: 'module'; readonly module: string; readonly digest: string | null }
  /** `name` is its path in the file, such as `permissions.allow`. */
  | { readonly kind: 'setting'; readonly name: string; readonly value: unknown }
)

/** Fields of a component's frontmatter that run or loosen something. */
const ASKING_FRONTMATTER = ['hooks', 'allowed-tools', 'model', 'permissionMode', 'mcpServers']

/** Fields of a plugin's manifest that run something, or say where that is. */
const ASKING_MANIFEST = ['hooks', 'mcpServers']

/** Source of a request. */
interface RequestSource {
  readonly configuration: Configuration
  /** The hooks of its settings files. */
  readonly hooks: readonly ConfiguredHook[]
  readonly project: string
  readonly profile: Profile
}

/** Makes the request of a project out of what was read of it. */
export function makeTrustRequest({ configuration, hooks, project, profile }: RequestSource): TrustRequest {
  let files: TrustRequest['files'] | null = null
  let asks: readonly Ask[] | null = null
  // Both are made when they are read: many sessions ask nobody, and most of the others run on what was trusted before.
  return {
    folder: resolveLinks(project),
    get digest() {
      return digestValue(this.files)
    },
    get files() {
      files ??= listAskedFiles(configuration, project)
      return files
    },
    get asks() {
      const read = [...configuration.components.flatMap((component) => component.hooks), ...hooks]
      asks ??= [...groupSources(configuration, project)].flatMap(([file, asked]) =>
        listAsks(asked, { file, read, profile }),
      )
      return asks
    },
  }
}

/** Lists what a project asks for by file, which is what acceptance stands for. */
export function listAskedFiles(configuration: Configuration, project: string): TrustRequest['files'] {
  const files: [file: string, asked: Readonly<Record<string, unknown>>][] = []
  for (const [file, asked] of groupSources(configuration, project)) files.push([file, readAskedValues(asked)])
  return Object.fromEntries(files)
}

/** Reads what a single file would ask for, whichever part it plays. */
export function readFileAsks(file: SettingsFile): object {
  return readAskedValues(new Map([...readSettingsAsked(file), ...pickFields(file.root, ['name'])]))
}

/** Requests of a file, by name. */
type FileRequests = ReadonlyMap<string, SourceNode>

/** Groups what each file asks for. What it does as a settings file, a manifest or a file of servers is put together. */
function groupSources(
  { files, plugins, serverFiles, modules, components }: Configuration,
  project: string,
): ReadonlyMap<string, FileRequests> {
  const sources = new Map<string, FileRequests>()
  const add = (file: string, asked: FileRequests): void => {
    if (asked.size > 0) sources.set(file, new Map([...(sources.get(file) ?? []), ...asked]))
  }
  for (const file of files) if (file.needsTrust) add(file.file, readSettingsAsked(file))
  if (modules.length > 0) for (const [file, asked] of readModulesAsked(modules)) add(file, asked)
  for (const plugin of plugins) if (plugin.needsTrust) add(plugin.manifest.file, readPluginAsked(plugin))
  for (const file of serverFiles) if (file.needsTrust && file.root !== null) add(file.file, readServersAsked(file))
  for (const { path, root, needsTrust } of components) {
    if (needsTrust) add(formatPath(path, project), pickFields(root, ASKING_FRONTMATTER))
  }
  return sources
}

function readSettingsAsked({ root }: SettingsFile): FileRequests {
  const asked = new Map<string, SourceNode>()
  for (const { key, member } of listAskingPaths()) {
    const setting = root?.fields?.get(key)?.node
    const node = member === null ? setting : setting?.fields?.get(member)?.node
    if (node !== undefined && node.value !== null) asked.set(member === null ? key : `${key}.${member}`, node)
  }
  return asked
}

/** The modules of each file that needs trust, with the digests of what they say. */
function readModulesAsked(all: readonly FunctionModule[]): [string, FileRequests][] {
  const modules = all.filter(({ needsTrust }) => needsTrust)
  return [...new Set(modules.map(({ file }) => file))].map((name) => {
    const items = modules
      .filter(({ file }) => file === name)
      .map(({ module, digest, line, column }) => ({ line, column, value: { module, sha256: digest } }))
    return [name, new Map([[MODULES, makeListNode(items[0] ?? { line: 1, column: 1 }, items)]])]
  })
}

/** The name under which a file asks for its modules. */
const MODULES = 'modules'

/** A plugin asks for being one: its name stands before those of its servers and components. */
function readPluginAsked({ name, manifest: { root } }: Plugin): FileRequests {
  const plugin = { line: 1, column: 1, ...root?.fields?.get('name')?.node, value: name }
  return new Map([['plugin', plugin], ...pickFields(root, ASKING_MANIFEST)])
}

function readServersAsked(file: SettingsFile): FileRequests {
  const servers = findServersNode(file)
  return new Map(servers === undefined ? [] : [['mcpServers', servers]])
}

function pickFields(root: SourceNode | null | undefined, names: readonly string[]): Map<string, SourceNode> {
  return new Map(
    names.flatMap((name) => {
      const node = root?.fields?.get(name)?.node
      return node === undefined || node.value === null ? [] : [[name, node]]
    }),
  )
}

function readAskedValues(asked: FileRequests): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [name, { value }] of asked) values[name] = value
  return values
}

/** Place of a request, and what was read there. */
interface AskingFile {
  readonly file: string
  readonly read: readonly ConfiguredHook[]
  readonly profile: Profile
}

function listAsks(asked: FileRequests, asking: AskingFile): Ask[] {
  const { file } = asking
  return [...asked].flatMap(([name, node]): Ask[] => {
    if (name === 'hooks' && node.fields) return listHookAsks(node, asking)
    if (name === MODULES) return listModuleAsks(node, file)
    if (node.fields && listSettingKeys('oneByOne').has(name))
      return [...node.fields].map(
        ([
          key,
          {
            key: { line },
            node: one,
          },
        ]) => {
          return { kind: 'setting', file, line, name: `${name}.${key}`, value: redactDefinition(one.value) }
        },
      )
    return [{ kind: 'setting', file, line: node.line, name, value: redactDefinition(node.value) }]
  })
}

function listModuleAsks({ items = [] }: SourceNode, file: string): Ask[] {
  return items.map(({ value, line }): Ask => {
    const { module, sha256 } = value as { module: string; sha256: string | null } // as `readModulesAsked` made it
    return { kind: 'module', file, line, module, digest: sha256 }
  })
}

/** Every hook that is written, whether or not this profile knows its event, its type or its fields. */
function listHookAsks({ fields }: SourceNode, { file, read, profile }: AskingFile): Ask[] {
  const left = read.filter((hook) => hook.file === file)
  return [...(fields ?? [])].flatMap(([event, { node }]) => {
    const row = profile.events.get(event)
    return (node.items ?? [node]).flatMap((group) =>
      listHookNodes(group).map((hook): Ask => {
        const at = left.findIndex(
          (one) => one.line === hook.line && (one.event === event || one.event === row?.inAgent),
        )
        const [configured] = row === undefined || at < 0 ? [] : left.splice(at, 1)
        const why = row
          ? readFault(configured)
          : `${event} is not an event${profile.twin === undefined ? ` of the profile ${profile.name}` : ''}`
        return makeHookAsk({ event, group, hook, file, notRun: why, profile })
      }),
    )
  })
}

/** The hooks of a group; the group stands for itself where it has no list, as the flat form has none. */
export function listHookNodes(group: SourceNode): readonly SourceNode[] {
  return group.fields?.get('hooks')?.node.items ?? [group]
}

function readFault(configured: ConfiguredHook | undefined): string | null {
  return configured && isFault(configured.handler) ? configured.handler.because : null
}

interface HookSource {
  readonly event: string
  readonly group: SourceNode
  readonly hook: SourceNode
  readonly file: string
  readonly notRun: string | null
  readonly profile: Profile
}

function makeHookAsk({ event, group, hook, file, notRun, profile }: HookSource): Ask {
  const { hooks: _hooks, matcher, ...ofGroup } = readMembers(group)
  const { type, matcher: _flat, ...members } = readMembers(hook)
  const telling = listRunFields(toAskText(type ?? ''), members, profile)
  const wrapped = unwrapEntry(members)
  const shown = wrapped === null ? members : unwrapMembers(members, wrapped)
  const runs = telling.flatMap((name) => (shown[name] === undefined ? [] : toAskText(shown[name])))
  const fields = {
    ...(group === hook ? {} : ofGroup),
    ...Object.fromEntries(Object.entries(shown).filter(([name]) => !telling.includes(name))),
    ...(hook.fields ? {} : { hook: redactDefinition(hook.value) }),
  }
  return {
    kind: 'hook',
    ...{ file, line: hook.line, event, notRun, fields },
    matcher: matcher === undefined ? null : toAskText(matcher),
    type: type === undefined ? null : toAskText(type),
    runs: runs.length === 0 ? null : runs.join(' '),
  }
}

/** The fields of an entry as they were before it was wrapped, but for a word that says so. */
function unwrapMembers(
  members: Readonly<Record<string, unknown>>,
  { command, args }: WrappedCommand,
): Readonly<Record<string, unknown>> {
  const shown = { ...members, command: `(wrapped) ${command}` }
  if (args === undefined) return shown
  const { [SET_ASIDE]: _args, ...others } = shown as Readonly<Record<string, unknown>>
  return { ...others, args }
}

/** The fields that say what a hook of its type runs; of a type that no profile has, the first that says it of any. */
function listRunFields(
  type: string,
  members: Readonly<Record<string, unknown>>,
  { hookTypes }: Profile,
): readonly string[] {
  const known = [hookTypes, ...Object.values(KNOWN_HOOK_TYPES)]
  const own = known.find((types) => Object.hasOwn(types, type))?.[type]?.required
  if (own?.some((name) => members[name] !== undefined)) return own
  const ofAny = known.flatMap((types) => Object.values(types)).flatMap(({ required }) => required)
  return ofAny.filter((name) => members[name] !== undefined).slice(0, 1)
}

function readMembers({ fields }: SourceNode): Record<string, unknown> {
  return Object.fromEntries([...(fields ?? [])].map(([name, { node }]) => [name, redactDefinition(node.value, name)]))
}

const toAskText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One thing that a folder asks for, in words: a heading, and the lines below it. */
export interface AskText {
  readonly heading: string
  readonly lines: readonly string[]
}

/** Puts it into words, whole: nothing that would run or loosen something is left out. They may hold what a terminal obeys. */
export function formatAsk(ask: Ask): AskText {
  const place = `${ask.file}:${ask.line}`
  if (ask.kind === 'setting') return { heading: `${ask.name}  ${place}`, lines: [JSON.stringify(ask.value)] }
  if (ask.kind === 'module') {
    const content = ask.digest === null ? 'its content cannot be read' : `content ${ask.digest}`
    return { heading: `module  ${place}`, lines: [ask.module, content, `(${MODULE_NOTICE})`] }
  }
  const { event, matcher, type, runs, fields, notRun } = ask
  return {
    heading: [event, ...(matcher === null || matcher === '' ? [] : [matcher]), place, type ?? 'no type'].join('  '),
    lines: [
      runs ?? 'nothing',
      ...(Object.keys(fields).length === 0 ? [] : [`with ${JSON.stringify(fields)}`]),
      ...(notRun === null ? [] : [`(does not run here: ${notRun})`]),
    ],
  }
}
