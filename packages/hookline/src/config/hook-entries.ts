import { KNOWN_HOOK_TYPES } from '../protocol/profiles.ts'
import { unwrapEntry } from '../protocol/wrapped-command.ts'
import type { SettingsFile } from './settings-file.ts'
import type { HookPlace } from './settings-text.ts'
import type { SourceNode } from './source.ts'

/** A hook as it stands in a settings file, sound or not, of a known event or not. */
export interface HookEntry extends HookPlace {
  /** As the record names it. */
  readonly id: string
  /** Place, as the user reads it: `file:line`. */
  readonly where: string
  readonly matcher: string | null
  readonly type: string
  /** The field that says what it runs, and what it says. */
  readonly says: string | null
  readonly runs: string | null
}

/** Every hook of the settings file of a scope that has one file, in file order. */
export function listHookEntries(file: SettingsFile): HookEntry[] {
  const events = file.root?.fields?.get('hooks')?.node.fields ?? new Map()
  return [...events].flatMap(([event, { node }]: [string, { node: SourceNode }]) =>
    (node.items ?? []).flatMap((group, at) => listGroupEntries(file, event, group, at)),
  )
}

function listGroupEntries(file: SettingsFile, event: string, node: SourceNode, group: number): HookEntry[] {
  const matcher = readTextField(node, 'matcher')
  const hooks = node.fields?.get('hooks')?.node.items ?? (node.fields?.has('command') ? [node] : [])
  return hooks.map((one, hook) => ({
    id: [file.scope, event, group, hook].join(':'),
    where: `${file.file}:${one.line}`,
    event,
    group,
    hook,
    matcher,
    type: readTextField(one, 'type') ?? 'command',
    ...readEntryWords(one),
  }))
}

function readEntryWords(node: SourceNode): Pick<HookEntry, 'says' | 'runs'> {
  const says = TELLING.find((name) => readTextField(node, name) !== null) ?? null
  const wrapped = says === 'command' ? unwrapEntry(toRecord(node)) : null
  return { says, runs: wrapped?.command ?? (says === null ? null : readTextField(node, says)) }
}

/** The fields that say what hooks of some type run. */
const TELLING = Object.values(KNOWN_HOOK_TYPES).flatMap((types) =>
  Object.values(types).flatMap(({ required }) => required),
)

function toRecord({ value }: SourceNode): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function readTextField(node: SourceNode, field: string): string | null {
  const value = node.fields?.get(field)?.node.value
  return typeof value === 'string' ? value : null
}
