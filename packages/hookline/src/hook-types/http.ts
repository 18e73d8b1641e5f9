import { EMPTY_STREAM } from '../process/process-run.ts'
import type { HookTypeCode } from '../protocol/hook-type.ts'
import type { JudgeRequest, Run, ServerRun } from '../run/run.ts'
import { redactAddress } from '../text/address.ts'
import type { HttpTarget } from './http-request.ts'

/** An address that the event is sent to. */
export interface HttpHandler extends HttpTarget {
  readonly type: 'http'
}

/** Hooks that are servers: the event goes there by POST, and what comes back is the answer. */
export const http: HookTypeCode<HttpHandler, JudgeRequest, Run> = {
  runsIn: 'server',
  needs: null,
  readEntry: ({ url, headers = {}, allowedEnvVars = [] }) => {
    if (typeof url !== 'string' || url.trim() === '') return { field: 'url', because: 'an http hook needs a "url"' }
    return {
      type: 'http',
      url,
      headers: headers as HttpHandler['headers'], // both fit their shapes
      allowedEnvVars: allowedEnvVars as HttpHandler['allowedEnvVars'],
    }
  },
  shown: ({ url }) => ({ name: redactAddress(url), text: redactAddress(url) }),
  identity: ({ url }) => url,
  run: async (hook, request, limits) => {
    const { sendEvent } = await import('./http-request.ts') // most sessions have no such hook
    return sendEvent(hook, request, limits)
  },
  meaning: (facts) => {
    const run = facts as Exclude<ServerRun, { ended: 'called' }> // hooks of this type ask nothing but servers
    if (run.ended === 'unreachable') return makeHttpFailure(run.reason)
    const { status, stdout } = run
    if (status < 200 || status > 299) return makeHttpFailure(`the server answered ${describeStatus(status)}`)
    if (stdout.bytes > stdout.kept.length)
      return makeHttpFailure(`the server answered more than ${stdout.kept.length} bytes`)
    const text = stdout.kept
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
    if (text === '') return { is: 'exited', code: 0, stdout: EMPTY_STREAM, stderr: EMPTY_STREAM }
    if (!isJsonObjectText(text)) return makeHttpFailure('the server answered with something else than a JSON object')
    return { is: 'exited', code: 0, stdout, stderr: EMPTY_STREAM }
  },
}

/** Makes a failure whose words stand where a program would say them. What the server said does not: it may repeat what it was sent. */
function makeHttpFailure(how: string): { is: 'failed'; how: string; words: { kept: Buffer; bytes: number } } {
  const kept = Buffer.from(how)
  return { is: 'failed', how, words: { kept, bytes: kept.length } }
}

function describeStatus(status: number): string {
  return status >= 300 && status < 400 ? `${status}, and redirects are not followed` : String(status)
}

function isJsonObjectText(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // no JSON
  }
}
