import type { Misfit } from '../protocol/check.ts'
import { makeCheck, type Shape } from '../protocol/checker.ts'

const STRINGS: Shape = { list: 'string' }
const OBJECT: Shape = { each: 'any' }
/** Rules that do not parse, numbers too, are left out one by one. */
const RULES: Shape = { list: 'any' }
const OBJECTS: Shape = { list: OBJECT }
const SWITCH: Shape = 'boolean'
/** Value of a plugin's option. */
const OPTION: Shape = { either: ['string', 'number', 'boolean', STRINGS] }
/** A server by its name, or several. */
const SERVERS: Shape = { either: [STRINGS, 'string'] }
const COMMAND = { type: { values: ['command'] }, command: 'string' } as const satisfies Record<string, Shape>
const SOURCES: Shape = {
  list: {
    either: [
      makeSource('github', 'repo'),
      makeSource('git', 'url'),
      makeSource('url', 'url'),
      makeSource('npm', 'package'),
      makeSource('file', 'path'),
      makeSource('directory', 'path'),
      makeSource('hostPattern', 'hostPattern'),
      makeSource('pathPattern', 'pathPattern'),
    ],
  },
}

/**
 * Settings of Claude Code by what they have to be, as 2.1.325 was seen to take them: one that does not fit costs the whole file. Settings
 * that are not here cost nothing, whatever they are, and neither do unknown members of those that are.
 */
const SETTINGS: Readonly<Record<string, Shape>> = {
  ...makeSettingShapes(
    'string',
    `$schema advisorModel agent apiKeyHelper autoMemoryDirectory awsAuthRefresh awsCredentialExport claudeMd gcpAuthRefresh
    language minimumVersion model otelHeadersHelper outputStyle plansDirectory pluginTrustMessage prUrlTemplate
    processWrapper requiredMaximumVersion requiredMinimumVersion`,
  ),
  ...makeSettingShapes(
    SWITCH,
    `agentPushNotifEnabled allowAllClaudeAiMcps alwaysThinkingEnabled autoCompactEnabled autoMemoryEnabled
    autoScrollEnabled awaySummaryEnabled axScreenReader disableAllHooks emojiCompletionEnabled fastMode
    fileCheckpointingEnabled forceRemoteSettingsRefresh includeCoAuthoredBy includeGitInstructions
    inputNeededNotifEnabled prefersReducedMotion respectGitignore respondToBashCommands showClearContextOnPlanAccept
    showThinkingSummaries showTurnDuration spinnerTipsEnabled syntaxHighlightingDisabled terminalProgressBarEnabled
    verbose voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled wslInheritsWindowsSettings`,
  ),
  ...makeSettingShapes(
    { either: [SWITCH, 'null'] },
    `allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly channelsEnabled disableAgentView
    disableArtifact disableBundledSkills disableClaudeAiConnectors disableRemoteControl disableSideloadFlags
    disableSkillShellExecution disableWorkflows enableAllProjectMcpServers enableArtifact enforceAvailableModels
    fastModePerSessionOptIn remoteControlAtStartup skipDangerousModePermissionPrompt skipWebFetchPreflight
    useAutoModeDuringPlan`,
  ),
  ...makeSettingShapes(
    STRINGS,
    `allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements fallbackModel httpHookAllowedEnvVars
    pluginSuggestionMarketplaces`,
  ),
  ...makeSettingShapes(SERVERS, 'disabledMcpjsonServers enabledMcpjsonServers'),
  ...makeSettingShapes({ either: [{ values: ['disable'] }, 'null'] }, 'disableAutoMode disableDeepLinkRegistration'),
  ...makeSettingShapes({ fields: { enabled: SWITCH, mode: { values: ['hold', 'tap'] }, autoSubmit: SWITCH } }, 'voice'),
  ...makeSettingShapes({ either: [SOURCES, 'null'] }, 'blockedMarketplaces strictKnownMarketplaces'),
  allowedChannelPlugins: {
    list: { fields: { marketplace: 'string', plugin: 'string' }, required: ['marketplace', 'plugin'] },
  },
  attribution: { either: [{ fields: { commit: 'string', pr: 'string', sessionUrl: SWITCH } }, SWITCH] },
  autoMode: {
    fields: { allow: STRINGS, soft_deny: STRINGS, hard_deny: STRINGS, environment: STRINGS, classifyAllShell: SWITCH },
  },
  autoUpdatesChannel: { values: ['stable', 'latest', 'rc'] },
  cleanupPeriodDays: 'number',
  defaultShell: { values: ['bash', 'powershell'] },
  enabledPlugins: { each: { either: [SWITCH, STRINGS] } },
  env: OBJECT,
  feedbackSurveyRate: 'number',
  fileSuggestion: { fields: COMMAND, required: ['type', 'command'] },
  forceLoginOrgUUID: { either: ['string', STRINGS] },
  modelOverrides: { each: 'string' },
  parentSettingsBehavior: { values: ['first-wins', 'merge'] },
  permissions: {
    fields: {
      ...{ allow: RULES, ask: RULES, deny: RULES, additionalDirectories: STRINGS },
      defaultMode: { values: ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions', 'manual'] },
      disableAutoMode: { values: ['disable'] },
      disableBypassPermissionsMode: { values: ['disable'] },
    },
  },
  pluginConfigs: { each: { fields: { mcpServers: { each: { each: OPTION } }, options: { each: OPTION } } } },
  remote: { fields: { defaultEnvironmentId: 'string' } },
  sandbox: {
    fields: {
      ...{ enabled: SWITCH, autoAllowBashIfSandboxed: SWITCH, allowUnsandboxedCommands: SWITCH },
      ...{ allowAppleEvents: SWITCH, enableWeakerNestedSandbox: SWITCH, enableWeakerNetworkIsolation: SWITCH },
      ...{ failIfUnavailable: SWITCH, excludedCommands: STRINGS },
      credentials: { fields: { envVars: OBJECTS, files: OBJECTS } },
      ignoreViolations: { each: STRINGS },
      ripgrep: { fields: { command: 'string', args: STRINGS }, required: ['command'] },
      filesystem: {
        fields: {
          ...{ allowRead: STRINGS, allowWrite: STRINGS, denyRead: STRINGS, denyWrite: STRINGS },
          ...{ allowManagedReadPathsOnly: SWITCH, disabled: SWITCH },
        },
      },
      network: {
        fields: {
          ...{ allowedDomains: STRINGS, deniedDomains: STRINGS, allowUnixSockets: STRINGS, allowMachLookup: STRINGS },
          ...{ allowAllUnixSockets: SWITCH, allowLocalBinding: SWITCH, allowManagedDomainsOnly: SWITCH },
          ...{ strictAllowlist: SWITCH, httpProxyPort: 'number', socksProxyPort: 'number' },
          tlsTerminate: { fields: { caCertPath: 'string', caKeyPath: 'string' } },
        },
      },
    },
  },
  skillListingBudgetFraction: 'number',
  skillListingMaxDescChars: 'number',
  skillOverrides: { each: { values: ['on', 'off', 'name-only', 'user-invocable-only'] } },
  spinnerVerbs: { fields: { mode: { values: ['append', 'replace'] }, verbs: STRINGS }, required: ['mode', 'verbs'] },
  sshConfigs: {
    list: {
      fields: {
        ...{ id: 'string', name: 'string', sshHost: 'string' },
        ...{ sshPort: 'number', sshIdentityFile: 'string', startDirectory: 'string' },
      },
      required: ['id', 'name', 'sshHost'],
    },
  },
  statusLine: {
    fields: { ...COMMAND, padding: 'number', hideVimModeIndicator: SWITCH },
    required: ['type', 'command'],
  },
  tui: { values: ['default', 'fullscreen'] },
  workflowSizeGuideline: { values: ['unrestricted', 'small', 'medium', 'large'] },
  worktree: { fields: { sparsePaths: STRINGS, symlinkDirectories: STRINGS, baseRef: { values: ['fresh', 'head'] } } },
}

/** Numbers that have to be in a range too. */
const RANGES: Readonly<Record<string, { readonly fits: (value: number) => boolean; readonly message: string }>> = {
  cleanupPeriodDays: { fits: isCount, message: 'must be a whole number of at least 1' },
  skillListingMaxDescChars: { fits: isCount, message: 'must be a whole number of at least 1' },
  feedbackSurveyRate: { fits: (value) => value >= 0 && value <= 1, message: 'must be between 0 and 1' },
  skillListingBudgetFraction: {
    fits: (value) => value > 0 && value <= 1,
    message: 'must be greater than 0, and at most 1',
  },
}

/** Names of servers as Claude Code takes them outside a list. */
const SERVER_NAME = /^[\w-]+$/

/** Members of a plugin's file beside its hooks. */
const PLUGIN_MEMBERS: Readonly<Record<string, Shape>> = { description: 'string', modules: STRINGS }

/** Finds what Claude Code would not take in a member of a settings file, or of a plugin's file. */
export function listSettingMisfits(kind: 'settings' | 'plugin', name: string, value: unknown): readonly Misfit[] {
  const table = kind === 'plugin' ? PLUGIN_MEMBERS : SETTINGS
  const shape = Object.hasOwn(table, name) ? table[name] : undefined
  if (shape === undefined) return []
  const misfits = makeCheck(shape)(value)
  if (misfits.length > 0) return misfits
  const range = RANGES[name]
  if (range && typeof value === 'number' && !range.fits(value)) return [{ path: [], message: range.message }]
  if (shape === SERVERS && typeof value === 'string' && !SERVER_NAME.test(value))
    return [{ path: [], message: 'must be a list of names' }]
  return Array.isArray(value) ? value.flatMap((item, at) => listItemMisfits(name, item, at)) : []
}

/** Finds what does not fit in an item of a list although its type does: a port with a fraction, an address that is none. */
function listItemMisfits(name: string, item: Readonly<Record<string, unknown>>, at: number): Misfit[] {
  const { sshPort, source, url } = item
  if (name === 'sshConfigs' && sshPort !== undefined && !Number.isInteger(sshPort))
    return [{ path: [at, 'sshPort'], message: 'must be a whole number' }]
  if (name.endsWith('Marketplaces') && source === 'url' && !URL.canParse(String(url)))
    return [{ path: [at, 'url'], message: 'must be an address' }]
  return []
}

function makeSettingShapes(shape: Shape, names: string): Record<string, Shape> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]))
}

function makeSource(source: string, field: string): Shape {
  const further = { ref: 'string', path: 'string', version: 'string', headers: { each: 'string' } } as const
  return { fields: { ...further, source: { values: [source] }, [field]: 'string' }, required: ['source', field] }
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1
}
