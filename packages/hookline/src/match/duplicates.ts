import { type ConfiguredHook, isFault, whatItRuns } from '../config/hook.ts'
import type { ProtocolRules } from '../protocol/rules.ts'
import type { Scope } from '../protocol/scope.ts'

/** When hooks are duplicates of each other, and which of them runs in what way. */
export interface DuplicateRule {
  /** Equal for hooks of one event that run once. */
  readonly key: (hook: ConfiguredHook) => string
  /** Which of several equal hooks runs; they stand in configuration order. */
  readonly kept: <Hook extends { readonly hook: ConfiguredHook }>(equal: readonly [Hook, ...Hook[]]) => Hook
  /** That hook as it runs, given all that are equal to it. */
  readonly asRun: (kept: ConfiguredHook, equal: readonly ConfiguredHook[]) => ConfiguredHook
}

/** Which duplicates count, by the name of the rule. Whichever it is, the longest timeout and the strictest `onFailure` hold. */
export const DUPLICATES: Readonly<Record<ProtocolRules['duplicates'], DuplicateRule>> = {
  'first-with-longest-timeout': {
    key: whatItRuns,
    kept: (equal) => equal.find(({ hook }) => hook.scope === 'managed') ?? equal[0],
    asRun: (kept) => kept,
  },
  'last-never-weaker': {
    key: (hook) => (OVERRIDABLE.includes(hook.scope) ? whatItRuns(awaited({ ...hook, pluginRoot: null })) : hook.id),
    kept: (equal) => equal.at(-1) ?? equal[0],
    asRun: (kept, equal) => (equal.every(isAsync) ? kept : awaited(kept)),
  },
}

/** Scopes of one user: what a later one repeats stands in place of an earlier one's. */
const OVERRIDABLE: readonly Scope[] = ['user', 'project', 'local', 'session']

function isAsync({ handler }: ConfiguredHook): boolean {
  return !isFault(handler) && handler.type === 'command' && handler.async
}

/** A hook that the event waits for. */
function awaited(hook: ConfiguredHook): ConfiguredHook {
  const { handler } = hook
  return isFault(handler) || handler.type !== 'command' ? hook : { ...hook, handler: { ...handler, async: false } }
}
