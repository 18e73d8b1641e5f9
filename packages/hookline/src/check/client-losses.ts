import { nodesIn } from '../config/folder-request.ts'
import { isCommentKey } from '../config/read-hooks.ts'
import type { Place, SourceField, SourceNode } from '../config/source.ts'
import { checkOf } from '../protocol/checker.ts'
import { guardsCalls } from '../protocol/event-row.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { isObject } from '../text/json.ts'

/** A misfit that Claude Code does not forgive, and how much it takes away there. */
export interface Loss {
  readonly place: Place
  readonly costs: 'file' | 'entry'
  readonly what: string
}

/** Settings beside the hooks whose wrong type costs the whole file, with what they have to be. */
const SETTINGS: Readonly<Record<string, readonly [words: string, fits: (value: unknown) => boolean]>> = {
  model: ['a string', isString],
  disableAllHooks: ['true or false', isBoolean],
  allowManagedHooksOnly: ['true or false', isBoolean],
  statusLine: ['an object', isObject],
  env: ['an object', isObject],
  permissions: ['an object', isObject],
  allowedHttpHookUrls: ['a list of strings', isStringList],
  httpHookAllowedEnvVars: ['a list of strings', isStringList],
}
const PERMISSIONS = ['allow', 'deny', 'ask', 'additionalDirectories']

/** Finds what Claude Code drops of a file: of a settings file, a plugin's file, or the frontmatter of a component. */
export function findLosses(root: SourceNode, profile: CompleteProfile): Loss[] {
  if (!root.fields) return [{ place: root, costs: 'file', what: 'the file is not an object' }]
  return [...settingLosses(root), ...misplacedGuards(root, profile), ...hookLosses(root, profile)]
}

function settingLosses({ fields }: SourceNode): Loss[] {
  const losses: Loss[] = []
  const note = (name: string, { node }: SourceField, words: string): void => {
    losses.push({ place: node, costs: 'file', what: `"${name}" must be ${words}` })
  }
  for (const [name, [words, fits]] of Object.entries(SETTINGS)) {
    const field = fields?.get(name)
    if (field && !fits(field.node.value)) note(name, field, words)
  }
  const permissions = fields?.get('permissions')?.node.fields
  for (const name of PERMISSIONS) {
    const field = permissions?.get(name)
    if (field && !isStringList(field.node.value)) note(`permissions.${name}`, field, 'a list of strings')
  }
  return losses
}

/** Guards at the root; one misfit in an entry of a guard costs the file. */
function misplacedGuards({ fields }: SourceNode, profile: CompleteProfile): Loss[] {
  return [...(fields ?? [])].flatMap(([name, { key }]): Loss[] => {
    const row = profile.events.get(name)
    return row && guardsCalls(row) ? [{ place: key, costs: 'file', what: `"${name}" belongs under "hooks"` }] : []
  })
}

function hookLosses({ fields }: SourceNode, profile: CompleteProfile): Loss[] {
  const hooks = fields?.get('hooks')?.node
  if (!hooks || hooks.value === null) return []
  if (!hooks.fields) return [{ place: hooks, costs: 'file', what: '"hooks" must be an object' }]
  return [...hooks.fields].flatMap(([name, field]) => eventLosses(name, field, profile))
}

function eventLosses(name: string, { key, node }: SourceField, profile: CompleteProfile): Loss[] {
  const row = profile.events.get(name)
  if (row === undefined) {
    const count = isCommentKey(name) ? 0 : (node.items ?? []).flatMap(nodesIn).length
    return count === 0 ? [] : [{ place: key, costs: 'entry', what: `"${name}" is not an event` }]
  }
  if (node.value === null) return []
  const costs = guardsCalls(row) ? 'file' : 'entry'
  if (!node.items) return [{ place: node, costs, what: `"${name}" must be a list of groups` }]
  return node.items.flatMap((group) => groupMisfits(group, profile).map((misfit): Loss => ({ ...misfit, costs })))
}

type Misfit = Omit<Loss, 'costs'>

function groupMisfits(group: SourceNode, profile: CompleteProfile): Misfit[] {
  if (!group.fields) return [{ place: group, what: 'a group must be an object' }]
  const matcher = group.fields.get('matcher')?.node
  const misfits: Misfit[] =
    matcher && !isString(matcher.value) ? [{ place: matcher, what: 'a matcher must be a string' }] : []
  const hooks = group.fields.get('hooks')?.node
  if (!hooks?.items) return [...misfits, { place: hooks ?? group, what: 'a group needs a list of "hooks"' }]
  return [...misfits, ...hooks.items.flatMap((hook) => hookMisfits(hook, profile))]
}

/** Fields that only Hookline knows, or that the client takes whatever they hold. */
const UNCHECKED: ReadonlySet<string> = new Set(['onFailure', 'input'])

function hookMisfits(hook: SourceNode, { hookTypes }: CompleteProfile): Misfit[] {
  if (!hook.fields) return [{ place: hook, what: 'a hook must be an object' }]
  const name = hook.fields.get('type')?.node
  const type =
    typeof name?.value === 'string' && Object.hasOwn(hookTypes, name.value) ? hookTypes[name.value] : undefined
  if (type === undefined || type.inFiles === false)
    return [{ place: name ?? hook, what: `a hook needs a "type" that Claude Code has` }]
  const missing = type.required.filter((field) => !hook.fields?.has(field))
  const misfits = missing.map((field): Misfit => ({ place: hook, what: `it has no "${field}"` }))
  for (const [field, { shape, isAddress }] of Object.entries(type.fields)) {
    const node = hook.fields.get(field)?.node
    if (node === undefined || UNCHECKED.has(field)) continue
    const isWrong = node.value === null || checkOf(shape)(node.value).length > 0
    if (isWrong || (isAddress && !URL.canParse(String(node.value))))
      misfits.push({ place: node, what: `its "${field}" is not what it must be` })
  }
  return misfits
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString)
}
