import { findFieldElsewhere, findOtherProfileWithType, listFieldsInFiles } from '../protocol/hook-fields.ts'
import { describeOwner, findOtherProfile } from '../protocol/other-profiles.ts'
import type { Profile } from '../protocol/profile.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import type { Place, SourceNode } from './source.ts'

/** A file that may hold hooks. */
export interface WrittenHooks {
  /** For showing. */
  readonly file: string
  readonly root: SourceNode | null
}

/** Part of a file that only another profile has. */
interface OtherUse {
  /** Name as it is written: `"if"`, or the name of an event. */
  readonly name: string
  /** Kind, as the end of a sentence. */
  readonly kind: string
  readonly other: ProfileName
  readonly place: Place
}

/** Says of the first thing in files that only another profile has where it stands, and whose it is; null: there is none. */
export function findOtherProfileUse(files: readonly WrittenHooks[], profile: Profile): string | null {
  const found = findOtherUse(files, profile)
  if (found === null) return null
  const { file, use } = found
  const said = describeOwner(use.other, `${use.name} ${use.kind}`, { profile: profile.name })
  return `${file}:${use.place.line}  ${said}.`
}

/** Finds the first thing in files that only another profile has, and its file; null: there is none. */
export function findOtherUse(
  files: readonly WrittenHooks[],
  profile: Profile,
): { readonly file: string; readonly use: OtherUse } | null {
  for (const { file, root } of files) {
    const [use] = listUses(root?.fields?.get('hooks')?.node, profile)
    if (use) return { file, use }
  }
  return null
}

function listUses(hooks: SourceNode | undefined, profile: Profile): OtherUse[] {
  const uses: OtherUse[] = []
  for (const [event, { key, node }] of hooks?.fields ?? []) {
    const other = profile.events.has(event) ? null : findOtherProfile('events', event, profile.name)
    if (other !== null) uses.push({ name: event, kind: 'is an event', other, place: key })
    else for (const group of node.items ?? []) uses.push(...findUsesInGroup(group, profile))
  }
  return uses
}

/** Finds what hooks of a group use that only another profile has. */
export function findUsesInGroup(group: SourceNode, profile: Pick<Profile, 'name' | 'hookTypes'>): OtherUse[] {
  const uses: OtherUse[] = []
  for (const entry of group.fields?.get('hooks')?.node.items ?? [group]) uses.push(...listHookUses(entry, profile))
  return uses
}

function listHookUses(
  { fields }: SourceNode,
  { name: profile, hookTypes }: Pick<Profile, 'name' | 'hookTypes'>,
): OtherUse[] {
  const written = fields?.get('type')?.node
  const type = typeof written?.value === 'string' && !Object.hasOwn(hookTypes, written.value) ? written.value : null
  const byType = type === null ? null : findOtherProfileWithType(type, profile)
  if (written && byType) return [{ name: `"${type}"`, kind: 'is a hook type', other: byType, place: written }]
  const own = listFieldsInFiles(hookTypes)
  const uses: OtherUse[] = []
  for (const [field, { key }] of fields ?? []) {
    const other = own.has(field) ? null : (findFieldElsewhere(field, profile)?.profile ?? null)
    if (other !== null) uses.push({ name: `"${field}"`, kind: 'is a field', other, place: key })
  }
  return uses
}
