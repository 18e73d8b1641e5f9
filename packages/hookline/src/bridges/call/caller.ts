import type { Bridge, Fingerprint, JsonObject } from '../bridge.ts'
import { findBridge } from '../list.ts'
import { makeFingerprints } from './fingerprints.ts'

/** Caller of a hook: Claude Code or something like it, a known agent, or another. */
export type Caller = { readonly is: 'claude-code' | 'unknown' } | { readonly is: 'agent'; readonly bridge: Bridge }

/**
 * Finds who calls a hook. What only one agent has in its payload counts first: an agent that is started inside of another one
 * inherits the variables of that. Null is a payload that cannot be read.
 */
export function findCaller(payload: JsonObject | null, env: NodeJS.ProcessEnv): Caller {
  const prints = Object.entries(makeFingerprints())
  const isPresent = (print: Fingerprint): boolean =>
    (payload === null || (print.payload ?? []).every((name) => Object.hasOwn(payload, name))) &&
    Object.entries(print.env ?? {}).every(([name, value]) => (value === true ? env[name] : env[name] === value))
  const findCalled = (wanted: (print: Fingerprint) => boolean): Caller | null => {
    // Of two that fit, the later one is the more particular: Qwen Code sets what Gemini CLI does.
    const [name = ''] = prints.findLast(([, all]) => all.some(wanted)) ?? []
    const bridge = findBridge(name)
    return bridge && { is: 'agent', bridge }
  }
  if (payload === null)
    return (env.CLAUDECODE !== '1' && findCalled((one) => one.env !== undefined && isPresent(one))) || LIKE_CLAUDE
  const byPayload = findCalled((one) => one.env === undefined && isPresent(one))
  if (byPayload !== null) return byPayload
  if (isOfClaudeCode(payload) && env.CLAUDECODE === '1') return LIKE_CLAUDE
  const byVariables = findCalled((one) => one.env !== undefined && isPresent(one))
  if (byVariables !== null) return byVariables
  return env.CLAUDECODE === '1' || isOfClaudeCode(payload) ? LIKE_CLAUDE : { is: 'unknown' }
}

const LIKE_CLAUDE: Caller = { is: 'claude-code' }

const MODES: ReadonlySet<unknown> = new Set(['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'])

/** True if a payload has all that Claude Code puts into it, and nothing that it does not. */
function isOfClaudeCode(payload: JsonObject): boolean {
  const { hook_event_name, transcript_path, permission_mode, tool_name, tool_use_id } = payload
  const isWhole =
    typeof hook_event_name === 'string' && typeof transcript_path === 'string' && !('timestamp' in payload)
  const isMode = permission_mode === undefined || MODES.has(permission_mode)
  return (
    isWhole &&
    isMode &&
    (tool_name === undefined || tool_use_id !== undefined || hook_event_name === 'PermissionRequest')
  )
}
