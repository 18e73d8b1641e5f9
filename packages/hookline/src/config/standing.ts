import type { EventRow } from '../protocol/event-row.ts'
import { type ConfiguredHook, type HandlerType, isFault, whatItRuns } from './hook.ts'
import type { Switches } from './switches.ts'

/** What is settled about a hook before any event: it may run, or why it never does. */
export type Standing =
  | { readonly verdict: 'active' }
  | { readonly verdict: 'policy-off' | 'disabled' | 'untrusted' | 'invalid' | 'unsupported'; readonly because: string }

/** What decides about the standing of hooks. */
export interface Policy {
  readonly switches: Pick<Switches, 'policyOff' | 'managedOnly' | 'disabled'>
  readonly trusted: boolean
  /** The hook types that can run here. */
  readonly runs: ReadonlySet<HandlerType>
  /** Hooks that the user switched off for the session, by `switchKey`. */
  readonly switchedOff: ReadonlySet<string>
}

/** The first that fits of: policy-off, disabled, untrusted, invalid, unsupported. */
export function standingOf(hook: ConfiguredHook, row: EventRow, policy: Policy): Standing {
  const { switches, trusted, runs, switchedOff } = policy
  const { scope, handler } = hook
  if (switches.policyOff !== null)
    return { verdict: 'policy-off', because: `${switches.policyOff} switches all hooks off` }
  if (switches.managedOnly !== null && scope !== 'managed') {
    return { verdict: 'policy-off', because: `${switches.managedOnly} allows managed hooks only` }
  }
  if (switches.disabled !== null && scope !== 'managed' && scope !== 'session') {
    return { verdict: 'disabled', because: `disableAllHooks is set in ${switches.disabled}` }
  }
  if (switchedOff.size > 0 && scope !== 'managed' && switchedOff.has(switchKey(hook)))
    return { verdict: 'disabled', because: 'it was switched off for this session' }
  if (hook.trust === 'unshown')
    return { verdict: 'untrusted', because: 'it was not there, or different, when the folder was accepted' }
  if (hook.trust === 'project' && !trusted) {
    return { verdict: 'untrusted', because: 'the folder has not been accepted, or has changed since' }
  }
  if (isFault(handler)) return handler
  if (row.hookTypes !== 'all' && !row.hookTypes.includes(handler.type)) {
    return { verdict: 'unsupported', because: `${handler.type} hooks do not run for ${row.name}` }
  }
  if (!runs.has(handler.type)) return { verdict: 'unsupported', because: `no model is lent for ${handler.type} hooks` }
  return { verdict: 'active' }
}

/** The same for what a hook runs on an event, whatever its place in a file becomes. */
export function switchKey(hook: ConfiguredHook): string {
  return `${hook.event} ${whatItRuns(hook)}`
}
