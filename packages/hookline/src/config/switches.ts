import { sentence } from '../protocol/check.ts'
import { settingChecks } from '../protocol/profiles.ts'
import type { ScopeRules } from '../protocol/rules.ts'
import { type Problem, problemIn } from './problem.ts'
import type { SettingsFile } from './settings-file.ts'

/** A command that is no hook: the status line, the file suggestion. */
export interface SpecialCommand {
  readonly command: string
  /** Spaces before a status line. */
  readonly padding?: number
}

/** What the settings beside the hooks say, over all scopes. A switch that is on is the file that says so, else null. */
export interface Switches {
  /** Policy switches everything off, its own hooks included. */
  readonly policyOff: string | null
  /** Policy leaves only managed hooks running. */
  readonly managedOnly: string | null
  /** A file below policy switches all but the managed hooks off. */
  readonly disabled: string | null
  readonly statusLine: SpecialCommand | null
  readonly fileSuggestion: SpecialCommand | null
}

type SettingName = keyof typeof settingChecks

/** Reads the switches from the files that count: an untrusted project's do not. */
export function readSwitches(files: readonly SettingsFile[], { settings }: ScopeRules): Switches {
  const managed = files.filter(({ scope }) => scope === 'managed')
  const policySet = managed.some((file) => settingOf(file, 'disableAllHooks') !== undefined)
  const policyOff = fileSaying(managed, 'disableAllHooks')
  const managedOnly = fileSaying(managed, 'allowManagedHooksOnly')
  const first = firstSetting(files, 'disableAllHooks', settings)
  const disabled = !policySet && first?.value === true ? first.file : null
  const special = (name: 'statusLine' | 'fileSuggestion'): SpecialCommand | null => {
    if (policyOff !== null) return null
    const allowed = managedOnly !== null || disabled !== null ? managed : files
    return (firstSetting(allowed, name, settings)?.value as SpecialCommand | undefined) ?? null // it fits its schema
  }
  return {
    policyOff,
    managedOnly,
    disabled,
    statusLine: special('statusLine'),
    fileSuggestion: special('fileSuggestion'),
  }
}

/** The first file that switches something on. */
function fileSaying(files: readonly SettingsFile[], name: SettingName): string | null {
  return files.find((file) => settingOf(file, name) === true)?.file ?? null
}

/** Settings whose values cannot be used. */
export function switchProblems(file: SettingsFile): Problem[] {
  return Object.entries(settingChecks).flatMap(([name, check]) => {
    const node = file.root?.fields?.get(name)?.node
    const [misfit] = node ? check(node.value) : []
    if (!node || !misfit) return []
    const { line, column } = node
    const message = `${sentence(misfit, name)}; it is ignored.`
    return [problemIn(file.file, { rule: 'V-HK-28', line, column, message })]
  })
}

/** The value of the first scope that sets it, with its file; drop-ins of one scope speak in file order. */
function firstSetting(
  files: readonly SettingsFile[],
  name: SettingName,
  order: ScopeRules['settings'],
): { file: string; value: unknown } | undefined {
  return order
    .flatMap((scope) => files.filter((file) => file.scope === scope))
    .map((file) => ({ file: file.file, value: settingOf(file, name) }))
    .find(({ value }) => value !== undefined)
}

function settingOf({ root }: SettingsFile, name: SettingName): unknown {
  const value = root?.fields?.get(name)?.node.value
  return value === undefined || settingChecks[name](value).length > 0 ? undefined : value
}
