import type { IncomingMessage } from 'node:http'
import { ROLES, type Role } from './api.ts'
import { hashKey, isSameKey } from './keys.ts'
import type { ReadToken } from './oidc.ts'
import { RequestError } from './request-error.ts'
import type { Tenant } from './store/database.ts'
import { DEFAULT_TENANT, type FleetStore } from './store/store.ts'

/** Party that may ask: anyone, a machine by its key, a person with this role or a higher one, or the owner of the server. */
export type Audience = 'anyone' | 'machine' | Role | 'owner'

/** A person who asks: of one tenant, or the owner of the server, who may ask about all. */
interface Person {
  readonly role: Role
  readonly tenant: Tenant | null
  /** Time at which the token ends that names the person; null for a key, which can be taken. */
  readonly tokenEndsAt: number | null
}

/** Means to find out who asks. */
export interface Gate {
  readonly store: FleetStore
  readonly adminKey: string
  /** Reader of tokens; null where no issuer is configured. */
  readonly readToken: ReadToken | null
  /** True where the address is of this machine alone: there a link may have the key in it. */
  readonly isLoopback: boolean
}

/** Reads the key of a request. A key in an address is in histories and logs, so it counts on loopback alone. */
export function readKey(request: IncomingMessage, url: URL, { isLoopback }: Gate): string {
  const [, key = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
  return key === '' && isLoopback ? (url.searchParams.get('key') ?? '') : key
}

/** The machine comes from its credential, never from what it says. */
export async function requireMachine(
  key: string,
  { store }: Gate,
): Promise<{ readonly tenant: Tenant; readonly machine: string }> {
  const found = await store.findMachine(hashKey(key), Date.now())
  if (found === null) throw new RequestError(401, 'this machine is not enrolled', { 'www-authenticate': 'Bearer' })
  return found
}

const NO_KEY = 'this needs a key: send it as "Authorization: Bearer KEY"'
const UNKNOWN_KEY = "this key is no person's here, was taken back, or has expired: ask an admin for a new one"

/** The person who asks, about a tenant where one is named. Throws a RequestError for one who may not. */
export async function requirePerson(
  key: string,
  audience: Role | 'owner',
  { gate, wanted }: { readonly gate: Gate; readonly wanted: string | null },
): Promise<Person> {
  const person = await (gate.readToken !== null && isToken(key) ? findHolder(key, wanted, gate) : findPerson(key, gate))
  if (person === null) throw new RequestError(401, key === '' ? NO_KEY : UNKNOWN_KEY, { 'www-authenticate': 'Bearer' })
  if (audience === 'owner' && person.tenant !== null)
    throw new RequestError(403, 'this is for the owner of the server: its key is in admin.key')
  if (audience !== 'owner' && ROLES.indexOf(person.role) < ROLES.indexOf(audience))
    throw new RequestError(403, `this is for the role ${audience}, and you have the role ${person.role}`)
  return person
}

async function findPerson(key: string, { store, adminKey }: Gate): Promise<Person | null> {
  if (isSameKey(key, adminKey)) return { role: 'admin', tenant: null, tokenEndsAt: null }
  const found = await store.findPerson(hashKey(key), Date.now())
  return found === null ? null : { ...found, tokenEndsAt: null }
}

/** True for a token by its form: keys have no dot. */
const isToken = (key: string): boolean => key.split('.').length === 3

/** The person whom a token names, in the tenant that is wanted, or the one that the token is for. */
async function findHolder(token: string, wanted: string | null, { readToken, store }: Gate): Promise<Person | null> {
  if (readToken === null) return null
  const { grants, expiresAt } = await readToken(token)
  const names = [...new Set(grants.map(({ tenant }) => tenant))]
  const own = names.includes(DEFAULT_TENANT) || names.length > 1 ? DEFAULT_TENANT : (names[0] ?? '')
  const name = wanted ?? own
  if (!names.includes(name)) throw new RequestError(403, `this token is for ${names.join(', ')}: name one with tenant=`)
  const tenant = await store.findTenant(name)
  if (tenant === null) throw new RequestError(404, `there is no tenant "${name}"`)
  const roles = grants.flatMap(({ tenant: granted, role }) => (granted === name ? [role] : []))
  const role = ROLES.findLast((one) => roles.includes(one))
  return role === undefined ? null : { role, tenant, tokenEndsAt: expiresAt }
}

/** The tenant that is asked about: that of the key, or for the owner of the server the one that is named. */
export async function requireTenant({ tenant }: Person, name: string | null, store: FleetStore): Promise<Tenant> {
  if (tenant !== null) {
    if (name !== null && name !== tenant.name) throw new RequestError(403, 'this key is of another tenant')
    return tenant
  }
  const wanted = name ?? DEFAULT_TENANT
  const found = await store.findTenant(wanted)
  if (found === null) throw new RequestError(404, `there is no tenant "${wanted.slice(0, 64)}"`)
  return found
}
