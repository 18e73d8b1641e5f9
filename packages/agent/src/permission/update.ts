import { relative, resolve } from 'node:path'
import type { Engine } from 'hookline'
import { BEHAVIORS, type Behavior, formatRule, parseRule } from 'hookline/rules'
import { changeMember, findSettingsPlace, type MemberChange } from 'hookline/settings'
import * as z from 'zod'
import { rememberGranted } from './granted.ts'
import { PERMISSION_MODES, type PermissionMode } from './modes.ts'
import type { PermissionRules, RuleSource, SourcedRule } from './permission-rules.ts'

/** Places where an update is kept: in memory, or in a settings file too. */
const DESTINATIONS = ['session', 'localSettings', 'projectSettings', 'userSettings'] as const

/** Place where an update is kept. */
type Destination = (typeof DESTINATIONS)[number]

const destination = z.enum(DESTINATIONS)
const rule = z.object({ toolName: z.string().min(1), ruleContent: z.string().optional() })
const changesRules = { rules: z.array(rule), behavior: z.enum(BEHAVIORS), destination }
const changesDirectories = { directories: z.array(z.string().min(1)), destination }

/** A change to the permissions, as suggestions, dialogs and hooks carry it. */
const permissionUpdate = z.discriminatedUnion('type', [
  z.object({ type: z.literal('addRules'), ...changesRules }),
  z.object({ type: z.literal('replaceRules'), ...changesRules }),
  z.object({ type: z.literal('removeRules'), ...changesRules }),
  z.object({ type: z.literal('setMode'), mode: z.enum(PERMISSION_MODES), destination }),
  z.object({ type: z.literal('addDirectories'), ...changesDirectories }),
  z.object({ type: z.literal('removeDirectories'), ...changesDirectories }),
])

/** A change to the permissions. */
export type PermissionUpdate = z.infer<typeof permissionUpdate>

/** Permissions of a session, rules and mode. */
export interface PermissionState {
  readonly rules: PermissionRules
  readonly mode: PermissionMode
}

const SOURCE_BY_DESTINATION: Readonly<Record<Destination, RuleSource>> = {
  session: 'session',
  localSettings: 'local',
  projectSettings: 'project',
  userSettings: 'user',
}

const SCOPE_BY_DESTINATION = { localSettings: 'local', projectSettings: 'project', userSettings: 'user' } as const

/** Changes a settings file: the engine does, so that it knows the user's own edits from those of others. */
export type EditSettings = Engine['edit']

/**
 * Applies updates in order, in the session at once, and in the settings file where the destination is one. What cannot
 * be applied is told and changes nothing. Rules of policy and of the command line stay as they are.
 */
export async function applyUpdates(
  standing: PermissionState,
  updates: readonly unknown[],
  { edit, mayBypass = false }: { readonly edit: EditSettings; readonly mayBypass?: boolean },
): Promise<{ readonly standing: PermissionState; readonly problems: readonly string[] }> {
  let current = standing
  const problems: string[] = []
  for (const [index, raw] of updates.entries()) {
    const parsed = permissionUpdate.safeParse(raw)
    const fault = parsed.success ? findUpdateFault(parsed.data, current, mayBypass) : z.prettifyError(parsed.error)
    if (!parsed.success || fault !== null) {
      problems.push(`updatedPermissions[${index}] does not count: ${fault}`)
      continue
    }
    current = applyUpdate(current, parsed.data)
    const unwritten = await writeUpdate(parsed.data, current.rules, edit)
    if (unwritten !== null) problems.push(`updatedPermissions[${index}] counts in this session only: ${unwritten}`)
  }
  return { standing: current, problems }
}

/** Reason why an update cannot be applied. */
function findUpdateFault(
  update: PermissionUpdate,
  { rules, mode }: PermissionState,
  mayBypass: boolean,
): string | null {
  if (update.type === 'addRules' || update.type === 'replaceRules') {
    const faults = update.rules
      .map(formatRule)
      .map(parseRule)
      .flatMap((rule) => ('fault' in rule ? [rule.fault] : []))
    return faults.length === 0 ? null : faults.join(' ')
  }
  if (update.type !== 'setMode' || update.mode !== 'bypassPermissions' || mode === 'bypassPermissions') return null
  if (rules.bypassForbiddenBy !== null) return `${rules.bypassForbiddenBy} forbids the mode bypassPermissions.`
  return mayBypass ? null : 'the mode bypassPermissions is chosen when the session starts, with --permission-mode.'
}

function applyUpdate(standing: PermissionState, update: PermissionUpdate): PermissionState {
  const { rules } = standing
  if (update.type === 'setMode') return { ...standing, mode: update.mode }
  if (update.type === 'addDirectories' || update.type === 'removeDirectories') {
    const named = update.directories.map((directory) => resolve(rules.project, directory))
    const others = rules.directories.filter((directory) => !named.includes(directory))
    return {
      ...standing,
      rules: { ...rules, directories: update.type === 'addDirectories' ? [...others, ...named] : others },
    }
  }
  return { ...standing, rules: { ...rules, [update.behavior]: changeRules(rules, update) } }
}

type RuleUpdate = Extract<PermissionUpdate, { rules: unknown }>

function changeRules(rules: PermissionRules, update: RuleUpdate): readonly SourcedRule[] {
  const source = SOURCE_BY_DESTINATION[update.destination]
  const list = rules[update.behavior]
  const texts = update.rules.map(formatRule)
  if (update.type === 'removeRules') return list.filter((rule) => rule.source !== source || !texts.includes(rule.text))
  const path = findDestinationFile(update.destination, rules)
  const file = path === null || update.destination === 'userSettings' ? path : relative(rules.project, path)
  const named = texts.flatMap((text): SourcedRule[] => {
    const rule = parseRule(text)
    return 'fault' in rule ? [] : [{ ...rule, source, file }]
  })
  const kept = update.type === 'replaceRules' ? list.filter((rule) => rule.source !== source) : list
  return [...kept, ...named.filter(({ text }) => !kept.some((rule) => rule.source === source && rule.text === text))]
}

/** Keeps an update in its settings file; a text is why it could not. */
async function writeUpdate(
  update: PermissionUpdate,
  rules: PermissionRules,
  edit: EditSettings,
): Promise<string | null> {
  if (update.destination === 'session') return null
  if (update.type === 'setMode' && update.mode === 'bypassPermissions')
    return 'the mode bypassPermissions is never written down.'
  const change = toMemberChange(update)
  const fault = await edit(SCOPE_BY_DESTINATION[update.destination], (text) =>
    changeMember(text, ['permissions', change.key], change),
  ).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)), // no lock, no room, no right to write
  )
  const isGrant = update.type === 'addRules' && update.behavior === 'allow' && update.destination === 'localSettings'
  return fault === null && isGrant ? rememberGranted(rules, update.rules.map(formatRule)) : fault
}

function findDestinationFile(destination: Destination, { project, home }: PermissionRules): string | null {
  return destination === 'session' ? null : findSettingsPlace(SCOPE_BY_DESTINATION[destination], { project, home }).path
}

function toMemberChange(update: PermissionUpdate): MemberChange & { readonly key: string } {
  if (update.type === 'setMode') return { key: 'defaultMode', value: update.mode }
  if (update.type === 'addDirectories') return { key: 'additionalDirectories', add: update.directories }
  if (update.type === 'removeDirectories') return { key: 'additionalDirectories', remove: update.directories }
  const key: Behavior = update.behavior
  const texts = update.rules.map(formatRule)
  if (update.type === 'addRules') return { key, add: texts }
  return update.type === 'removeRules' ? { key, remove: texts } : { key, value: texts }
}
