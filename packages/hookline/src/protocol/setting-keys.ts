import type { Profile } from './profile.ts'
import type { PolicySwitch } from './rules.ts'

/** Use that the engine and its hosts make of one key of a settings file. */
interface SettingFacts {
  /**
   * A folder asks for it: once the folder is trusted it runs, switches or loosens something, so it is shown before and
   * part of the digest. A list: these members of it do.
   */
  readonly asks: boolean | readonly string[]
  /** The engine goes by it, wherever it stands: an edit on disk is noticed. */
  readonly watched: boolean
  /** True for a value that is held against a schema of `settings.ts`; one that does not fit is reported and ignored. */
  readonly checked: boolean
  /** Each member names something of its own; one that stands twice makes the file ambiguous. */
  readonly named: boolean
  /** True for members that are shown one by one. */
  readonly oneByOne: boolean
  /** Hook type that the key is about; a profile without the type has no use for it. */
  readonly about?: string
}

const plain = { asks: true, watched: false, checked: false, named: false, oneByOne: false } as const
const switching = { ...plain, watched: true, checked: true } as const

/**
 * Every key of a settings file that means something here, in the order in which a trust dialog shows them; the keys of
 * other tools are left alone. Reading, validating, noticing edits, the trust digest and the JSON Schema go by this table.
 */
export const SETTING_KEYS = {
  hookline: { ...switching, asks: ['profile'] },
  hooks: { ...plain, watched: true, named: true },
  disableAllHooks: switching,
  allowManagedHooksOnly: { ...switching, asks: false }, // policy alone can say it
  strictPluginOnlyCustomization: { ...switching, asks: false }, // the same
  statusLine: switching,
  fileSuggestion: switching,
  env: { ...plain, oneByOne: true },
  enabledPlugins: { ...plain, oneByOne: true },
  mcpServers: { ...plain, named: true, oneByOne: true },
  allowedHttpHookUrls: { ...switching, about: 'http' },
  httpHookAllowedEnvVars: { ...switching, about: 'http' },
  permissions: { ...plain, asks: ['allow', 'additionalDirectories', 'defaultMode'], named: true }, // rules that ask or deny hold without any trust
} as const satisfies Readonly<Record<string, SettingFacts>>

/** A key of a settings file that means something here. */
export type SettingKey = keyof typeof SETTING_KEYS

/** A key whose value is held against a schema. */
export type CheckedSetting = {
  [Key in SettingKey]: (typeof SETTING_KEYS)[Key]['checked'] extends true ? Key : never
}[SettingKey]

const keys = Object.keys(SETTING_KEYS) as readonly SettingKey[] // the keys of a constant

/** The keys of which something holds. */
export function listSettingKeys(which: 'watched' | 'named' | 'oneByOne'): ReadonlySet<string> {
  const known = listed.get(which) ?? new Set(keys.filter((key) => SETTING_KEYS[key][which]))
  listed.set(which, known)
  return known
}

const listed = new Map<string, ReadonlySet<string>>()

/** The keys that mean something in a profile. */
export function listSettings({ rules, hookTypes }: Pick<Profile, 'rules' | 'hookTypes'>): SettingKey[] {
  return keys.filter((key) => {
    const { about }: SettingFacts = SETTING_KEYS[key]
    if (isPolicySwitch(key) && !rules.scopes.policy.includes(key)) return false
    return about === undefined || Object.hasOwn(hookTypes, about)
  })
}

const POLICY_SWITCHES: readonly string[] = [
  'allowManagedHooksOnly',
  'strictPluginOnlyCustomization',
] satisfies PolicySwitch[]

function isPolicySwitch(key: string): key is PolicySwitch {
  return POLICY_SWITCHES.includes(key)
}

/** Path in a settings file to what a folder asks for: a key, or one member of it. */
export interface AskingPath {
  readonly key: string
  readonly member: string | null
}

/** The paths of everything that a folder can ask for by its settings. */
export function listAskingPaths(): readonly AskingPath[] {
  if (askingPaths !== null) return askingPaths
  const paths: AskingPath[] = []
  for (const key of keys) {
    const { asks } = SETTING_KEYS[key]
    if (asks === true) paths.push({ key, member: null })
    else if (asks !== false) for (const member of asks) paths.push({ key, member })
  }
  askingPaths = paths
  return paths
}

let askingPaths: readonly AskingPath[] | null = null
