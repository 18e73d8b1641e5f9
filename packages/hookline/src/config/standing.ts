import type { EventRow } from '../protocol/event-row.ts'
import type { Handler, HookType } from '../protocol/hook-type.ts'
import type { Scope } from '../protocol/scope.ts'
import { type ConfiguredHook, isFault, makeRunKey } from './hook.ts'
import type { Switches } from './switches.ts'

/** Standing of a hook before any event: it may run, or why it never does. */
export type Standing =
  | { readonly verdict: 'active' }
  | { readonly verdict: 'policy-off' | 'disabled' | 'untrusted' | 'invalid' | 'unsupported'; readonly because: string }

/** The scopes that a host leaves running. */
export interface HostChoice {
  readonly scopes: ReadonlySet<Scope>
  /** Reason why the hooks of the others do not run. */
  readonly because: string
}

/** Policy that decides about the standing of hooks. */
export interface Policy {
  /** null: the host lets all scopes run. */
  readonly hostChoice: HostChoice | null
  readonly switches: Pick<Switches, 'policyOff' | 'only' | 'disabled'>
  readonly trusted: boolean
  readonly hookTypes: Readonly<Record<string, HookType>>
  /** Ports that the host provides to hooks, by name. */
  readonly provided: Readonly<Record<string, unknown>>
  /** Hooks that the user switched off for the session, by `switchKey`. */
  readonly switchedOff: ReadonlySet<string>
}

/** The first that fits of: policy-off, disabled, untrusted, invalid, unsupported. */
export function judgeStanding(hook: ConfiguredHook, row: EventRow, policy: Policy): Standing {
  const { hostChoice, switches, trusted, hookTypes, provided, switchedOff } = policy
  const { scope, handler } = hook
  if (switches.policyOff !== null)
    return { verdict: 'policy-off', because: `${switches.policyOff} switches all hooks off` }
  const excluding = switches.only.find(({ scopes }) => !scopes.includes(scope))
  if (excluding) return { verdict: 'policy-off', because: `${excluding.file} allows ${excluding.allows} only` }
  if (switches.disabled !== null && scope !== 'managed' && scope !== 'session') {
    return { verdict: 'disabled', because: `disableAllHooks is set in ${switches.disabled}` }
  }
  if (hostChoice !== null && !hostChoice.scopes.has(scope)) return { verdict: 'disabled', because: hostChoice.because }
  if (switchedOff.size > 0 && scope !== 'managed' && switchedOff.has(makeSwitchKey(hook)))
    return { verdict: 'disabled', because: 'it was switched off for this session' }
  if (hook.trust === 'unshown')
    return { verdict: 'untrusted', because: 'it was not there, or different, when the folder was trusted' }
  if (hook.trust === 'project' && !trusted) {
    return { verdict: 'untrusted', because: 'the folder is not trusted, or has changed since' }
  }
  if (isFault(handler)) return handler
  if (!canRun(handler, row)) {
    return { verdict: 'unsupported', because: `${handler.type} hooks do not run for ${row.name}` }
  }
  const needs = hookTypes[handler.type]?.needs ?? null
  if (needs !== null && provided[needs.port] === undefined) return { verdict: 'unsupported', because: needs.otherwise }
  return { verdict: 'active' }
}

/** True if hooks of a type ever run for an event. */
export function canRun({ type }: Handler, { hookTypes }: EventRow): boolean {
  return hookTypes === 'all' || hookTypes.includes(type)
}

/** The same for what a hook runs on an event, whatever its place in a file becomes. */
export function makeSwitchKey(hook: ConfiguredHook): string {
  return `${hook.event} ${makeRunKey(hook)}`
}
