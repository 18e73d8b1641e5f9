import { formatPath } from '../files/paths.ts'
import { redactDefinition } from '../protocol/hook-fields.ts'
import type { Profile } from '../protocol/profile.ts'
import { KNOWN_HOOK_TYPES } from '../protocol/profiles.ts'
import { ASKING_PATHS, listSettingKeys } from '../protocol/setting-keys.ts'
import { SET_ASIDE, unwrapEntry, type WrappedCommand } from '../protocol/wrapped-command.ts'
import type { Configuration } from './configuration.ts'
import { type ConfiguredHook, isFault } from './hook.ts'
import { type FunctionModule, MODULE_NOTICE } from './modules.ts'
import type { Plugin } from './plugins.ts'
import { serversIn } from './servers.ts'
import type { SettingsFile } from './settings-file.ts'
import { listNode, type SourceNode } from './source.ts'

/**
 * Everything that a folder asks for: whatever of its files would run something, switch something or loosen something once
 * the user trusts it. The same objects are shown, digested and run, so nothing can be one thing to the user and another to
 * the engine or its host.
 */
export interface FolderRequest {
  /** What each file asks for, as it is written, by its path relative to the folder. */
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
      /** Its command, prompt or address; null when it has none of them. */
      readonly runs: string | null
      /** Whatever else it says. */
      readonly fields: Readonly<Record<string, unknown>>
      /** Why this profile does not run it; null when it does. */
      readonly notRun: string | null
    }
  /** A module that Claude Code runs before any hook; `digest` is that of its content, null where it cannot be read. */
  | { readonly kind: 'module'; readonly module: string; readonly digest: string | null }
  /** `name` is its path in the file, such as `permissions.allow`. */
  | { readonly kind: 'setting'; readonly name: string; readonly value: unknown }
)

/** What of a component's frontmatter runs or loosens something. */
const ASKING_FRONTMATTER = ['hooks', 'allowed-tools', 'model', 'permissionMode', 'mcpServers']

/** What a plugin's manifest runs, or where it has that from. */
const ASKING_MANIFEST = ['hooks', 'mcpServers']

/** What a request is made from. */
interface Reading {
  readonly configuration: Configuration
  /** The hooks of its settings files. */
  readonly hooks: readonly ConfiguredHook[]
  readonly project: string
  readonly profile: Profile
}

/** Makes the request of a project out of what was read of it. */
export function folderRequest({ configuration, hooks, project, profile }: Reading): FolderRequest {
  const sources = sourcesOf(configuration, project)
  const read = [...configuration.components.flatMap((component) => component.hooks), ...hooks]
  let asks: readonly Ask[] | null = null
  return {
    files: filesOf(sources),
    // made when it is read: most sessions run on what was trusted before
    get asks() {
      asks ??= [...sources].flatMap(([file, asked]) => asksOf(asked, { file, read, profile }))
      return asks
    },
  }
}

/** What a project asks for by file, which is what acceptance stands for. */
export function askedFiles(configuration: Configuration, project: string): FolderRequest['files'] {
  return filesOf(sourcesOf(configuration, project))
}

/** What a single file would ask for, whichever part it plays. */
export function fileAsks(file: SettingsFile): object {
  return valuesOf(new Map([...settingsAsked(file), ...picked(file.root, ['name'])]))
}

/** What a file asks for, by name. */
type Asked = ReadonlyMap<string, SourceNode>

/** What each file asks for. What it does as a settings file, a manifest or a file of servers is put together. */
function sourcesOf(
  { files, plugins, serverFiles, modules, components }: Configuration,
  project: string,
): ReadonlyMap<string, Asked> {
  const trusted = <One extends { readonly needsTrust: boolean }>(all: readonly One[]): One[] =>
    all.filter(({ needsTrust }) => needsTrust)
  const found: [string, Asked][] = [
    ...trusted(files).map((file): [string, Asked] => [file.file, settingsAsked(file)]),
    ...modulesAsked(trusted(modules)),
    ...trusted(plugins).map((plugin): [string, Asked] => [plugin.manifest.file, pluginAsked(plugin)]),
    ...trusted(serverFiles).map((file): [string, Asked] => [file.file, serversAsked(file)]),
    ...trusted(components).map(({ path, root }): [string, Asked] => [
      formatPath(path, project),
      picked(root, ASKING_FRONTMATTER),
    ]),
  ]
  const sources = new Map<string, Asked>()
  for (const [file, asked] of found) {
    if (asked.size > 0) sources.set(file, new Map([...(sources.get(file) ?? []), ...asked]))
  }
  return sources
}

function settingsAsked({ root }: SettingsFile): Asked {
  const asked = ASKING_PATHS.flatMap(({ key, member }): [string, SourceNode][] => {
    const setting = root?.fields?.get(key)?.node
    const node = member === null ? setting : setting?.fields?.get(member)?.node
    const name = member === null ? key : `${key}.${member}`
    return node === undefined || node.value === null ? [] : [[name, node]]
  })
  return new Map(asked)
}

/** The modules of each file, with the digests of what they say. */
function modulesAsked(modules: readonly FunctionModule[]): [string, Asked][] {
  return [...new Set(modules.map(({ file }) => file))].map((name) => {
    const items = modules
      .filter(({ file }) => file === name)
      .map(({ module, digest, line, column }) => ({ line, column, value: { module, sha256: digest } }))
    return [name, new Map([[MODULES, listNode(items[0] ?? { line: 1, column: 1 }, items)]])]
  })
}

/** The name under which a file asks for its modules. */
const MODULES = 'modules'

/** A plugin asks for being one: its name stands before those of its servers and components. */
function pluginAsked({ name, manifest: { root } }: Plugin): Asked {
  const plugin = { line: 1, column: 1, ...root?.fields?.get('name')?.node, value: name }
  return new Map([['plugin', plugin], ...picked(root, ASKING_MANIFEST)])
}

function serversAsked(file: SettingsFile): Asked {
  const servers = serversIn(file)
  return new Map(servers === undefined ? [] : [['mcpServers', servers]])
}

function picked(root: SourceNode | null | undefined, names: readonly string[]): Map<string, SourceNode> {
  return new Map(
    names.flatMap((name) => {
      const node = root?.fields?.get(name)?.node
      return node === undefined || node.value === null ? [] : [[name, node]]
    }),
  )
}

function filesOf(sources: ReadonlyMap<string, Asked>): FolderRequest['files'] {
  return Object.fromEntries([...sources].map(([file, asked]) => [file, valuesOf(asked)]))
}

function valuesOf(asked: Asked): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...asked].map(([name, { value }]) => [name, value]))
}

/** Where something is asked for, and what was read there. */
interface AskingFile {
  readonly file: string
  readonly read: readonly ConfiguredHook[]
  readonly profile: Profile
}

function asksOf(asked: Asked, asking: AskingFile): Ask[] {
  const { file } = asking
  return [...asked].flatMap(([name, node]): Ask[] => {
    if (name === 'hooks' && node.fields) return hookAsks(node, asking)
    if (name === MODULES) return moduleAsks(node, file)
    if (node.fields && SHOWN_ONE_BY_ONE.has(name))
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

const SHOWN_ONE_BY_ONE = listSettingKeys('oneByOne')

function moduleAsks({ items = [] }: SourceNode, file: string): Ask[] {
  return items.map(({ value, line }): Ask => {
    const { module, sha256 } = value as { module: string; sha256: string | null } // as `modulesAsked` made it
    return { kind: 'module', file, line, module, digest: sha256 }
  })
}

/** Every hook that is written, whether or not this profile knows its event, its type or its fields. */
function hookAsks({ fields }: SourceNode, { file, read, profile }: AskingFile): Ask[] {
  const left = read.filter((hook) => hook.file === file)
  return [...(fields ?? [])].flatMap(([event, { node }]) => {
    const row = profile.events.get(event)
    return (node.items ?? [node]).flatMap((group) =>
      nodesIn(group).map((hook): Ask => {
        const at = left.findIndex(
          (one) => one.line === hook.line && (one.event === event || one.event === row?.inAgent),
        )
        const [configured] = row === undefined || at < 0 ? [] : left.splice(at, 1)
        const why = row ? faultOf(configured) : `${event} is not an event of the profile ${profile.name}`
        return hookAsk({ event, group, hook, file, notRun: why, profile })
      }),
    )
  })
}

/** The hooks of a group; the group stands for itself where it has no list, as the flat form has none. */
export function nodesIn(group: SourceNode): readonly SourceNode[] {
  return group.fields?.get('hooks')?.node.items ?? [group]
}

function faultOf(configured: ConfiguredHook | undefined): string | null {
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

function hookAsk({ event, group, hook, file, notRun, profile }: HookSource): Ask {
  const { hooks: _hooks, matcher, ...ofGroup } = membersOf(group)
  const { type, matcher: _flat, ...members } = membersOf(hook)
  const telling = tellingFields(asText(type ?? ''), members, profile)
  const wrapped = unwrapEntry(members)
  const shown = wrapped === null ? members : asUnwrapped(members, wrapped)
  const runs = telling.flatMap((name) => (shown[name] === undefined ? [] : asText(shown[name])))
  const fields = {
    ...(group === hook ? {} : ofGroup),
    ...Object.fromEntries(Object.entries(shown).filter(([name]) => !telling.includes(name))),
    ...(hook.fields ? {} : { hook: redactDefinition(hook.value) }),
  }
  return {
    kind: 'hook',
    ...{ file, line: hook.line, event, notRun, fields },
    matcher: matcher === undefined ? null : asText(matcher),
    type: type === undefined ? null : asText(type),
    runs: runs.length === 0 ? null : runs.join(' '),
  }
}

/** The fields of an entry as they were before it was wrapped, but for a word that says so. */
function asUnwrapped(
  members: Readonly<Record<string, unknown>>,
  { command, args }: WrappedCommand,
): Readonly<Record<string, unknown>> {
  const shown = { ...members, command: `(wrapped) ${command}` }
  if (args === undefined) return shown
  const { [SET_ASIDE]: _args, ...others } = shown as Readonly<Record<string, unknown>>
  return { ...others, args }
}

/** The fields that say what a hook of its type runs; of a type that no profile has, the first that says it of any. */
function tellingFields(
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

function membersOf({ fields }: SourceNode): Record<string, unknown> {
  return Object.fromEntries([...(fields ?? [])].map(([name, { node }]) => [name, redactDefinition(node.value, name)]))
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One thing that a folder asks for, in words: a heading, and the lines below it. */
export interface AskText {
  readonly heading: string
  readonly lines: readonly string[]
}

/** Puts it into words, whole: nothing that would run or loosen something is left out. They may hold what a terminal obeys. */
export function askText(ask: Ask): AskText {
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
