import type { Matcher } from '../pattern/matcher.ts'
import type { Handler, HookText } from '../protocol/hook-type.ts'
import type { Scope } from '../protocol/scope.ts'
import type { Condition } from '../rule/condition.ts'

/** Reason why a hook as it is written cannot run. */
export interface Fault {
  readonly verdict: 'invalid' | 'unsupported'
  readonly because: string
  /** Reading of another profile; null when none could run it either. */
  readonly elsewhere: {
    readonly profile: string
    /** True if it is waited for there, and so could object. */
    readonly decides: boolean
  } | null
  /** Calls that it was to guard are refused. */
  readonly refuses?: true
}

/** Words of a hook about what it is and runs, as far as it has some: its type, and the fields that say what is started. */
export interface WrittenHook {
  readonly type: string | null
  readonly command?: string
  readonly prompt?: string
  /** True for a hook inside of `hookline wrap`, of which this is what that runs. */
  readonly wrapped?: true
  readonly [field: string]: string | readonly string[] | true | null | undefined
}

/** Trust that a hook needs: none, that in the project, or one that the user was never asked for since it was not shown. */
export type TrustNeed = 'none' | 'project' | 'unshown'

/** A hook as it was found, sound or not: nothing that is configured is dropped. */
export interface ConfiguredHook {
  readonly id: string
  readonly event: string
  readonly scope: Scope
  /** The name of the profile that it is read under. */
  readonly profile: string
  /** The key of that profile among those that the session has loaded. */
  readonly reading: string
  /** Relative to the project inside it, else absolute; null for hooks registered in memory. */
  readonly file: string | null
  readonly line: number | null
  /** The matcher as written. */
  readonly matcherText: string | null
  readonly matcher: Matcher
  /** The rule that a call has to fit as well; null: every call does. */
  readonly condition: Condition | null
  /** Words of the entry. */
  readonly written: WrittenHook
  /** Text of what it runs, for the user. */
  readonly shown: HookText
  /** Handler, or the reason why there is none. */
  readonly handler: Handler | Fault
  /** Equal for hooks that say the same about what they run; its id where it is like no other. */
  readonly identity: string
  /** The event waits for it, so that it can decide something. */
  readonly waits: boolean
  /** Seconds; null means the default of its type. */
  readonly timeout: number | null
  readonly statusMessage: string | null
  /** Runs once per session. */
  readonly once: boolean
  /** A failure of it blocks, as its own `onFailure` says. */
  readonly blocksOnFailure: boolean
  /** In the background, exit code 2 wakes the model, with this beside what it says; null: it does not. */
  readonly rewake: { readonly message: string | null; readonly summary: string | null } | null
  /** The folder of the plugin it belongs to. */
  readonly pluginRoot: string | null
  readonly trust: TrustNeed
  /** Oddities that did not keep it from running. */
  readonly warnings: readonly string[]
}

/** True if there is nothing to run. */
export function isFault(handler: Handler | Fault): handler is Fault {
  return 'verdict' in handler
}

/** Equal for hooks that would run the same thing in the same way. */
export function makeRunKey({ identity, waits, pluginRoot }: ConfiguredHook): string {
  return JSON.stringify([identity, waits, pluginRoot])
}
