import type { Matcher } from '../pattern/matcher.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { Scope } from '../protocol/scope.ts'
import type { SpokenMessage } from '../protocol/spoken-message.ts'

/** An in-process hook: answers with the same object a command would print, with text, or with nothing. */
export type FunctionHook = (input: EventInput, context: { signal: AbortSignal }) => unknown

/** An agent hook's prompt that depends on the conversation; for hooks registered in process. */
export type PromptFunction = (messages: readonly SpokenMessage[]) => string | Promise<string>

/** What runs when a hook's turn comes. */
export type Handler =
  | { readonly type: 'command'; readonly command: string; readonly async: boolean }
  | { readonly type: 'prompt'; readonly prompt: string; readonly model: string | null }
  | { readonly type: 'agent'; readonly prompt: string | PromptFunction; readonly model: string | null }
  | { readonly type: 'function'; readonly call: FunctionHook }

export type HandlerType = Handler['type']

/** Why a hook as it is written cannot run. */
export interface Fault {
  readonly verdict: 'invalid' | 'unsupported'
  readonly because: string
  /** What another profile would make of it; null when none could run it either. */
  readonly elsewhere: {
    readonly profile: string
    /** Whether it is waited for there, and so could object. */
    readonly decides: boolean
  } | null
}

/** Whose acceptance a hook needs: nobody's, the project's, or one that was never asked for since it was not shown. */
export type TrustNeed = 'none' | 'project' | 'unshown'

/** A hook as it was found, sound or not: nothing that somebody configured is dropped. */
export interface ConfiguredHook {
  readonly id: string
  readonly event: string
  readonly scope: Scope
  /** Relative to the project inside it, else absolute; null for hooks registered in memory. */
  readonly file: string | null
  readonly line: number | null
  /** The matcher as written. */
  readonly matcherText: string | null
  readonly matcher: Matcher
  /** What it says it is, for showing. */
  readonly written: { readonly type: string | null; readonly command?: string; readonly prompt?: string }
  /** What it runs, or why it cannot. */
  readonly handler: Handler | Fault
  /** Seconds; null means the default of its type. */
  readonly timeout: number | null
  readonly statusMessage: string | null
  /** Runs once per session. */
  readonly once: boolean
  /** A failure of it blocks, as its own `onFailure` says. */
  readonly blocksOnFailure: boolean
  /** The folder of the plugin it belongs to. */
  readonly pluginRoot: string | null
  readonly trust: TrustNeed
  /** What was odd about it and did not keep it from running. */
  readonly warnings: readonly string[]
}

/** Whether there is nothing to run. */
export function isFault(handler: Handler | Fault): handler is Fault {
  return 'verdict' in handler
}

/** Equal for hooks that would run the same thing (PROTOCOL.md, section 4, duplicates). */
export function whatItRuns({ id, handler, pluginRoot }: ConfiguredHook): string {
  if (isFault(handler) || handler.type === 'function') return id
  if (handler.type === 'agent' && typeof handler.prompt === 'function') return id
  const what = handler.type === 'command' ? [handler.command, handler.async] : [handler.prompt, false]
  return JSON.stringify([handler.type, ...what, pluginRoot])
}
