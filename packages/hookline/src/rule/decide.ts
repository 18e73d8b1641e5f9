import { findCoveringRules, matchRule, type RuleCall } from './match.ts'
import type { Folders } from './path-pattern.ts'
import type { Certainty, Rule } from './rule.ts'

/** Behaviours of a rule for the calls that it means, mildest first. */
export const BEHAVIORS = ['allow', 'ask', 'deny'] as const

/** Fate of a call. */
export type Behavior = (typeof BEHAVIORS)[number]

/** Rules of the three kinds, and the folders that their paths start from. */
export interface RuleSet<Each extends Rule = Rule> extends Folders, Readonly<Record<Behavior, readonly Each[]>> {}

/** Decision of rules about a call. */
export interface RuleDecision<Each extends Rule = Rule> {
  readonly behavior: Behavior
  /** The rule that decided; of several that allow a command together the first. */
  readonly rule: Each
  /** False: the rule may mean the call, which cannot be known before it is made. */
  readonly certain: boolean
}

/**
 * Decides what rules say of a call, whatever their order: a deny rule that means it denies; an ask rule that means or may mean it,
 * or a deny rule that may, asks; rules that cover all of it allow. Null: no rule decides. Starts nothing, and looks at the
 * disk only to see where links lead.
 */
export async function decideByRules<Each extends Rule>(
  rules: RuleSet<Each>,
  call: RuleCall,
): Promise<RuleDecision<Each> | null> {
  return (await findRestriction(rules, [call])) ?? (await findPermission(rules, call))
}

/** Finds what deny and ask rules say against any of these calls: a call as the model made it and as hooks rewrote it. */
export async function findRestriction<Each extends Rule>(
  rules: RuleSet<Each>,
  calls: readonly RuleCall[],
): Promise<RuleDecision<Each> | null> {
  const denying = await findStrongest(rules.deny, calls, rules)
  if (denying) return { behavior: denying.certain ? 'deny' : 'ask', ...denying }
  const asking = await findStrongest(rules.ask, calls, rules)
  return asking ? { behavior: 'ask', ...asking } : null
}

/** True if allow rules cover a call. */
export async function findPermission<Each extends Rule>(
  rules: RuleSet<Each>,
  call: RuleCall,
): Promise<RuleDecision<Each> | null> {
  const [rule] = (await findCoveringRules(rules.allow, call, rules)) ?? []
  return rule ? { behavior: 'allow', rule, certain: true } : null
}

/** The first rule that means one of the calls, else the first that may. */
async function findStrongest<Each extends Rule>(
  rules: readonly Each[],
  calls: readonly RuleCall[],
  folders: Folders,
): Promise<Omit<RuleDecision<Each>, 'behavior'> | null> {
  let possible: Each | null = null
  for (const rule of rules) {
    const certainties: Certainty[] = []
    for (const call of calls) certainties.push(await matchRule(rule, call, folders))
    if (certainties.includes('yes')) return { rule, certain: true }
    if (certainties.includes('unsure')) possible ??= rule
  }
  return possible === null ? null : { rule: possible, certain: false }
}
