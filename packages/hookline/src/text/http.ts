import { validateHeaderName, validateHeaderValue } from 'node:http'
import { redactAddress } from './address.ts'

/** Reason why nothing is sent to an address; null when it can be. */
export function findAddressFault(address: string): string | null {
  if (!URL.canParse(address)) return `its url ${JSON.stringify(redactAddress(address))} is no address`
  const { protocol, username, password, hostname } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:')
    return `its url begins with "${protocol}"; only http and https addresses can be asked`
  if (hostname === '') return 'its url names no server'
  if (username !== '' || password !== '')
    return 'its url holds credentials; put them into "headers", by a variable that "allowedEnvVars" names'
  return null
}

const SCHEME_AND_SERVER = /^(https?:\/\/)([^/?#]*)(.*)$/is
const USUAL_PORTS: Readonly<Record<string, string>> = { 'http://': ':80', 'https://': ':443' }

/** True if an entry of an allow-list means an address: as it is, or with `*` for anything; inside a server's name a star stays there. */
export function matchesAddress(pattern: string, { href, hash }: URL): boolean {
  const address = href.slice(0, href.length - hash.length)
  const [, scheme = '', server = '', rest = ''] = SCHEME_AND_SERVER.exec(pattern.trim()) ?? []
  if (scheme === '') return matchesStars(pattern.trim(), address)
  const usualPort = USUAL_PORTS[scheme.toLowerCase()] ?? ''
  const host = server.toLowerCase()
  const bare = host.endsWith(usualPort) ? host.slice(0, -usualPort.length) : host
  if (rest === '' && bare.endsWith('*')) return matchesStars(`${scheme.toLowerCase()}${bare}`, address)
  const [, ownScheme = '', ownServer = '', ownRest = ''] = SCHEME_AND_SERVER.exec(address) ?? []
  return ownScheme === scheme.toLowerCase() && matchesStars(bare, ownServer) && matchesStars(rest || '/', ownRest)
}

/** True if a text is a pattern with something in place of each star. */
function matchesStars(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let rest = text.slice(first.length, text.length - last.length)
  for (const part of parts) {
    const at = rest.indexOf(part)
    if (at < 0) return false
    rest = rest.slice(at + part.length)
  }
  return true
}

/** Headers that say how a request is carried, which a hook does not decide. */
const CARRYING = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Reason why a header cannot be sent, without its value; null when it can. */
export function findHeaderFault(name: string, value: string): string | null {
  try {
    validateHeaderName(name)
  } catch {
    return `${JSON.stringify(name)} is no name of a header`
  }
  if (CARRYING.has(name.toLowerCase())) return `the header "${name}" cannot be set by a hook`
  if (/[\r\n]/.test(value)) return `the value of the header "${name}" has a line break in it`
  try {
    validateHeaderValue(name, value)
    return null
  } catch {
    return `the value of the header "${name}" has a character in it that headers cannot hold`
  }
}
