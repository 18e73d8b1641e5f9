import { isDeepStrictEqual } from 'node:util'
import { type ConfiguredHook, isFault, makeRunKey } from '../config/hook.ts'
import type { ProtocolRules } from '../protocol/rules.ts'
import type { Scope } from '../protocol/scope.ts'

/** Rule about hooks that are duplicates of each other, and which of them runs in what way. */
export interface DuplicateRule {
  /** Equal for hooks of one event that run once. */
  readonly key: (hook: ConfiguredHook) => string
  /** Choice of the one of several equal hooks that runs; they stand in configuration order. */
  readonly kept: <Hook extends { readonly hook: ConfiguredHook }>(equal: readonly [Hook, ...Hook[]]) => Hook
  /** Hook as it runs, given all that are equal to it, which are several. */
  readonly asRun: (kept: ConfiguredHook, equal: readonly ConfiguredHook[]) => ConfiguredHook
  /** Text for the user about equal hooks that say different things about how they run; null: nothing. */
  readonly difference: (kept: ConfiguredHook, equal: readonly ConfiguredHook[]) => string | null
}

/** Rules of duplicates, by name. Whichever it is, the longest timeout and the strictest `onFailure` hold. */
export const DUPLICATES: Readonly<Record<ProtocolRules['duplicates'], DuplicateRule>> = {
  'first-with-longest-timeout': {
    key: makeRunKey,
    kept: (equal) => equal.find(({ hook }) => hook.scope === 'managed') ?? equal[0],
    asRun: (kept) => kept,
    difference: () => null,
  },
  'last-never-weaker': {
    key: (hook) => {
      if (OVERRIDABLE.includes(hook.scope)) return hook.identity
      return hook.scope === 'plugin' ? JSON.stringify([hook.pluginRoot, hook.identity]) : hook.id
    },
    kept: (equal) => equal.at(-1) ?? equal[0],
    asRun: mergeCopies,
    difference: describeDifference,
  },
}

/** Scopes of one user: what a later one repeats stands in place of an earlier one's. */
const OVERRIDABLE: readonly Scope[] = ['user', 'project', 'local', 'flag', 'session']

/** A hook that is not weaker than any copy of it. What a project repeats does not change how the user's own hook runs. */
function mergeCopies(kept: ConfiguredHook, equal: readonly ConfiguredHook[]): ConfiguredHook {
  const trusted = equal.findLast(({ trust }) => trust === 'none') ?? kept
  const difference = describeDifference(kept, equal)
  return {
    ...kept,
    handler: trusted.handler,
    waits: equal.some(({ waits }) => waits),
    rewake: equal.findLast(({ rewake }) => rewake !== null)?.rewake ?? null,
    warnings: difference === null ? kept.warnings : [...kept.warnings, difference],
  }
}

/** Of hooks in configuration order, each that runs in place of a copy with the same matcher which says something else, and what. */
export function findDifferingCopies(
  hooks: readonly ConfiguredHook[],
  findRule: (hook: ConfiguredHook) => DuplicateRule,
): { readonly hook: ConfiguredHook; readonly message: string }[] {
  const groups = new Map<string, [{ hook: ConfiguredHook }, ...{ hook: ConfiguredHook }[]]>()
  for (const hook of hooks) {
    if (isFault(hook.handler)) continue
    const name = JSON.stringify([hook.reading, hook.event, hook.matcherText, findRule(hook).key(hook)])
    const group = groups.get(name)
    if (group) group.push({ hook })
    else groups.set(name, [{ hook }])
  }
  const differing: { readonly hook: ConfiguredHook; readonly message: string }[] = []
  for (const group of groups.values()) {
    if (group.length === 1) continue
    const { kept, difference } = findRule(group[0].hook)
    const { hook } = kept(group)
    const equal = group.map((one) => one.hook)
    const message = difference(hook, equal)
    if (message !== null) differing.push({ hook, message })
  }
  return differing
}

function describeDifference(kept: ConfiguredHook, equal: readonly ConfiguredHook[]): string | null {
  const others = equal.filter((hook) => hook !== kept)
  const fields = new Set(others.flatMap((other) => listDifferingFields(kept, other)))
  if (fields.size === 0) return null
  const [first, ...more] = others.map(({ id }) => id)
  const ids = more.length === 0 ? first : `${first} and ${more.length} more`
  return `${ids} runs the same and differs in ${[...fields].join(', ')}; no copy makes the hook weaker`
}

/** The fields, as files name them, that two equal hooks disagree about. */
function listDifferingFields(one: ConfiguredHook, other: ConfiguredHook): string[] {
  const handlers: readonly Readonly<Record<string, unknown>>[] = [{ ...one.handler }, { ...other.handler }]
  const [own = {}, others = {}] = handlers
  const names = new Set([...Object.keys(own), ...Object.keys(others)])
  const differs: Readonly<Record<string, boolean>> = {
    timeout: one.timeout !== other.timeout,
    async: one.waits !== other.waits,
    onFailure: one.blocksOnFailure !== other.blocksOnFailure,
    asyncRewake: !isDeepStrictEqual(one.rewake, other.rewake),
    ...Object.fromEntries([...names].map((name) => [name, !isDeepStrictEqual(own[name], others[name])])),
  }
  return Object.keys(differs).filter((name) => differs[name])
}
