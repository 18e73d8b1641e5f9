import type { Misfit } from '../protocol/check.ts'
import { makeCheck } from '../protocol/checker.ts'
import { settings as SETTING_SHAPES } from '../protocol/generated/settings-shapes.ts'
import type { PolicySwitch, ScopeRules } from '../protocol/rules.ts'
import type { Scope } from '../protocol/scope.ts'
import { makeProblem, type Problem } from './problem.ts'
import type { SettingsFile } from './settings-file.ts'
import type { SourceNode } from './source.ts'

/** A command that is no hook: the status line, the file suggestion. */
export interface SpecialCommand {
  readonly command: string
  /** Spaces before a status line. */
  readonly padding?: number
}

/** Settings beside the hooks, over all scopes. A switch that is on is the file that says so, else null. */
export interface Switches {
  /** Policy switches everything off, its own hooks included. */
  readonly policyOff: string | null
  /** Policy leaves only the hooks of some scopes running. */
  readonly only: readonly ScopesOnly[]
  /** A file below policy switches all but the managed hooks off. */
  readonly disabled: string | null
  readonly statusLine: SpecialCommand | null
  readonly fileSuggestion: SpecialCommand | null
  /** Lists of what hooks that are servers may use; a value has to stand on every list there is. */
  readonly allowLists: {
    readonly urls: readonly (readonly string[])[]
    readonly variables: readonly (readonly string[])[]
  }
}

/** A switch of policy that leaves only some scopes running. */
export interface ScopesOnly {
  readonly file: string
  readonly scopes: readonly Scope[]
  /** The hooks that run, for people. */
  readonly allows: string
}

/** Scopes that each of them leaves, and how it is switched on. */
const POLICY_SWITCHES: Readonly<
  Record<PolicySwitch, Omit<ScopesOnly, 'file'> & { readonly isOn: (value: unknown) => boolean }>
> = {
  allowManagedHooksOnly: { scopes: ['managed'], allows: 'managed hooks', isOn: (value) => value === true },
  strictPluginOnlyCustomization: {
    scopes: ['managed', 'plugin'],
    allows: 'hooks of policy and plugins',
    isOn: (value) => value === true || (Array.isArray(value) && value.includes('hooks')),
  },
}

type SettingName = keyof typeof SETTING_SHAPES
type ListSetting = 'allowedHttpHookUrls' | 'httpHookAllowedEnvVars'
const LISTS: readonly string[] = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars'] satisfies ListSetting[]

/** Switches where no file sets any, as in most sessions. */
const NO_SWITCHES: Switches = {
  policyOff: null,
  only: [],
  disabled: null,
  statusLine: null,
  fileSuggestion: null,
  allowLists: { urls: [], variables: [] },
}

/** Reads the switches from the files that count: an untrusted project's do not. */
export function readSwitches(all: readonly SettingsFile[], { settings, policy }: ScopeRules): Switches {
  const files: SettingsFile[] = []
  for (const file of all) {
    for (const name of file.root?.fields?.keys() ?? []) if (Object.hasOwn(SETTING_SHAPES, name)) files.push(file)
  }
  return files.length === 0 ? NO_SWITCHES : readSetSwitches([...new Set(files)], { settings, policy })
}

function readSetSwitches(
  files: readonly SettingsFile[],
  { settings, policy }: Pick<ScopeRules, 'settings' | 'policy'>,
): Switches {
  const managed = files.filter(({ scope }) => scope === 'managed')
  const policySet = managed.some((file) => readSetting(file, 'disableAllHooks') !== undefined)
  const policyOff = findFileSaying(managed, 'disableAllHooks', (value) => value === true)
  const only = policy.flatMap((name): ScopesOnly[] => {
    const { isOn, ...left } = POLICY_SWITCHES[name]
    const file = findFileSaying(managed, name, isOn)
    return file === null ? [] : [{ file, ...left }]
  })
  const first = findFirstSetting(files, 'disableAllHooks', settings)
  const disabled = !policySet && first?.value === true ? first.file : null
  const readSpecialCommand = (name: 'statusLine' | 'fileSuggestion'): SpecialCommand | null => {
    if (policyOff !== null) return null
    const allowed = only.length > 0 || disabled !== null ? managed : files
    return (findFirstSetting(allowed, name, settings)?.value as SpecialCommand | undefined) ?? null // the value fits its schema
  }
  return {
    policyOff,
    only,
    disabled,
    statusLine: readSpecialCommand('statusLine'),
    fileSuggestion: readSpecialCommand('fileSuggestion'),
    allowLists: readAllowLists(files),
  }
}

/** Reads what these files let hooks use that are servers. */
export function readAllowLists(files: readonly SettingsSource[]): Switches['allowLists'] {
  return {
    urls: mergeAllowLists(files, 'allowedHttpHookUrls'),
    variables: mergeAllowLists(files, 'httpHookAllowedEnvVars'),
  }
}

/** A file with settings, as far as they are looked up in it. */
type SettingsSource = Pick<SettingsFile, 'root'> & { readonly scope: Scope }

/** The list of policy, and that of all others together: no other file can widen what policy allows. Neither where no file has one. */
function mergeAllowLists(files: readonly SettingsSource[], name: ListSetting): string[][] {
  const isPolicy = ({ scope }: SettingsSource): boolean => scope === 'managed'
  return [files.filter(isPolicy), files.filter((file) => !isPolicy(file))].flatMap((some) => {
    const lists = some.flatMap((file) => readAllowList(file, name) ?? [])
    return lists.length === 0 ? [] : [lists.flat()]
  })
}

/** The list of a file, as the only item; one that cannot be read allows nothing. undefined: it has none. */
function readAllowList(file: SettingsSource, name: ListSetting): string[][] | undefined {
  if (file.root?.fields?.has(name) !== true) return undefined
  return [(readSetting(file, name) as string[] | undefined) ?? []] // the value fits its schema
}

/** The first file that switches something on. */
function findFileSaying(
  files: readonly SettingsFile[],
  name: SettingName,
  isOn: (value: unknown) => boolean,
): string | null {
  return files.find((file) => isOn(readSetting(file, name)))?.file ?? null
}

/** Settings whose values cannot be used. */
export function listSwitchProblems(file: SettingsFile): Problem[] {
  const problems: Problem[] = []
  for (const name in SETTING_SHAPES) {
    const node = file.root?.fields?.get(name)?.node
    const [misfit] = node ? makeCheck(SETTING_SHAPES[name as SettingName])(node.value) : [] // a key of it
    if (!node || !misfit) continue
    const { line, column } = findInnermostNode(node, misfit.path)
    const becomes = LISTS.includes(name) ? 'counts as an empty list' : 'is ignored'
    const message = `${[name, ...misfit.path].join('.')} ${misfit.message}; it ${becomes}.`
    problems.push(makeProblem(file.file, { rule: 'V-HK-28', line, column, message }))
  }
  return problems
}

/** The innermost node on a way into a value that is there. */
function findInnermostNode(node: SourceNode, [step, ...path]: Misfit['path']): SourceNode {
  const inner = typeof step === 'number' ? node.items?.[step] : node.fields?.get(step ?? '')?.node
  return inner === undefined ? node : findInnermostNode(inner, path)
}

/** The value of the first scope that sets it, with its file; drop-ins of one scope speak in file order. */
function findFirstSetting(
  files: readonly SettingsFile[],
  name: SettingName,
  order: ScopeRules['settings'],
): { file: string; value: unknown } | undefined {
  return order
    .flatMap((scope) => files.filter((file) => file.scope === scope))
    .map((file) => ({ file: file.file, value: readSetting(file, name) }))
    .find(({ value }) => value !== undefined)
}

function readSetting({ root }: Pick<SettingsFile, 'root'>, name: SettingName): unknown {
  const value = root?.fields?.get(name)?.node.value
  return value === undefined || makeCheck(SETTING_SHAPES[name])(value).length > 0 ? undefined : value
}
