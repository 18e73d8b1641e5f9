import { type ConfiguredHook, whatItRuns } from '../config/hook.ts'
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
    key: (hook) => (OVERRIDABLE.includes(hook.scope) ? hook.identity : hook.id),
    kept: (equal) => equal.at(-1) ?? equal[0],
    asRun: (kept, equal) => ({ ...kept, waits: equal.some(({ waits }) => waits) }),
  },
}

/** Scopes of one user: what a later one repeats stands in place of an earlier one's. */
const OVERRIDABLE: readonly Scope[] = ['user', 'project', 'local', 'flag', 'session']
