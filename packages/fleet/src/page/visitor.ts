import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Gate, requirePerson, requireTenant } from '../access.ts'
import { hashKey, isSameKey } from '../keys.ts'
import { RequestError } from '../request-error.ts'
import type { Tenant } from '../store/database.ts'

/** Time for which a browser that was let in may look without the key. */
const VISIT_MS = 12 * 3_600_000
const COOKIE = 'hookline-fleet'
const OWNER = 'owner'
/** A person of an issuer: let in until the token ends. */
const HOLDER = 'token'

/** Makes the cookie of a browser that was given a key. It holds the key's digest and a signature, never the key: other servers of the same host get cookies, too. */
export async function admitVisitor(
  key: string,
  wanted: string | null,
  { gate, isSecure }: { readonly gate: Gate; readonly isSecure: boolean },
): Promise<string> {
  const person = await requirePerson(key, 'viewer', { gate, wanted })
  const tenant = await requireTenant(person, wanted, gate.store)
  const until = Math.min(Date.now() + VISIT_MS, person.tokenEndsAt ?? Number.POSITIVE_INFINITY)
  const visit = [nameVisitor(key, person), tenant.name, until].join('.')
  return [
    `${COOKIE}=${visit}.${sign(visit, gate)}`,
    ...['Path=/page', 'HttpOnly', 'SameSite=Strict', `Max-Age=${VISIT_MS / 1000}`],
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
}

function nameVisitor(key: string, { tenant, tokenEndsAt }: Awaited<ReturnType<typeof requirePerson>>): string {
  if (tokenEndsAt !== null) return HOLDER
  return tenant === null ? OWNER : hashKey(key)
}

const sign = (visit: string, { adminKey }: Gate): string =>
  createHmac('sha256', adminKey).update(`visit ${visit}`).digest('hex')

/** The tenant that a browser may look at. Throws a RequestError for one that was not let in, or whose key was taken since. */
export async function requireVisitor({ headers }: IncomingMessage, gate: Gate): Promise<Tenant> {
  const now = Date.now()
  const given = (headers.cookie ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${COOKIE}=`))
  const [who = '', name = '', until = '', signature = '', ...rest] =
    given.length === 1 ? (given[0] ?? '').slice(COOKIE.length + 1).split('.') : []
  const isSigned = rest.length === 0 && isSameKey(signature, sign([who, name, until].join('.'), gate))
  if (!isSigned || !(Number(until) > now)) throw new RequestError(401, 'This browser has not been let in.')
  if (who !== OWNER && who !== HOLDER) {
    const person = await gate.store.findPerson(who, now)
    if (person === null || person.tenant.name !== name)
      throw new RequestError(401, 'The key that let this browser in was taken, or has expired.')
    return person.tenant
  }
  const tenant = await gate.store.findTenant(name)
  if (tenant === null) throw new RequestError(404, `There is no tenant "${name}".`)
  return tenant
}

/** Refuses what other pages of the same browser ask for. A request that does not say where it comes from counts as foreign. */
export function refuseForeign({ headers }: IncomingMessage, kind: 'page' | 'api' | 'key'): void {
  const site = headers['sec-fetch-site']
  const dest = headers['sec-fetch-dest']
  if (kind === 'api' ? site === 'same-origin' && dest === 'empty' : isNavigation(headers)) return
  throw new RequestError(403, 'Only the page itself may ask for this. Scripts ask below /v1/.')
}

function isNavigation(headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site']
  const isOwn = site === 'none' || site === 'same-origin'
  return isOwn && headers['sec-fetch-dest'] === 'document' && headers['sec-fetch-mode'] === 'navigate'
}
