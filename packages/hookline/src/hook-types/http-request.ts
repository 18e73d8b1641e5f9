import { millisecondsSince, NOTHING } from '../process/process-run.ts'
import type { TurnLimits } from '../protocol/hook-type.ts'
import type { AllowLists, JudgeRequest, Run } from '../run/run.ts'
import type { StopSignal } from '../run/stop-signal.ts'
import { withoutSecrets } from '../text/address.ts'
import type { HttpHandler } from './http.ts'
import { HttpClient, headerFault } from './http-client.ts'

/** Sends the event to the hook's address, and states what came back. What is not allowed or cannot be right is not sent. */
export async function sendEvent(hook: HttpHandler, request: JudgeRequest, limits: TurnLimits): Promise<Run> {
  const { payload, env, allowLists, options, closing } = request
  const unreachable = (reason: string): Run => ({
    ended: 'unreachable',
    reason,
    durationMs: millisecondsSince(limits.started),
  })
  const fault = addressFault(hook.url)
  if (fault !== null) return unreachable(fault)
  const url = new URL(hook.url)
  if (!allowLists.urls.every((list) => list.some((pattern) => isMeantBy(pattern, url))))
    return unreachable(`allowedHttpHookUrls does not allow ${withoutSecrets(hook.url)}`)
  const headers = filledHeaders(hook, env, allowLists)
  const unfit = Object.entries(headers).flatMap(([name, value]) => headerFault(name, value) ?? [])
  if (unfit[0] !== undefined) return unreachable(unfit[0])
  const reply = await clientOf(closing).post(url, {
    headers: { 'content-type': 'application/json', ...headers },
    body: payload.bytes.subarray(0, -1), // without the line's end
    env,
    limit: options.outputLimit,
    signal: limits.signal,
  })
  if ('reason' in reply) return unreachable(reply.reason)
  const { status, body } = reply
  const durationMs = millisecondsSince(limits.started)
  return { ended: 'replied', status, stdout: body, stderr: NOTHING, leftChild: false, durationMs }
}

/** The connections of each session; they end with it. */
const clients = new WeakMap<StopSignal, HttpClient>()

function clientOf(closing: StopSignal): HttpClient {
  const known = clients.get(closing)
  if (known) return known
  const made = new HttpClient()
  clients.set(closing, made)
  closing.listen(() => made.close())
  return made
}

/** Why nothing is sent to an address; null when it can be. */
function addressFault(address: string): string | null {
  if (!URL.canParse(address)) return `its url ${JSON.stringify(withoutSecrets(address))} is no address`
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

/** Whether an entry of an allow-list means an address: as it is, or with `*` for anything; inside a server's name a star stays there. */
function isMeantBy(pattern: string, { href, hash }: URL): boolean {
  const address = href.slice(0, href.length - hash.length)
  const [, scheme = '', server = '', rest = ''] = SCHEME_AND_SERVER.exec(pattern.trim()) ?? []
  if (scheme === '') return fits(pattern.trim(), address)
  const usualPort = USUAL_PORTS[scheme.toLowerCase()] ?? ''
  const host = server.toLowerCase()
  const bare = host.endsWith(usualPort) ? host.slice(0, -usualPort.length) : host
  if (rest === '' && bare.endsWith('*')) return fits(`${scheme.toLowerCase()}${bare}`, address)
  const [, ownScheme = '', ownServer = '', ownRest = ''] = SCHEME_AND_SERVER.exec(address) ?? []
  return ownScheme === scheme.toLowerCase() && fits(bare, ownServer) && fits(rest || '/', ownRest)
}

/** Whether a text is a pattern with something in place of each star. */
function fits(pattern: string, text: string): boolean {
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

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

/** The headers with variables filled in; one that is not allowed, or not set, is an empty text. */
function filledHeaders(
  { headers, allowedEnvVars }: HttpHandler,
  env: Readonly<NodeJS.ProcessEnv>,
  { variables: lists }: AllowLists,
): Record<string, string> {
  const isAllowed = (name: string): boolean =>
    allowedEnvVars.includes(name) && lists.every((list) => list.includes(name))
  const filled = (value: string): string =>
    value.replace(VARIABLE, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? ''
      return isAllowed(name) ? (env[name] ?? '') : ''
    })
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]))
}
