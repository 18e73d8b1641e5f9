import { sentence } from '../protocol/check.ts'
import { settingChecks } from '../protocol/profiles.ts'
import type { Problem } from './problem.ts'
import { SETTING_ORDER } from './scopes.ts'
import type { SettingsFile } from './settings-file.ts'

/** A command that is no hook: the status line, the file suggestion. */
export interface SpecialCommand {
  readonly command: string
  /** Spaces before a status line. */
  readonly padding?: number
}

/** What the settings beside the hooks say, over all scopes. */
export interface Switches {
  /** Policy switches everything off, its own hooks included. */
  readonly policyOff: boolean
  /** Policy leaves only managed hooks running. */
  readonly managedOnly: boolean
  /** Somebody below policy switches all but the managed hooks off. */
  readonly disabled: boolean
  readonly statusLine: SpecialCommand | null
  readonly fileSuggestion: SpecialCommand | null
}

type SettingName = keyof typeof settingChecks

/** Reads the switches from the files that count: an untrusted project's do not. */
export function readSwitches(files: readonly SettingsFile[]): Switches {
  const managed = files.filter(({ scope }) => scope === 'managed')
  const managedDisables = managed.map((file) => settingOf(file, 'disableAllHooks'))
  const policySet = managedDisables.some((value) => value !== undefined)
  const policyOff = managedDisables.includes(true)
  const managedOnly = managed.some((file) => settingOf(file, 'allowManagedHooksOnly') === true)
  const disabled = !policySet && firstSetting(files, 'disableAllHooks') === true
  const special = (name: 'statusLine' | 'fileSuggestion'): SpecialCommand | null => {
    if (policyOff) return null
    const allowed = managedOnly || disabled ? managed : files
    return (firstSetting(allowed, name) as SpecialCommand | undefined) ?? null // it fits its schema
  }
  return {
    policyOff,
    managedOnly,
    disabled,
    statusLine: special('statusLine'),
    fileSuggestion: special('fileSuggestion'),
  }
}

/** Settings whose values cannot be used. */
export function switchProblems(file: SettingsFile): Problem[] {
  return Object.entries(settingChecks).flatMap(([name, check]) => {
    const node = file.root?.fields?.get(name)?.node
    const [misfit] = node ? check(node.value) : []
    if (!node || !misfit) return []
    const { line, column } = node
    return [
      {
        rule: 'V-HK-28',
        severity: 'warning',
        file: file.file,
        line,
        column,
        message: `${sentence(misfit, name)}; it is ignored.`,
      },
    ]
  })
}

/** The value of the first scope that sets it; drop-ins of one scope speak in file order. */
function firstSetting(files: readonly SettingsFile[], name: SettingName): unknown {
  return SETTING_ORDER.flatMap((scope) => files.filter((file) => file.scope === scope))
    .map((file) => settingOf(file, name))
    .find((value) => value !== undefined)
}

function settingOf({ root }: SettingsFile, name: SettingName): unknown {
  const value = root?.fields?.get(name)?.node.value
  return value === undefined || settingChecks[name](value).length > 0 ? undefined : value
}
