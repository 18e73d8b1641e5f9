import { listHookNodes } from '../config/folder-request.ts'
import { isCommentKey } from '../config/read-hooks.ts'
import type { Place, SourceField, SourceNode } from '../config/source.ts'
import { formatMisfit, type Misfit } from '../protocol/check.ts'
import { makeCheck, type Shape } from '../protocol/checker.ts'
import { isGuardingCalls } from '../protocol/event-row.ts'
import { listTypesInFiles } from '../protocol/hook-fields.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { clipName } from '../text/nearest.ts'
import { listSettingMisfits } from './client-settings.ts'

/** A misfit that Claude Code does not forgive, and how much it takes away there. */
export interface Loss {
  readonly place: Place
  readonly costs: 'file' | 'entry'
  /** Mistake, and what the value has to be. */
  readonly what: string
}

/** The part that a file plays: only settings files hold settings beside the hooks. */
export type FileKind = 'settings' | 'plugin' | 'component'

/** Finds what Claude Code drops of a file: of a settings file, a plugin's file, or the frontmatter of a component. */
export function findLosses(
  root: SourceNode,
  { profile, kind }: { readonly profile: CompleteProfile; readonly kind: FileKind },
): Loss[] {
  if (!root.fields) return [{ place: root, costs: 'file', what: 'the file must be an object, { … }' }]
  return [
    ...(kind === 'component' ? [] : listSettingLosses(root, kind)),
    ...(kind === 'component' ? [] : findMisplacedGuards(root, profile)),
    ...listHookLosses(root, profile),
  ]
}

function listSettingLosses({ fields }: SourceNode, kind: 'settings' | 'plugin'): Loss[] {
  return [...(fields ?? [])].flatMap(([name, { node }]) => {
    const misfits = listSettingMisfits(kind, name, node.value)
    return misfits.map((misfit): Loss => ({ ...describeMisfit(name, node, misfit), costs: 'file' }))
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

/** Records of any content, in which Claude Code looks for no hooks. */
const FREE_FORM: ReadonlySet<string> = new Set(['env', 'extraKnownMarketplaces', 'managedMcpServers', 'mcpServers'])
/** Depth of objects and lists to which Claude Code looks for misplaced hooks. */
const MAX_LOOK_DEPTH = 4

/** Finds guards outside "hooks", and lists of hooks that belong to no event: a guard that its author relies on may be among them. */
function findMisplacedGuards({ fields }: SourceNode, profile: CompleteProfile): Loss[] {
  const beside = new Map([...(fields ?? [])].filter(([name]) => name !== 'hooks'))
  return findNestedGuards({ fields: beside }, { profile, depth: 0, isOfEvent: false })
}

interface GuardSearch {
  readonly profile: CompleteProfile
  readonly depth: number
  /** True below an event that is no guard: its hooks lists count as its own. */
  readonly isOfEvent: boolean
}

function findNestedGuards({ fields, items }: Pick<SourceNode, 'fields' | 'items'>, search: GuardSearch): Loss[] {
  if (search.depth > MAX_LOOK_DEPTH) return []
  const deeper = { ...search, depth: search.depth + 1 }
  if (items) return items.flatMap((item) => findNestedGuards(item, deeper))
  return [...(fields ?? [])].flatMap(([name, { key, node }]): Loss[] => {
    if (FREE_FORM.has(name)) return []
    const row = search.profile.events.get(name)
    if (row && isGuardingCalls(row)) return isNothing(node) ? [] : [tellMisplaced(key, `"${name}"`)]
    if (name === 'hooks' && !search.isOfEvent && (node.items ?? []).length > 0)
      return [tellMisplaced(key, 'a list of hooks')]
    return findNestedGuards(node, { ...deeper, isOfEvent: search.isOfEvent || row !== undefined })
  })
}

const tellMisplaced = (place: Place, what: string): Loss => ({
  place,
  costs: 'file',
  what: `${what} must be under "hooks"${what.startsWith('"') ? '' : ', in a group of an event'}`,
})

const isNothing = ({ value, items }: SourceNode): boolean => value === null || items?.length === 0

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
    const misplaced = findNestedGuards(node, { profile, depth: 1, isOfEvent: node.items !== undefined })
    const count = isCommentKey(name) ? 0 : (node.items ?? []).flatMap(listHookNodes).length
    if (misplaced.length > 0 || count === 0) return misplaced
    return [{ place: key, costs: 'entry', what: `"${clipName(name)}" is not an event` }]
  }
  if (node.value === null) return []
  const costs = isGuardingCalls(row) ? 'file' : 'entry'
  const misplaced = costs === 'file' ? [] : findNestedGuards(node, { profile, depth: 1, isOfEvent: true })
  if (misplaced.length > 0) return misplaced
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
const NARROWER: Readonly<Record<string, Shape>> = { input: { each: 'any' } }

/** Fields that the client takes with text alone. */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['rewakeMessage', 'rewakeSummary'])

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
    else if (node.value === '' && NEVER_EMPTY.has(field))
      misfits.push({ place: node, what: `"${field}" must not be empty` })
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
