import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Kind of address that a request asks for. */
export type RequestedKind = 'page' | 'api' | 'key'

/** Secrets of a running server. */
export interface AccessKeys {
  /** Exactly the host that the server prints, such as `127.0.0.1:40123` or `[::1]:40123`. */
  readonly host: string
  /** Value of the cookie. */
  readonly cookie: string
  /** Secret that the page keeps beside the cookie: browsers send cookies to every port of a host, and what a page stores to none. */
  readonly page: string
  /** Value of the header that scripts send. */
  readonly token: string
}

/** A request as far as access depends on it. */
export interface AccessRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Names and values as they came: a header may come twice. */
  readonly rawHeaders: readonly string[]
  /** Key of the page in the address, where no header can be sent; null where there is none. */
  readonly pageKey?: string | null
}

/** The name of the header that scripts send the token in. */
export const TOKEN_HEADER = 'x-hookline-token'

/** The name of the header that the page sends its key in. */
export const PAGE_HEADER = 'x-hookline-page'

/** The name of the cookie: of one port, since cookies do not tell ports apart. */
export function nameCookie(host: string): string {
  return `hookline-${host.slice(host.lastIndexOf(':') + 1)}`
}

/** Looks at who asks. Gives the reason for a refusal, or null. */
export function refuseAccess(asked: RequestedKind, request: AccessRequest, keys: AccessKeys): string | null {
  const { headers, rawHeaders } = request
  const hosts = rawHeaders.filter((_, at) => at % 2 === 0 && rawHeaders[at]?.toLowerCase() === 'host')
  if (hosts.length !== 1 || headers.host !== keys.host)
    return 'The Host of the request is not the address of this page.'
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${keys.host}`) return 'The request comes from another page.'
  const isScript = hasToken(headers[TOKEN_HEADER], keys.token)
  if (isScript && headers['sec-fetch-site'] === undefined && asked !== 'key') return null
  const isForeign = refuseForeign(asked, headers)
  if (isForeign !== null) return isForeign
  if (asked === 'key') return null
  const isKnown = hasCookie(headers.cookie, keys) && (asked === 'page' || hasPageKey(request, keys))
  return isKnown ? null : 'This browser has not opened the link that hookline inspect printed.'
}

/** Browsers say where a request comes from and what it is for; one that does not counts as foreign. */
function refuseForeign(asked: RequestedKind, headers: IncomingHttpHeaders): string | null {
  const site = headers['sec-fetch-site']
  const dest = headers['sec-fetch-dest']
  const mode = headers['sec-fetch-mode']
  if (asked === 'api')
    return site === 'same-origin' && dest === 'empty'
      ? null
      : 'Only the page itself may ask for this, or a script with the token.'
  const isOwn = site === 'none' || site === 'same-origin'
  return isOwn && dest === 'document' && mode === 'navigate' ? null : 'Open the address yourself: other pages may not.'
}

function hasToken(given: string | string[] | undefined, token: string): boolean {
  return typeof given === 'string' && isSame(given, token)
}

function hasPageKey({ headers, pageKey }: AccessRequest, { page }: AccessKeys): boolean {
  const given = headers[PAGE_HEADER] ?? pageKey
  return typeof given === 'string' && isSame(given, page)
}

function hasCookie(cookies: string | undefined, { host, cookie }: AccessKeys): boolean {
  const name = `${nameCookie(host)}=`
  const values = (cookies ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(name))
  return values.length === 1 && isSame(values[0]?.slice(name.length) ?? '', cookie)
}

/** Compares two secrets in a time that does not depend on where they differ. */
export function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
