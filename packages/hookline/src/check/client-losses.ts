import { listHookNodes } from '../config/folder-request.ts'
import { isCommentKey } from '../config/read-hooks.ts'
import type { Place, SourceField, SourceNode } from '../config/source.ts'
import { formatMisfit, type Misfit } from '../protocol/check.ts'
import { makeCheck, type Shape } from '../protocol/checker.ts'
import { isGuardingCalls } from '../protocol/event-row.ts'
import { listTypesInFiles } from '../protocol/hook-fields.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { clipName } from '../text/nearest.ts'

/** A misfit that Claude Code does not forgive, and how much it takes away there. */
export interface Loss {
  readonly place: Place
  readonly costs: 'file' | 'entry'
  /** Mistake, and what the value has to be. */
  readonly what: string
}

/** The part that a file plays: only settings files hold settings beside the hooks. */
export type FileKind = 'settings' | 'plugin' | 'component'

const STRINGS: Shape = { list: 'string' }
const OBJECT: Shape = { each: 'any' }
/** Rules that do not parse, numbers too, are left out one by one. */
const RULES: Shape = { list: 'any' }
const COMMAND: Shape = {
  fields: { type: { values: ['command'] }, command: 'string', padding: 'number' },
  required: ['type', 'command'],
}

/** Settings of Claude Code by what they have to be: one of another type costs the whole file. */
const SETTINGS: Readonly<Record<string, Shape>> = {
  ...makeSettingShapes(
    'string',
    `advisorModel agent apiKeyHelper autoMemoryDirectory autoUpdatesChannel awsAuthRefresh awsCredentialExport effortLevel
    forceLoginMethod gcpAuthRefresh language model otelHeadersHelper outputStyle plansDirectory`,
  ),
  ...makeSettingShapes(
    'boolean',
    `allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly alwaysThinkingEnabled
    autoMemoryEnabled disableAllHooks enableAllProjectMcpServers fastMode includeCoAuthoredBy includeGitInstructions
    prefersReducedMotion respectGitignore showTurnDuration skipWebFetchPreflight spinnerTipsEnabled
    terminalProgressBarEnabled`,
  ),
  ...makeSettingShapes(
    STRINGS,
    `allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements disabledMcpjsonServers
    enabledMcpjsonServers httpHookAllowedEnvVars`,
  ),
  ...makeSettingShapes({ list: 'any' }, 'allowedMcpServers deniedMcpServers'),
  ...makeSettingShapes(OBJECT, 'enabledPlugins env extraKnownMarketplaces sandbox'),
  ...makeSettingShapes(COMMAND, 'fileSuggestion statusLine'),
  attribution: { fields: { commit: 'string', pr: 'string' } },
  cleanupPeriodDays: 'number',
  permissions: {
    fields: {
      ...{ allow: RULES, ask: RULES, deny: RULES, additionalDirectories: STRINGS },
      ...{ defaultMode: 'string', disableBypassPermissionsMode: 'string' },
    },
  },
}

function makeSettingShapes(shape: Shape, names: string): Record<string, Shape> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]))
}

/** Finds what Claude Code drops of a file: of a settings file, a plugin's file, or the frontmatter of a component. */
export function findLosses(
  root: SourceNode,
  { profile, kind }: { readonly profile: CompleteProfile; readonly kind: FileKind },
): Loss[] {
  if (!root.fields) return [{ place: root, costs: 'file', what: 'the file must be an object, { … }' }]
  return [
    ...(kind === 'settings' ? listSettingLosses(root) : []),
    ...(kind === 'component' ? [] : findMisplacedGuards(root, profile)),
    ...listHookLosses(root, profile),
  ]
}

function listSettingLosses({ fields }: SourceNode): Loss[] {
  return Object.entries(SETTINGS).flatMap(([name, shape]) => {
    const node = fields?.get(name)?.node
    if (node === undefined) return []
    return makeCheck(shape)(node.value).map(
      (misfit): Loss => ({ ...describeMisfit(name, node, misfit), costs: 'file' }),
    )
  })
}

/** A value that does not fit, at the place of its innermost part that does not. */
function describeMisfit(name: string, node: SourceNode, misfit: Misfit): Omit<Loss, 'costs'> {
  const inner = misfit.path.reduce<SourceNode | undefined>(
    (at, step) => (typeof step === 'number' ? at?.items?.[step] : at?.fields?.get(step)?.node),
    node,
  )
  const said = formatMisfit({ ...misfit, path: [name, ...misfit.path] }).replace('must be an array', 'must be a list')
  const [path = '', ...rest] = said.split(' ')
  return {
    place: inner ?? node,
    what: `"${path}" ${rest.join(' ')}${inner === undefined ? '' : `, not ${shortenValue(inner)}`}`,
  }
}

/** Guards at the root; one misfit in an entry of a guard costs the file. */
function findMisplacedGuards({ fields }: SourceNode, profile: CompleteProfile): Loss[] {
  return [...(fields ?? [])].flatMap(([name, { key }]): Loss[] => {
    const row = profile.events.get(name)
    return row && isGuardingCalls(row) ? [{ place: key, costs: 'file', what: `"${name}" must be under "hooks"` }] : []
  })
}

function listHookLosses({ fields }: SourceNode, profile: CompleteProfile): Loss[] {
  const hooks = fields?.get('hooks')?.node
  if (!hooks || hooks.value === null) return []
  if (!hooks.fields)
    return [{ place: hooks, costs: 'file', what: `"hooks" must be an object, not ${shortenValue(hooks)}` }]
  return [...hooks.fields].flatMap(([name, field]) => listEventLosses(name, field, profile))
}

function listEventLosses(name: string, { key, node }: SourceField, profile: CompleteProfile): Loss[] {
  const row = profile.events.get(name)
  if (row === undefined) {
    const count = isCommentKey(name) ? 0 : (node.items ?? []).flatMap(listHookNodes).length
    return count === 0 ? [] : [{ place: key, costs: 'entry', what: `"${clipName(name)}" is not an event` }]
  }
  if (node.value === null) return []
  const costs = isGuardingCalls(row) ? 'file' : 'entry'
  if (!node.items)
    return [{ place: node, costs, what: `"${name}" must be a list of groups, not ${shortenValue(node)}` }]
  return node.items.flatMap((group) => groupMisfits(group, profile).map((misfit): Loss => ({ ...misfit, costs })))
}

type EntryMisfit = Omit<Loss, 'costs'>

function groupMisfits(group: SourceNode, profile: CompleteProfile): EntryMisfit[] {
  if (!group.fields)
    return [{ place: group, what: `a group must be an object with a list of "hooks", not ${shortenValue(group)}` }]
  const matcher = group.fields.get('matcher')?.node
  const misfits: EntryMisfit[] =
    matcher && typeof matcher.value !== 'string'
      ? [{ place: matcher, what: `"matcher" must be a string, not ${shortenValue(matcher)}` }]
      : []
  const hooks = group.fields.get('hooks')?.node
  if (!hooks?.items)
    return [
      ...misfits,
      {
        place: hooks ?? group,
        what: `a group must have "hooks", a list${hooks ? `, not ${shortenValue(hooks)}` : ''}`,
      },
    ]
  return [...misfits, ...hooks.items.flatMap((hook) => listHookMisfits(hook, profile))]
}

/** Fields whose shape is wider here than in the client. */
const NARROWER: Readonly<Record<string, Shape>> = { input: OBJECT }

function listHookMisfits(hook: SourceNode, { hookTypes }: CompleteProfile): EntryMisfit[] {
  if (!hook.fields) return [{ place: hook, what: `a hook must be an object, not ${shortenValue(hook)}` }]
  const name = hook.fields.get('type')?.node
  const types = listTypesInFiles(hookTypes)
  const type = types.find((one) => one === name?.value)
  const facts = type === undefined ? undefined : hookTypes[type]
  if (type === undefined || facts === undefined)
    return [
      {
        place: name ?? hook,
        what: `"type" must be one of ${types.join(', ')}${name ? `, not ${shortenValue(name)}` : ''}`,
      },
    ]
  const missing = facts.required.filter((field) => !hook.fields?.has(field))
  const misfits = missing.map(
    (field): EntryMisfit => ({ place: hook, what: `a ${type} hook must have "${field}", a string` }),
  )
  for (const [field, { shape, isAddress }] of Object.entries(facts.fields)) {
    const node = hook.fields.get(field)?.node
    if (node === undefined) continue
    const [misfit] = makeCheck(NARROWER[field] ?? shape)(node.value)
    if (misfit) misfits.push(describeMisfit(field, node, misfit))
    else if (isAddress && !URL.canParse(String(node.value)))
      misfits.push({ place: node, what: `"${field}" must be a whole address, such as "http://127.0.0.1:8080/hook"` })
  }
  return misfits
}

/** A value in a few words: lists and objects by their kind, since they may be long or hold secrets. */
function shortenValue({ value, items, fields }: SourceNode): string {
  if (items) return 'a list'
  if (fields) return 'an object'
  return clipName(JSON.stringify(value))
}
