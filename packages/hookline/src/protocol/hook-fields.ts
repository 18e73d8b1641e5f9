import { listAddressSecrets, redactAddress } from '../text/address.ts'
import { listTexts } from '../text/json.ts'
import type { HookField, HookTypeFacts } from './hook-type.ts'
import { KNOWN_HOOK_TYPES, PROFILE_NAMES, type ProfileName } from './profiles.ts'

type Types = Readonly<Record<string, HookTypeFacts>>

/** The names of the types that files may hold. */
export function listTypesInFiles(types: Types): string[] {
  const names: string[] = []
  for (const type in types) if (types[type]?.inFiles !== false) names.push(type)
  return names
}

/** Every field that a hook in a file may have, whatever its type. */
export function listFieldsInFiles(types: Types): ReadonlyMap<string, HookField> {
  const known = fieldsOf.get(types)
  if (known) return known
  const fields = new Map<string, HookField>([['type', TYPE]])
  for (const type of listTypesInFiles(types)) {
    for (const [name, field] of Object.entries(types[type]?.fields ?? {})) fields.set(name, field)
  }
  fieldsOf.set(types, fields)
  return fields
}

/** Asked for every hook that is read. */
const fieldsOf = new WeakMap<Types, ReadonlyMap<string, HookField>>()
const TYPE: HookField = { shape: 'string', means: 'its type', rule: 'V-HK-05', start: 'what' }

/** The other profile that has a hook type; null when none has. */
export function findOtherProfileWithType(type: string, profile: string): ProfileName | null {
  const [name = null] = listOtherProfiles(profile).find(([, types]) => listTypesInFiles(types).includes(type)) ?? []
  return name
}

/** A field as another profile knows it; null when none does. */
export function findFieldElsewhere(name: string, profile: string): { profile: ProfileName; field: HookField } | null {
  for (const [other, types] of listOtherProfiles(profile)) {
    const field = listFieldsInFiles(types).get(name)
    if (field) return { profile: other, field }
  }
  return null
}

/** True if a field with this value means another start than there is without it. */
export function isChangingStart({ start, usual = [] }: HookField, value: unknown): boolean {
  return start !== undefined && !usual.includes(value)
}

function listOtherProfiles(profile: string): [ProfileName, Types][] {
  return PROFILE_NAMES.filter((name) => name !== profile).map((name) => [name, KNOWN_HOOK_TYPES[name] ?? {}])
}

/** The names of the fields of any profile of which something holds. */
function listFieldNames(holds: (field: HookField) => boolean): ReadonlySet<string> {
  const all = Object.values(KNOWN_HOOK_TYPES).flatMap((types) => [...listFieldsInFiles(types)])
  return new Set(all.flatMap(([name, field]) => (holds(field) ? [name] : [])))
}

let addresses: ReadonlySet<string> | null = null
let headers: ReadonlySet<string> | null = null

/** True if the fields of a name are addresses, or headers, in any profile. */
function isKindOfField(kind: 'address' | 'headers', name: string): boolean {
  addresses ??= listFieldNames(({ isAddress }) => isAddress === true)
  headers ??= listFieldNames(({ isHeaders }) => isHeaders === true)
  return (kind === 'address' ? addresses : headers).has(name)
}

/** A definition as it may be shown: addresses without what may be a secret, and of headers the names and variables alone. */
export function redactDefinition(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isKindOfField('address', name) ? redactAddress(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => redactDefinition(one))
  const isSecret = isKindOfField('headers', name)
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isSecret ? redactHeader(one) : redactDefinition(one, key)]),
  )
}

/** The texts of a definition that `shownDefinition` leaves out. */
export function listSecretTexts(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return isKindOfField('address', name) ? listAddressSecrets(value) : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one) => listSecretTexts(one))
  const areHeaders = isKindOfField('headers', name)
  return Object.entries(value).flatMap(([key, one]) => {
    if (!areHeaders) return listSecretTexts(one, key)
    return typeof one === 'string' ? splitPieces(one).filter(isSecretPiece) : listTexts(one)
  })
}

/** Shows which variables a header sends; whatever else it holds may be a secret. */
function redactHeader(value: unknown): unknown {
  if (typeof value !== 'string') return '…'
  return splitPieces(value)
    .map((piece) => (isSecretPiece(piece) ? '…' : piece))
    .join('')
}

const VARIABLE_REFERENCE = /(\$\w+|\$\{\w+\})/
/** Text before a variable: how it is sent, which everyone knows. */
const OPEN = /^[\s:;,]*(?:(?:Bearer|Basic|Token|ApiKey)[\s:;,]*)?$/i

const splitPieces = (value: string): string[] => value.split(VARIABLE_REFERENCE).filter((piece) => piece !== '')

const isSecretPiece = (piece: string): boolean => !VARIABLE_REFERENCE.test(piece) && !OPEN.test(piece)
