import { EMPTY_STREAM, measureMs } from '../process/process-run.ts'
import type { TurnLimits } from '../protocol/hook-type.ts'
import type { AllowLists, JudgeRequest, Run } from '../run/run.ts'
import type { StopSignal } from '../run/stop-signal.ts'
import { redactAddress } from '../text/address.ts'
import { findAddressFault, findHeaderFault, matchesAddress } from '../text/http.ts'
import { HttpClient } from './http-client.ts'

/** Address that an event is sent to. */
export interface HttpTarget {
  readonly url: string
  /** As written: variables are filled in when it runs, so that nothing that is shown or kept holds their values. */
  readonly headers: Readonly<Record<string, string>>
  /** The variables that the headers may name. */
  readonly allowedEnvVars: readonly string[]
}

/** Sends the event to the hook's address, and states what came back. What is not allowed or cannot be right is not sent. */
export async function sendEvent(hook: HttpTarget, request: JudgeRequest, limits: TurnLimits): Promise<Run> {
  const { payload, env, allowLists, options, closing } = request
  const makeUnreachable = (reason: string): Run => ({
    ended: 'unreachable',
    reason,
    durationMs: measureMs(limits.started),
  })
  const fault = findAddressFault(hook.url)
  if (fault !== null) return makeUnreachable(fault)
  const url = new URL(hook.url)
  if (!allowLists.urls.every((list) => list.some((pattern) => matchesAddress(pattern, url))))
    return makeUnreachable(`allowedHttpHookUrls does not allow ${redactAddress(hook.url)}`)
  const headers = fillHeaders(hook, env, allowLists)
  const unfit = Object.entries(headers).flatMap(([name, value]) => findHeaderFault(name, value) ?? [])
  if (unfit[0] !== undefined) return makeUnreachable(unfit[0])
  const reply = await findClient(closing).post(url, {
    headers: { 'content-type': 'application/json', ...headers },
    body: payload.bytes.subarray(0, -1), // without the line's end
    env,
    limit: options.outputLimit,
    signal: limits.signal,
  })
  if ('reason' in reply) return makeUnreachable(reply.reason)
  const { status, body } = reply
  const durationMs = measureMs(limits.started)
  return { ended: 'replied', status, stdout: body, stderr: EMPTY_STREAM, leftChild: false, durationMs }
}

/** The connections of each session; they end with it. */
const clients = new WeakMap<StopSignal, HttpClient>()

function findClient(closing: StopSignal): HttpClient {
  const known = clients.get(closing)
  if (known) return known
  const made = new HttpClient()
  clients.set(closing, made)
  closing.listen(() => made.close())
  return made
}

const HEADER_VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

/** The headers with variables filled in; one that is not allowed, or not set, is an empty text. */
function fillHeaders(
  { headers, allowedEnvVars }: HttpTarget,
  env: Readonly<NodeJS.ProcessEnv>,
  { variables: lists }: AllowLists,
): Record<string, string> {
  const isAllowed = (name: string): boolean =>
    allowedEnvVars.includes(name) && lists.every((list) => list.includes(name))
  const fillVariables = (value: string): string =>
    value.replace(HEADER_VARIABLE, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? ''
      return isAllowed(name) ? (env[name] ?? '') : ''
    })
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillVariables(value)]))
}
