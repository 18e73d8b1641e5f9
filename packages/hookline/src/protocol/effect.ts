/** An output beyond the decision that all events have: how hooks ask for it, and how several that do become one. */
export interface Effect {
  /** The fields of an answer that ask for it; where there are several, the first that is there counts. */
  readonly fields: readonly string[]
  /** Where that is found: a key of `read/effects.ts`. */
  readonly from: EffectSource
  /** A key of `decide/merge.ts`. */
  readonly merge: EffectMerge
}

/** `specific`: under `hookSpecificOutput`; `anywhere`: at the top level too; `plain-stdout`: not in an answer at all. */
export type EffectSource = 'specific' | 'anywhere' | 'anywhere-for-mcp-tools' | 'plain-stdout'

/** `joined`: all texts, with an empty line between them; `any`: true as soon as one hook says so. */
export type EffectMerge = 'first' | 'last' | 'all' | 'any' | 'joined'

/** What a decision says of an effect that no hook asked for. */
export const NO_EFFECT: Readonly<Record<EffectMerge, unknown>> = {
  first: null,
  last: null,
  all: null,
  any: false,
  joined: null,
}
