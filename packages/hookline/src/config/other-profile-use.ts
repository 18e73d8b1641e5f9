import { fieldElsewhere, fieldsInFiles, otherProfileWithType } from '../protocol/hook-fields.ts'
import { belongsTo, otherProfileWith } from '../protocol/other-profiles.ts'
import type { Profile } from '../protocol/profile.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import type { Configuration } from './configuration.ts'
import type { Place, SourceNode } from './source.ts'

/** Something that a project's files use and only another profile has. */
interface OtherUse {
  readonly what: string
  readonly other: ProfileName
  readonly place: Place
}

/** Says of the first thing in a project's own files that only another profile has where it stands, and whose it is; null: there is none. */
export function otherProfileUse({ files, components }: Configuration, profile: Profile): string | null {
  const own = [
    ...files.map(({ needsTrust, file, root }) => ({ needsTrust, file, root })),
    ...components.map(({ needsTrust, path, root }) => ({ needsTrust, file: path, root })),
  ].filter(({ needsTrust }) => needsTrust)
  for (const { file, root } of own) {
    const [use] = usesIn(root?.fields?.get('hooks')?.node, profile)
    if (use) return `${file}:${use.place.line}  ${belongsTo(use.other, use.what, { profile: profile.name })}.`
  }
  return null
}

function usesIn(hooks: SourceNode | undefined, profile: Profile): OtherUse[] {
  return [...(hooks?.fields ?? [])].flatMap(([event, { key, node }]): OtherUse[] => {
    const other = profile.events.has(event) ? null : otherProfileWith('events', event, profile.name)
    if (other !== null) return [{ what: `${event} is an event`, other, place: key }]
    const entries = (node.items ?? []).flatMap((group) => group.fields?.get('hooks')?.node.items ?? [group])
    return entries.flatMap((entry) => usesOf(entry, profile))
  })
}

function usesOf({ fields }: SourceNode, { name: profile, hookTypes }: Profile): OtherUse[] {
  const written = fields?.get('type')?.node
  const type = typeof written?.value === 'string' && !Object.hasOwn(hookTypes, written.value) ? written.value : null
  const byType = type === null ? null : otherProfileWithType(type, profile)
  if (written && byType) return [{ what: `"${type}" is a hook type`, other: byType, place: written }]
  const own = fieldsInFiles(hookTypes)
  return [...(fields ?? [])].flatMap(([field, { key }]): OtherUse[] => {
    const other = own.has(field) ? null : (fieldElsewhere(field, profile)?.profile ?? null)
    return other === null ? [] : [{ what: `"${field}" is a field`, other, place: key }]
  })
}
